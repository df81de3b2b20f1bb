/* claims: what a paper says, row by row, and whether a model's number agrees.
 *
 * A claim is one published quantity with how sure it is, a band, and a SELECT that computes the
 * model's number. docs/reproduce.md describes the file. */
#ifndef MEMSWEEP_REPRODUCE_CLAIMS_H
#define MEMSWEEP_REPRODUCE_CLAIMS_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum msw_certainty {
    MSW_STATED,     /* read in the paper */
    MSW_PUBLISHED,  /* read in another named public source */
    MSW_CALCULATED, /* arithmetic on such numbers */
    MSW_REMEMBERED, /* not verified: never judged */
    MSW_BARS,       /* a trend read off bars, without a number */
    MSW_EXPERIMENT, /* not published: explains other claims */
    MSW_CERTAINTY_COUNT
} msw_certainty;

typedef enum msw_judgement {
    MSW_NO_VERDICT,
    MSW_PASS,
    MSW_MISS,
    MSW_UNCLEAR, /* the half-width reaches across an end of the band */
    MSW_VERDICT_COUNT
} msw_judgement;

/* Numbers are as the model gives them: shares, where the unit is %. NaN: not there. */
typedef struct msw_claim {
    const char *id, *figure, *quantity, *unit, *source, *sql, *explain, *note;
    msw_certainty certainty;
    double published, low, high;
    size_t line;
} msw_claim;

typedef struct msw_claims {
    size_t count;
    msw_claim *list;
    char *text; /* what the strings point into */
} msw_claims;

/* Reads a published.csv; takes over `text` (heap, zero-terminated) whatever happens. Returns 0, or
 * -1 with path and line. */
int msw_claims_parse(const char *path, char *text, msw_claims *claims, msw_err *err);
void msw_claims_free(msw_claims *claims);

/* Finds a claim by the first `size` characters of `id`. Returns it, or NULL. */
const msw_claim *msw_claim_find(const msw_claims *claims, const char *id, size_t size);

/* What a number is multiplied by to be printed: 100 where the unit is %. */
double msw_claim_scale(const msw_claim *claim);
bool msw_claim_is_trend(const msw_claim *claim); /* the unit is yes/no */

/* Compares a value with the band. Returns the verdict; a value that is not there misses. */
msw_judgement msw_claim_judge(const msw_claim *claim, double value, double half_width);

/* "stated", "public", ...; "", "pass", "miss", "unclear". */
const char *msw_certainty_name(msw_certainty certainty);
const char *msw_judgement_name(msw_judgement verdict);

#endif
