/* Private to `surrogate`: the polynomial's answers at points. */
#ifndef MEMSWEEP_CLI_FIT_POINTS_H
#define MEMSWEEP_CLI_FIT_POINTS_H

#include "fit.h"
#include "places.h"

typedef struct cli_predictions {
    const cli_study *study;
    const cli_places *places;
    cli_fit_ask ask; /* degree 0: the highest worth trying */
    double confidence;
    cli_sheet *sheet;
    size_t stored, fitted, without; /* answers from rows, from the fit, without an interval */
    size_t cases;                   /* of the largest group */
} cli_predictions;

/* Adds one row per place for the cases of a group; `context` is a cli_predictions. Returns 0, or
 * -1.
 */
int cli_predict(void *context, const cli_slice *slice);

/* Says what the answers are and what their intervals hold for. */
void cli_predictions_note(const cli_predictions *predictions, msw_text *out);

#endif
