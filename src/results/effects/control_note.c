/* SPDX-License-Identifier: MIT */
/* What is shown of indices with a control. */
#include "results/effects/control.h"

#include <math.h>

void effects_control_show(msw_effects *job, const msw_slice *slice, char *const *names,
                          size_t count, const msw_sobol_indices *indices, const msw_used *used)
{
    for (size_t f = 0; f < count; f++) {
        msw_effects_row(job, slice, names[f]);
        effects_set_estimate(job->builder, "first", &indices->first[f]);
        effects_set_estimate(job->builder, "total", &indices->total[f]);
        msw_builder_number(job->builder, "mean", indices->mean);
        msw_builder_number(job->builder, "variance", indices->variance);
        msw_effects_used(job, used);
    }
}

void effects_control_note(msw_effects *job, const msw_controlled *did, const msw_used *used,
                          const char *unit)
{
    bool rows = used->used >= MSW_CONTROL_ROWS, alike = did->correlation >= MSW_CONTROL_CORRELATION;
    job->unit = unit;
    msw_text_add(job->note,
                 "%zu %s of %s, corrected by %zu of %s on the same design (correlation %.4f)\n"
                 "mean %.6g +-%.2g\n",
                 used->used, unit, msw_fidelity_name(job->cases->outline.fidelity),
                 did->control_rows, msw_fidelity_name(job->control->outline.fidelity),
                 did->correlation, did->mean.value, did->mean.half);
    if (rows && alike && did->saving >= 1)
        msw_text_add(job->note,
                     "squared errors are %.3g times smaller than without the control: up to %.3g "
                     "times fewer rows",
                     did->saving,
                     fmin(did->saving, (double)did->control_rows / (double)used->used));
    else
        msw_text_add(job->note,
                     "the control does not pay: %s%s (squared errors are %.2g times smaller)",
                     !rows    ? "fewer than 64 "
                     : !alike ? "a correlation below 0.9"
                              : "its differences vary more than the model",
                     !rows ? unit : "", did->saving);
}
