/* SPDX-License-Identifier: MIT */
/* Operands, as the letters of a form say. */
#include "workload/simt/program/parts.h"

#include <string.h>

typedef struct reading {
    simt_draft *draft;
    simt_operand dst[SIMT_DSTS], src[SIMT_SRCS];
    uint32_t dsts, srcs;
} reading;

static msw_simt_type wide_type(msw_simt_type type)
{
    switch (type) {
    case MSW_SIMT_U16:
        return MSW_SIMT_U32;
    case MSW_SIMT_S16:
        return MSW_SIMT_S32;
    case MSW_SIMT_U32:
        return MSW_SIMT_U64;
    case MSW_SIMT_S32:
        return MSW_SIMT_S64;
    default:
        return type;
    }
}

static int read_dst(simt_parser *p, reading *r, msw_simt_type type, bool wider)
{
    char buffer[48];
    const lex_token *token = simt_peek(p);
    simt_operand *out = &r->dst[r->dsts++];
    if (simt_operand_read(p, type, wider, out))
        return -1;
    if ((out->kind != O_REG && out->kind != O_SINK) || out->negated)
        return simt_fail(p, "expected a register to write, found %s", simt_show(p, token, buffer));
    return 0;
}

static int read_second_dst(simt_parser *p, reading *r)
{
    if (!simt_accept(p, '|'))
        return 0;
    simt_operand *out = &r->draft->detail.dst2;
    if (simt_operand_read(p, MSW_SIMT_PRED, false, out))
        return -1;
    if (out->kind != O_REG && out->kind != O_SINK)
        return simt_fail(p, "expected a predicate to write after '|'");
    return 0;
}

static int read_src(simt_parser *p, reading *r, msw_simt_type type, bool wider)
{
    simt_operand *out = &r->src[r->srcs++];
    if (simt_operand_read(p, type, wider, out))
        return -1;
    if (out->kind == O_SINK)
        return simt_fail(p, "'_' is no value");
    return 0;
}

static msw_simt_type element_type(msw_simt_type type, uint32_t count)
{
    static const msw_simt_type BITS[] = {MSW_SIMT_NO_TYPE, MSW_SIMT_B8, MSW_SIMT_B16,
                                         MSW_SIMT_NO_TYPE, MSW_SIMT_B32};
    uint32_t bytes = msw_simt_type_bytes(type);
    return count && bytes % count == 0 && bytes / count <= 4 ? BITS[bytes / count]
                                                             : MSW_SIMT_NO_TYPE;
}

static uint32_t brace_count(const simt_parser *p)
{
    uint32_t count = 1;
    for (uint32_t at = p->at;
         at < p->lex.count && p->lex.tokens[at].mark != '}' && p->lex.tokens[at].mark != ';'; at++)
        count += p->lex.tokens[at].mark == ',';
    return count;
}

/* Braces: elements of a load or store, or the parts of a mov. */
static int read_vector(simt_parser *p, reading *r, bool is_dst)
{
    msw_simt_detail *d = &r->draft->detail;
    bool is_mov = d->op == OP_MOV;
    uint32_t vector = simt_has(d, W_V4) ? 4 : simt_has(d, W_V2) ? 2 : 1;
    if (!simt_accept(p, '{')) {
        if (vector > 1)
            return simt_fail(p, "braces around %u registers are wanted", vector);
        return is_dst ? read_dst(p, r, d->type, !is_mov) : read_src(p, r, d->type, !is_mov);
    }
    uint32_t count = brace_count(p);
    msw_simt_type type = is_mov ? element_type(d->type, count) : d->type;
    if (count > 4 || !type || (!is_mov && count != vector))
        return simt_fail(p, "%u registers in braces do not fit '%s'", count, r->draft->text);
    *(is_dst ? &d->dst_vector : &d->src_vector) = true;
    for (uint32_t i = 0; i < count; i++) {
        if (i && simt_expect(p, ','))
            return -1;
        if (is_dst ? read_dst(p, r, type, true) : read_src(p, r, type, true))
            return -1;
    }
    return simt_expect(p, '}');
}

static int read_branch(simt_parser *p, reading *r)
{
    char buffer[48];
    uint32_t label;
    const lex_token *token = simt_take(p);
    const simt_name *name = token->kind == LEX_NAME ? simt_lookup(p, token, &label) : NULL;
    if (!name || name->kind != NAME_LABEL)
        return simt_fail(p, "no label %s here", simt_show(p, token, buffer));
    r->draft->label = label;
    return 0;
}

