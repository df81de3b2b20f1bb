/* SPDX-License-Identifier: MIT */
/* Defect 800. Does the harness of memsweep-bench hold what it promises, over sections of the
 * test's own: every row in the JSON with all its repetitions, a section that crashes, fails, hangs
 * on or gives one name twice is told and is not the end, wrong words are refused with the nearest
 * name? */
#include "../bench/harness/harness.h"

#include "testing.h"

#include "memsweep/base/json.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double spin(bench *b, void *context, size_t n)
{
    double start = bench_seconds();
    volatile double sum = 0;
    (void)b;
    (void)context;
    for (size_t i = 0; i < 100 * n; i++)
        sum = sum + (double)i;
    return bench_seconds() - start;
}

static void steady(bench *b)
{
    bench_time(b, 0.25 * bench_set(b, "size"), "a \"time\" with 100 %% of\\it");
    bench_rate(b, 100, 0.5, "rate");
    bench_fact(b, "cycles", 42, "fact");
    bench_fact(b, "", 0.5, "share");
    bench_growth(b, 50, spin, NULL, "things");
    FILE *file = fopen("left.over", "wx"); /* every repetition has an empty folder */
    if (!file)
        bench_fail(b, "left.over is there");
    fclose(file);
}

/* Steps of the clock that are seen within 20 ms of processor time. */
static void clock_steps(bench *b)
{
    double start = bench_seconds(), last = start, now;
    int steps = 0;
    while ((now = bench_seconds()) < start + 0.02) {
        steps += now != last;
        last = now;
    }
    bench_fact(b, "steps", steps > 100, "fine");
}

static void crash(bench *b)
{
    bench_time(b, 1, "before");
    raise(SIGSEGV);
}

static void fail_row(bench *b)
{
    bench_fail(b, "two\nlines");
}

static void leave(bench *b)
{
    (void)b;
    _exit(7);
}

static void twice(bench *b)
{
    bench_time(b, 1, "same");
    bench_time(b, 2, "same");
}

static void never(bench *b)
{
    (void)b;
    for (volatile int i = 0; i >= 0; i = 0)
        continue;
}

static void infinite(bench *b)
{
    bench_rate(b, 1, 0, "rate");
}

static const bench_section SECTIONS[] = {
    {.name = "steady", .asks = "?", .run = steady, .settings = {{"size", 4, 1, "size"}}},
    {.name = "bad/crash", .asks = "?", .run = crash},
    {.name = "bad/fail", .asks = "?", .run = fail_row},
    {.name = "bad/leave", .asks = "?", .run = leave},
    {.name = "bad/twice", .asks = "?", .run = twice},
    {.name = "bad/infinite", .asks = "?", .run = infinite},
    {.name = "never", .asks = "?", .run = never},
    {.name = "clock", .asks = "?", .run = clock_steps},
    {.name = "last", .asks = "?", .run = steady, .settings = {{"size", 4, 1, "size"}}},
};
static const bench_list LIST = {SECTIONS, sizeof SECTIONS / sizeof *SECTIONS};

/* What it printed: standard output and standard error together. */
typedef struct said {
    int code;
    char *text;
    size_t size;
} said;

/* Calls bench_main with words ended by NULL. */
static said call(const bench_list *list, char **words)
{
    char path[] = "/tmp/test_bench.XXXXXX";
    int argc = 0, file = mkstemp(path), keep[2] = {dup(1), dup(2)};
    said s;
    msw_err err;
    while (words[argc])
        argc++;
    fflush(NULL);
    dup2(file, 1);
    dup2(file, 2);
    s.code = bench_main(list, argc, words);
    fflush(NULL);
    dup2(keep[0], 1);
    dup2(keep[1], 2);
    close(keep[0]);
    close(keep[1]);
    close(file);
    assert_ok(msw_read_file(path, &s.text, &s.size, &err), err);
    unlink(path);
    return s;
}

#define CALL(...) call(&LIST, (char *[]){"memsweep-bench", __VA_ARGS__, NULL})

static void assert_holds(const said *s, const char *text)
{
    if (!strstr(s->text, text))
        fail_msg("'%s' does not stand in:\n%s", text, s->text);
}

/* A row of the JSON by name; the test fails when there is none. */
static const msw_json *row_of(const msw_json *root, const char *name)
{
    const msw_json *rows = msw_json_find(root, "rows");
    for (const msw_json *r = rows->first; r; r = r->next)
        if (strcmp(msw_json_find(r, "name")->text, name) == 0)
            return r;
    fail_msg("no row %s", name);
    return NULL;
}

