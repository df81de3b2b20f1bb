/* SPDX-License-Identifier: MIT */
/* Computes expressions, for many indices at once. */
#include "workload/simt/file/reader.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/rng.h"

#include <math.h>
#include <string.h>

enum { LANES = 128 };

typedef union slot {
    int64_t whole[LANES];
    double value[LANES];
} slot;

/* SplitMix64's last step, which spreads a counter over all bits. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t stream_key(int64_t stream)
{
    return mix((uint64_t)stream + UINT64_C(0x9e3779b97f4a7c15));
}

/* Multiples of 2^-24, which f32 holds exactly. */
static double uniform(int64_t index, uint64_t key)
{
    return (double)(mix((uint64_t)index + key) >> 40) * 0x1p-24;
}

static int64_t random_below(int64_t index, int64_t stream, int64_t n)
{
    return n > 0 ? (int64_t)(mix((uint64_t)index + stream_key(stream)) % (uint64_t)n) : 0;
}

static int64_t permuted(int64_t index, int64_t n, int64_t stream)
{
    return n > 0 && index >= 0 && index < n
               ? (int64_t)msw_permute((uint64_t)index, (uint64_t)n, (uint64_t)stream)
               : index;
}

static int64_t truncated(double value)
{
    if (!(value > -0x1p63))
        return value != value ? 0 : INT64_MIN;
    return value < 0x1p63 ? (int64_t)value : INT64_MAX;
}

static int64_t wrap(uint64_t value)
{
    return (int64_t)value;
}

static int64_t divided(int64_t a, int64_t b, bool *zero)
{
    *zero = *zero || b == 0;
    return b == 0 ? 0 : b == -1 ? wrap(0 - (uint64_t)a) : a / b;
}

static int64_t remainder_of(int64_t a, int64_t b, bool *zero)
{
    *zero = *zero || b == 0;
    return b == 0 || b == -1 ? 0 : a % b;
}

static int64_t divided_up(int64_t a, int64_t b, bool *zero)
{
    int64_t quotient = divided(a, b, zero);
    return quotient + (remainder_of(a, b, zero) != 0 && (a < 0) == (b < 0));
}

static int64_t shifted(int64_t a, int64_t by, bool left)
{
    if (by < 0 || by > 63)
        return left || a >= 0 ? 0 : -1;
    if (left)
        return wrap((uint64_t)a << by);
    return a >= 0 ? a >> by : ~(~a >> by);
}

#define EACH(result)                                                                               \
    for (size_t k = 0; k < count; k++)                                                             \
    result
#define A a->whole[k]
#define B b->whole[k]
#define X a->value[k]
#define Y b->value[k]

static void do_real(msw_simt_opcode code, slot *a, const slot *b, size_t count)
{
    switch (code) {
    case MSW_SIMT_OP_NEGATE:
        EACH(X = -X);
        break;
    case MSW_SIMT_OP_ABS:
        EACH(X = fabs(X));
        break;
    case MSW_SIMT_OP_TRUNCATE:
        EACH(A = truncated(X));
        break;
    case MSW_SIMT_OP_FLOOR:
        EACH(A = truncated(floor(X)));
        break;
    case MSW_SIMT_OP_ADD:
        EACH(X += Y);
        break;
    case MSW_SIMT_OP_SUBTRACT:
        EACH(X -= Y);
        break;
    case MSW_SIMT_OP_MULTIPLY:
        EACH(X *= Y);
        break;
    case MSW_SIMT_OP_DIVIDE:
        EACH(X /= Y);
        break;
    case MSW_SIMT_OP_LESS:
        EACH(A = X < Y);
        break;
    case MSW_SIMT_OP_LESS_EQUAL:
        EACH(A = X <= Y);
        break;
    case MSW_SIMT_OP_EQUAL:
        EACH(A = X == Y);
        break;
    case MSW_SIMT_OP_UNEQUAL:
        EACH(A = X != Y);
        break;
    case MSW_SIMT_OP_MIN:
        EACH(X = X < Y ? X : Y);
        break;
    case MSW_SIMT_OP_MAX:
        EACH(X = X > Y ? X : Y);
        break;
    default:
        break;
    }
}

/* The second argument is nearly always the same for all. */
static void do_uniform(slot *a, const slot *b, size_t count)
{
    int64_t stream = b->whole[0];
    uint64_t key = stream_key(stream);
    for (size_t k = 0; k < count; k++) {
        if (B != stream)
            key = stream_key(stream = B);
        X = uniform(A, key);
    }
}

static void do_bits(msw_simt_opcode code, slot *a, const slot *b, size_t count)
{
    switch (code) {
    case MSW_SIMT_OP_NOT:
        EACH(A = !A);
        break;
    case MSW_SIMT_OP_INVERT:
        EACH(A = ~A);
        break;
    case MSW_SIMT_OP_LEFT:
        EACH(A = shifted(A, B, true));
        break;
    case MSW_SIMT_OP_RIGHT:
        EACH(A = shifted(A, B, false));
        break;
    case MSW_SIMT_OP_AND:
        EACH(A &= B);
        break;
    case MSW_SIMT_OP_OR:
        EACH(A |= B);
        break;
    case MSW_SIMT_OP_XOR:
        EACH(A ^= B);
        break;
    default:
        break;
    }
}

