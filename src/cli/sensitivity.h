/* Private to `sensitivity`: one function per method, from the cases of a group to rows of a table.
 */
#ifndef MEMSWEEP_CLI_SENSITIVITY_H
#define MEMSWEEP_CLI_SENSITIVITY_H

#include "fit.h"

#include "memsweep/sensitivity.h"

typedef enum cli_method {
    CLI_METHOD_OAT,
    CLI_METHOD_MORRIS,
    CLI_METHOD_SOBOL,
    CLI_METHOD_ANOVA,
    CLI_METHOD_REGRESSION,
    CLI_METHOD_PCE,
    CLI_METHOD_GIVEN /* regression and pce */
} cli_method;

typedef struct cli_sensitivity_ask {
    double confidence;
    int64_t resamples, seed, interactions, degree;
    msw_sobol_first estimator;
    bool raw;
    const char *baseline, *groups, *method;
} cli_sensitivity_ask;

typedef struct cli_sensitivity {
    cli_study *study;
    cli_sensitivity_ask ask;
    cli_sheet *sheet;
    msw_text *note;       /* what a reader of the numbers must know */
    msw_used last, total; /* of this group, of all */
    size_t absent, cut;   /* base rows or trajectories not looked at: as a whole, in part */
    const char *unit;     /* of what is used and dropped: "base rows" */
} cli_sensitivity;

/* Starts a row for a factor (or several, joined) of a group. */
void cli_sensitivity_row(cli_sensitivity *job, const cli_slice *slice, const char *name);

/* Ends the row: used and dropped. */
void cli_sensitivity_used(cli_sensitivity *job, const msw_used *used);

/* Counts, among the blocks of a design of `points` points, those of which a group has no case and
 * those of which it has some. */
void cli_sensitivity_blocks(const cli_study *study, const cli_slice *slice, uint64_t points,
                            size_t *absent, size_t *cut);

/* "a", "a * b", ... of the factors whose bits are set. */
void cli_factor_names(const cli_slice *slice, uint32_t set, msw_text *out);

/* Shares of the variance for any set of factors. */
typedef struct cli_shares {
    const void *context;
    const msw_used *used;
    double (*closed)(const void *context, uint32_t set);
    void (*finish)(cli_sensitivity *job,
                   const struct cli_shares *shares); /* the row's last cells */
} cli_shares;

/* One row for each of the groups asked for. Returns 0, or -1. */
int cli_sensitivity_groups(cli_sensitivity *job, const cli_slice *slice, const cli_shares *shares);

/* All return 0, or -1. */
int cli_sobol(cli_sensitivity *job, const cli_slice *slice);
int cli_morris(cli_sensitivity *job, const cli_slice *slice);
int cli_anova(cli_sensitivity *job, const cli_slice *slice);
int cli_oat(cli_sensitivity *job, const cli_slice *slice);
int cli_given(cli_sensitivity *job, const cli_slice *slice, bool regression, bool pce);

/* Whether the cases of a group fill a grid of the levels of all factors, each cell once. */
bool cli_anova_fits(const cli_study *study, const cli_slice *slice);

/* Whether no case differs from the baseline in more than one factor. */
bool cli_oat_fits(const cli_study *study, const cli_slice *slice);

#endif
