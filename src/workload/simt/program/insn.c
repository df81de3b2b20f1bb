/* SPDX-License-Identifier: MIT */
/* Instructions: guard, operation, words, types, and the words and types that must go together. */
#include "workload/simt/program/parts.h"

#include <string.h>

static bool has_compare(const msw_simt_detail *d)
{
    for (int w = W_EQ; w <= W_NUM; w++)
        if (simt_has(d, (simt_word)w))
            return true;
    return simt_has(d, W_NAN) || simt_has(d, W_LO) || simt_has(d, W_HI);
}

static bool is_int(const msw_simt_detail *d)
{
    return !simt_is_float(d->type);
}

static bool has_any(const msw_simt_detail *d, simt_word first, simt_word last)
{
    for (int w = (int)first; w <= (int)last; w++)
        if (simt_has(d, (simt_word)w))
            return true;
    return false;
}

static const char *missing_multiply(const msw_simt_detail *d)
{
    if (is_int(d) && !has_any(d, W_LO, W_WIDE))
        return ".lo, .hi or .wide";
    return NULL;
}

/* What is missing, or NULL. */
static const char *missing(const msw_simt_detail *d)
{
    bool rounded = has_any(d, W_RN, W_RP);
    switch (d->op) {
    case OP_MUL:
    case OP_MAD:
        return missing_multiply(d);
    case OP_MUL24:
    case OP_MAD24:
        return simt_has(d, W_LO) || simt_has(d, W_HI) ? NULL : ".lo or .hi";
    case OP_SET:
    case OP_SETP:
        return has_compare(d) ? NULL : "a comparison (.eq, .lt, ...)";
    case OP_DIV:
        return is_int(d) || rounded || simt_has(d, W_APPROX) || simt_has(d, W_FULL)
                   ? NULL
                   : "a rounding, .approx or .full";
    case OP_SQRT:
    case OP_RCP:
        return rounded || simt_has(d, W_APPROX) ? NULL : "a rounding or .approx";
    case OP_ATOM:
    case OP_RED:
    case OP_REDUX:
        return has_any(d, W_AND, W_CAS) ? NULL : "what to do (.add, .min, ...)";
    case OP_SHFL:
        return has_any(d, W_UP, W_IDX) ? NULL : ".up, .down, .bfly or .idx";
    case OP_VOTE:
        return has_any(d, W_ALL, W_BALLOT) ? NULL : ".all, .any, .uni or .ballot";
    case OP_MATCH:
        return has_any(d, W_ALL, W_ANY) ? NULL : ".any or .all";
    case OP_BAR:
    case OP_BARRIER:
        return has_any(d, W_SYNC, W_SYNC) || has_any(d, W_ARRIVE, W_RED) ? NULL
                                                                         : ".sync, .arrive or .red";
    case OP_SHF:
        return has_any(d, W_L, W_R) && has_any(d, W_WRAP, W_CLAMP) ? NULL
                                                                   : ".l or .r, .wrap or .clamp";
    case OP_TESTP:
        return has_any(d, W_FINITE, W_SUBNORMAL) ? NULL : "what to test (.finite, ...)";
    case OP_CVTA:
    case OP_ISSPACEP:
        return d->space ? NULL : "a space (.global, ...)";
    default:
        return NULL;
    }
}

static bool wide_fits(const msw_simt_detail *d)
{
    uint32_t bytes = msw_simt_type_bytes(d->type);
    return !simt_has(d, W_WIDE) || (is_int(d) && (bytes == 2 || bytes == 4));
}

static bool vote_fits(const msw_simt_detail *d)
{
    return d->op != OP_VOTE || simt_has(d, W_BALLOT) == (d->type == MSW_SIMT_B32);
}

static bool cas_fits(const msw_simt_detail *d)
{
    return d->op != OP_ATOM || (d->src_count == 3) == simt_has(d, W_CAS);
}

static bool second_predicate_fits(const msw_simt_detail *d)
{
    if (d->op != OP_SETP && d->op != OP_SET)
        return true;
    bool combines = has_any(d, W_AND, W_XOR);
    return combines == (d->src_count == 3);
}