static void rows_are_in_the_json(void **state)
{
    (void)state;
    static const char *const ROWS[] = {"steady/a \"time\" with 100 % of\\it",
                                       "steady/rate",
                                       "steady/fact",
                                       "steady/things",
                                       "steady/growth things",
                                       "steady/memory high water",
                                       "last/rate"};
    msw_arena arena = {0};
    msw_err err;
    said s = CALL("--quick", "--repeat", "3", "--only", "steady", "--only", "last", "--json");
    const msw_json *root = msw_json_read("out", s.text, s.size, &arena, &err);
    if (!root)
        fail_msg("%s", err.text);
    assert_int_equal(s.code, 0);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        assert_int_equal(msw_json_find(row_of(root, ROWS[i]), "values")->count, 3);
    assert_int_equal(msw_json_find(root, "rows")->count, 14);
    const msw_json *rate = row_of(root, "steady/rate"), *fact = row_of(root, "steady/fact");
    assert_string_equal(msw_json_find(rate, "median")->text, "200");
    assert_string_equal(msw_json_find(rate, "better")->text, "higher");
    assert_int_equal(msw_json_find(rate, "ratios")->first->kind, MSW_JSON_NUMBER);
    assert_string_equal(msw_json_find(fact, "better")->text, "neither");
    assert_int_equal(msw_json_find(fact, "ratios")->first->kind, MSW_JSON_NULL);
    assert_string_equal(msw_json_find(row_of(root, ROWS[0]), "max")->text, "0.25"); /* quick */
    assert_string_equal(msw_json_find(row_of(root, "steady/share"), "unit")->text, "");
    assert_int_equal(msw_json_find(root, "sections")->count, 2);
    assert_non_null(msw_json_find(msw_json_find(root, "machine"), "processor"));
    msw_arena_free(&arena);
    free(s.text);
}

static void settings_are_set(void **state)
{
    (void)state;
    said s = CALL("--quick", "--repeat", "1", "--only", "steady", "--set", "size=400");
    assert_int_equal(s.code, 0);
    assert_holds(&s, "100 s");
    free(s.text);
}

/* A limit on processor time makes the clock of a process go on at ticks alone. */
static void the_clock_of_a_section_is_fine(void **state)
{
    (void)state;
    said s = CALL("--quick", "--repeat", "1", "--only", "clock");
    assert_int_equal(s.code, 0);
    assert_holds(&s, " 1 steps ");
    free(s.text);
}

static void bad_sections_are_told_and_are_not_the_end(void **state)
{
    (void)state;
    said s = CALL("--quick", "--repeat", "2", "--only", "bad/*", "--only", "last");
    assert_int_equal(s.code, 1);
    assert_holds(&s, "ended by signal 11");
    assert_holds(&s, "bad/crash/before"); /* what it gave first is kept */
    assert_holds(&s, "FAILED: two lines");
    assert_holds(&s, "ended with exit code 7");
    assert_holds(&s, "two rows have the name bad/twice/same");
    assert_holds(&s, "rate is not a finite number");
    assert_holds(&s, "last/rate");
    free(s.text);
}

static void what_takes_too_long_is_ended(void **state)
{
    (void)state;
    said s = CALL("--quick", "--repeat", "1", "--only", "never", "--timeout", "0.1");
    assert_int_equal(s.code, 1);
    assert_holds(&s, "took more than 0.1 s of processor time");
    free(s.text);
}

static void wrong_words_are_refused(void **state)
{
    (void)state;
    static const char *const WORDS[][3] = {
        {"--only", "stedy", "no section is named stedy; did you mean steady?"},
        {"--only", "zzzzzz", "no section is named zzzzzz; did you mean what --list names?"},
        {"--set", "sise=4", "no section has the setting sise; did you mean size?"},
        {"--set", "size=x", "size=x"},
        {"--set", "size", "NAME=NUMBER"},
        {"--repeat", "0", "a number from 1"},
        {"--repeat", "2.5", "a whole number"},
        {"--repaet", "2", "did you mean --repeat?"},
    };
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        said s = CALL((char *)WORDS[i][0], (char *)WORDS[i][1]);
        assert_int_equal(s.code, 2);
        assert_holds(&s, WORDS[i][2]);
        free(s.text);
    }
    said s = CALL("--source", "/nowhere");
    assert_int_equal(s.code, 3);
    assert_holds(&s, "--source names the folder");
    free(s.text);
}

static void names_are_unique(void **state)
{
    (void)state;
    bench_section two[] = {SECTIONS[0], SECTIONS[1], SECTIONS[0]};
    bench_list list = {two, 3};
    said s = call(&list, (char *[]){"memsweep-bench", "--list", NULL});
    assert_int_equal(s.code, 2);
    assert_holds(&s, "two sections have the name steady");
    free(s.text);
}

static void spreads_are_right(void **state)
{
    (void)state;
    const double values[] = {9, 1, 5, 3, 7}, two[] = {4, 2};
    bench_spread s = bench_spread_of(values, 5), t = bench_spread_of(two, 2);
    assert_near(s.median, 5, 0);
    assert_near(s.low, 3, 0);
    assert_near(s.high, 7, 0);
    assert_near(s.min, 1, 0);
    assert_near(s.max, 9, 0);
    assert_near(t.median, 3, 0);
    assert_near(t.low, 2.5, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_in_the_json),
        cmocka_unit_test(settings_are_set),
        cmocka_unit_test(the_clock_of_a_section_is_fine),
        cmocka_unit_test(bad_sections_are_told_and_are_not_the_end),
        cmocka_unit_test(what_takes_too_long_is_ended),
        cmocka_unit_test(wrong_words_are_refused),
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(spreads_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
