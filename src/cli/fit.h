/* Private to the commands that fit a surrogate to the cases of a group. */
#ifndef MEMSWEEP_CLI_FIT_H
#define MEMSWEEP_CLI_FIT_H

#include "sheet.h"
#include "study.h"

#include "memsweep/surrogate.h"

/* The cases of one group and the factors that vary in it. */
typedef struct cli_slice {
    uint32_t group;
    size_t first, n;
    size_t factor_count;
    const cli_factor **factors;
} cli_slice;

/* Calls `each` for every group, until one gives something else than 0. Returns 0, or -1. */
int cli_slice_each(const cli_study *study, int (*each)(void *context, const cli_slice *slice),
                   void *context);

/* Starts a row that names the group, where there are groups. */
void cli_fit_row(const cli_study *study, const cli_slice *slice, cli_sheet *sheet);

/* Prints the sheet with a note, whole lines, that ends with what the cases are, or what went wrong
 * (`rc` is not 0); closes and frees both. Returns an exit code. */
int cli_fit_show(cli_study *study, cli_sheet *sheet, int rc, const char *format,
                 msw_report_style style);

enum { CLI_FIT_ROWS = 50000 }; /* of more cases than this that many are drawn at random */

/* How a polynomial is asked for. */
typedef struct cli_fit_ask {
    unsigned degree; /* total */
    bool best;       /* the best one up to that */
    uint64_t seed;
} cli_fit_ask;

/* Fits a polynomial. Returns it, or NULL with the study's err. */
msw_pce *cli_fit(const cli_study *study, const cli_slice *slice, const cli_fit_ask *ask,
                 msw_pce_quality *quality);

/* The highest degree worth trying when nobody says one: 6, less with many factors or cases. */
unsigned cli_fit_highest(const cli_slice *slice);

/* Why nothing can be said of the output of a slice: it is infinite, or known in fewer than `least`
 * points, or, when that is not 0, does not vary. Returns it, or NULL. */
const char *cli_slice_reason(const cli_study *study, const cli_slice *slice, size_t least,
                             char text[128]);

/* Says, for a note, how many of the cases took part where not all do. Returns whether it did. */
bool cli_fit_note(size_t cases, uint64_t seed, msw_text *out);

#endif
