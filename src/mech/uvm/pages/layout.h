/* SPDX-License-Identifier: MIT */
/* Private to uvm: pages, blocks of 64 KiB and chunks of 2 MiB of the arrays of a program. */
#ifndef MSW_MECH_UVM_LAYOUT_H
#define MSW_MECH_UVM_LAYOUT_H

#include "memsweep/mech/mechanism.h"
#include "memsweep/workload/pages.h"
#include "memsweep/workload/simt.h"

#define UVM_NO_CHUNK UINT32_MAX

/* What a tree covers: 2 MiB of an allocation, its last chunk rounded up to 64 KiB x 2^i. */
typedef struct uvm_chunk {
    uint64_t first;  /* page */
    uint32_t pages;  /* with what the rounding adds */
    uint32_t real;   /* up to the last one of an array */
    uint32_t leaves; /* blocks, a power of two */
} uvm_chunk;

typedef struct uvm_layout {
    uint64_t base; /* address of page 0 */
    unsigned shift;
    uint64_t pages;
    uint32_t block_pages;
    const uint32_t *chunk_of; /* [page]; UVM_NO_CHUNK: not managed */
    const uvm_chunk *chunks;
    uint32_t chunk_count;
    const uint64_t *exists; /* by page, bits: it is of a managed array, not of the rounding alone */
    uint64_t managed;       /* pages that exist */
} uvm_layout;

/* Whether a managed array lies on a page. */
static inline bool uvm_exists(const uvm_layout *l, uint64_t page)
{
    return l->exists[page / 64] >> page % 64 & 1;
}

/* Builds the layout of a program (an artifact). Returns 0, or -1 with `err`. */
int uvm_build_layout(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                     msw_err *err);

/* Makes it. Returns it, or NULL with `err`. */
const uvm_layout *uvm_layout_of(const msw_simt_product *program, uint64_t page_size,
                                msw_arena *arena, msw_err *err);

#endif
