/* SPDX-License-Identifier: MIT */
/* Is a number read exactly as a program meant it, and everything else refused? Each text is one
 * that a simulator, a locale, another system or a cut-off write can leave. */
#include "testing.h"

#include "memsweep/program/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one number ---- */

typedef struct sample {
    const char *text;
    double value; /* NaN: refused */
} sample;

static void check_numbers(const msw_reader *reader, const char *unit, const sample *samples)
{
    for (; samples->text; samples++) {
        double value = -1;
        msw_err err = {0};
        int rc = msw_reader_number(reader, samples->text, unit, &value, &err);
        if ((rc == 0) != !isnan(samples->value) || (rc == 0 && value != samples->value))
            fail_msg("'%s': %s %.17g", samples->text, rc ? "refused" : "read", value);
        if (rc && !err.text[0])
            fail_msg("'%s': refused without a word", samples->text);
    }
}

static void test_plain_numbers(void **state)
{
    (void)state;
    static const sample SAMPLES[] = {
        {"12", 12},        {" -1.5e3 ", -1500}, {"+7", 7},        {".5", 0.5},    {"12\r", 12},
        {"12 cycles", 12}, {"nan", NAN},        {"-nan", NAN},    {"inf", NAN},   {"1e999", NAN},
        {"0x10", NAN},     {"1,234", NAN},      {"1.234,5", NAN}, {"12ns", NAN},  {"", NAN},
        {"-", NAN},        {"1e", NAN},         {"--1", NAN},     {"1.2.3", NAN}, {"12;", NAN},
        {NULL, 0}};
    const msw_reader plain = {.scale = 1};
    check_numbers(&plain, "ns", SAMPLES);
}

static void test_groups_of_thousands(void **state)
{
    (void)state;
    static const sample SAMPLES[] = {{"1,234", 1234},     {"16,934,440", 16934440},
                                     {"999", 999},        {"1,234.5", 1234.5},
                                     {"-12,000", -12000}, {"1,23", NAN},
                                     {"1234,567", NAN},   {",123", NAN},
                                     {"1,2345", NAN},     {NULL, 0}};
    const msw_reader groups = {.scale = 1, .thousands = ','};
    check_numbers(&groups, "", SAMPLES);
}

static void test_units(void **state)
{
    (void)state;
    static const sample SAMPLES[] = {{"430895 ns", 430895}, {"288003750 ps", 288003.75},
                                     {"1.5us", 1500},       {"2 ms,", 2e6},
                                     {"12", NAN},           {"12 KiB", NAN},
                                     {"12 parsec", NAN},    {NULL, 0}};
    const msw_reader units = {.scale = 1, .with_unit = true};
    check_numbers(&units, "ns", SAMPLES);
}

/* ---- a file ---- */

static int read_file(msw_reader reader, const char *bytes, size_t size, double *value)
{
    msw_err err = {0};
    char *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    reader.scale = 1;
    int rc = msw_reader_read(&reader, "", copy, size, value, &err);
    free(copy);
    return rc;
}

static int read_text(msw_reader reader, const char *text, double *value)
{
    return read_file(reader, text, strlen(text), value);
}

static void test_lines_of_other_systems(void **state)
{
    (void)state;
    double value = 0;
    const msw_reader key = {.kind = MSW_READ_KEY, .file = "o", .at = "cycles"};
    assert_int_equal(read_text(key, "a = 1\r\ncycles = 12\r\nb = 2\r\n", &value), 0);
    assert_true(value == 12);
    const msw_reader csv = {.kind = MSW_READ_CSV, .file = "o", .at = "b", .take = MSW_TAKE_LAST};
    assert_int_equal(read_text(csv, "a,b\r\n1,2\r\n3,4\r\n", &value), 0);
    assert_true(value == 4);
}

static void test_the_same_twice(void **state)
{
    (void)state;
    double value = 0;
    msw_reader key = {.kind = MSW_READ_KEY, .file = "o", .at = "cycles"};
    assert_int_equal(read_text(key, "cycles = 1\ncycles = 2\n", &value), -1);
    key.take = MSW_TAKE_SUM;
    assert_int_equal(read_text(key, "cycles = 1\ncycles = 2\n", &value), 0);
    assert_true(value == 3);
}

static void test_json_that_is_none(void **state)
{
    (void)state;
    double value = 0;
    char deep[512] = "";
    const msw_reader json = {.kind = MSW_READ_JSON, .file = "o", .at = "a"};
    assert_int_equal(read_text(json, "{\"a\": 12}", &value), 0);
    assert_true(value == 12);
    static const char *const WRONG[] = {"{\"a\": 12",    "{\"a\": 1, \"a\": 2}", "{\"a\": [1]}",
                                        "{\"a\": true}", "{\"b\": 1}",           "",
                                        "{\"a\": 1,}",   "{\"a\": NaN}",         NULL};
    for (const char *const *text = WRONG; *text; text++)
        if (read_text(json, *text, &value) == 0)
            fail_msg("read %g from %s", value, *text);
    for (int i = 0; i < 100; i++)
        strcat(deep, "[");
    assert_int_equal(read_text(json, deep, &value), -1);
}

static void test_zero_bytes_and_long_lines(void **state)
{
    (void)state;
    enum { LONG = MSW_PROGRAM_LINE_MOST + 1000 };
    double value = 0;
    const msw_reader key = {.kind = MSW_READ_KEY, .file = "o", .at = "cycles"};
    static const char ZERO[] = "cycles = 1\0002\n";
    assert_int_equal(read_file(key, ZERO, sizeof ZERO - 1, &value), -1);
    char *text = malloc(LONG + 32);
    assert_non_null(text);
    memset(text, 'x', LONG);
    strcpy(text + LONG, "\ncycles = 5\n");
    int rc = read_text(key, text, &value);
    assert_true(rc == -1 || value == 5);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain_numbers),
                                       cmocka_unit_test(test_groups_of_thousands),
                                       cmocka_unit_test(test_units),
                                       cmocka_unit_test(test_lines_of_other_systems),
                                       cmocka_unit_test(test_the_same_twice),
                                       cmocka_unit_test(test_json_that_is_none),
                                       cmocka_unit_test(test_zero_bytes_and_long_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
