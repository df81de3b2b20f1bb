/* SPDX-License-Identifier: MIT */
/* Private to uvm: making a stream. */
#ifndef MSW_MECH_UVM_WRITER_H
#define MSW_MECH_UVM_WRITER_H

#include "mech/uvm/stream/records.h"
#include "mech/uvm/stream/stream.h"

#include "memsweep/base/map.h"

/* All that grows lies in `work`, which is freed at the end, and is copied to its final size then.
 */
typedef struct uvm_shapes {
    uvm_shape *shapes;
    uvm_piece *pieces;
    msw_digest *digests; /* of the shapes */
    size_t shape_count, shape_room, digest_room, piece_count, piece_room;
    msw_index index;
} uvm_shapes;

/* A kernel's tables as they grow. */
typedef struct uvm_tables {
    const msw_simt_kernel *kernel;
    uvm_kernel *made;
    const uint32_t *slot_of;  /* [instruction]; MSW_SIMT_NONE: no access to global memory */
    const uint64_t *loads_of; /* [instruction]: slots whose values it uses, as bits; slots from 63
                                 on share the last */
    uvm_site *sites;
    msw_digest *site_digests, *body_digests;
    uint64_t *bodies;
    uvm_bytes bytes;
    size_t site_count, site_room, site_digest_room, body_count, body_room, body_digest_room;
    msw_index site_index, body_index;
    struct uvm_tables *next;
} uvm_tables;

/* Finds the shape of an access, or adds it. Returns its number, or UINT32_MAX. */
uint32_t uvm_shape_of(uvm_shapes *shapes, const msw_simt_step *step, msw_arena *work);

/* Finds a site, or adds it. Returns its number, or UINT32_MAX. */
uint32_t uvm_site_of(uvm_tables *tables, const uvm_site *site, msw_arena *work);

/* Finds a body, or adds it. Returns its number, or UINT32_MAX. */
uint32_t uvm_body_of(uvm_tables *tables, const uvm_bytes *body, msw_arena *work);

/* Makes the tables of a kernel, empty. Returns them, or NULL with `err`. */
uvm_tables *uvm_tables_of(const msw_simt_kernel *kernel, msw_arena *work, msw_arena *arena,
                          msw_err *err);

/* Copies `size` bytes. Returns the copy, or NULL. */
void *uvm_keep(const void *data, size_t size, msw_arena *arena);

/* Copies tables to their final size; adds their bytes. Returns 0, or -1. */
int uvm_keep_tables(uvm_tables *tables, uint64_t *bytes, msw_arena *arena);

#endif
