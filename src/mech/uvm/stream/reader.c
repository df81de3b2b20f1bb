/* SPDX-License-Identifier: MIT */
/* Reading a stream: heads of CTAs, records of warps, lines of accesses. */
#include "mech/uvm/stream/records.h"

size_t uvm_heads_bytes(const uvm_stream *stream)
{
    return ((size_t)stream->warps_most + 1) * stream->slots_most * sizeof(uint64_t);
}

void uvm_heads_start(uvm_heads *heads, const uvm_launch *launch, void *memory)
{
    size_t slots = launch->kernel->slots;
    *heads = (uvm_heads){.launch = launch, .at = launch->heads, .last = memory};
    heads->moved = heads->last + launch->warps * slots;
    if (slots)
        memset(memory, 0, (launch->warps + 1) * slots * sizeof(uint64_t));
}

static void read_head(uvm_heads *heads, uint64_t *last, uvm_reader *reader)
{
    const uvm_kernel *kernel = heads->launch->kernel;
    heads->body += uvm_unfold(uvm_get(&heads->at));
    reader->at = kernel->bytes + kernel->bodies[heads->body];
    for (uint64_t left = uvm_get(&reader->at); left; left--) {
        uint64_t slot = uvm_get(&reader->at);
        heads->moved[slot] += uvm_unfold(uvm_get(&heads->at));
        last[slot] += heads->moved[slot];
        reader->address[slot] = last[slot];
        reader->step[slot] = 0;
    }
}

void uvm_heads_next(uvm_heads *heads, uvm_reader *readers)
{
    uint32_t slots = heads->launch->kernel->slots;
    for (uint32_t warp = 0; warp < heads->launch->warps; warp++)
        read_head(heads, heads->last + (size_t)warp * slots, &readers[warp]);
}

const uvm_site *uvm_read(uvm_reader *reader, const uvm_kernel *kernel, uint64_t *address)
{
    return uvm_next_record(reader, kernel, address);
}

static uint32_t compared(uint64_t *lines, uint32_t count, uint64_t line)
{
    for (uint32_t i = 0; i < count; i++)
        if (lines[i] == line)
            return count;
    lines[count] = line;
    return count + 1;
}

uint32_t uvm_lines_compared(const uvm_stream *stream, const uvm_shape *shape, uint64_t address,
                            uint64_t *lines)
{
    const uvm_piece *piece = &stream->pieces[shape->first];
    uint32_t found = 0;
    for (uint32_t p = 0; p < shape->count; p++, piece++)
        for (uint32_t i = 0; i < piece->count; i++) {
            uint64_t at = address + (uint64_t)piece->offset + i * (uint64_t)piece->stride;
            uint64_t last = (at + piece->span - 1) >> UVM_LINE_SHIFT;
            for (uint64_t line = at >> UVM_LINE_SHIFT; line <= last; line++)
                found = compared(lines, found, line);
        }
    return found;
}

uint32_t uvm_lines(const uvm_stream *stream, const uvm_site *site, uint64_t address,
                   uint64_t *lines)
{
    return uvm_lines_of(stream, site, address, lines);
}

uint16_t uvm_kernel_number(const uvm_stream *s, size_t stage)
{
    uint16_t number = 0;
    for (size_t i = 0; i < stage; i++) {
        bool first = s->stages[i].launch != NULL;
        if (first && s->stages[i].launch->kernel == s->stages[stage].launch->kernel)
            return number;
        for (size_t k = 0; k < i && first; k++)
            first =
                !s->stages[k].launch || s->stages[k].launch->kernel != s->stages[i].launch->kernel;
        number += first;
    }
    return number;
}
