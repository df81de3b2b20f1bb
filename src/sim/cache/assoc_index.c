/* SPDX-License-Identifier: MIT */
/* Sets too wide to compare tag by tag: keys are found by hashing (linear probing, no tombstones),
 * the order of use is a doubly linked list per set. */
#include "sim/cache/assoc_parts.h"

static uint32_t home(const msw_assoc *assoc, uint64_t key)
{
    return (uint32_t)(key * 0x9E3779B97F4A7C15u >> 32) & assoc->table_mask;
}

static uint32_t position(const msw_assoc *assoc, uint64_t key)
{
    uint32_t at = home(assoc, key);
    while (assoc->table[at] && assoc->tags[assoc->table[at] - 1] != key)
        at = (at + 1) & assoc->table_mask;
    return at;
}

uint32_t msw_assoc_find_hashed(const msw_assoc *assoc, uint64_t key)
{
    return assoc->table[position(assoc, key)] - 1; /* 0 - 1 is MSW_ASSOC_NONE */
}

void msw_assoc_index_add(msw_assoc *assoc, uint64_t key, uint32_t line)
{
    uint32_t at = home(assoc, key);
    while (assoc->table[at])
        at = (at + 1) & assoc->table_mask;
    assoc->table[at] = line + 1;
}

void msw_assoc_index_remove(msw_assoc *assoc, uint64_t key)
{
    uint32_t mask = assoc->table_mask, hole = position(assoc, key);
    for (uint32_t at = (hole + 1) & mask; assoc->table[at]; at = (at + 1) & mask) {
        uint32_t wanted = home(assoc, assoc->tags[assoc->table[at] - 1]);
        /* An entry may move back into the hole unless its home lies after the hole. */
        if (((at - wanted) & mask) >= ((at - hole) & mask)) {
            assoc->table[hole] = assoc->table[at];
            hole = at;
        }
    }
    assoc->table[hole] = 0;
}

void msw_assoc_list_init(msw_assoc *assoc)
{
    for (uint32_t set = 0; set < assoc->sets; set++) {
        uint32_t base = set * assoc->ways, last = base + assoc->ways - 1;
        for (uint32_t line = base; line <= last; line++) {
            assoc->newer[line] = line == last ? MSW_ASSOC_NONE : line + 1;
            assoc->older[line] = line == base ? MSW_ASSOC_NONE : line - 1;
        }
        assoc->oldest[set] = base;
        assoc->newest[set] = last;
    }
}

static void unlink_line(msw_assoc *assoc, uint32_t set, uint32_t line)
{
    uint32_t newer = assoc->newer[line], older = assoc->older[line];
    *(newer == MSW_ASSOC_NONE ? &assoc->newest[set] : &assoc->older[newer]) = older;
    *(older == MSW_ASSOC_NONE ? &assoc->oldest[set] : &assoc->newer[older]) = newer;
}

void msw_assoc_list_newest(msw_assoc *assoc, uint32_t set, uint32_t line)
{
    if (assoc->newest[set] == line)
        return;
    unlink_line(assoc, set, line);
    assoc->older[line] = assoc->newest[set];
    assoc->newer[line] = MSW_ASSOC_NONE;
    assoc->newer[assoc->newest[set]] = line;
    assoc->newest[set] = line;
}

void msw_assoc_list_oldest(msw_assoc *assoc, uint32_t set, uint32_t line)
{
    if (assoc->oldest[set] == line)
        return;
    unlink_line(assoc, set, line);
    assoc->newer[line] = assoc->oldest[set];
    assoc->older[line] = MSW_ASSOC_NONE;
    assoc->older[assoc->oldest[set]] = line;
    assoc->oldest[set] = line;
}
