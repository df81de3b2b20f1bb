/* SPDX-License-Identifier: MIT */
/* reach: where the addresses of a kernel's accesses of global memory come from. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_REACH_H
#define MEMSWEEP_WORKLOAD_SIMT_REACH_H

#include "memsweep/base/arena.h"
#include "memsweep/base/err.h"
#include "memsweep/workload/simt/program.h"

#include <stdbool.h>
#include <stdint.h>

/* Members of a set that are no source of their own; the sources follow. */
enum {
    SIMT_REACH_ANYWHERE, /* a pointer that comes from memory: any array */
    SIMT_REACH_NARROW,   /* a number of less than 8 bytes from memory or an argument */
    SIMT_REACH_SOURCES
};

/* An argument that may be a pointer, or a variable of the module. */
typedef struct simt_source {
    bool is_variable;
    uint32_t at; /* offset in the parameters; number of the variable */
} simt_source;

typedef struct simt_reach {
    const simt_source *sources; /* source k is member SIMT_REACH_SOURCES + k of a set */
    uint32_t count, words;
    const uint64_t *sets; /* [instruction * words]: of its address */
} simt_reach;

/* Finds them. Returns 0, or -1 when memory runs out. */
int simt_reach_find(const msw_simt_kernel *kernel, simt_reach *reach, msw_arena *arena,
                    msw_err *err);

static inline bool simt_reach_has(const simt_reach *reach, uint32_t insn, uint32_t member)
{
    return reach->sets[(size_t)insn * reach->words + member / 64] >> member % 64 & 1;
}

#endif
