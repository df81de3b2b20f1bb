/* SPDX-License-Identifier: MIT */
/* The slice: what must run so that every access has its address and every branch its predicate.
 *
 * A register is wanted when an address, a guard of an access, branch, exit or barrier, or an
 * operand of a barrier reads it, or a wanted instruction does. An instruction is wanted when it
 * writes a wanted register. A wanted load wants the stores and atomics that may write what it
 * reads: those of its space, and generic ones; a generic load wants all. */
#include "memsweep/workload/simt/flow.h"

#include <string.h>

typedef struct slicer {
    const msw_simt_kernel *kernel;
    uint8_t *needed, *wanted; /* [instruction], [register] */
    uint32_t *queue, queued;
    uint32_t *first, *writers; /* [register + 1]: instructions that write it */
    bool spaces[MSW_SIMT_GENERIC + 1];
} slicer;

static void want(slicer *s, uint32_t reg)
{
    if (s->wanted[reg])
        return;
    s->wanted[reg] = 1;
    s->queue[s->queued++] = reg;
}

static bool is_access(const msw_simt_insn *insn)
{
    return insn->space != MSW_SIMT_NO_SPACE;
}

static bool may_meet(msw_simt_space a, msw_simt_space b)
{
    return a == b || a == MSW_SIMT_GENERIC || b == MSW_SIMT_GENERIC;
}

static void need(slicer *s, uint32_t i);

/* Loads of a space are wanted: so are all that write there. */
static void need_writers(slicer *s, msw_simt_space space)
{
    if (s->spaces[space])
        return;
    s->spaces[space] = true;
    for (uint32_t i = 0; i < s->kernel->insn_count; i++)
        if (s->kernel->insns[i].is_store && may_meet(s->kernel->insns[i].space, space))
            need(s, i);
}

static void need(slicer *s, uint32_t i)
{
    const msw_simt_insn *insn = &s->kernel->insns[i];
    if (s->needed[i])
        return;
    s->needed[i] = 1;
    for (uint32_t u = 0; u < insn->use_count; u++)
        want(s, insn->uses[u]);
    bool reads = is_access(insn) && (!insn->is_store || insn->is_atomic);
    if (reads && insn->space != MSW_SIMT_PARAM && insn->space != MSW_SIMT_CONST)
        need_writers(s, insn->space);
}

static void start(slicer *s)
{
    for (uint32_t i = 0; i < s->kernel->insn_count; i++) {
        const msw_simt_insn *insn = &s->kernel->insns[i];
        if (insn->kind == MSW_SIMT_CLASS_BRANCH || insn->kind == MSW_SIMT_CLASS_EXIT ||
            insn->kind == MSW_SIMT_CLASS_BARRIER)
            need(s, i);
        if (!is_access(insn))
            continue;
        if (insn->guard != MSW_SIMT_NONE)
            want(s, insn->guard);
        for (uint32_t u = 0; u < insn->address_count; u++)
            want(s, insn->address_uses[u]);
    }
}

static int index_writers(slicer *s, msw_arena *arena)
{
    uint32_t total = 0;
    s->first = msw_arena_zero(arena, s->kernel->reg_count + 2u, sizeof *s->first);
    for (uint32_t i = 0; s->first && i < s->kernel->insn_count; i++) {
        total += s->kernel->insns[i].def_count;
        for (uint32_t d = 0; d < s->kernel->insns[i].def_count; d++)
            s->first[s->kernel->insns[i].defs[d] + 2]++;
    }
    s->writers = msw_arena_take(arena, (total + 1u) * sizeof *s->writers);
    if (!s->first || !s->writers)
        return -1;
    for (uint32_t r = 2; r < s->kernel->reg_count + 2; r++)
        s->first[r] += s->first[r - 1];
    for (uint32_t i = 0; i < s->kernel->insn_count; i++)
        for (uint32_t d = 0; d < s->kernel->insns[i].def_count; d++)
            s->writers[s->first[s->kernel->insns[i].defs[d] + 1]++] = i;
    return 0;
}

const uint8_t *msw_simt_slice_of(const msw_simt_kernel *kernel, msw_arena *arena, msw_err *err)
{
    slicer s = {.kernel = kernel};
    s.needed = msw_arena_zero(arena, kernel->insn_count + 1u, 1);
    s.wanted = msw_arena_zero(arena, kernel->reg_count + 1u, 1);
    s.queue = msw_arena_take(arena, (kernel->reg_count + 1u) * sizeof *s.queue);
    if (!s.needed || !s.wanted || !s.queue || index_writers(&s, arena)) {
        msw_fail_memory(err);
        return NULL;
    }
    start(&s);
    while (s.queued) {
        uint32_t reg = s.queue[--s.queued];
        for (uint32_t w = s.first[reg]; w < s.first[reg + 1]; w++)
            need(&s, s.writers[w]);
    }
    return s.needed;
}
