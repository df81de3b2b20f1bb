/* SPDX-License-Identifier: MIT */
/* Does what a page unpacks equal what was put in: levels and labels exactly, other numbers within
 * half a step of the scale? The bytes are unpacked here by zlib and a decoder of their own. */
#include "testing.h"

#include "memsweep/base/math.h"
#include "memsweep/report/code.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- reading base64 and zlib back ---- */

static int digit(char c)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(DIGITS, c) : NULL;
    return at ? (int)(at - DIGITS) : -1;
}

static uint8_t *unpack(const msw_text *text, const msw_coded *packed)
{
    const char *from = msw_text_str(text) + packed->at;
    uint8_t *small = malloc(packed->size), *bytes = malloc(packed->bytes + 1);
    size_t size = 0, bits = 0;
    uint32_t hold = 0;
    for (size_t i = 0; i < packed->size; i++) {
        int value = digit(from[i]);
        if (value < 0) {
            assert_int_equal(from[i], '=');
            continue;
        }
        hold = hold << 6 | (uint32_t)value;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            small[size++] = (uint8_t)(hold >> bits & 255);
        }
    }
    uLongf got = packed->bytes + 1;
    assert_int_equal(uncompress(bytes, &got, small, size), Z_OK);
    assert_int_equal(got, packed->bytes);
    free(small);
    return bytes;
}

/* ---- bytes ---- */

static void any_bytes_come_back(void **state)
{
    (void)state;
    for (size_t size = 0; size < 9000; size = size < 9 ? size + 1 : 2 * size + 1) {
        msw_text text = MSW_TEXT_EMPTY;
        msw_coded packed;
        uint8_t *bytes = malloc(size + 1);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)(i * i * 37 + size);
        msw_text_add(&text, "before");
        assert_int_equal(msw_code_bytes(bytes, size, &text, &packed, NULL), 0);
        assert_int_equal(packed.at, 6);
        uint8_t *back = unpack(&text, &packed);
        assert_memory_equal(back, bytes, size);
        free(back);
        free(bytes);
        msw_text_free(&text);
    }
}

static void codes_and_whole_numbers_come_back(void **state)
{
    (void)state;
    enum { N = 1000 };
    uint16_t codes[N];
    uint32_t wholes[N];
    double doubles[N];
    msw_text text = MSW_TEXT_EMPTY;
    msw_coded c, w, d;
    for (uint32_t i = 0; i < N; i++) {
        codes[i] = (uint16_t)(i * 65521u);
        wholes[i] = i * i * 4294967u; /* up and down, around the end of 32 bits */
        doubles[i] = i ? 1.0 / i - 0.3 : -0.0;
    }
    assert_int_equal(msw_code_codes(codes, N, &text, &c, NULL), 0);
    assert_int_equal(msw_code_wholes(wholes, N, &text, &w, NULL), 0);
    assert_int_equal(msw_code_doubles(doubles, N, &text, &d, NULL), 0);
    uint8_t *cb = unpack(&text, &c), *wb = unpack(&text, &w), *db = unpack(&text, &d);
    uint32_t before = 0;
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(codes[i], cb[i] | cb[N + i] << 8);
        for (size_t b = 0; b < 4; b++)
            before += (uint32_t)wb[b * N + i] << (8 * b);
        assert_int_equal(wholes[i], before);
        uint64_t bits = 0;
        for (size_t b = 0; b < 8; b++)
            bits |= (uint64_t)db[b * N + i] << (8 * b);
        assert_memory_equal(&bits, &doubles[i], 8);
    }
    free(cb);
    free(wb);
    free(db);
    msw_text_free(&text);
}

static void codes_below_256_take_one_byte_each(void **state)
{
    (void)state;
    uint16_t codes[100] = {255, 0, 7};
    msw_text text = MSW_TEXT_EMPTY;
    msw_coded packed;
    assert_int_equal(msw_code_codes(codes, 100, &text, &packed, NULL), 0);
    assert_int_equal(packed.bytes, 100);
    codes[50] = 256;
    assert_int_equal(msw_code_codes(codes, 100, &text, &packed, NULL), 0);
    assert_int_equal(packed.bytes, 200);
    msw_text_free(&text);
}

/* ---- values ---- */

static msw_coder look(double *values, size_t n, size_t most, bool log)
{
    msw_coder p = {.level_most = most};
    msw_column column = {.values = values};
    for (size_t at = 0; at < n; at += 100) { /* in blocks, as they are read */
        column.values = values + at;
        assert_int_equal(msw_coder_look(&p, &column, n - at < 100 ? n - at : 100, NULL), 0);
    }
    assert_int_equal(msw_coder_finish(&p, NULL), 0);
    p.log = log;
    return p;
}

