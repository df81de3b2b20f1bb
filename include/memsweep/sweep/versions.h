/* SPDX-License-Identifier: MIT */
/* versions: what a plan's answers depend on of the program, by name. */
#ifndef MEMSWEEP_SWEEP_VERSIONS_H
#define MEMSWEEP_SWEEP_VERSIONS_H

#include "memsweep/base/text.h"
#include "memsweep/sweep/sweep.h"

/* Appends a JSON object: name and version of the mechanism (of its closed form, or of its cycle
 * model), of the parts of `sim` it uses ("sim.dram"), of the sampler where it is used, of the front
 * ends and of the design. */
void msw_plan_versions(const msw_plan *plan, msw_text *out);

#endif
