/* SPDX-License-Identifier: MIT */
/* Is arithmetic correctly rounded, and the same in both kinds of loops? The C library's fma, sqrt
 * and division are, in all four directions; random bits. */
#include "testing.h"

#include "memsweep/base/rng.h"
#include "simt_flat.h"
#include "workload/simt/lanes/exact.h"
#include "workload/simt/lanes/lanes.h"

#include <fenv.h>
#include <string.h>

enum { ROUNDS = 20000 };

static uint64_t bits64(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x != x ? exact_nan(EXACT_F64) : bits;
}

static uint32_t bits32(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x != x ? (uint32_t)exact_nan(EXACT_F32) : bits;
}

static double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float single_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Random bits, half of them near 1, so that sums meet; some with few bits, so that results are
 * halves. */
static uint64_t draw(msw_rng *rng, bool is_double)
{
    uint64_t bits = msw_rng_u64(rng), fraction = is_double ? 52 : 23;
    if (msw_rng_below(rng, 2)) {
        uint64_t field = (is_double ? 1023 : 127) + msw_rng_below(rng, 60) - 30;
        uint64_t sign = (uint64_t)1 << (is_double ? 63 : 31);
        bits = (bits & (sign | (((uint64_t)1 << fraction) - 1))) | field << fraction;
    }
    if (msw_rng_below(rng, 4) == 0)
        bits &= ~(((uint64_t)1 << (fraction - 4)) - 1);
    return is_double ? bits : bits & UINT32_MAX;
}

static const int MODES[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

#define SAME(expression, own)                                                                      \
    do {                                                                                           \
        fesetround(MODES[mode]);                                                                   \
        volatile uint64_t wanted_ = (expression);                                                  \
        fesetround(FE_TONEAREST);                                                                  \
        uint64_t got_ = (own);                                                                     \
        if (got_ != wanted_)                                                                       \
            fail_msg("%s: 0x%llx, wanted 0x%llx (rounding %d)", #own, (unsigned long long)got_,    \
                     (unsigned long long)wanted_, mode);                                           \
    } while (0)

static void test_doubles_are_rounded_once(void **state)
{
    (void)state;
    msw_rng rng;
    msw_rng_init(&rng, 1, 0);
    for (int mode = 0; mode < 4; mode++)
        for (int i = 0; i < ROUNDS; i++) {
            uint64_t a = draw(&rng, true), b = draw(&rng, true), c = draw(&rng, true);
            volatile double x = double_of(a), y = double_of(b), z = double_of(c);
            exact_rounding r = (exact_rounding)mode;
            SAME(bits64(fma(x, y, z)), exact_fma(EXACT_F64, r, a, b, c));
            SAME(bits64(x + y), exact_add(EXACT_F64, r, a, b));
            SAME(bits64(x * y), exact_mul(EXACT_F64, r, a, b));
            SAME(bits64(x / y), exact_div(EXACT_F64, r, a, b));
            SAME(bits64(sqrt(x)), exact_sqrt(EXACT_F64, r, a));
            SAME(bits64(nearbyint(x)), exact_integral(EXACT_F64, r, a));
            SAME(bits32((float)x), exact_convert(EXACT_F64, EXACT_F32, r, a));
        }
}

static void test_singles_are_rounded_once(void **state)
{
    (void)state;
    msw_rng rng;
    msw_rng_init(&rng, 2, 0);
    for (int mode = 0; mode < 4; mode++)
        for (int i = 0; i < ROUNDS; i++) {
            uint32_t a = (uint32_t)draw(&rng, false), b = (uint32_t)draw(&rng, false);
            uint32_t c = (uint32_t)draw(&rng, false);
            volatile float x = single_of(a), y = single_of(b), z = single_of(c);
            exact_rounding r = (exact_rounding)mode;
            SAME(bits32(fmaf(x, y, z)), exact_fma(EXACT_F32, r, a, b, c));
            SAME(bits32(x / y), exact_div(EXACT_F32, r, a, b));
            SAME(bits32(sqrtf(x)), exact_sqrt(EXACT_F32, r, a));
        }
}

/* All halves: through f32 and back they are the same, and sums of halves are those of f64 rounded
 * (22 bits of a product and 11 of a sum fit into 53 when exponents are close). */
static void test_halves(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 0x10000; h++) {
        uint64_t single = exact_convert(EXACT_F16, EXACT_F32, EXACT_RN, h);
        uint64_t back = exact_convert(EXACT_F32, EXACT_F16, EXACT_RN, single);
        assert_int_equal(back, exact_is_nan(EXACT_F16, h) ? 0x7fff : h);
    }
    for (uint32_t i = 0; i < 0x8000; i += 7) {
        double x = double_of(exact_convert(EXACT_F16, EXACT_F64, EXACT_RN, i));
        uint64_t sum = exact_convert(EXACT_F64, EXACT_F16, EXACT_RN, bits64(x * x + x));
        if (i < 0x7c00)
            assert_int_equal(exact_fma(EXACT_F16, EXACT_RN, i, i, i), sum);
    }
}

