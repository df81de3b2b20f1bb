/* SPDX-License-Identifier: MIT */
/* Private to store: a sweep over its workloads, one row per design. */
#ifndef MSW_STORE_READ_OVER_H
#define MSW_STORE_READ_OVER_H

#include "store/catalogue/names.h"
#include "store/read/view.h"

typedef enum msw_over_by { MSW_BY_WORST, MSW_BY_MEAN, MSW_BY_GEOMEAN, MSW_BY_WEIGHTED } msw_over_by;

/* What comes after the last '@' of a word: "worst", "mean(a, b)", "weighted(a=2, b=1)". */
typedef struct msw_over {
    const char *word; /* in the word that was read; NULL: none */
    msw_over_by by;
    size_t count; /* workloads named; 0: all */
    char **names;
    double *weights;
} msw_over;

/* Where the way to take workloads together begins in a word. Returns its '@', or NULL. */
const char *msw_over_find(const char *word);

/* Whether a word leaves it to the sweep (MSW_OVER_OWN). */
bool msw_over_is_own(const char *word);

/* Reads it; `workloads` are those of the sweep. Returns 0, or -1. */
int msw_over_read(const char *at, const char *const *workloads, size_t count, msw_over *over,
                  msw_err *err);
void msw_over_free(msw_over *over);

/* Makes the view NAME@worst of the view `base`, whose columns are listed, and the same of the
 * designs in temp.msw_chosen. Returns 0 and what the first is called, or -1. */
int msw_over_make(msw_store *store, const char *at, msw_view *base, char **name, msw_err *err);

/* What the view of the chosen designs is called. Returns it, or NULL without memory. */
char *msw_over_chosen_name(const char *name);

#endif