static bool space_fits(const msw_simt_detail *d)
{
    if (d->op == OP_ST)
        return d->space != MSW_SIMT_CONST &&
               (d->space != MSW_SIMT_PARAM || d->src[0].kind == O_OBJECT);
    return true;
}

/* Refuses words and types that do not go together. */
static int simt_check(simt_parser *p, const simt_draft *draft)
{
    const msw_simt_detail *d = &draft->detail;
    const char *what = missing(d);
    if (what)
        return simt_fail(p, "'%s' lacks %s", draft->text, what);
    if (!wide_fits(d) || !vote_fits(d))
        return simt_fail(p, "'%s': words and type do not fit together", draft->text);
    if (!cas_fits(d) || !second_predicate_fits(d))
        return simt_fail(p, "'%s': its words do not go with %u source operands", draft->text,
                         d->src_count);
    if (!space_fits(d))
        return simt_fail(p, "'%s': space %s is not written", draft->text,
                         msw_simt_space_name(d->space));
    return 0;
}

/* Makes .cc and the operations that read it write and read a register. */
static int simt_add_carry(simt_parser *p, simt_draft *draft)
{
    msw_simt_detail *d = &draft->detail;
    bool reads = d->op == OP_ADDC || d->op == OP_SUBC || d->op == OP_MADC;
    if (!reads && !simt_has(d, W_CC))
        return 0;
    if (p->build->carry == MSW_SIMT_NONE)
        p->build->carry = simt_new_reg(p, "CC.CF", MSW_SIMT_PRED);
    if (p->build->carry == MSW_SIMT_NONE)
        return -1;
    simt_operand carry = simt_reg_operand(p->build->carry, MSW_SIMT_PRED);
    if (simt_has(d, W_CC))
        d->dst2 = carry;
    if (!reads)
        return 0;
    simt_operand src[SIMT_SRCS];
    memcpy(src, d->src, d->src_count * sizeof *src);
    src[d->src_count] = carry;
    simt_operand dst = d->dst[0];
    return simt_set_operands(p, draft, &dst, 1, src, d->src_count + 1u);
}

static int read_guard(simt_parser *p, uint32_t *guard, bool *negated)
{
    *guard = MSW_SIMT_NONE;
    *negated = false;
    if (!simt_accept(p, '@'))
        return 0;
    *negated = simt_accept(p, '!');
    simt_operand operand;
    if (simt_operand_read(p, MSW_SIMT_PRED, false, &operand))
        return -1;
    if (operand.kind != O_REG)
        return simt_fail(p, "a guard is a predicate register");
    *guard = operand.reg;
    return 0;
}

static const simt_form *read_name(simt_parser *p)
{
    char buffer[48];
    const lex_token *token = simt_peek(p);
    const char *text = p->lex.text + token->start;
    const simt_form *form = NULL;
    if (token->kind == LEX_NAME)
        form = simt_form_find(text, token->length);
    if (form) {
        simt_take(p);
        return form;
    }
    const char *reason = token->kind == LEX_NAME ? simt_form_refused(text, token->length) : NULL;
    const char *name = simt_show(p, token, buffer);
    if (reason) {
        simt_fail(p, "%s: %s", name, reason);
        return NULL;
    }
    buffer[strlen(buffer) - 1] = '\0';
    const char *nearest = token->kind == LEX_NAME ? simt_form_nearest(buffer + 1) : NULL;
    simt_fail(p, "%s' is no operation that is run%s%s%s", name, nearest ? "; did you mean '" : "",
              nearest ? nearest : "", nearest ? "'?" : "");
    return NULL;
}

static void set_space(msw_simt_detail *detail, simt_word word)
{
    switch (word) {
    case W_GLOBAL:
        detail->space = MSW_SIMT_GLOBAL;
        break;
    case W_SHARED:
    case W_SHARED_CTA:
        detail->space = MSW_SIMT_SHARED;
        break;
    case W_LOCAL:
        detail->space = MSW_SIMT_LOCAL;
        break;
    case W_CONST:
        detail->space = MSW_SIMT_CONST;
        break;
    case W_PARAM:
    case W_PARAM_ENTRY:
    case W_PARAM_FUNC:
        detail->space = MSW_SIMT_PARAM;
        break;
    default:
        break;
    }
}

