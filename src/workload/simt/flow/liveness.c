/* SPDX-License-Identifier: MIT */
/* Liveness, backwards to the fixed point:
 *   live_out(b) = union of live_in of b's successors
 *   live_in(b)  = reads(b) + (live_out(b) - writes(b)),
 * reads(b): registers read before they are surely written; writes(b): surely written. A guarded
 * instruction does not surely write. */
#include "memsweep/base/bits.h"
#include "memsweep/workload/simt/flow.h"

#include <string.h>

/* Words of all sets of one kernel: 512 MiB. */
#define MOST_WORDS ((uint64_t)1 << 26)

typedef struct live_state {
    const msw_simt_kernel *kernel;
    uint32_t words;
    uint64_t *in, *out, *reads, *writes;
} live_state;

static void put(uint64_t *set, uint32_t reg)
{
    set[reg / 64] |= (uint64_t)1 << reg % 64;
}

static void drop(uint64_t *set, uint32_t reg)
{
    set[reg / 64] &= ~((uint64_t)1 << reg % 64);
}

static bool has(const uint64_t *set, uint32_t reg)
{
    return set[reg / 64] >> reg % 64 & 1;
}

static void scan_block(const live_state *s, uint32_t b)
{
    const msw_simt_block *block = &s->kernel->blocks[b];
    uint64_t *reads = s->reads + (size_t)b * s->words, *writes = s->writes + (size_t)b * s->words;
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const msw_simt_insn *insn = &s->kernel->insns[i];
        for (uint32_t u = 0; u < insn->use_count; u++)
            if (!has(writes, insn->uses[u]))
                put(reads, insn->uses[u]);
        for (uint32_t d = 0; d < insn->def_count && insn->guard == MSW_SIMT_NONE; d++)
            put(writes, insn->defs[d]);
    }
}

static bool update(const live_state *s, uint32_t b)
{
    const msw_simt_block *block = &s->kernel->blocks[b];
    size_t row = (size_t)b * s->words;
    bool changed = false;
    for (uint32_t w = 0; w < s->words; w++) {
        uint64_t out = 0;
        for (uint32_t n = 0; n < block->next_count; n++)
            out |= s->in[(size_t)block->next[n] * s->words + w];
        uint64_t in = s->reads[row + w] | (out & ~s->writes[row + w]);
        changed |= in != s->in[row + w];
        s->out[row + w] = out;
        s->in[row + w] = in;
    }
    return changed;
}

/* Moves a set from behind an instruction to before it. */
static void step_back(const msw_simt_insn *insn, uint64_t *set)
{
    for (uint32_t d = 0; d < insn->def_count && insn->guard == MSW_SIMT_NONE; d++)
        drop(set, insn->defs[d]);
    for (uint32_t u = 0; u < insn->use_count; u++)
        put(set, insn->uses[u]);
}

static uint32_t weigh(const msw_simt_kernel *kernel, const uint64_t *set, uint32_t words,
                      uint32_t *predicates)
{
    uint32_t bytes = 0;
    *predicates = 0;
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t rest = set[w]; rest; rest &= rest - 1) {
            const msw_simt_reg *reg = &kernel->regs[64 * w + msw_bits_lowest(rest)];
            bytes += reg->bytes == 2 ? 4 : reg->bytes;
            *predicates += reg->bytes == 0;
        }
    return bytes;
}

static void find_most(const live_state *s, msw_simt_liveness *out, uint64_t *set)
{
    for (uint32_t b = 0; b < s->kernel->block_count; b++) {
        const msw_simt_block *block = &s->kernel->blocks[b];
        memcpy(set, s->out + (size_t)b * s->words, s->words * sizeof *set);
        for (uint32_t i = block->first + block->count; i-- > block->first;) {
            uint32_t predicates, bytes = weigh(s->kernel, set, s->words, &predicates);
            if (predicates > out->most_predicates)
                out->most_predicates = predicates;
            if (bytes > out->most_bytes) {
                out->most_bytes = bytes;
                out->most_at = i;
            }
            step_back(&s->kernel->insns[i], set);
        }
    }
}

static int take_sets(live_state *s, msw_arena *arena)
{
    size_t count = (size_t)s->kernel->block_count;
    if (count * s->words * 4 > MOST_WORDS)
        return -1;
    s->in = msw_arena_zero(arena, count, s->words * sizeof *s->in);
    s->out = msw_arena_zero(arena, count, s->words * sizeof *s->out);
    s->reads = msw_arena_zero(arena, count, s->words * sizeof *s->reads);
    s->writes = msw_arena_zero(arena, count, s->words * sizeof *s->writes);
    return s->in && s->out && s->reads && s->writes ? 0 : -1;
}

const msw_simt_liveness *msw_simt_liveness_of(const msw_simt_kernel *kernel, msw_arena *arena)
{
    live_state s = {.kernel = kernel, .words = kernel->reg_count / 64 + 1};
    msw_simt_liveness *out = msw_arena_zero(arena, 1, sizeof *out);
    uint64_t *set = msw_arena_take(arena, s.words * sizeof *set);
    if (!out || !set || take_sets(&s, arena))
        return NULL;
    for (uint32_t b = 0; b < kernel->block_count; b++)
        scan_block(&s, b);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = kernel->block_count; b-- > 0;)
            changed |= update(&s, b);
    }
    out->words = s.words;
    out->live_in = s.in;
    out->live_out = s.out;
    find_most(&s, out, set);
    return out;
}

void msw_simt_live_after(const msw_simt_kernel *kernel, const msw_simt_liveness *liveness,
                         uint32_t insn, uint64_t *set)
{
    uint32_t b = kernel->insns[insn].block;
    const msw_simt_block *block = &kernel->blocks[b];
    memcpy(set, liveness->live_out + (size_t)b * liveness->words, liveness->words * sizeof *set);
    for (uint32_t i = block->first + block->count - 1; i > insn; i--)
        step_back(&kernel->insns[i], set);
}
