/* SPDX-License-Identifier: MIT */
/* Private to uvm: strings of bytes that grow, whole numbers in them, and the reading of a record
 * where every step counts. */
#ifndef MSW_MECH_UVM_RECORDS_H
#define MSW_MECH_UVM_RECORDS_H

#include "mech/uvm/stream/stream.h"
#include "memsweep/base/arena.h"
#include "memsweep/base/map.h"

#include <stdint.h>
#include <string.h>

typedef struct uvm_bytes {
    unsigned char *data;
    size_t count, room;
} uvm_bytes;

/* Makes room for `more` items of `size` bytes behind `count` of an array. Returns 0, or -1. */
static inline int uvm_grow(void **data, size_t count, size_t *room, size_t more, size_t size,
                           msw_arena *arena)
{
    if (count + more <= *room)
        return 0;
    size_t wanted = 2 * (count + more) + 64;
    void *grown = msw_arena_take(arena, wanted * size);
    if (!grown)
        return -1;
    if (count)
        memcpy(grown, *data, count * size);
    *data = grown;
    *room = wanted;
    return 0;
}

/* Appends a number, 7 bits a byte, the lowest first. Returns 0, or -1. */
static inline int uvm_put(uvm_bytes *bytes, uint64_t number, msw_arena *arena)
{
    void *data = bytes->data;
    if (uvm_grow(&data, bytes->count, &bytes->room, 10, 1, arena))
        return -1;
    bytes->data = data;
    for (; number > 127; number >>= 7)
        bytes->data[bytes->count++] = (unsigned char)(number | 128);
    bytes->data[bytes->count++] = (unsigned char)number;
    return 0;
}

static inline uint64_t uvm_get(const unsigned char **at)
{
    uint64_t number = *(*at)++;
    if (number < 128)
        return number;
    number &= 127;
    for (unsigned shift = 7;; shift += 7) {
        uint64_t byte = *(*at)++;
        number |= (byte & 127) << shift;
        if (byte < 128)
            return number;
    }
}

/* Small differences of either sign as small numbers, and back. */
static inline uint64_t uvm_fold(uint64_t difference)
{
    return difference >> 63 ? ~(difference << 1) : difference << 1;
}

static inline uint64_t uvm_unfold(uint64_t number)
{
    return number & 1 ? ~(number >> 1) : number >> 1;
}

/* As uvm_read. */
static inline const uvm_site *uvm_next_record(uvm_reader *reader, const uvm_kernel *kernel,
                                              uint64_t *address)
{
    const unsigned char *at = reader->at;
    uint64_t word = uvm_get(&at);
    const uvm_site *site = &kernel->sites[word >> 1];
    if (site->kind < UVM_BARRIER) {
        uint64_t step = reader->step[site->slot];
        if (word & 1) {
            step += uvm_unfold(uvm_get(&at));
            reader->step[site->slot] = step;
        }
        *address = reader->address[site->slot] += step;
    }
    reader->at = at;
    return site;
}

/* As uvm_lines. */
static inline uint32_t uvm_lines_of(const uvm_stream *stream, const uvm_site *site,
                                    uint64_t address, uint64_t *lines)
{
    const uvm_shape *shape = &stream->shapes[site->shape];
    const uvm_piece *piece = &stream->pieces[shape->first], *end = piece + shape->count;
    uint32_t found = 0;
    uint64_t before = UINT64_MAX;
    if (shape->mixed)
        return uvm_lines_compared(stream, shape, address, lines);
    for (; piece < end; piece++) {
        uint64_t at = address + (uint64_t)piece->offset, over = piece->span - 1;
        for (uint32_t left = piece->count; left; left--, at += (uint64_t)piece->stride) {
            uint64_t line = at >> UVM_LINE_SHIFT, last = (at + over) >> UVM_LINE_SHIFT;
            for (line += line == before; line <= last; line++)
                lines[found++] = line;
            before = last;
        }
    }
    return found;
}

/* Making a stream. */

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