static int read_word(simt_parser *p, const simt_form *form, msw_simt_detail *detail,
                     uint32_t *types)
{
    char buffer[48];
    const lex_token *token = simt_peek(p);
    const char *text = p->lex.text + token->start + 1;
    simt_word word = simt_word_find(form, text, token->length - 1);
    msw_simt_type type = simt_type_find(text, token->length - 1);
    if (word) {
        simt_set_word(detail, word);
        set_space(detail, word);
    } else if (type && *types < 2 && (*types ? form->types2 : form->types) >> type & 1) {
        *(*types ? &detail->type2 : &detail->type) = type;
        ++*types;
    } else {
        return simt_fail(p, "%s is not run behind '%s'", simt_show(p, token, buffer), form->name);
    }
    simt_take(p);
    return 0;
}

static int read_words(simt_parser *p, const simt_form *form, msw_simt_detail *detail)
{
    uint32_t types = 0, wanted = !!form->types + !!form->types2;
    while (simt_peek(p)->kind == LEX_DOT)
        if (read_word(p, form, detail, &types))
            return -1;
    bool may_lack = form->op == OP_BAR || form->op == OP_BARRIER;
    if (types != wanted && !(may_lack && types == 0))
        return simt_fail(p, "'%s' wants %u type%s", form->name, wanted, wanted == 1 ? "" : "s");
    if (types == 1)
        detail->type2 = detail->type;
    return 0;
}

/* The operation as it is written in the file. */
static const char *copy_text(simt_parser *p, uint32_t from)
{
    const lex_token *first = &p->lex.tokens[from], *last = &p->lex.tokens[p->at - 1];
    lex_token all = {.start = first->start, .length = last->start + last->length - first->start};
    if (all.length > 200)
        all.length = 200;
    return simt_copy(p, &all);
}

static int read_ret(simt_parser *p, uint32_t guard, bool negated)
{
    if (simt_expect(p, ';'))
        return -1;
    if (p->build->return_label != MSW_SIMT_NONE)
        return simt_jump(p, p->build->return_label, guard, negated);
    simt_draft *draft = simt_emit(p, OP_EXIT, MSW_SIMT_NO_TYPE, "ret");
    if (!draft)
        return -1;
    draft->guard = guard;
    draft->guard_negated = negated;
    return simt_set_operands(p, draft, NULL, 0, NULL, 0);
}

static int read_plain(simt_parser *p, simt_draft *filled)
{
    simt_op op = filled->detail.op;
    bool accesses = op == OP_LD || op == OP_ST || op == OP_ATOM || op == OP_RED;
    if (accesses && !filled->detail.space)
        filled->detail.space = MSW_SIMT_GENERIC;
    uint32_t line = filled->line;
    if (simt_operands(p, filled) || simt_check(p, filled) || simt_add_carry(p, filled) ||
        simt_expect(p, ';'))
        return -1;
    if (accesses && filled->detail.src[0].kind == O_OBJECT)
        return simt_object_access(p, filled);
    simt_draft *draft = simt_new_draft(p);
    if (!draft)
        return -1;
    *draft = *filled;
    draft->line = line;
    return 0;
}

int simt_instruction(simt_parser *p)
{
    simt_draft draft = {.line = simt_peek(p)->line, .label = MSW_SIMT_NONE};
    if (read_guard(p, &draft.guard, &draft.guard_negated))
        return -1;
    uint32_t from = p->at;
    const simt_form *form = read_name(p);
    if (!form || read_words(p, form, &draft.detail))
        return -1;
    draft.form = form;
    draft.detail.op = form->op;
    draft.detail.target = MSW_SIMT_NONE;
    if (form->op == OP_CALL)
        return simt_call(p, draft.guard, draft.guard_negated);
    if (form->op == OP_RET)
        return read_ret(p, draft.guard, draft.guard_negated);
    draft.text = copy_text(p, from);
    return draft.text ? read_plain(p, &draft) : -1;
}
