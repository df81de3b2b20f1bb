/* SPDX-License-Identifier: MIT */
/* Operands of an instruction: registers, constants, addresses, special registers, parameters of
 * inlined calls, as the letters of its form say. */
#include "workload/simt/program/parts.h"

#include "memsweep/workload/simt/memory.h"

#include <string.h>

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

/* Reads an address in brackets. */
static int simt_address(simt_parser *p, simt_draft *draft, simt_operand *out)
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
