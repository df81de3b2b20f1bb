/* SPDX-License-Identifier: MIT */
/* Constants: integers with operators, and literals of a type. */
#include "workload/simt/program/parts.h"

#include <string.h>

static int sum(simt_parser *p, uint64_t *value, uint32_t depth);

/* Recursive descent over 64-bit integers. The depth is limited: a file of a million brackets must
 * not overflow the stack. */
static int factor(simt_parser *p, uint64_t *value, uint32_t depth)
{
    char buffer[48];
    lex_value number;
    if (depth > SIMT_MOST_DEPTH)
        return simt_fail(p, "a constant with more than %d brackets and signs", SIMT_MOST_DEPTH);
    if (simt_accept(p, '-')) {
        int status = factor(p, value, depth + 1);
        *value = 0 - *value;
        return status;
    }
    if (simt_accept(p, '+'))
        return factor(p, value, depth + 1);
    if (simt_accept(p, '~')) {
        int status = factor(p, value, depth + 1);
        *value = ~*value;
        return status;
    }
    if (simt_accept(p, '(')) {
        MSW_TRY(sum(p, value, depth + 1));
        MSW_TRY(simt_expect(p, ')'));
        return 0;
    }
    const lex_token *token = simt_peek(p);
    if (token->kind != LEX_NUMBER || lex_number(&p->lex, token, &number) || number.is_float ||
        number.is_single)
        return simt_fail(p, "expected an integer before %s", simt_show(p, token, buffer));
    simt_take(p);
    *value = number.bits;
    return 0;
}

static int product(simt_parser *p, uint64_t *value, uint32_t depth)
{
    uint64_t right;
    if (factor(p, value, depth))
        return -1;
    while (simt_accept(p, '*')) {
        if (factor(p, &right, depth))
            return -1;
        *value *= right;
    }
    return 0;
}

static int sum(simt_parser *p, uint64_t *value, uint32_t depth)
{
    uint64_t right;
    if (product(p, value, depth))
        return -1;
    for (;;) {
        bool minus = simt_peek(p)->kind == LEX_MARK && simt_peek(p)->mark == '-';
        if (!minus && !(simt_peek(p)->kind == LEX_MARK && simt_peek(p)->mark == '+'))
            return 0;
        simt_take(p);
        if (product(p, &right, depth))
            return -1;
        *value += minus ? 0 - right : right;
    }
}

int simt_constant(simt_parser *p, uint64_t *value)
{
    return sum(p, value, 0);
}

static uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static int float_bits(const lex_value *number, bool minus, msw_simt_type type, uint64_t *bits)
{
    float single = 0;
    double value = 0;
    uint32_t half = (uint32_t)number->bits;
    if (number->is_single && type == MSW_SIMT_F32) {
        *bits = number->bits ^ (minus ? 0x80000000u : 0);
        return 0;
    }
    if (number->is_single) {
        memcpy(&single, &half, sizeof single);
        value = (double)single;
    } else if (number->is_float) {
        memcpy(&value, &number->bits, sizeof value);
    } else {
        value = (double)number->bits;
    }
    *bits = double_bits(minus ? -value : value);
    if (type == MSW_SIMT_F32) {
        single = (float)(minus ? -value : value);
        memcpy(&half, &single, sizeof half);
        *bits = half;
    }
    return 0;
}

int simt_literal(simt_parser *p, msw_simt_type type, uint64_t *bits)
{
    lex_value number;
    uint32_t back = p->at;
    bool minus = simt_accept(p, '-');
    const lex_token *token = simt_peek(p);
    if (token->kind == LEX_NUMBER && lex_number(&p->lex, token, &number) == 0) {
        bool wants_float = type == MSW_SIMT_F32 || type == MSW_SIMT_F64;
        if (wants_float) {
            simt_take(p);
            return float_bits(&number, minus, type, bits);
        }
        if (number.is_single || number.is_float) {
            uint32_t wanted = number.is_single ? 4 : 8;
            if (msw_simt_type_bytes(type) != wanted || minus)
                return simt_fail(p, "a floating-point number for an operand of type %s",
                                 msw_simt_type_name(type));
            simt_take(p);
            *bits = number.bits;
            return 0;
        }
    }
    p->at = back;
    return simt_constant(p, bits);
}
