/* SPDX-License-Identifier: MIT */
/* dram_lint: settings of a memory that are allowed but make no sense together.
 *
 * msw_dram_check refuses what cannot be simulated; this names what can be, and is maybe not meant:
 * rules that never bind, buses that cannot carry what the banks give, refresh that eats the time.
 * The rules with their equations: docs/models/dram-presets.md.
 *
 * No model calls, but tests do: msw_dram_lint_rule. */
#ifndef MEMSWEEP_SIM_DRAM_LINT_H
#define MEMSWEEP_SIM_DRAM_LINT_H

#include "memsweep/sim/dram.h"

enum { MSW_DRAM_FINDING_BYTES = 200 };

typedef struct msw_dram_finding {
    const char *rule;
    char text[MSW_DRAM_FINDING_BYTES]; /* the settings with their numbers, and what follows */
} msw_dram_finding;

/* Returns the name of a rule, NULL after the last. */
const char *msw_dram_lint_rule(size_t index);

/* Applies all rules to a configuration of the bank model that has passed msw_dram_check. Returns
 * how many fired; their findings are written as far as `capacity` goes. One rule plays a short
 * sequential stream: some milliseconds. */
size_t msw_dram_lint(const msw_dram_config *config, msw_dram_finding *findings, size_t capacity);

#endif
