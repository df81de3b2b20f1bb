/* SPDX-License-Identifier: MIT */
/* Private to mech: the presets of memory as values of a parameter, and what their lint says. */
#ifndef MSW_MECH_SHARED_MEMORIES_H
#define MSW_MECH_SHARED_MEMORIES_H

#include "memsweep/base/text.h"
#include "memsweep/param/param.h"
#include "memsweep/sim/dram.h"

/* In the order of msw_dram_presets, which new ones end. */
enum { MSW_MEMORY_HBM2 = 1, MSW_MEMORIES = 11 };
extern const msw_choice msw_memory_choices[MSW_MEMORIES + 1];

/* Returns the configuration of a choice. */
static inline const msw_dram_config *msw_memory_of(int64_t choice)
{
    return &msw_dram_presets[choice].config;
}

/* Appends the findings of the lint, one a line. */
void msw_memory_lint(const msw_dram_config *config, msw_text *lines);

#endif
