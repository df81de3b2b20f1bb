/* SPDX-License-Identifier: MIT */
/* A tensor is held in the block [first, end) when the block makes it and nobody after the block
 * reads it. Its bytes lie in the cache from its producer to its last reader, and memory sees
 * nothing of it. What is left of the cache is the running operator's:
 *
 *   held(o) = sum of held tensors with producer <= o <= last
 *   dram    = sum over o of step(o, cache - held(o)) - bytes of held reads of operators that also
 *             read what is not held
 *
 * The least traffic of the operators before e: best(e) = min over f < e of best(f) + dram([f, e)).
 */
#include "mech/camdn/mapper/blocks.h"

#include <math.h>

static bool is_held(const msw_graph_network *net, uint32_t tensor, uint32_t first, uint32_t end)
{
    const msw_graph_tensor *t = &net->tensors[tensor];
    return t->role == MSW_GRAPH_INTERMEDIATE && t->producer >= first && t->last < end;
}

uint64_t camdn_held_bytes(const msw_graph_network *net, uint32_t number, uint32_t first,
                          uint32_t end)
{
    uint64_t bytes = 0;
    for (uint32_t o = first; o <= number; o++) {
        uint32_t tensor = net->ops[o].output;
        if (is_held(net, tensor, first, end) && net->tensors[tensor].last >= number)
            bytes += net->tensors[tensor].bytes;
    }
    return bytes;
}

unsigned camdn_held_of(const msw_graph_network *net, uint32_t number, uint32_t first, uint32_t end)
{
    const msw_graph_op *op = &net->ops[number];
    const uint32_t *reads = net->reads + op->first_read;
    bool pair = op->kind == MSW_GRAPH_PAIR, all = op->read_count > 0;
    unsigned held = is_held(net, op->output, first, end) ? CAMDN_HELD_C : 0;
    if (op->kind == MSW_GRAPH_GATHER)
        return held;
    for (uint32_t i = 0; i < op->read_count && (!pair || i == 0); i++)
        all &= is_held(net, reads[i], first, end);
    held |= all ? CAMDN_HELD_A : 0;
    return held | (pair && is_held(net, reads[1], first, end) ? CAMDN_HELD_W : 0);
}

double camdn_held_reads(const msw_graph_network *net, uint32_t number, uint32_t first, uint32_t end)
{
    const msw_graph_op *op = &net->ops[number];
    double bytes = 0;
    if (op->kind == MSW_GRAPH_PAIR || op->kind == MSW_GRAPH_GATHER)
        return 0;
    for (uint32_t i = 0; i < op->read_count; i++) {
        uint32_t tensor = net->reads[op->first_read + i];
        if (is_held(net, tensor, first, end))
            bytes += (double)net->tensors[tensor].bytes;
    }
    return bytes;
}

double camdn_block_op_bytes(const camdn_space *space, uint32_t op, uint32_t first, uint32_t end,
                            uint64_t own_bytes)
{
    unsigned held = camdn_held_of(space->net, op, first, end);
    const camdn_step *step = camdn_step_within(space->table, op, held, own_bytes);
    double bytes = (double)step->dram_bytes;
    return held & CAMDN_HELD_A ? bytes : bytes - camdn_held_reads(space->net, op, first, end);
}

camdn_block camdn_block_of(const camdn_space *space, uint32_t first, uint32_t end)
{
    camdn_block b = {.first = first, .end = end, .fits = true};
    for (uint32_t o = first; o < end; o++) {
        uint64_t held = camdn_held_bytes(space->net, o, first, end);
        b.held_bytes = msw_max_u64(b.held_bytes, held);
        if (held > space->bytes) {
            b.fits = false;
            b.dram_bytes = INFINITY;
            return b;
        }
        unsigned bits = camdn_held_of(space->net, o, first, end);
        const camdn_step *step = camdn_step_within(space->table, o, bits, space->bytes - held);
        b.cache_bytes = msw_max_u64(b.cache_bytes, held + step->cache_bytes);
        b.dram_bytes += camdn_block_op_bytes(space, o, first, end, space->bytes - held);
    }
    return b;
}

/* Positions of the cuts, backwards from the last, turned round. */
uint32_t camdn_write_ends(const uint32_t *from, uint32_t count, uint32_t *ends)
{
    uint32_t blocks = 0, at;
    for (at = count; at > 0; at = from[at])
        ends[blocks++] = at;
    for (uint32_t i = 0; i < blocks / 2; i++) {
        uint32_t swapped = ends[i];
        ends[i] = ends[blocks - 1 - i];
        ends[blocks - 1 - i] = swapped;
    }
    return blocks;
}

uint32_t camdn_blocks_best(const camdn_space *space, msw_arena *scratch, uint32_t *ends,
                           double *dram_bytes)
{
    uint32_t count = space->net->op_count;
    double *best = msw_arena_take(scratch, (count + 1) * sizeof *best);
    uint32_t *from = msw_arena_take(scratch, (count + 1) * sizeof *from);
    if (!best || !from)
        return 0;
    best[0] = 0;
    for (uint32_t e = 1; e <= count; e++) {
        best[e] = INFINITY;
        for (uint32_t f = e; f-- > 0;) {
            camdn_block b = camdn_block_of(space, f, e);
            if (b.fits && best[f] + b.dram_bytes < best[e]) {
                best[e] = best[f] + b.dram_bytes;
                from[e] = f;
            }
        }
    }
    *dram_bytes = best[count];
    return camdn_write_ends(from, count, ends);
}

double camdn_blocks_labelled(const camdn_space *space)
{
    const msw_graph_network *net = space->net;
    double all = 0;
    for (uint32_t first = 0, end; first < net->op_count; first = end) {
        for (end = first + 1; end < net->op_count && net->ops[end].block == net->ops[first].block;)
            end++;
        camdn_block b = camdn_block_of(space, first, end);
        all += b.fits ? b.dram_bytes : 0;
        for (uint32_t o = first; !b.fits && o < end; o++)
            all += camdn_block_of(space, o, o + 1).dram_bytes;
    }
    return all;
}