static void do_whole(msw_simt_opcode code, slot *a, const slot *b, size_t count, bool *zero)
{
    switch (code) {
    case MSW_SIMT_OP_NEGATE:
        EACH(A = wrap(0 - (uint64_t)A));
        break;
    case MSW_SIMT_OP_ABS:
        EACH(A = A < 0 ? wrap(0 - (uint64_t)A) : A);
        break;
    case MSW_SIMT_OP_ADD:
        EACH(A = wrap((uint64_t)A + (uint64_t)B));
        break;
    case MSW_SIMT_OP_SUBTRACT:
        EACH(A = wrap((uint64_t)A - (uint64_t)B));
        break;
    case MSW_SIMT_OP_MULTIPLY:
        EACH(A = wrap((uint64_t)A * (uint64_t)B));
        break;
    case MSW_SIMT_OP_DIVIDE:
        EACH(A = divided(A, B, zero));
        break;
    case MSW_SIMT_OP_REMAINDER:
        EACH(A = remainder_of(A, B, zero));
        break;
    case MSW_SIMT_OP_UP:
        EACH(A = divided_up(A, B, zero));
        break;
    case MSW_SIMT_OP_LESS:
        EACH(A = A < B);
        break;
    case MSW_SIMT_OP_LESS_EQUAL:
        EACH(A = A <= B);
        break;
    case MSW_SIMT_OP_EQUAL:
        EACH(A = A == B);
        break;
    case MSW_SIMT_OP_UNEQUAL:
        EACH(A = A != B);
        break;
    case MSW_SIMT_OP_MIN:
        EACH(A = A < B ? A : B);
        break;
    case MSW_SIMT_OP_MAX:
        EACH(A = A > B ? A : B);
        break;
    case MSW_SIMT_OP_UNIFORM:
        do_uniform(a, b, count);
        break;
    default:
        do_bits(code, a, b, count);
    }
}

/* Operations of three operands. */
static void do_three(const msw_simt_op *op, slot *a, size_t count)
{
    const slot *b = a + 1, *c = a + 2;
    if (op->code == MSW_SIMT_OP_RANDOM)
        EACH(A = random_below(A, B, c->whole[k]));
    else if (op->code == MSW_SIMT_OP_PERMUTE)
        EACH(A = permuted(A, B, c->whole[k]));
    else if (op->real)
        EACH(X = A ? Y : c->value[k]);
    else
        EACH(A = A ? B : c->whole[k]);
}

static void do_convert(msw_simt_opcode code, slot *a, size_t count)
{
    if (code == MSW_SIMT_OP_REAL_LEFT)
        a--;
    EACH(X = (double)A);
}

static slot *push(const msw_simt_op *op, slot *a, uint64_t first, size_t count)
{
    if (op->code == MSW_SIMT_OP_VALUE)
        EACH(X = op->value);
    else if (op->code == MSW_SIMT_OP_WHOLE)
        EACH(A = op->whole);
    else
        EACH(A = (int64_t)(first + k));
    return a;
}

static bool is_unary(msw_simt_opcode code)
{
    return code >= MSW_SIMT_OP_TRUNCATE && code <= MSW_SIMT_OP_INVERT;
}

/* Computes an expression for `count` indices from `first` on. Returns the lanes of the result. */
static const slot *compute(const msw_simt_expr *e, uint64_t first, size_t count,
                           slot stack[MSW_SIMT_EXPR_STACK], bool *zero)
{
    slot *top = stack - 1;
    for (const msw_simt_op *op = e->ops; op < e->ops + e->count; op++) {
        if (op->code <= MSW_SIMT_OP_INDEX) {
            top = push(op, top + 1, first, count);
        } else if (op->code <= MSW_SIMT_OP_REAL_LEFT) {
            do_convert(op->code, top, count);
        } else {
            bool three = op->code == MSW_SIMT_OP_SELECT || op->code >= MSW_SIMT_OP_RANDOM;
            top -= is_unary(op->code) ? 0 : three ? 2 : 1;
            if (three)
                do_three(op, top, count);
            else if (op->real)
                do_real(op->code, top, top + 1, count);
            else
                do_whole(op->code, top, top + 1, count, zero);
        }
    }
    return top;
}

bool msw_simt_expr_number(const msw_simt_expr *expr, msw_simt_number *number)
{
    slot stack[MSW_SIMT_EXPR_STACK];
    bool zero = false;
    const slot *result = compute(expr, 0, 1, stack, &zero);
    *number = (msw_simt_number){.real = expr->real};
    if (expr->real)
        number->value = result->value[0];
    else
        number->whole = result->whole[0];
    return !zero;
}

