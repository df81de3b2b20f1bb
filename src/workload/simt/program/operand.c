/* SPDX-License-Identifier: MIT */
/* One operand: a register, a constant, an address, a special register. */
#include "workload/simt/program/parts.h"

static int use_reg(simt_parser *p, uint32_t reg, bool wider, simt_operand *out)
{
    const msw_simt_reg *r = (msw_simt_reg *)p->build->regs.data + reg;
    uint32_t wanted = msw_simt_type_bytes(out->type);
    bool is_pred = r->type == MSW_SIMT_PRED;
    if (wanted == 1)
        wanted = 2;
    if (is_pred != (out->type == MSW_SIMT_PRED) || (wider ? r->bytes < wanted : r->bytes != wanted))
        return simt_fail(p, "register %s is of type %s, expected an operand of type %s", r->name,
                         msw_simt_type_name(r->type), msw_simt_type_name(out->type));
    out->kind = O_REG;
    out->reg = reg;
    return 0;
}

static int use_address(simt_parser *p, const simt_name *name, uint32_t index, simt_operand *out)
{
    const simt_list *list = name->kind == NAME_OWN ? &p->build->variables : &p->variables;
    const msw_simt_variable *v =
        name->kind == NAME_PARAM ? NULL : (msw_simt_variable *)list->data + index;
    out->kind = O_VALUE;
    if (name->kind == NAME_PARAM) {
        out->value = ((msw_simt_param *)p->build->params.data + index)->offset;
    } else if (name->kind == NAME_OWN) {
        out->value = v->offset;
    } else if (v->space == MSW_SIMT_SHARED && v->is_extern) {
        out->kind = O_DYNAMIC;
        p->build->kernel.uses_dynamic_shared = true;
        uint64_t align = v->align > 16 ? v->align : 16;
        if (p->build->kernel.dynamic_offset < align) /* until the end: its alignment */
            p->build->kernel.dynamic_offset = align;
    } else if (v->space == MSW_SIMT_SHARED) {
        if (simt_shared_offset(p, index, &out->value))
            return -1;
    } else if (v->space == MSW_SIMT_CONST) {
        out->value = v->offset;
    } else if (v->is_extern) {
        return simt_fail(p, "variable %s is defined in another file", v->name);
    } else {
        out->kind = O_GLOBAL;
        out->reg = index;
    }
    uint64_t addend = 0;
    if (simt_accept(p, '+') && simt_constant(p, &addend))
        return -1;
    out->value += addend;
    return 0;
}

static int use_special(simt_parser *p, const lex_token *token, simt_operand *out)
{
    const lex_token *next = simt_peek(p);
    char axis = '\0';
    if (next->kind == LEX_DOT && next->length == 2) {
        axis = p->lex.text[next->start + 1];
        simt_take(p);
    }
    char buffer[48];
    simt_special special = simt_special_find(p->lex.text + token->start, token->length, axis);
    if (special == SPECIALS)
        return simt_fail(p, "%s is neither declared nor a special register that is run",
                         simt_show(p, token, buffer));
    uint32_t bytes = msw_simt_type_bytes(out->type);
    if (bytes < 2 || simt_is_float(out->type))
        return simt_fail(p, "a special register is no operand of type %s",
                         msw_simt_type_name(out->type));
    out->kind = O_SPECIAL;
    out->reg = special;
    return 0;
}

static int use_name(simt_parser *p, bool wider, simt_operand *out)
{
    char buffer[48];
    uint32_t value;
    const lex_token *token = simt_take(p);
    const simt_name *name = simt_lookup(p, token, &value);
    if (!name && lex_is(&p->lex, token, "_")) {
        out->kind = O_SINK;
        return 0;
    }
    if (!name && lex_is(&p->lex, token, "WARP_SZ")) {
        out->kind = O_VALUE;
        out->value = MSW_SIMT_LANES;
        return 0;
    }
    if (!name)
        return use_special(p, token, out);
    switch (name->kind) {
    case NAME_REG:
    case NAME_REGS:
        return use_reg(p, value, wider, out);
    case NAME_VARIABLE:
    case NAME_OWN:
    case NAME_PARAM:
        if (msw_simt_type_bytes(out->type) < 4 || simt_is_float(out->type))
            return simt_fail(p, "the address of %s is no operand of type %s",
                             simt_show(p, token, buffer), msw_simt_type_name(out->type));
        return use_address(p, name, value, out);
    case NAME_FUNCTION:
        return simt_fail(p, "%s: indirect calls are not run", simt_show(p, token, buffer));
    case NAME_OBJECT:
        return simt_fail(p, "%s: the address of a parameter of a function is not run",
                         simt_show(p, token, buffer));
    default:
        return simt_fail(p, "%s is no operand", simt_show(p, token, buffer));
    }
}

int simt_operand_read(simt_parser *p, msw_simt_type type, bool wider, simt_operand *out)
{
    *out = (simt_operand){.type = type};
    if (type == MSW_SIMT_PRED)
        out->negated = simt_accept(p, '!');
    if (simt_peek(p)->kind == LEX_NAME)
        return use_name(p, wider, out);
    out->kind = O_VALUE;
    return simt_literal(p, type, &out->value);
}
