/* SPDX-License-Identifier: MIT */
/* What `reproduce --over-unknowns` draws: the first wave of a calibration. All rows of the sweeps
 * are run for it, not only those that are compared, since the page tells the span of every claim.
 */
#include "reproduce/calibrate/calibration.h"

#include <stdlib.h>

int msw_paper_spread(msw_paper *p)
{
    msw_calibrate_options ask = {.samples = p->ask->samples, .inner = p->ask->inner, .waves = 1};
    msw_calibration c = {.paper = p, .ask = &ask};
    msw_spread s = {0};
    int rc = msw_calibration_unknowns(&c) || msw_calibration_settings(&c, NULL, NULL, &s) ? -1 : 0;
    s.fidelity = p->ask->fidelity ? p->ask->fidelity : "analytic";
    free(c.levels);
    msw_spread_free(&p->spread);
    p->spread = s;
    return rc ? -1 : msw_spread_answer(p, &p->spread);
}