/* ---- elements ---- */

/* Returns the 16 bits of the half nearest to a number, ties to even. */
static uint16_t msw_simt_half(double value)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    double size = fabs(value);
    if (size != size)
        return 0x7fff;
    if (size >= 65520)
        return sign | 0x7c00;
    if (size < 0x1p-14) /* below: multiples of 2^-24 */
        return (uint16_t)(sign | (uint16_t)nearbyint(size * 0x1p24));
    int exponent;
    double fraction = frexp(size, &exponent); /* in [0.5, 1) */
    uint16_t digits = (uint16_t)nearbyint(fraction * 2048);
    return (uint16_t)(sign | (((uint16_t)(exponent + 13) << 10) + digits));
}

static void put_whole(int64_t value, unsigned bytes, void *out)
{
    uint8_t b = (uint8_t)value;
    uint16_t h = (uint16_t)value;
    uint32_t w = (uint32_t)value;
    const void *from = bytes == 1 ? (void *)&b : bytes == 2 ? (void *)&h : &w;
    memcpy(out, bytes == 8 ? (const void *)&value : from, bytes);
}

static unsigned bytes_of(msw_simt_type type)
{
    switch (type) {
    case MSW_SIMT_U8:
    case MSW_SIMT_S8:
    case MSW_SIMT_B8:
        return 1;
    case MSW_SIMT_U16:
    case MSW_SIMT_S16:
    case MSW_SIMT_B16:
    case MSW_SIMT_F16:
        return 2;
    case MSW_SIMT_U32:
    case MSW_SIMT_S32:
    case MSW_SIMT_B32:
    case MSW_SIMT_F16X2:
    case MSW_SIMT_F32:
        return 4;
    default:
        return 8;
    }
}

void msw_simt_number_put(msw_simt_number number, msw_simt_type type, void *out)
{
    double value = number.real ? number.value : (double)number.whole;
    float single = (float)value;
    uint16_t half = type == MSW_SIMT_F16 ? msw_simt_half(value) : 0;
    if (type == MSW_SIMT_F64)
        memcpy(out, &value, sizeof value);
    else if (type == MSW_SIMT_F32)
        memcpy(out, &single, sizeof single);
    else if (type == MSW_SIMT_F16)
        memcpy(out, &half, sizeof half);
    else
        put_whole(number.whole, bytes_of(type), out);
}

/* The value of a half. */
static double half_value(uint16_t bits)
{
    int exponent = bits >> 10 & 31;
    double digits = bits & 1023;
    double size = exponent ? ldexp(1024 + digits, exponent - 25) : ldexp(digits, -24);
    if (exponent == 31)
        size = digits > 0 ? NAN : INFINITY;
    return bits >> 15 ? -size : size;
}

msw_simt_number msw_simt_number_get(msw_simt_type type, const void *from)
{
    msw_simt_number n = {.real =
                             type == MSW_SIMT_F16 || type == MSW_SIMT_F32 || type == MSW_SIMT_F64};
    unsigned bytes = bytes_of(type);
    uint64_t bits = 0;
    float single;
    memcpy(&bits, from, bytes);
    if (type == MSW_SIMT_F64)
        memcpy(&n.value, from, sizeof n.value);
    else if (type == MSW_SIMT_F16)
        n.value = half_value((uint16_t)bits);
    else if (n.real)
        n.value = (memcpy(&single, from, sizeof single), (double)single);
    else if (type >= MSW_SIMT_S8 && type <= MSW_SIMT_S64)
        bits = (uint64_t)((int64_t)(bits << (64 - 8 * bytes)) >> (64 - 8 * bytes));
    n.whole = (int64_t)bits;
    return n;
}

/* The usual type by itself, so that the loop is a plain one. */
static void put_all(const msw_simt_fill *fill, const slot *a, size_t count, unsigned char *out)
{
    unsigned bytes = bytes_of(fill->type);
    if (fill->expr.real && fill->type == MSW_SIMT_F32) {
        float singles[LANES];
        EACH(singles[k] = (float)X);
        memcpy(out, singles, count * sizeof *singles);
        return;
    }
    for (size_t k = 0; k < count; k++, out += bytes) {
        msw_simt_number n = {.real = fill->expr.real};
        if (n.real)
            n.value = X;
        else
            n.whole = A;
        msw_simt_number_put(n, fill->type, out);
    }
}

void msw_simt_fill_values(const void *context, uint64_t first, uint64_t count, void *out)
{
    const msw_simt_fill *fill = context;
    slot stack[MSW_SIMT_EXPR_STACK];
    unsigned char *to = out;
    unsigned bytes = bytes_of(fill->type);
    bool zero = false;
    for (uint64_t part; count; first += part, count -= part, to += part * bytes) {
        part = msw_min_u64(count, LANES);
        put_all(fill, compute(&fill->expr, first, part, stack, &zero), part, to);
    }
}
