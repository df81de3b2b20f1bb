/* SPDX-License-Identifier: MIT */
/* The kernel of the drafts: targets, registers read and written, classes. */
#include "memsweep/base/bits.h"
#include "workload/simt/program/parts.h"

#include <string.h>

static int close_code(simt_parser *p)
{
    const simt_list *insns = &p->build->insns;
    const simt_draft *last = insns->count ? (simt_draft *)insns->data + (insns->count - 1) : NULL;
    bool ends = last && last->guard == MSW_SIMT_NONE &&
                (last->detail.op == OP_EXIT || last->detail.op == OP_BRA);
    const uint32_t *labels = p->build->labels.data;
    for (uint32_t i = 0; i < p->build->labels.count; i++)
        ends = ends && labels[i] < insns->count;
    if (ends)
        return 0;
    simt_draft *draft = simt_emit(p, OP_EXIT, MSW_SIMT_NO_TYPE, "exit");
    return draft ? simt_set_operands(p, draft, NULL, 0, NULL, 0) : -1;
}

static msw_simt_class class_of(const simt_draft *draft)
{
    const msw_simt_detail *d = &draft->detail;
    msw_simt_class kind = draft->form ? draft->form->kind : MSW_SIMT_CLASS_INT;
    msw_simt_type type = d->op == OP_SET ? d->type2 : d->type;
    if (d->op == OP_EXTRACT || d->op == OP_INSERT)
        return MSW_SIMT_CLASS_PARAM;
    if (d->op == OP_BRA)
        return MSW_SIMT_CLASS_BRANCH;
    if (d->op == OP_EXIT)
        return MSW_SIMT_CLASS_EXIT;
    if (d->op == OP_BAR && simt_has(d, W_WARP))
        return MSW_SIMT_CLASS_FENCE;
    if (d->op == OP_LD && (d->space == MSW_SIMT_PARAM || d->space == MSW_SIMT_CONST))
        return MSW_SIMT_CLASS_PARAM;
    if ((d->op == OP_DIV || d->op == OP_REM) && !simt_is_float(type))
        return MSW_SIMT_CLASS_MUL;
    bool computes =
        kind == MSW_SIMT_CLASS_INT || kind == MSW_SIMT_CLASS_MUL || kind == MSW_SIMT_CLASS_FLOAT;
    bool moves = d->op == OP_MOV || d->op == OP_SELP || d->op == OP_SLCT;
    if (computes && !moves && simt_is_float(type))
        return type == MSW_SIMT_F64 ? MSW_SIMT_CLASS_DOUBLE : MSW_SIMT_CLASS_FLOAT;
    return kind;
}

/* Registers of one instruction, each once. */
typedef struct reg_set {
    uint32_t regs[SIMT_DSTS + SIMT_SRCS + 3];
    uint16_t count;
} reg_set;

static void add_reg(reg_set *set, uint32_t reg)
{
    for (uint16_t i = 0; i < set->count; i++)
        if (set->regs[i] == reg)
            return;
    set->regs[set->count++] = reg;
}

static void add_operand(reg_set *set, const simt_operand *operand)
{
    if (operand->kind == O_REG)
        add_reg(set, operand->reg);
}

static const uint32_t *keep_set(simt_parser *p, const reg_set *set)
{
    uint32_t *regs = msw_arena_take(p->arena, (set->count + 1u) * sizeof *regs);
    if (regs)
        memcpy(regs, set->regs, set->count * sizeof *regs);
    else
        msw_fail_memory(p->err);
    return regs;
}

/* Sets without repetition. What an address is made of is kept apart from what is stored, as
 * mechanisms treat the two differently. */
