/* SPDX-License-Identifier: MIT */
/* Is JSON read as RFC 8259 says, and everything else refused with its place? */
#include "memsweep/base/json.h"

#include "testing.h"

#include <stdlib.h>
#include <string.h>

static const msw_json *read_text(const char *text, msw_arena *arena, msw_err *err)
{
    return msw_json_read("a.json", text, strlen(text), arena, err);
}

static void values_are_read(void **state)
{
    (void)state;
    msw_arena arena = {0};
    msw_err err = {0};
    const msw_json *top = read_text("\xef\xbb\xbf {\"a\": [1, -2.5e3 , true,\n null], \"b\\u00e9\":"
                                    " \"x\\n\\ud83d\\ude00\", \"c\": {}, \"d\":false}\r\n",
                                    &arena, &err);
    assert_non_null(top);
    assert_int_equal(top->count, 4);
    const msw_json *list = msw_json_find(top, "a");
    assert_int_equal(list->kind, MSW_JSON_LIST);
    assert_int_equal(list->count, 4);
    assert_string_equal(list->first->next->text, "-2.5e3");
    assert_int_equal(list->first->next->next->next->line, 2);
    assert_int_equal(list->first->next->next->next->column, 2);
    assert_string_equal(msw_json_find(top, "b\xc3\xa9")->text, "x\n\xf0\x9f\x98\x80");
    assert_int_equal(msw_json_find(top, "c")->count, 0);
    assert_null(msw_json_find(top, "e"));
    assert_null(msw_json_find(list, "a"));
    msw_arena_free(&arena);
}

static void whole_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool whole;
        uint64_t value;
    } CASES[] = {{"0", true, 0},     {"4096", true, 4096}, {"4.096e3", true, 4096},
                 {"8.0", true, 8},   {"-1", false, 0},     {"0.5", false, 0},
                 {"1e99", false, 0}, {"\"8\"", false, 0},  {"9007199254740992", true, 1ull << 53},
                 {"-0", true, 0},    {"null", false, 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_arena arena = {0};
        msw_err err = {0};
        uint64_t value = 0;
        const msw_json *top = read_text(CASES[i].text, &arena, &err);
        assert_non_null(top);
        assert_int_equal(msw_json_whole(top, &value), CASES[i].whole);
        assert_int_equal(value, CASES[i].value);
        msw_arena_free(&arena);
    }
}

static void what_is_none_is_refused(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"", "a.json:1:1: the text ends"},
        {"{\"a\": 1,\n}", "a.json:2:1: a member"},
        {"[1,]", "a.json:1:4: a value that is none"},
        {"[1 2]", "a.json:1:4: values of a list"},
        {"{\"a\" 1}", "a.json:1:6: a name of a member is followed"},
        {"{\"a\": 1, \"b\": 2, \"a\": 3}", "a.json:1:23: a name that the object has already"},
        {"01", "a.json:1:1: a value that is none"},
        {"nul", "a.json:1:1: a value that is none"},
        {"NaN", "a.json:1:1: a value that is none"},
        {"1 1", "a.json:1:3: something behind"},
        {"\"a", "a.json:1:3: a string that does not end"},
        {"\"a\nb\"", "a.json:1:3: a control character"},
        {"\"\\x\"", "a.json:1:4: an escape"},
        {"\"\\u0000\"", "an escape that is none"},
        {"\"\\ud800\"", "an escape that is none"},
        {"// c\n1", "a.json:1:1: a value that is none"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_arena arena = {0};
        msw_err err = {0};
        assert_null(read_text(CASES[i][0], &arena, &err));
        if (!strstr(err.text, CASES[i][1]))
            fail_msg("%s: \"%s\" does not say \"%s\"", CASES[i][0], err.text, CASES[i][1]);
        msw_arena_free(&arena);
    }
}

static void depth_has_a_limit(void **state)
{
    (void)state;
    for (int depth = 64; depth <= 65; depth++) {
        char text[200] = {0};
        msw_arena arena = {0};
        msw_err err = {0};
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        assert_int_equal(read_text(text, &arena, &err) != NULL, depth == 64);
        msw_arena_free(&arena);
    }
}

/* A file of 64 MiB could else take 4 GB. */
static void values_have_a_limit(void **state)
{
    (void)state;
    enum { VALUES = 4000000 };
    char *text = malloc(2 * VALUES + 3);
    assert_non_null(text);
    memset(text, '0', 2 * VALUES + 2);
    for (size_t i = 2; i < 2 * VALUES; i += 2)
        text[i] = ',';
    text[0] = '[';
    for (size_t extra = 0; extra < 2; extra++) { /* the list is a value, too */
        msw_err err = {0};
        msw_arena arena = {0};
        size_t end = 2 * (VALUES - 1) + 2 * extra;
        char behind = text[end];
        text[end] = ']';
        text[end + 1] = '\0';
        assert_int_equal(read_text(text, &arena, &err) != NULL, extra == 0);
        if (extra)
            assert_non_null(strstr(err.text, "more than 4,000,000 values"));
        msw_arena_free(&arena);
        text[end] = behind;
        text[end + 1] = '0';
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_read), cmocka_unit_test(whole_numbers),
        cmocka_unit_test(what_is_none_is_refused), cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(values_have_a_limit)};
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