static void few_values_are_exact_and_in_order(void **state)
{
    (void)state;
    double values[] = {3, -0.0, NAN, 0.1, INFINITY, 3, 1e300, -7, 0.1 + 1e-16, -INFINITY, 0.0};
    size_t n = sizeof values / sizeof *values;
    msw_coder p = look(values, n, 6, false);
    assert_false(p.steps);
    assert_int_equal(p.level_count, 6); /* neighbours of 0.1 are two */
    for (size_t i = 0; i < n; i++) {
        double back = msw_coder_value(&p, msw_coder_code(&p, values[i]));
        if (isfinite(values[i]))
            assert_true(back == values[i]);
        else
            assert_true(isnan(back));
    }
    for (size_t k = 1; k < p.level_count; k++)
        assert_true(p.levels[k] > p.levels[k - 1]);
    msw_coder_free(&p);
}

static void many_values_are_within_half_a_step(void **state)
{
    (void)state;
    enum { N = 5000 };
    static double values[N];
    for (int log = 0; log < 2; log++) {
        for (size_t i = 0; i < N; i++)
            values[i] = 2e-5 + msw_math_exp(20 * (double)((i * 7919) % N) / N) / 1e4;
        msw_coder p = look(values, N, 4096, log);
        assert_true(p.steps);
        assert_int_equal(p.level_count, 0);
        double width = log ? msw_math_log(p.high / p.low) : p.high - p.low, worst = 0;
        for (size_t i = 0; i < N; i++) {
            uint16_t code = msw_coder_code(&p, values[i]);
            assert_in_range(code, 1, MSW_CODE_STEPS);
            double back = msw_coder_value(&p, code);
            double off = log ? fabs(msw_math_log(back / values[i])) : fabs(back - values[i]);
            worst = fmax(worst, off / width);
        }
        assert_true(worst <= 0.5000001 / (MSW_CODE_STEPS - 1));
        assert_true(worst > 0.3 / (MSW_CODE_STEPS - 1)); /* the steps are used */
        assert_true(msw_coder_value(&p, 1) == p.low);
        assert_true(fabs(msw_coder_value(&p, MSW_CODE_STEPS) / p.high - 1) < 1e-12);
        msw_coder_free(&p);
    }
}

static void as_many_levels_as_allowed_are_exact(void **state)
{
    (void)state;
    double values[300];
    for (size_t i = 0; i < 300; i++)
        values[i] = (double)((i * 131) % 300) / 7;
    msw_coder exact = look(values, 300, 300, false), steps = look(values, 300, 299, false);
    assert_false(exact.steps);
    assert_int_equal(exact.level_count, 300);
    assert_true(steps.steps);
    for (size_t i = 0; i < 300; i++)
        assert_true(msw_coder_value(&exact, msw_coder_code(&exact, values[i])) == values[i]);
    msw_coder_free(&exact);
    msw_coder_free(&steps);
}

static void one_value_and_none_have_codes(void **state)
{
    (void)state;
    double same[] = {5, 5, 5}, none[] = {NAN, NAN};
    msw_coder p = look(same, 3, 0, false); /* no levels: a scale of no length */
    assert_true(msw_coder_value(&p, msw_coder_code(&p, 5)) == 5);
    msw_coder_free(&p);
    p = look(none, 2, 4, false);
    assert_int_equal(msw_coder_code(&p, NAN), 0);
    assert_int_equal(p.level_count, 0);
    msw_coder_free(&p);
}

static void texts_keep_their_numbers_and_never_mix_with_numbers(void **state)
{
    (void)state;
    char *labels[] = {"b", "a"};
    double values[] = {0, 1, NAN}, numbers[] = {4, 5, 6};
    msw_column text = {.values = values, .labels = labels, .label_count = 2};
    msw_column number = {.values = numbers};
    msw_coder p = {.level_most = 9};
    assert_int_equal(msw_coder_look(&p, &text, 3, NULL), 0);
    assert_int_equal(msw_coder_finish(&p, NULL), 0);
    assert_false(p.mixed);
    assert_int_equal(msw_coder_code(&p, 1), 2);
    assert_int_equal(msw_coder_code(&p, NAN), 0);
    assert_int_equal(p.labels, 2);
    msw_coder_free(&p);
    p.level_most = 9;
    assert_int_equal(msw_coder_look(&p, &number, 3, NULL), 0);
    assert_int_equal(msw_coder_look(&p, &text, 3, NULL), 0);
    assert_true(p.mixed);
    msw_coder_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_bytes_come_back),
        cmocka_unit_test(codes_and_whole_numbers_come_back),
        cmocka_unit_test(codes_below_256_take_one_byte_each),
        cmocka_unit_test(few_values_are_exact_and_in_order),
        cmocka_unit_test(many_values_are_within_half_a_step),
        cmocka_unit_test(as_many_levels_as_allowed_are_exact),
        cmocka_unit_test(one_value_and_none_have_codes),
        cmocka_unit_test(texts_keep_their_numbers_and_never_mix_with_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
