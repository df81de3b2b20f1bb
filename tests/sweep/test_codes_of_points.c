/* SPDX-License-Identifier: MIT */
/* Defect 775. Do the codes of a list give back every value, in one byte, two and four, whatever
 * the order; and are lines whole that lie over the ends of blocks? */
#include "sweep/points.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double value_of(size_t row, size_t kinds)
{
    return (double)(row * 7919 % kinds) - (double)(kinds / 2);
}

static void values_come_back(void **state)
{
    static const struct {
        size_t kinds;
        unsigned width;
    } CASES[] = {{1, 1}, {256, 1}, {257, 2}, {65536, 2}, {65537, 4}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_codes codes = {0};
        size_t rows = CASES[i].kinds + 1000;
        for (size_t r = 0; r < rows; r++)
            assert_int_equal(msw_codes_add(&codes, value_of(r, CASES[i].kinds)), 0);
        for (size_t r = 0; r < rows; r++)
            assert_true(msw_codes_at(&codes, r) == value_of(r, CASES[i].kinds));
        assert_int_equal(msw_codes_finish(&codes), 0);
        assert_int_equal(codes.count, CASES[i].kinds);
        assert_int_equal(codes.width, CASES[i].width);
        for (uint32_t v = 1; v < codes.count; v++)
            assert_true(codes.values[v - 1] < codes.values[v]);
        for (size_t r = 0; r < rows; r++)
            assert_true(msw_codes_at(&codes, r) == value_of(r, CASES[i].kinds));
        msw_codes_free(&codes);
    }
}

static void zeros_are_one_value(void **state)
{
    (void)state;
    msw_codes codes = {0};
    assert_int_equal(msw_codes_add(&codes, 0.0), 0);
    assert_int_equal(msw_codes_add(&codes, -0.0), 0);
    assert_int_equal(codes.count, 1);
    msw_codes_free(&codes);
}

/* Lines of 0 to 99 bytes up to well beyond a block of 1 MiB, the last one without an end. */
static void lines_are_whole(void **state)
{
    (void)state;
    char path[] = "/tmp/msw-lines-XXXXXX", wanted[128], *line;
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    for (int i = 1; i <= 30000; i++)
        fprintf(file, "%0*d%s", 1 + i % 99, i, i < 30000 ? "\r\n" : "");
    fclose(file);
    msw_point_lines lines;
    msw_err err = {0};
    assert_int_equal(msw_point_lines_open(&lines, NULL, path, &err), 0);
    for (int i = 1; i <= 30000; i++) {
        assert_int_equal(msw_point_lines_next(&lines, &line, &err), 1);
        snprintf(wanted, sizeof wanted, "%0*d", 1 + i % 99, i);
        assert_string_equal(line, wanted);
        assert_int_equal(lines.line, i);
    }
    assert_int_equal(msw_point_lines_next(&lines, &line, &err), 0);
    msw_point_lines_close(&lines);
    unlink(path);
}

static void pieces_have_the_digest_of_the_whole(void **state)
{
    (void)state;
    unsigned char bytes[3000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 31);
    for (size_t step = 1; step < 600; step += 77) {
        msw_hash_stream *stream = msw_hash_stream_new();
        assert_non_null(stream);
        for (size_t at = 0; at < sizeof bytes; at += step)
            msw_hash_stream_add(stream, bytes + at,
                                sizeof bytes - at < step ? sizeof bytes - at : step);
        assert_true(
            msw_digest_equal(msw_hash_stream_digest(stream), msw_hash_bytes(bytes, sizeof bytes)));
        msw_hash_stream_free(stream);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_back),
        cmocka_unit_test(zeros_are_one_value),
        cmocka_unit_test(lines_are_whole),
        cmocka_unit_test(pieces_have_the_digest_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
