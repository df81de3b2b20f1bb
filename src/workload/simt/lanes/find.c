/* SPDX-License-Identifier: MIT */
/* The function of an instruction by its name, which is made of operation, words and type. */
#include "workload/simt/lanes/lanes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define UN(name, to, from, expression)           #name,
#define MIX(name, to, first, second, expression) #name,
#define BIN(name, to, from, expression)          #name,
#define TER(name, to, from, third, expression)   #name,
#define SET(name, from, condition)               #name,
#define OWN(name)                                #name,
static const char *const NAMES[] = {
#include "workload/simt/lanes/lanes.def"
};

static int named(const char *fmt, ...) MSW_PRINTF(1, 2);

static int named(const char *fmt, ...)
{
    char name[64];
    va_list args;
    va_start(args, fmt);
    vsnprintf(name, sizeof name, fmt, args);
    va_end(args);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (NAMES[i][0] == name[0] && strcmp(NAMES[i], name) == 0)
            return (int)i;
    return -1;
}

static bool directed(const msw_simt_detail *d)
{
    return simt_has(d, W_RZ) || simt_has(d, W_RM) || simt_has(d, W_RP);
}

static const char *single_suffix(const msw_simt_detail *d)
{
    bool ftz = simt_has(d, W_FTZ), sat = simt_has(d, W_SAT);
    return ftz && sat ? "_ftz_sat" : ftz ? "_ftz" : sat ? "_sat" : "";
}

/* add, sub, mul, fma of floats. */
static int find_float(const msw_simt_detail *d, const char *name)
{
    if (d->type == MSW_SIMT_F64 && !directed(d) && !simt_has(d, W_SAT))
        return named("%s_f64", name);
    if (d->type != MSW_SIMT_F32 || simt_has(d, W_RELU))
        return -1;
    if (!directed(d))
        return named("%s_f32%s", name, single_suffix(d));
    if (*single_suffix(d) || d->op == OP_SUB)
        return -1;
    return named("%s_f32_%s", name, simt_has(d, W_RZ) ? "rz" : simt_has(d, W_RM) ? "rm" : "rp");
}

static unsigned bits_of(msw_simt_type type)
{
    return 8 * msw_simt_type_bytes(type);
}

static int find_sum(const msw_simt_detail *d, const char *name)
{
    if (simt_has(d, W_CC) || d->op == OP_ADDC || d->op == OP_SUBC || d->op == OP_MADC)
        return named("carry");
    if (simt_is_float(d->type))
        return find_float(d, name);
    return simt_has(d, W_SAT) ? -1 : named("%s_%u", name, bits_of(d->type));
}

static int find_product(const msw_simt_detail *d, const char *name)
{
    if (simt_is_float(d->type))
        return find_float(d, d->op == OP_MAD ? "fma" : name);
    if (simt_has(d, W_CC) || d->op == OP_MADC)
        return named("carry");
    if (simt_has(d, W_SAT))
        return -1;
    if (simt_has(d, W_LO))
        return named("%s_lo_%u", name, bits_of(d->type));
    return named("%s_%s_%s", name, simt_has(d, W_HI) ? "hi" : "wide", msw_simt_type_name(d->type));
}

static int find_quotient(const msw_simt_detail *d, const char *name)
{
    if (!simt_is_float(d->type))
        return named("%s_%s", name, msw_simt_type_name(d->type));
    if (directed(d))
        return -1;
    if (d->type == MSW_SIMT_F64)
        return simt_has(d, W_APPROX) ? named("%s_approx%s_f64", name, single_suffix(d))
                                     : named("%s_f64", name);
    if (d->op == OP_DIV && simt_has(d, W_APPROX))
        return named("div_approx_f32%s", single_suffix(d));
    return named("%s_%s%s", name, msw_simt_type_name(d->type), single_suffix(d));
}

static int find_extreme(const msw_simt_detail *d, const char *name)
{
    if (!simt_is_float(d->type))
        return d->src_count > 2 || simt_has(d, W_RELU)
                   ? -2
                   : named("%s_%s", name, msw_simt_type_name(d->type));
    if (d->src_count > 2 || simt_has(d, W_XORSIGN) || simt_has(d, W_RELU))
        return -1;
    if (d->type == MSW_SIMT_F64)
        return named("%s_f64", name);
    return named("%s%s_%s%s", name, simt_has(d, W_NAN_MINMAX) ? "_nan" : "",
                 msw_simt_type_name(d->type), single_suffix(d));
}

