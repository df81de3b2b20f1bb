/* SPDX-License-Identifier: MIT */
/* Words and types that must go together. */
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

int simt_check(simt_parser *p, const simt_draft *draft)
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

int simt_add_carry(simt_parser *p, simt_draft *draft)
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
