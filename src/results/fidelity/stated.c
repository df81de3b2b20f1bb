/* SPDX-License-Identifier: MIT */
/* Compares what a mechanism states about its cheap model with the pairs at hand. */
#include "memsweep/results/fidelity.h"

#include <math.h>

static bool is_within(double candidate, double reference, double tolerance)
{
    return candidate == reference || fabs(candidate - reference) <= tolerance * fabs(reference);
}

void msw_agree_verdict(const msw_agreement *stated, const msw_agree_values *v,
                       msw_table_builder *builder)
{
    size_t judged = 0, within = 0;
    for (size_t i = 0; i < v->n; i++) {
        if (isnan(v->candidate[i]) || isnan(v->reference[i]) || v->inside[i] != 1)
            continue;
        judged++;
        within += is_within(v->candidate[i], v->reference[i], stated->tolerance);
    }
    msw_builder_number(builder, "stated", stated->tolerance);
    msw_builder_number(builder, "of", stated->quantile);
    if (!judged)
        return;
    msw_builder_number(builder, "within", (double)within / (double)judged);
    msw_builder_text(builder, "verdict",
                     msw_stated_broken(stated, within, judged) ? "broken" : "holds");
}