static int find_sign(const msw_simt_detail *d, const char *name)
{
    if (!simt_is_float(d->type))
        return named("%s_%u", name, bits_of(d->type));
    return named("%s_%s%s", name, msw_simt_type_name(d->type), single_suffix(d));
}

static int find_compare(const msw_simt_detail *d)
{
    static const struct {
        simt_word word;
        const char *name;
    } WORDS_[] = {{W_EQ, "eq"},   {W_NE, "ne"},   {W_LT, "lt"},   {W_LE, "le"},   {W_GT, "gt"},
                  {W_GE, "ge"},   {W_LO, "lt"},   {W_LS, "le"},   {W_HI, "gt"},   {W_HS, "ge"},
                  {W_EQU, "equ"}, {W_NEU, "neu"}, {W_LTU, "ltu"}, {W_LEU, "leu"}, {W_GTU, "gtu"},
                  {W_GEU, "geu"}, {W_NUM, "num"}, {W_NAN, "nan"}};
    const char *word = NULL;
    for (size_t i = 0; i < sizeof WORDS_ / sizeof *WORDS_ && !word; i++)
        if (simt_has(d, WORDS_[i].word))
            word = WORDS_[i].name;
    if (simt_is_float(d->type))
        return named("setp_%s_%s%s", word, msw_simt_type_name(d->type),
                     d->type == MSW_SIMT_F32 ? single_suffix(d) : "");
    if (simt_has(d, W_EQ) || simt_has(d, W_NE))
        return named("setp_%s_%u", word, bits_of(d->type));
    return named("setp_%s_%c%u", word, simt_is_signed(d->type) ? 's' : 'u', bits_of(d->type));
}

static int find_move(const msw_simt_detail *d)
{
    if (d->dst_vector)
        return d->src_vector ? -2 : named("unpack");
    if (d->src_vector)
        return named("pack");
    return d->type == MSW_SIMT_PRED ? named("mov_pred") : named("mov_%u", bits_of(d->type));
}

static int find_int_conversion(const msw_simt_detail *d)
{
    unsigned to = bits_of(d->type), from = bits_of(d->type2);
    if (simt_has(d, W_SAT) || to == 8)
        return -1;
    if (to == from)
        return named("mov_%u", to);
    if (to < from)
        return named("cvt_%u_b%u", to, from);
    return named("cvt_%u_%c%u", to, simt_is_signed(d->type2) ? 's' : 'u', from);
}

static bool plain_float(const msw_simt_detail *d)
{
    return !simt_has(d, W_SAT) && !simt_has(d, W_FTZ) && !simt_has(d, W_RELU) && !directed(d) &&
           !simt_has(d, W_RMI) && !simt_has(d, W_RPI) && !simt_has(d, W_RNI);
}

static int find_conversion(const msw_simt_detail *d)
{
    msw_simt_type to = d->type, from = d->type2;
    if (!simt_is_float(to) && !simt_is_float(from))
        return find_int_conversion(d);
    if (to == MSW_SIMT_F32 && from == MSW_SIMT_F32 && simt_has(d, W_SAT) && !simt_has(d, W_FTZ) &&
        !simt_has(d, W_RNI) && !simt_has(d, W_RZI) && !simt_has(d, W_RMI) && !simt_has(d, W_RPI))
        return named("cvt_sat_f32");
    if (!plain_float(d))
        return -1;
    if (simt_has(d, W_RZI))
        return to == MSW_SIMT_S32 && from == MSW_SIMT_F32 ? named("cvt_rzi_s32_f32") : -1;
    if (!simt_is_float(to))
        return -1;
    return named("cvt_%s_%s", msw_simt_type_name(to), msw_simt_type_name(from));
}

static int find_logic(const msw_simt_detail *d, const char *name)
{
    return d->type == MSW_SIMT_PRED ? named("%s_pred", name)
                                    : named("%s_%u", name, bits_of(d->type));
}

