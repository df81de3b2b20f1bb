/* SPDX-License-Identifier: MIT */
/* Instructions that are added to the kernel being read. */
#include "workload/simt/program/parts.h"

#include <string.h>

simt_operand simt_reg_operand(uint32_t reg, msw_simt_type type)
{
    return (simt_operand){.kind = O_REG, .type = type, .reg = reg};
}

simt_draft *simt_new_draft(simt_parser *p)
{
    if (p->build->insns.count >= SIMT_MOST_INSNS) {
        simt_fail(p, "more than %d instructions, calls inlined", SIMT_MOST_INSNS);
        return NULL;
    }
    simt_draft *draft = simt_push(p, &p->build->insns, sizeof *draft);
    if (draft) {
        draft->guard = draft->label = MSW_SIMT_NONE;
        draft->line = simt_peek(p)->line;
        draft->detail.target = MSW_SIMT_NONE;
    }
    return draft;
}

simt_draft *simt_emit(simt_parser *p, simt_op op, msw_simt_type type, const char *text)
{
    simt_draft *draft = simt_new_draft(p);
    if (draft) {
        draft->text = text;
        draft->detail.op = op;
        draft->detail.type = type;
        draft->detail.type2 = type;
    }
    return draft;
}

int simt_set_operands(simt_parser *p, simt_draft *draft, const simt_operand *dst, uint32_t dsts,
                      const simt_operand *src, uint32_t srcs)
{
    simt_operand *all = msw_arena_take(p->arena, (dsts + srcs + 1) * sizeof *all);
    if (!all)
        return msw_fail_memory(p->err);
    if (dsts)
        memcpy(all, dst, dsts * sizeof *all);
    if (srcs)
        memcpy(all + dsts, src, srcs * sizeof *all);
    draft->detail.dst = all;
    draft->detail.src = all + dsts;
    draft->detail.dst_count = (uint8_t)dsts;
    draft->detail.src_count = (uint8_t)srcs;
    return 0;
}

int simt_jump(simt_parser *p, uint32_t label, uint32_t guard, bool negated)
{
    simt_draft *draft = simt_emit(p, OP_BRA, MSW_SIMT_NO_TYPE, "bra");
    if (!draft)
        return -1;
    draft->guard = guard;
    draft->guard_negated = negated;
    draft->label = label;
    return simt_set_operands(p, draft, NULL, 0, NULL, 0);
}

uint32_t simt_new_label(simt_parser *p)
{
    uint32_t *label = simt_push(p, &p->build->labels, sizeof *label);
    if (!label)
        return MSW_SIMT_NONE;
    *label = MSW_SIMT_NONE;
    return p->build->labels.count - 1;
}

void simt_label_here(simt_parser *p, uint32_t label)
{
    ((uint32_t *)p->build->labels.data)[label] = p->build->insns.count;
}