/* bf16 is the upper half of an f32, so rounding is a sum of bits: half a step, and one less where
 * the number stays even. */
static void test_upper_halves(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 0x100000000; i += 65521) {
        uint32_t a = (uint32_t)i, rounded = (a + 0x7fff + (a >> 16 & 1)) >> 16;
        bool nan = exact_is_nan(EXACT_F32, a);
        assert_int_equal(exact_convert(EXACT_F32, EXACT_BF16, EXACT_RN, a), nan ? 0x7fff : rounded);
        uint64_t back = exact_convert(EXACT_BF16, EXACT_F32, EXACT_RN, a >> 16);
        assert_int_equal(back, exact_is_nan(EXACT_BF16, a >> 16) ? 0x7fffffff : a & 0xffff0000);
    }
}

/* Runs one operation of three f32 registers over a block of numbers in memory. */
static void run_operation(const char *code, const uint32_t *in, uint32_t *out, msw_simt_loops loops)
{
    char text[1000];
    ptx p;
    flat f;
    uint64_t base = FLAT_BASE;
    snprintf(text, sizeof text,
             ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out) {\n"
             ".reg .f32 %%f<9>; .reg .b32 %%r<4>; .reg .f64 %%g<9>; .reg .b64 %%rd<9>; .reg .b16 "
             "%%h<5>;\n"
             ".reg .pred %%p<4>;\n"
             "ld.param.u64 %%rd1, [out]; mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd2, %%r1, 4;\n"
             "add.s64 %%rd3, %%rd1, %%rd2; ld.global.f32 %%f1, [%%rd3]; ld.global.f32 %%f2, "
             "[%%rd3+4096];\n"
             "ld.global.f32 %%f3, [%%rd3+8192]; mul.wide.u32 %%rd4, %%r1, 8; add.s64 %%rd4, %%rd4, "
             "%%rd1;\n"
             "ld.global.f64 %%g1, [%%rd4]; ld.global.f64 %%g2, [%%rd4+4096]; mov.b32 %%r2, %%f1;\n"
             "%s\n"
             "st.global.f32 [%%rd3+16384], %%f4; st.global.f64 [%%rd4+24576], %%g4; ret; }\n",
             code);
    if (ptx_open(&p, text, NULL))
        fail_msg("%s: %s", code, p.err.text);
    flat_open(&f, true);
    memcpy(f.data, in, 12288);
    memcpy(p.params, &base, sizeof base);
    p.launch.block[0] = 1024;
    p.launch.loops = loops;
    if (ptx_run(&p, &f, NULL, NULL))
        fail_msg("%s: %s", code, p.err.text);
    memcpy(out, f.data + 16384, 16384);
    flat_close(&f);
    ptx_close(&p);
}

static const char *const CODES[] = {
    "add.f32 %f4, %f1, %f2;",
    "sub.ftz.f32 %f4, %f1, %f2;",
    "mul.sat.f32 %f4, %f1, %f2;",
    "fma.rn.f32 %f4, %f1, %f2, %f3;",
    "fma.rn.ftz.f32 %f4, %f1, %f2, %f3;",
    "fma.rm.f32 %f4, %f1, %f2, %f3;",
    "fma.rp.f32 %f4, %f1, %f2, %f3;",
    "fma.rz.f32 %f4, %f1, %f2, %f3;",
    "add.rz.f32 %f4, %f1, %f2;",
    "mul.rp.f32 %f4, %f1, %f2;",
    "div.rn.f32 %f4, %f1, %f2;",
    "div.approx.f32 %f4, %f1, %f2;",
    "sqrt.rn.f32 %f4, %f1;",
    "rcp.approx.ftz.f32 %f4, %f1;",
    "rsqrt.approx.f32 %f4, %f1;",
    "ex2.approx.f32 %f4, %f1;",
    "lg2.approx.f32 %f4, %f1;",
    "sin.approx.f32 %f4, %f1;",
    "cos.approx.f32 %f4, %f1;",
    "tanh.approx.f32 %f4, %f1;",
    "min.f32 %f4, %f1, %f2;",
    "max.NaN.f32 %f4, %f1, %f2;",
    "cvt.rzi.s32.f32 %r1, %f1; mov.b32 %f4, %r1;",
    "cvt.rn.f32.s32 %f4, %r2;",
    "cvt.rn.f16.f32 %h1, %f1; cvt.f32.f16 %f4, %h1;",
    "cvt.f64.f32 %g4, %f1;",
    "cvt.rn.f32.f64 %f4, %g1;",
    "add.f64 %g4, %g1, %g2;",
    "fma.rn.f64 %g4, %g1, %g2, %g1;",
    "div.rn.f64 %g4, %g1, %g2;",
    "sqrt.rn.f64 %g4, %g1;",
    "min.f64 %g4, %g1, %g2;",
    "setp.ltu.f32 %p1, %f1, %f2; selp.f32 %f4, %f1, %f2, %p1;",
};