static int find_shift(const msw_simt_detail *d)
{
    if (d->op == OP_SHL)
        return named("shl_%u", bits_of(d->type));
    return named("shr_%c%u", simt_is_signed(d->type) ? 's' : 'u', bits_of(d->type));
}

/* Returns the function, -1 when a scalar one may do, -2 when none may. */
static int find_by_op(const msw_simt_detail *d)
{
    switch (d->op) {
    case OP_ADD:
    case OP_ADDC:
        return find_sum(d, "add");
    case OP_SUB:
    case OP_SUBC:
        return find_sum(d, "sub");
    case OP_MUL:
        return find_product(d, "mul");
    case OP_MAD:
    case OP_MADC:
        return find_product(d, "mad");
    case OP_FMA:
        return find_float(d, "fma");
    case OP_DIV:
        return find_quotient(d, "div");
    case OP_REM:
        return find_quotient(d, "rem");
    case OP_SQRT:
        return simt_has(d, W_APPROX) && d->type == MSW_SIMT_F64 ? -2 : find_quotient(d, "sqrt");
    case OP_RCP:
        return find_quotient(d, "rcp");
    case OP_RSQRT:
        return find_quotient(d, "rsqrt");
    case OP_EX2:
        return find_quotient(d, "ex2");
    case OP_LG2:
        return find_quotient(d, "lg2");
    case OP_SIN:
        return find_quotient(d, "sin");
    case OP_COS:
        return find_quotient(d, "cos");
    case OP_TANH:
        return find_quotient(d, "tanh");
    case OP_MIN:
        return find_extreme(d, "min");
    case OP_MAX:
        return find_extreme(d, "max");
    case OP_NEG:
        return find_sign(d, "neg");
    case OP_ABS:
        return find_sign(d, "abs");
    default:
        return -3;
    }
}

static int find_other(const msw_simt_detail *d)
{
    switch (d->op) {
    case OP_AND:
        return find_logic(d, "and");
    case OP_OR:
        return find_logic(d, "or");
    case OP_XOR:
        return find_logic(d, "xor");
    case OP_NOT:
        return find_logic(d, "not");
    case OP_SHL:
    case OP_SHR:
        return find_shift(d);
    case OP_SELP:
        return named("selp_%u", bits_of(d->type));
    case OP_SETP:
        return find_compare(d);
    case OP_MOV:
        return find_move(d);
    case OP_CVT:
        return find_conversion(d);
    case OP_CVTA:
        return named(d->space == MSW_SIMT_GLOBAL ? "mov_%u" : "add_%u", bits_of(d->type));
    case OP_POPC:
        return named("popc_%u", bits_of(d->type));
    case OP_CLZ:
        return named("clz_%u", bits_of(d->type));
    case OP_BREV:
        return named("brev_%u", bits_of(d->type));
    case OP_SHF:
        return named("shf_32");
    case OP_BFE:
        return named("bfe_%u", bits_of(d->type));
    case OP_BFI:
        return named("bfi_%u", bits_of(d->type));
    case OP_PRMT:
        return d->words[0] | d->words[1] ? -1 : named("prmt_32");
    case OP_DP4A:
        return named("dp4a_32");
    case OP_LOP3:
        return named("lop3_32");
    case OP_SAD:
        return named("sad_%s", msw_simt_type_name(d->type));
    case OP_SHFL:
        return named("shfl_32");
    case OP_VOTE:
        return named("vote");
    case OP_MATCH:
        return named("match");
    case OP_REDUX:
        return named("redux");
    case OP_ACTIVEMASK:
        return named("activemask");
    case OP_EXTRACT:
        return named("extract");
    case OP_INSERT:
        return named("insert");
    case OP_FENCE:
    case OP_NOP:
        return named("nothing");
    default:
        return -1;
    }
}

int simt_lanes_find(const msw_simt_detail *d)
{
    int found = find_by_op(d);
    if (found == -3)
        found = find_other(d);
    if (d->op == OP_BAR && simt_has(d, W_WARP))
        return named("nothing");
    if (found == -1 && simt_scalar_knows(d))
        return named("scalar");
    return found < 0 ? -1 : found;
}
