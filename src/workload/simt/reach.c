/* SPDX-License-Identifier: MIT */
/* Sources of addresses, forward to the fixed point, without regard to the order of instructions:
 *   set(r) = union over instructions that write r of the sets of what they read.
 * An argument of 8 bytes is a source of its own, and so is each variable of the module. What comes
 * from memory points anywhere if it has 8 bytes; less is an index, until it becomes the part of
 * something wider. Arithmetic on a pointer leaves it in its array, as C demands. */
#include "workload/simt/reach.h"

#include "workload/simt/ops.h"

#include <string.h>

/* A value shifted this far may be the upper half of a pointer. */
enum { FAR_SHIFT = 24 };

/* Words of the sets of all registers: 512 MiB. */
#define MOST_WORDS ((uint64_t)1 << 26)

typedef struct finder {
    const msw_simt_kernel *kernel;
    uint32_t words;
    uint32_t *of_param, *of_variable; /* member + 1 by place and by variable; 0: none */
    uint64_t *regs;                   /* [register * words] */
    uint64_t *set;                    /* of the instruction at hand */
    simt_source *sources;
    uint32_t count;
} finder;

static void put(uint64_t *set, uint32_t member)
{
    set[member / 64] |= (uint64_t)1 << member % 64;
}

static bool is_argument(const msw_simt_insn *insn)
{
    return insn->space == MSW_SIMT_PARAM && insn->detail->op == OP_LD;
}

/* The source at `*known`, new if need be. */
static void add_source(finder *f, uint32_t *known, bool is_variable, uint32_t at)
{
    if (*known)
        return;
    f->sources[f->count] = (simt_source){is_variable, at};
    *known = SIMT_REACH_SOURCES + f->count++ + 1;
}

static bool is_wide(const msw_simt_insn *insn)
{
    return msw_simt_type_bytes(insn->type) == 8;
}

static void list_sources(finder *f)
{
    for (uint32_t i = 0; i < f->kernel->insn_count; i++) {
        const msw_simt_insn *insn = &f->kernel->insns[i];
        const msw_simt_detail *d = insn->detail;
        for (uint32_t k = 0; k < d->src_count; k++)
            if (d->src[k].kind == O_GLOBAL)
                add_source(f, &f->of_variable[d->src[k].reg], true, d->src[k].reg);
        uint64_t at = is_argument(insn) && d->src[0].kind != O_REG ? d->src[0].value : UINT64_MAX;
        for (uint32_t v = 0; v < insn->vector && is_wide(insn) && at < f->kernel->param_bytes; v++)
            if (at / 8 + v <= f->kernel->param_bytes / 8)
                add_source(f, &f->of_param[at / 8 + v], false, (uint32_t)(at / 8 + v) * 8);
    }
}

/* Addresses that an argument brings. */
static void take_argument(const finder *f, const msw_simt_insn *insn)
{
    const simt_operand *from = &insn->detail->src[0];
    if (from->kind == O_REG)
        put(f->set, SIMT_REACH_ANYWHERE);
    else if (!is_wide(insn))
        put(f->set, SIMT_REACH_NARROW);
    for (uint32_t v = 0; from->kind != O_REG && is_wide(insn) && v < insn->vector; v++)
        if (from->value / 8 + v <= f->kernel->param_bytes / 8)
            put(f->set, f->of_param[from->value / 8 + v] - 1);
}

static void take_operands(const finder *f, const msw_simt_insn *insn, const uint32_t *regs,
                          uint32_t count)
{
    for (uint32_t u = 0; u < count; u++)
        for (uint32_t w = 0; w < f->words && f->kernel->regs[regs[u]].bytes; w++)
            f->set[w] |= f->regs[(size_t)regs[u] * f->words + w];
    for (uint32_t k = 0; k < insn->detail->src_count; k++)
        if (insn->detail->src[k].kind == O_GLOBAL)
            put(f->set, f->of_variable[insn->detail->src[k].reg] - 1);
}

