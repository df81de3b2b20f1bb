/* SPDX-License-Identifier: MIT */
/* part: the parts of hardware that models share, with a version each.
 *
 * A record lists the parts that its closed form and its cycle model use; their versions are in the
 * keys of the points that these answer. Whoever changes what a part computes raises its version. */
#ifndef MEMSWEEP_SIM_PART_H
#define MEMSWEEP_SIM_PART_H

typedef struct msw_part {
    const char *name;
    int version;
} msw_part;

extern const msw_part msw_part_cache;         /* associative memories, caches */
extern const msw_part msw_part_cost;          /* area and energy */
extern const msw_part msw_part_dram;          /* channels, banks, scheduling, refresh */
extern const msw_part msw_part_dram_analytic; /* the closed form of banks */
extern const msw_part msw_part_dram_lines;    /* near-bank channels */
extern const msw_part msw_part_dram_map;      /* timings, and where an address lies */
extern const msw_part msw_part_event;         /* the order of events */
extern const msw_part msw_part_learn;         /* small networks, their training */
extern const msw_part msw_part_link;          /* links between devices */
extern const msw_part msw_part_pagetable;     /* what a walk reads */
extern const msw_part msw_part_reuse;         /* hit rates from reuse */
extern const msw_part msw_part_translation;   /* TLBs, walkers, their caches, miss registers, MMU */

/* All of them, ended by NULL. */
extern const msw_part *const msw_parts[];

#endif
