/* SPDX-License-Identifier: MIT */
/* What an answer's key has to know of the code that gave it. */
#include "memsweep/mech/engine.h"
#include "memsweep/mech/sampler.h"

#include <stddef.h>

int msw_mech_version(const msw_mech *mech, msw_fidelity fidelity)
{
    return fidelity == MSW_ANALYTIC ? mech->version_closed : mech->version_machine;
}

const msw_part *const *msw_mech_parts(const msw_mech *mech, msw_fidelity fidelity)
{
    static const msw_part *const NONE[] = {NULL};
    const msw_part *const *parts =
        fidelity == MSW_ANALYTIC ? mech->parts_closed : mech->parts_machine;
    return parts ? parts : NONE;
}

static msw_digest fold(msw_digest all, const char *name, int version)
{
    uint64_t word = (uint64_t)version;
    return msw_hash_pair(msw_hash_pair(all, msw_hash_string(name)),
                         msw_hash_bytes(&word, sizeof word));
}

msw_digest msw_mech_model(const msw_mech *mech, msw_fidelity fidelity)
{
    msw_digest all = fold((msw_digest){0}, mech->name, msw_mech_version(mech, fidelity));
    for (const msw_part *const *part = msw_mech_parts(mech, fidelity); *part; part++)
        all = fold(all, (*part)->name, (*part)->version);
    if (fidelity == MSW_SAMPLED && mech->predict) /* a prediction is of the closed form */
        all = msw_hash_pair(all, msw_mech_model(mech, MSW_ANALYTIC));
    return fidelity == MSW_SAMPLED ? fold(all, "sampler", MSW_SAMPLER_VERSION) : all;
}
