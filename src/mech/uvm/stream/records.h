/* SPDX-License-Identifier: MIT */
/* Private to uvm: reading a record where every step counts. */
#ifndef MSW_MECH_UVM_RECORDS_H
#define MSW_MECH_UVM_RECORDS_H

#include "mech/uvm/stream/bytes.h"
#include "mech/uvm/stream/stream.h"

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

#endif
