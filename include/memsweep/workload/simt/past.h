/* SPDX-License-Identifier: MIT */
/* past: the memory of a program of which only some launches, or some of their CTAs, are looked at.
 *
 * A launch that is looked at finds in memory what the launches before it have built of arrays from
 * which addresses and predicates follow: those launches are run whole, once, in their slice. What
 * is run on the memory itself is forgotten: CTAs may be run in any number, more than once. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_PAST_H
#define MEMSWEEP_WORKLOAD_SIMT_PAST_H

#include "memsweep/workload/simt.h"

typedef struct msw_simt_past msw_simt_past;

/* Makes it in the arena, at the start of the program. At most `most_bytes` are allocated for what
 * the program writes, from the arena too: what others take there must not be released while the
 * past lives. Returns it, or NULL with `err`. */
msw_simt_past *msw_simt_past_in(msw_arena *arena, const msw_simt_product *product,
                                uint64_t most_bytes, msw_err *err);

/* Goes on to a stage, never back: what was written since is forgotten, and the launches before it
 * that build are run. Returns the memory as that stage finds it, the same one at every call, or
 * NULL with `err`. */
const msw_simt_memory *msw_simt_past_at(msw_simt_past *past, size_t stage, msw_err *err);

/* Returns the device under it, which finds arrays. */
msw_simt_device *msw_simt_past_device(msw_simt_past *past);

/* Returns the instructions of warps that were run to go on. */
uint64_t msw_simt_past_issued(const msw_simt_past *past);

#endif