/* May a narrow value become the part of a pointer here? */
static bool widens(const msw_simt_insn *insn)
{
    const msw_simt_detail *d = insn->detail;
    switch (d->op) {
    case OP_MOV:
        return d->src_vector;
    case OP_SHL:
        return is_wide(insn) && (d->src[1].kind != O_VALUE || d->src[1].value >= FAR_SHIFT);
    case OP_BFI:
    case OP_INSERT:
        return true;
    default:
        return false;
    }
}

static void find_set(const finder *f, const msw_simt_insn *insn)
{
    memset(f->set, 0, f->words * sizeof *f->set);
    if (is_argument(insn)) {
        take_argument(f, insn);
    } else if (insn->space != MSW_SIMT_NO_SPACE) {
        put(f->set, is_wide(insn) ? SIMT_REACH_ANYWHERE : SIMT_REACH_NARROW);
    } else {
        take_operands(f, insn, insn->uses, insn->use_count);
        if (f->set[0] >> SIMT_REACH_NARROW & 1 && widens(insn))
            put(f->set, SIMT_REACH_ANYWHERE);
    }
}

static bool pass(const finder *f)
{
    bool changed = false;
    for (uint32_t i = 0; i < f->kernel->insn_count; i++) {
        const msw_simt_insn *insn = &f->kernel->insns[i];
        if (!insn->def_count)
            continue;
        find_set(f, insn);
        for (uint32_t d = 0; d < insn->def_count; d++)
            for (uint32_t w = 0; w < f->words && f->kernel->regs[insn->defs[d]].bytes; w++) {
                uint64_t *to = &f->regs[(size_t)insn->defs[d] * f->words + w];
                changed = changed || (f->set[w] & ~*to);
                *to |= f->set[w];
            }
    }
    return changed;
}

/* An address that comes from no source at all is a number: it means any array. */
static void settle(const finder *f, uint64_t *sets)
{
    for (uint32_t i = 0; i < f->kernel->insn_count; i++) {
        const msw_simt_insn *insn = &f->kernel->insns[i];
        uint64_t *to = &sets[(size_t)i * f->words];
        if (insn->space != MSW_SIMT_GLOBAL && insn->space != MSW_SIMT_GENERIC)
            continue;
        memset(f->set, 0, f->words * sizeof *f->set);
        take_operands(f, insn, insn->address_uses, insn->address_count);
        memcpy(to, f->set, f->words * sizeof *to);
        bool any = to[0] >> SIMT_REACH_SOURCES;
        for (uint32_t w = 1; w < f->words; w++)
            any = any || to[w];
        if (!any)
            put(to, SIMT_REACH_ANYWHERE);
    }
}

int simt_reach_find(const msw_simt_kernel *kernel, simt_reach *reach, msw_arena *arena,
                    msw_err *err)
{
    uint32_t variables = kernel->program->variable_count, params = kernel->param_bytes / 8 + 1;
    finder f = {.kernel = kernel};
    f.of_param = msw_arena_zero(arena, params + 1u, sizeof *f.of_param);
    f.of_variable = msw_arena_zero(arena, variables + 1u, sizeof *f.of_variable);
    f.sources = msw_arena_zero(arena, params + variables + 1u, sizeof *f.sources);
    if (!f.of_param || !f.of_variable || !f.sources)
        return msw_fail_memory(err);
    list_sources(&f);
    f.words = (SIMT_REACH_SOURCES + f.count + 63) / 64;
    if ((uint64_t)f.words * (kernel->reg_count + kernel->insn_count) > MOST_WORDS)
        return msw_fail(err, "%s:%u: kernel %s has too many registers", kernel->file, kernel->line,
                        kernel->name);
    f.regs = msw_arena_zero(arena, (size_t)(kernel->reg_count + 1) * f.words, sizeof *f.regs);
    f.set = msw_arena_zero(arena, f.words, sizeof *f.set);
    uint64_t *sets =
        msw_arena_zero(arena, (size_t)(kernel->insn_count + 1) * f.words, sizeof *sets);
    if (!f.regs || !f.set || !sets)
        return msw_fail_memory(err);
    while (pass(&f)) {
    }
    settle(&f, sets);
    *reach = (simt_reach){f.sources, f.count, f.words, sets};
    return 0;
}
