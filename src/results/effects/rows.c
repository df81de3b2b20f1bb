/* SPDX-License-Identifier: MIT */
/* Rows of the table of effects. */
#include "memsweep/results/effects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void msw_effects_row(msw_effects *job, const msw_slice *slice, const char *name)
{
    msw_fit_row(job->cases, slice, job->builder);
    msw_builder_text(job->builder, "factor", name);
}

void msw_effects_made_row(msw_effects *job, const msw_slice *slice, const msw_text *name)
{
    msw_fit_row(job->cases, slice, job->builder);
    msw_builder_made(job->builder, "factor", name);
}

void msw_effects_used(msw_effects *job, const msw_used *used)
{
    msw_builder_count(job->builder, "used", used->used);
    msw_builder_count(job->builder, "dropped", used->dropped);
    job->last = *used;
}

void msw_effects_factor_names(const msw_slice *slice, uint32_t set, msw_text *out)
{
    const char *before = "";
    for (unsigned f = 0; f < slice->factor_count; f++)
        if (set >> f & 1) {
            msw_text_add(out, "%s%s", before, slice->factors[f]->name);
            before = " * ";
        }
}
