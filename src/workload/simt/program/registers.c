/* SPDX-License-Identifier: MIT */
/* Registers and parameters of calls. */
#include "workload/simt/program/parts.h"

#include <string.h>

uint32_t simt_new_reg(simt_parser *p, const char *name, msw_simt_type type)
{
    simt_list *regs = &p->build->regs;
    if (regs->count >= SIMT_MOST_REGS) {
        simt_fail(p, "more than %d registers", SIMT_MOST_REGS);
        return MSW_SIMT_NONE;
    }
    msw_simt_reg *reg = simt_push(p, regs, sizeof *reg);
    if (!reg)
        return MSW_SIMT_NONE;
    uint32_t bytes = msw_simt_type_bytes(type);
    *reg = (msw_simt_reg){name, type, (uint8_t)(bytes == 1 ? 2 : bytes)};
    return regs->count - 1;
}

static int add_range(simt_parser *p, const lex_token *token, msw_simt_type type)
{
    uint64_t count;
    if (simt_constant(p, &count) || simt_expect(p, '>'))
        return -1;
    if (count > SIMT_MOST_REGS)
        return simt_fail(p, "more than %d registers", SIMT_MOST_REGS);
    simt_name *name = simt_declare(p, token, NAME_REGS, p->build->regs.count);
    const char *text = name ? simt_copy(p, token) : NULL;
    if (!text)
        return -1;
    name->count = (uint32_t)count;
    p->work += count;
    for (uint64_t i = 0; i < count; i++)
        if (simt_new_reg(p, text, type) == MSW_SIMT_NONE)
            return -1;
    return 0;
}

static int add_one(simt_parser *p, const lex_token *token, msw_simt_type type)
{
    const char *text = simt_copy(p, token);
    uint32_t reg = text ? simt_new_reg(p, text, type) : MSW_SIMT_NONE;
    return reg != MSW_SIMT_NONE && simt_declare(p, token, NAME_REG, reg) ? 0 : -1;
}

int simt_registers(simt_parser *p)
{
    char buffer[48];
    const lex_token *token = simt_take(p);
    if (lex_is(&p->lex, token, ".v2") || lex_is(&p->lex, token, ".v4"))
        return simt_fail(p, "vectors of registers are not read; registers of one element are");
    msw_simt_type type = MSW_SIMT_NO_TYPE;
    if (token->kind == LEX_DOT)
        type = simt_type_find(p->lex.text + token->start + 1, token->length - 1);
    if (!type)
        return simt_fail(p, "registers of type %s are not read", simt_show(p, token, buffer));
    do {
        token = simt_take(p);
        if (token->kind != LEX_NAME)
            return simt_fail(p, "expected the name of a register, found %s",
                             simt_show(p, token, buffer));
        if (simt_accept(p, '<') ? add_range(p, token, type) : add_one(p, token, type))
            return -1;
    } while (simt_accept(p, ','));
    return simt_expect(p, ';');
}

uint32_t simt_new_object(simt_parser *p, const simt_declared *declared)
{
    if (declared->bytes > SIMT_MOST_OBJECT) {
        simt_fail(p, "a parameter of %llu bytes; at most %d are read",
                  (unsigned long long)declared->bytes, SIMT_MOST_OBJECT);
        return MSW_SIMT_NONE;
    }
    uint32_t bytes = (uint32_t)declared->bytes;
    simt_object object = {.bytes = bytes, .cell = bytes <= 4 ? 4 : 8};
    object.cells = (bytes + object.cell - 1) / object.cell;
    object.first = p->build->regs.count;
    const char *name = simt_copy(p, declared->name);
    for (uint32_t i = 0; name && i < object.cells; i++)
        if (simt_new_reg(p, name, object.cell == 4 ? MSW_SIMT_B32 : MSW_SIMT_B64) == MSW_SIMT_NONE)
            return MSW_SIMT_NONE;
    simt_object *added = name ? simt_push(p, &p->build->objects, sizeof *added) : NULL;
    if (!added)
        return MSW_SIMT_NONE;
    *added = object;
    return p->build->objects.count - 1;
}
