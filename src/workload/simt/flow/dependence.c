/* SPDX-License-Identifier: MIT */
/* The dependence graph: for each use the instructions whose value may arrive there. From the use
 * backwards through its block and the blocks before it, until an unguarded instruction has surely
 * written the register. */
#include "memsweep/workload/simt/flow.h"

#include <string.h>

/* Instructions and blocks looked at, against kernels made to take hours. */
#define MOST_STEPS ((uint64_t)1 << 30)

typedef struct finder {
    const msw_simt_kernel *kernel;
    msw_arena *arena;
    uint32_t *before_first, *before; /* [block]: the blocks before it */
    uint32_t *seen, round, *stack;
    uint32_t *found, found_count, found_room;
    uint32_t found_first; /* of the present use */
    uint64_t steps;
} finder;

static int index_blocks(finder *f)
{
    const msw_simt_kernel *kernel = f->kernel;
    uint32_t count = kernel->block_count;
    f->before_first = msw_arena_zero(f->arena, count + 2u, sizeof(uint32_t));
    f->before = msw_arena_zero(f->arena, 2u * count + 1, sizeof(uint32_t));
    f->seen = msw_arena_zero(f->arena, count, sizeof(uint32_t));
    f->stack = msw_arena_zero(f->arena, count + 1u, sizeof(uint32_t));
    if (!f->before_first || !f->before || !f->seen || !f->stack)
        return -1;
    for (uint32_t b = 0; b < count; b++)
        for (uint32_t n = 0; n < kernel->blocks[b].next_count; n++)
            f->before_first[kernel->blocks[b].next[n] + 2]++;
    for (uint32_t b = 2; b < count + 2; b++)
        f->before_first[b] += f->before_first[b - 1];
    for (uint32_t b = 0; b < count; b++)
        for (uint32_t n = 0; n < kernel->blocks[b].next_count; n++)
            f->before[f->before_first[kernel->blocks[b].next[n] + 1]++] = b;
    return 0;
}

static int add_found(finder *f, uint32_t insn)
{
    for (uint32_t i = f->found_first; i < f->found_count; i++)
        if (f->found[i] == insn)
            return 0;
    if (f->found_count == f->found_room) {
        uint32_t room = f->found_room ? 2 * f->found_room : 1024;
        uint32_t *found = msw_arena_take(f->arena, room * sizeof *found);
        if (!found)
            return -1;
        if (f->found_count)
            memcpy(found, f->found, f->found_count * sizeof *found);
        f->found = found;
        f->found_room = room;
    }
    f->found[f->found_count++] = insn;
    return 0;
}

static bool writes(const msw_simt_insn *insn, uint32_t reg)
{
    for (uint32_t d = 0; d < insn->def_count; d++)
        if (insn->defs[d] == reg)
            return true;
    return false;
}

/* Looks for writes of a register in a block before instruction `end`. Returns 1 when one is sure,
 * 0 when the search goes on before the block, -1 without memory. */
static int search_block(finder *f, uint32_t b, uint32_t end, uint32_t reg)
{
    for (uint32_t i = end; i-- > f->kernel->blocks[b].first;) {
        f->steps++;
        if (!writes(&f->kernel->insns[i], reg))
            continue;
        if (add_found(f, i))
            return -1;
        if (f->kernel->insns[i].guard == MSW_SIMT_NONE)
            return 1;
    }
    return 0;
}

static void push_before(finder *f, uint32_t b, uint32_t *depth)
{
    for (uint32_t e = f->before_first[b]; e < f->before_first[b + 1]; e++) {
        uint32_t block = f->before[e];
        if (f->seen[block] == f->round)
            continue;
        f->seen[block] = f->round;
        f->stack[(*depth)++] = block;
    }
}

static int search(finder *f, uint32_t insn, uint32_t reg)
{
    uint32_t b = f->kernel->insns[insn].block, depth = 0;
    f->round++;
    int status = search_block(f, b, insn, reg);
    if (status)
        return status < 0 ? -1 : 0;
    push_before(f, b, &depth);
    while (depth) {
        b = f->stack[--depth];
        const msw_simt_block *block = &f->kernel->blocks[b];
        status = search_block(f, b, block->first + block->count, reg);
        if (status < 0)
            return -1;
        if (!status)
            push_before(f, b, &depth);
    }
    return 0;
}

/* A register written once, unguarded, has one producer: no search. */
static int count_writes(const finder *f, uint32_t *only)
{
    memset(only, 0xff, (f->kernel->reg_count + 1u) * sizeof *only);
    for (uint32_t i = 0; i < f->kernel->insn_count; i++)
        for (uint32_t d = 0; d < f->kernel->insns[i].def_count; d++) {
            uint32_t *known = &only[f->kernel->insns[i].defs[d]];
            *known = *known == MSW_SIMT_NONE ? i : MSW_SIMT_NONE - 1;
        }
    return 0;
}

static int fill(finder *f, msw_simt_dependences *out, uint32_t *use_base, uint32_t *first,
                const uint32_t *only, msw_err *err)
{
    uint32_t use = 0;
    for (uint32_t i = 0; i < f->kernel->insn_count; i++) {
        const msw_simt_insn *insn = &f->kernel->insns[i];
        use_base[i] = use;
        for (uint32_t u = 0; u < insn->use_count; u++, use++) {
            uint32_t reg = insn->uses[u];
            first[use] = f->found_first = f->found_count;
            bool single = only[reg] < MSW_SIMT_NONE - 1;
            if (single ? add_found(f, only[reg]) : only[reg] != MSW_SIMT_NONE && search(f, i, reg))
                return msw_fail_memory(err);
            if (f->steps > MOST_STEPS)
                return msw_fail(err,
                                "%s:%u: kernel %s: its dependences are too many to be followed",
                                f->kernel->file, f->kernel->line, f->kernel->name);
        }
    }
    first[use] = f->found_count;
    *out = (msw_simt_dependences){use_base, first, f->found, use};
    return 0;
}

const msw_simt_dependences *msw_simt_dependences_of(const msw_simt_kernel *kernel, msw_arena *arena,
                                                    msw_err *err)
{
    finder f = {.kernel = kernel, .arena = arena};
    uint32_t uses = 0;
    for (uint32_t i = 0; i < kernel->insn_count; i++)
        uses += kernel->insns[i].use_count;
    msw_simt_dependences *out = msw_arena_zero(arena, 1, sizeof *out);
    uint32_t *use_base = msw_arena_take(arena, (kernel->insn_count + 1u) * sizeof *use_base);
    uint32_t *first = msw_arena_take(arena, (uses + 1u) * sizeof *first);
    uint32_t *only = msw_arena_take(arena, (kernel->reg_count + 1u) * sizeof *only);
    if (!out || !use_base || !first || !only || index_blocks(&f)) {
        msw_fail_memory(err);
        return NULL;
    }
    count_writes(&f, only);
    return fill(&f, out, use_base, first, only, err) ? NULL : out;
}
