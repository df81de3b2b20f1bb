/* SPDX-License-Identifier: MIT */
/* Block tables of a paged cache. Blocks of the prompts are handed out first, one sequence after the
 * other; further blocks as sequences come to need them, step by step. In a pool that is worn the
 * block that is handed out next is any of those left. */
#include "workload/decode/parts.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/rng.h"

/* Lengths from context x (1 - spread) to context x (1 + spread), evenly; at least 1. */
static void set_lengths(const msw_decode_config *c, uint64_t *lengths)
{
    for (int64_t s = 0; s < c->batch; s++) {
        double place = c->batch > 1 ? 2.0 * (double)s / (double)(c->batch - 1) - 1 : 0;
        double length = (double)c->context * (1 + c->spread * place);
        lengths[s] = length < 1 ? 1 : (uint64_t)(length + 0.5);
    }
}

static uint64_t handed_out(const msw_decode_config *c, uint64_t number, uint64_t count)
{
    return c->table == MSW_DECODE_WORN ? msw_permute(number, count, 0x6b76) : number;
}

int decode_make_table(const msw_decode_config *c, decode_table *table, msw_arena *arena,
                      msw_err *err)
{
    uint64_t batch = (uint64_t)c->batch, block = (uint64_t)c->block, next = 0;
    uint64_t *lengths = msw_arena_take(arena, batch * sizeof *lengths);
    uint64_t *first = msw_arena_take(arena, batch * sizeof *first);
    if (!lengths || !first)
        return msw_fail_memory(err);
    set_lengths(c, lengths);
    *table = (decode_table){.lengths = lengths, .first = first};
    for (uint64_t s = 0; s < batch; s++) {
        first[s] = table->count;
        table->count += msw_div_up(lengths[s] + (uint64_t)c->steps, block);
    }
    if (table->count > DECODE_BLOCKS_MOST)
        return msw_fail(err,
                        "decode: a table of %llu blocks, allowed: up to %d (fewer sequences or "
                        "tokens, or larger blocks)",
                        (unsigned long long)table->count, DECODE_BLOCKS_MOST);
    uint64_t *blocks = msw_arena_take(arena, table->count * sizeof *blocks);
    if (!blocks)
        return msw_fail_memory(err);
    for (uint64_t s = 0; s < batch; s++)
        for (uint64_t b = 0; b < msw_div_up(lengths[s], block); b++)
            blocks[first[s] + b] = handed_out(c, next++, table->count);
    for (uint64_t step = 0; step < (uint64_t)c->steps; step++)
        for (uint64_t s = 0; s < batch; s++)
            if ((lengths[s] + step) % block == 0)
                blocks[first[s] + (lengths[s] + step) / block] =
                    handed_out(c, next++, table->count);
    table->blocks = blocks;
    return 0;
}