static void test_both_loops_give_the_same_bits(void **state)
{
    (void)state;
    static uint32_t in[3072], base[4096], best[4096];
    msw_rng rng;
    msw_rng_init(&rng, 3, 0);
    if (!simt_loops_avx2())
        skip();
    for (int i = 0; i < 3072; i++)
        in[i] = (uint32_t)draw(&rng, false);
    for (size_t c = 0; c < sizeof CODES / sizeof *CODES; c++) {
        run_operation(CODES[c], in, base, MSW_SIMT_LOOPS_BASE);
        run_operation(CODES[c], in, best, MSW_SIMT_LOOPS_AVX2);
        if (memcmp(base, best, sizeof base) != 0)
            fail_msg("%s", CODES[c]);
    }
}

/* What the loops do fast is what the slow arithmetic says. */
static void test_loops_are_rounded_once(void **state)
{
    (void)state;
    static uint32_t in[3072], out[4096];
    static const struct {
        const char *code;
        exact_rounding rounding;
    } ROWS[] = {{"fma.rn.f32 %f4, %f1, %f2, %f3;", EXACT_RN},
                {"fma.rz.f32 %f4, %f1, %f2, %f3;", EXACT_RZ},
                {"fma.rm.f32 %f4, %f1, %f2, %f3;", EXACT_RM},
                {"fma.rp.f32 %f4, %f1, %f2, %f3;", EXACT_RP}};
    msw_rng rng;
    msw_rng_init(&rng, 4, 0);
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 3072; i++)
            in[i] = (uint32_t)draw(&rng, false);
        const char *code = ROWS[round % 4].code;
        run_operation(code, in, out, round & 4 ? MSW_SIMT_LOOPS_BASE : MSW_SIMT_LOOPS_BEST);
        for (int i = 0; i < 1024; i++)
            if (out[i] !=
                exact_fma(EXACT_F32, ROWS[round % 4].rounding, in[i], in[i + 1024], in[i + 2048]))
                fail_msg("%s %08x %08x %08x: %08x", code, in[i], in[i + 1024], in[i + 2048],
                         out[i]);
    }
}

/* The approximations lie within 0.501 units of the last place of the library's functions. */
static void test_approximations_are_near(void **state)
{
    (void)state;
    static uint32_t in[3072], out[4096];
    static const struct {
        const char *code;
        double (*function)(double);
        double low, high;
    } ROWS[] = {{"ex2.approx.f32 %f4, %f1;", exp2, -120, 120},
                {"lg2.approx.f32 %f4, %f1;", log2, 1e-3, 1e6},
                {"sin.approx.f32 %f4, %f1;", sin, -1000, 1000},
                {"cos.approx.f32 %f4, %f1;", cos, -300000, 300000},
                {"tanh.approx.f32 %f4, %f1;", tanh, -5, 5}};
    msw_rng rng;
    msw_rng_init(&rng, 5, 0);
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
        for (int i = 0; i < 1024; i++)
            in[i] =
                bits32((float)(ROWS[r].low + msw_rng_uniform(&rng) * (ROWS[r].high - ROWS[r].low)));
        run_operation(ROWS[r].code, in, out, MSW_SIMT_LOOPS_BEST);
        for (int i = 0; i < 1024; i++) {
            double wanted = ROWS[r].function((double)single_of(in[i]));
            float near = (float)wanted;
            double unit = (double)nextafterf(fabsf(near), INFINITY) - (double)fabsf(near);
            assert_near(single_of(out[i]), wanted, 0.501 * unit);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubles_are_rounded_once),
        cmocka_unit_test(test_singles_are_rounded_once),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_upper_halves),
        cmocka_unit_test(test_both_loops_give_the_same_bits),
        cmocka_unit_test(test_loops_are_rounded_once),
        cmocka_unit_test(test_approximations_are_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
