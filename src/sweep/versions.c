/* SPDX-License-Identifier: MIT */
#include "memsweep/sweep/versions.h"

#include "memsweep/base/quote.h"
#include "memsweep/mech/engine.h"
#include "memsweep/mech/sampler.h"

#include <stdio.h>

static void add(const char *before, const char *name, int version, msw_text *out)
{
    msw_text_add(out, "%s", before);
    msw_text_add_json(out, name);
    msw_text_add(out, ": %d", version);
}

void msw_plan_versions(const msw_plan *plan, msw_text *out)
{
    char part[64];
    add("{", plan->mech->name, msw_mech_version(plan->mech, plan->fidelity), out);
    for (const msw_part *const *p = msw_mech_parts(plan->mech, plan->fidelity); *p; p++) {
        snprintf(part, sizeof part, "sim.%s", (*p)->name);
        add(", ", part, (*p)->version, out);
    }
    if (plan->fidelity == MSW_SAMPLED)
        add(", ", "sampler", MSW_SAMPLER_VERSION, out);
    for (size_t i = 0; i < plan->frontend_count; i++)
        add(", ", plan->frontends[i]->name, plan->frontends[i]->version, out);
    add(", ", plan->design->name, plan->design->version, out);
    msw_text_add(out, "}");
}
