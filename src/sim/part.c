/* SPDX-License-Identifier: MIT */
/* The versions of the parts. */
#include "memsweep/sim/part.h"

#include <stddef.h>

const msw_part msw_part_cache = {"cache", 1};
const msw_part msw_part_cost = {"cost", 1};
const msw_part msw_part_dram = {"dram", 2};
const msw_part msw_part_dram_analytic = {"dram_analytic", 3};
const msw_part msw_part_dram_lines = {"dram_lines", 3};
const msw_part msw_part_dram_map = {"dram_map", 1};
const msw_part msw_part_event = {"event", 1};
const msw_part msw_part_learn = {"learn", 1};
const msw_part msw_part_link = {"link", 1};
const msw_part msw_part_pagetable = {"pagetable", 1};
const msw_part msw_part_reuse = {"reuse", 1};
const msw_part msw_part_translation = {"translation", 1};

const msw_part *const msw_parts[] = {
    &msw_part_cache,      &msw_part_cost,     &msw_part_dram,        &msw_part_dram_analytic,
    &msw_part_dram_lines, &msw_part_dram_map, &msw_part_event,       &msw_part_link,

    &msw_part_learn,

    &msw_part_pagetable,  &msw_part_reuse,    &msw_part_translation, NULL,
};