static int fill_sets(simt_parser *p, const simt_draft *draft, msw_simt_insn *insn)
{
    const msw_simt_detail *d = &draft->detail;
    reg_set defs = {.count = 0}, uses = {.count = 0}, address = {.count = 0}, values = {.count = 0};
    bool accesses = d->op == OP_LD || d->op == OP_ST || d->op == OP_ATOM || d->op == OP_RED;
    for (uint32_t i = 0; i < d->dst_count; i++)
        add_operand(&defs, &d->dst[i]);
    add_operand(&defs, &d->dst2);
    if (draft->guard != MSW_SIMT_NONE)
        add_reg(&uses, draft->guard);
    for (uint32_t i = 0; i < d->src_count; i++) {
        add_operand(&uses, &d->src[i]);
        if (accesses)
            add_operand(i ? &values : &address, &d->src[i]);
    }
    insn->def_count = defs.count;
    insn->use_count = uses.count;
    insn->address_count = address.count;
    insn->value_count = values.count;
    insn->defs = keep_set(p, &defs);
    insn->uses = keep_set(p, &uses);
    insn->address_uses = keep_set(p, &address);
    insn->value_uses = keep_set(p, &values);
    return insn->defs && insn->uses && insn->address_uses && insn->value_uses ? 0 : -1;
}

static void fill_operand_kinds(const msw_simt_detail *d, msw_simt_insn *insn)
{
    for (uint32_t i = 0; i < d->src_count; i++) {
        insn->has_immediate |= d->src[i].kind == O_VALUE;
        insn->reads_special |= d->src[i].kind == O_SPECIAL;
    }
}

/* From the parser's draft to what mechanisms see: kinds and flags here, the sets of registers read
 * and written in fill_sets. */
static int fill_insn(simt_parser *p, simt_draft *draft, msw_simt_insn *insn)
{
    msw_simt_detail *d = msw_arena_take(p->arena, sizeof *d);
    if (!d)
        return msw_fail_memory(p->err);
    *d = draft->detail;
    d->target = draft->label == MSW_SIMT_NONE ? MSW_SIMT_NONE
                                              : ((uint32_t *)p->build->labels.data)[draft->label];
    *insn = (msw_simt_insn){.text = draft->text,
                            .line = draft->line,
                            .kind = class_of(draft),
                            .type = d->type,
                            .is_store = d->op == OP_ST || d->op == OP_ATOM || d->op == OP_RED,
                            .is_atomic = d->op == OP_ATOM || d->op == OP_RED,
                            .is_volatile = simt_has(d, W_VOLATILE),
                            .is_readonly = simt_has(d, W_NC),
                            .vector = (uint8_t)(simt_has(d, W_V4)   ? 4
                                                : simt_has(d, W_V2) ? 2
                                                                    : 1),
                            .guard = draft->guard,
                            .guard_negated = draft->guard_negated,
                            .target = d->target,
                            .detail = d};
    bool accesses = d->op == OP_LD || insn->is_store;
    insn->space = accesses ? d->space : MSW_SIMT_NO_SPACE;
    fill_operand_kinds(d, insn);
    return fill_sets(p, draft, insn);
}

static void place_dynamic(msw_simt_kernel *kernel)
{
    uint64_t align = kernel->dynamic_offset ? kernel->dynamic_offset : 16;
    kernel->dynamic_offset = msw_align_up(kernel->shared_bytes, align);
}

int simt_finish(simt_parser *p, msw_simt_kernel *kernel)
{
    simt_build *build = p->build;
    if (close_code(p))
        return -1;
    uint32_t count = build->insns.count;
    msw_simt_insn *insns = msw_arena_take(p->arena, count * sizeof *insns);
    if (!insns)
        return msw_fail_memory(p->err);
    for (uint32_t i = 0; i < count; i++)
        if (fill_insn(p, (simt_draft *)build->insns.data + i, &insns[i]))
            return -1;
    *kernel = build->kernel;
    place_dynamic(kernel);
    kernel->insns = insns;
    kernel->insn_count = count;
    kernel->regs = build->regs.data;
    kernel->reg_count = build->regs.count;
    kernel->params = build->params.data;
    kernel->param_count = build->params.count;
    kernel->variables = build->variables.data;
    kernel->variable_count = build->variables.count;
    return simt_blocks(kernel, insns, p->arena, p->err);
}