/* The form of an instruction is a string with a letter for each operand: words.h lists them. Each
 * letter fixes the operand's type and whether it is read or written. */
static int read_letter(simt_parser *p, reading *r, char letter)
{
    msw_simt_detail *d = &r->draft->detail;
    bool wide = simt_has(d, W_WIDE);
    switch (letter) {
    case 'd':
        return read_dst(p, r, d->type, false);
    case 'w':
        return read_dst(p, r, wide ? wide_type(d->type) : d->type, false);
    case 'D':
        return read_dst(p, r, MSW_SIMT_U32, false);
    case 'a':
        return read_src(p, r, d->type, false);
    case 'c':
        return read_src(p, r, wide ? wide_type(d->type) : d->type, false);
    case 'u':
        return read_src(p, r, d->op == OP_ISSPACEP ? MSW_SIMT_U64 : MSW_SIMT_U32, false);
    case '2':
        return read_src(p, r, d->type2, false);
    case 'p':
        MSW_TRY(read_dst(p, r, MSW_SIMT_PRED, false));
        MSW_TRY(read_second_dst(p, r));
        return 0;
    case 's':
        return read_src(p, r, MSW_SIMT_PRED, false);
    case 'q':
        MSW_TRY(read_dst(p, r, d->type, false));
        MSW_TRY(read_second_dst(p, r));
        return 0;
    case 'm':
        return simt_address(p, r->draft, &r->src[r->srcs++]);
    case 'V':
        return read_vector(p, r, true);
    case 'v':
        return read_vector(p, r, false);
    case 'L':
        return read_branch(p, r);
    case 'r':
        return read_dst(p, r, d->type, true);
    case 'x':
        return read_src(p, r, d->type2, true);
    default:
        return simt_fail(p, "operand '%c' of no form", letter);
    }
}

static const char *letters_of(const msw_simt_detail *d, const simt_form *form)
{
    if (d->op == OP_BAR || d->op == OP_BARRIER) {
        if (simt_has(d, W_WARP))
            return "u";
        if (simt_has(d, W_RED))
            return d->type == MSW_SIMT_PRED ? "pusou" : "Dusou";
        return simt_has(d, W_SYNC) || simt_has(d, W_ARRIVE) ? "uou" : "ou";
    }
    if (d->op == OP_MATCH && simt_has(d, W_ALL))
        return "qau";
    return form->operands;
}

/* bar.red takes its thread count between the barrier and the predicate: `a {, b}, p`. */
static int read_reduction(simt_parser *p, reading *r)
{
    msw_simt_detail *d = &r->draft->detail;
    if ((d->type == MSW_SIMT_PRED ? read_letter(p, r, 'p') : read_letter(p, r, 'D')) ||
        simt_expect(p, ',') || read_letter(p, r, 'u') || simt_expect(p, ','))
        return -1;
    uint32_t value, ahead = p->at + (simt_peek(p)->mark == '!');
    const simt_name *name = simt_lookup(p, &p->lex.tokens[ahead], &value);
    bool is_pred = name && (name->kind == NAME_REG || name->kind == NAME_REGS) &&
                   ((msw_simt_reg *)p->build->regs.data + value)->type == MSW_SIMT_PRED;
    if (!is_pred && (read_letter(p, r, 'u') || simt_expect(p, ',')))
        return -1;
    return read_letter(p, r, 's');
}

static int read_all(simt_parser *p, reading *r)
{
    bool optional = false, first = true;
    msw_simt_detail *d = &r->draft->detail;
    if ((d->op == OP_BAR || d->op == OP_BARRIER) && simt_has(d, W_RED))
        return read_reduction(p, r);
    for (const char *at = letters_of(d, r->draft->form); *at; at++) {
        if (*at == 'o') {
            optional = true;
            continue;
        }
        const lex_token *token = simt_peek(p);
        if (optional && token->kind == LEX_MARK && token->mark == ';')
            return 0;
        if (!first && simt_expect(p, ','))
            return -1;
        first = false;
        if (read_letter(p, r, *at))
            return -1;
    }
    return 0;
}

int simt_operands(simt_parser *p, simt_draft *draft)
{
    reading r = {.draft = draft};
    if (read_all(p, &r))
        return -1;
    return simt_set_operands(p, draft, r.dst, r.dsts, r.src, r.srcs);
}
