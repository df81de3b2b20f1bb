/* SPDX-License-Identifier: MIT */
/* memory: what the SIMT interpreter asks of global memory.
 *
 * A flat space of 64-bit addresses. The interpreter takes direct pointers (`span`) where the memory
 * has pages, and copies through `read` and `write` where it has none (an array that is still a
 * function of its index). Addresses from MSW_SIMT_WINDOW_BASE on mean other spaces when they are
 * generic: no allocation may lie there, and none at address 0. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_MEMORY_H
#define MEMSWEEP_WORKLOAD_SIMT_MEMORY_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Generic addresses of the spaces that are not global; each window has 2^32 bytes. */
#define MSW_SIMT_WINDOW_BASE   ((uint64_t)1 << 60)
#define MSW_SIMT_WINDOW_SHARED (MSW_SIMT_WINDOW_BASE + ((uint64_t)1 << 32))
#define MSW_SIMT_WINDOW_LOCAL  (MSW_SIMT_WINDOW_BASE + ((uint64_t)2 << 32))
#define MSW_SIMT_WINDOW_CONST  (MSW_SIMT_WINDOW_BASE + ((uint64_t)3 << 32))
#define MSW_SIMT_WINDOW_PARAM  (MSW_SIMT_WINDOW_BASE + ((uint64_t)4 << 32))

/* Bytes [address, address + bytes) of the memory that lie at `data`. A span stays as it is as long
 * as the memory lives: what may move or be allocated later is no span. */
typedef struct msw_simt_span {
    uint64_t address, bytes;
    unsigned char *data;
} msw_simt_span;

typedef struct msw_simt_memory msw_simt_memory;

/* Functions of one memory; `self` is what they are called with. All but `span` return 0, or -1 with
 * `err` that names the address and what lies next to it; the interpreter puts the name of the
 * kernel and the line in front. */
struct msw_simt_memory {
    void *self;

    /* Copies `bytes` bytes from an address. They may be in several pages of one allocation. */
    int (*read)(void *self, uint64_t address, size_t bytes, void *out, msw_err *err);

    /* Copies `bytes` bytes to an address; allocates pages that are written for the first time. */
    int (*write)(void *self, uint64_t address, size_t bytes, const void *in, msw_err *err);

    /* Asks whether `bytes` bytes from an address on lie in one allocation, without touching them.
     * May be NULL: then accesses whose values nobody needs are not checked. */
    int (*check)(void *self, uint64_t address, size_t bytes, msw_err *err);

    /* Finds the largest span around an address that can be read, or with `write` be written,
     * directly. May be NULL. Returns false when there is none: then read and write are used. */
    bool (*span)(void *self, uint64_t address, bool write, msw_simt_span *span);
};

#endif
