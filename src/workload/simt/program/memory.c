/* SPDX-License-Identifier: MIT */
/* Addresses, and parameters of inlined calls. */
#include "workload/simt/program/parts.h"

#include "memsweep/workload/simt/memory.h"

uint64_t msw_simt_window_of(msw_simt_space space)
{
    switch (space) {
    case MSW_SIMT_SHARED:
        return MSW_SIMT_WINDOW_SHARED;
    case MSW_SIMT_LOCAL:
        return MSW_SIMT_WINDOW_LOCAL;
    case MSW_SIMT_CONST:
        return MSW_SIMT_WINDOW_CONST;
    case MSW_SIMT_PARAM:
        return MSW_SIMT_WINDOW_PARAM;
    default:
        return 0;
    }
}

static msw_simt_space space_of_name(const simt_parser *p, const simt_name *name, uint32_t index)
{
    switch (name->kind) {
    case NAME_PARAM:
        return MSW_SIMT_PARAM;
    case NAME_OWN:
        return ((msw_simt_variable *)p->build->variables.data + index)->space;
    case NAME_VARIABLE:
        return ((msw_simt_variable *)p->variables.data + index)->space;
    default:
        return MSW_SIMT_NO_SPACE;
    }
}

static int read_base(simt_parser *p, msw_simt_space space, simt_operand *out)
{
    uint32_t index;
    const lex_token *token = simt_peek(p);
    const simt_name *name = token->kind == LEX_NAME ? simt_lookup(p, token, &index) : NULL;
    if (name && name->kind == NAME_OBJECT) {
        simt_take(p);
        *out = (simt_operand){.kind = O_OBJECT, .reg = index};
        return 0;
    }
    bool is_reg = name && (name->kind == NAME_REG || name->kind == NAME_REGS);
    bool narrow = is_reg && ((msw_simt_reg *)p->build->regs.data + index)->bytes == 4;
    if (narrow && (space == MSW_SIMT_GLOBAL || space == MSW_SIMT_GENERIC))
        return simt_fail(p, "an address of 32 bits in space %s; 64 are wanted",
                         msw_simt_space_name(space));
    if (simt_operand_read(p, narrow ? MSW_SIMT_U32 : MSW_SIMT_U64, false, out))
        return -1;
    msw_simt_space own = name ? space_of_name(p, name, index) : MSW_SIMT_NO_SPACE;
    if (own && space != MSW_SIMT_GENERIC && own != space)
        return simt_fail(p, "%.*s lies in space %s, not %s", (int)name->length, name->text,
                         msw_simt_space_name(own), msw_simt_space_name(space));
    if (own && space == MSW_SIMT_GENERIC)
        out->value += msw_simt_window_of(own);
    return 0;
}

int simt_address(simt_parser *p, simt_draft *draft, simt_operand *out)
{
    msw_simt_space space = draft->detail.space ? draft->detail.space : MSW_SIMT_GENERIC;
    uint64_t addend = 0;
    if (simt_expect(p, '[') || read_base(p, space, out))
        return -1;
    if (out->kind == O_SINK || out->kind == O_SPECIAL)
        return simt_fail(p, "an address is a register, a variable or a number");
    bool minus = simt_peek(p)->kind == LEX_MARK && simt_peek(p)->mark == '-';
    if ((minus || simt_accept(p, '+')) && simt_constant(p, &addend))
        return -1;
    out->value += addend;
    return simt_expect(p, ']');
}

typedef struct piece {
    msw_simt_type type;
    uint32_t cell, offset;
    bool whole;
} piece;

/* Finds the cell that element `i` lies in. */
static int find_piece(simt_parser *p, const simt_draft *draft, uint32_t i, piece *out)
{
    const simt_operand *address = &draft->detail.src[0];
    const simt_object *object = (simt_object *)p->build->objects.data + address->reg;
    uint32_t bytes = msw_simt_type_bytes(draft->detail.type);
    uint64_t at = address->value + (uint64_t)i * bytes;
    if (at >= object->bytes || object->bytes - at < bytes || at % bytes || bytes > object->cell)
        return simt_fail(p, "%u bytes at %llu of a parameter of %u bytes", bytes,
                         (unsigned long long)at, object->bytes);
    out->cell = object->first + (uint32_t)at / object->cell;
    out->offset = (uint32_t)at % object->cell;
    out->whole = bytes == object->cell;
    out->type = object->cell == 4 ? MSW_SIMT_B32 : MSW_SIMT_B64;
    return 0;
}

static int add_piece(simt_parser *p, const simt_draft *draft, uint32_t i)
{
    piece at = {0};
    bool is_load = draft->detail.op == OP_LD;
    if (find_piece(p, draft, i, &at))
        return -1;
    if (is_load && draft->detail.dst[i].kind == O_SINK)
        return 0;
    simt_operand cell = simt_reg_operand(at.cell, at.type);
    simt_operand offset = {.kind = O_VALUE, .type = MSW_SIMT_U32, .value = at.offset};
    simt_draft *out =
        simt_emit(p, is_load ? OP_EXTRACT : OP_INSERT, draft->detail.type, draft->text);
    if (!out)
        return -1;
    out->guard = draft->guard;
    out->guard_negated = draft->guard_negated;
    out->line = draft->line;
    if (is_load)
        return simt_set_operands(p, out, &draft->detail.dst[i], 1, (simt_operand[]){cell, offset},
                                 2);
    return simt_set_operands(p, out, &cell, 1,
                             (simt_operand[]){draft->detail.src[1 + i], offset, cell},
                             at.whole ? 2 : 3);
}

int simt_object_access(simt_parser *p, const simt_draft *draft)
{
    const msw_simt_detail *d = &draft->detail;
    if ((d->op != OP_LD && d->op != OP_ST) || d->space != MSW_SIMT_PARAM)
        return simt_fail(p,
                         "a parameter of a function is read by ld.param and written by st.param");
    uint32_t count = d->op == OP_LD ? d->dst_count : d->src_count - 1u;
    for (uint32_t i = 0; i < count; i++)
        if (add_piece(p, draft, i))
            return -1;
    return 0;
}
