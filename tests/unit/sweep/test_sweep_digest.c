/* SPDX-License-Identifier: MIT */
/* Do two spellings of one sweep have one digest, and two sweeps two? */
#include "sweep_testing.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static msw_digest digest_of(const char *text)
{
    msw_plan *plan = plan_of(text);
    msw_digest digest = plan->digest;
    msw_plan_free(plan);
    return digest;
}

static void assert_alike(const char *a, const char *b, bool alike)
{
    if (msw_digest_equal(digest_of(a), digest_of(b)) != alike)
        fail_msg("%s:\n%s--\n%s", alike ? "differ" : "are alike", a, b);
}

#define BASE HEAD "vary: {gain: [1, 2], x1: [0, 0.5, 1]}\nseed: 3\nwhere: \"gain > x1\"\n"

static void spellings_do_not_count(void **state)
{
    (void)state;
    static const char *const SAME[] = {
        "mechanism: null\nsweep: other\nseed: 3\nwhere: 'gain  >  x1'\n"
        "vary:\n  x1: {from: 0, to: 1, step: 50%}\n  gain: [1.0, 2e0]\n",
        HEAD "description: some text\nvary: {gain: {from: 1, to: 2, count: 2}, "
             "x1: {values: [0, 0.5, 1]}}\nseed: 3\nwhere: [\"gain > x1\"]\n",
        BASE "fidelity: analytic\ndesign: {kind: grid}\nreplicates: 1\n",
        BASE "fix: {x5: 0.5, synth.cv: 0.3}\n",
        BASE "sampling: {confidence: 95%, target: 2%}\n",
        BASE "workloads: [synth/even]\n",
    };
    for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++)
        assert_alike(BASE, SAME[i], true);
}

static void whatever_decides_rows_counts(void **state)
{
    (void)state;
    static const char *const OTHER[] = {
        HEAD "vary: {gain: [2, 1], x1: [0, 0.5, 1]}\nseed: 3\nwhere: \"gain > x1\"\n",
        HEAD "vary: {gain: [1, 2], x1: [0, 0.5, 1]}\nseed: 4\nwhere: \"gain > x1\"\n",
        HEAD "vary: {gain: [1, 2], x1: [0, 0.5, 1]}\nseed: 3\nwhere: \"gain >= x1\"\n",
        BASE "fidelity: full\n",
        BASE "replicates: 2\n",
        BASE "fix: {x5: 0.25}\n",
        BASE "sampling: {confidence: 0.9}\n",
        BASE "sampling: {event_budget: 5}\n",
        BASE "workloads: [synth/small]\n",
        BASE "design: {kind: random, points: 6}\n",
        BASE "derive: {a: \"y * 2\"}\n",
        BASE "objectives: {minimize: y}\n",
    };
    for (size_t i = 0; i < sizeof OTHER / sizeof *OTHER; i++)
        assert_alike(BASE, OTHER[i], false);
}

/* A folder of small files for the tests of `extends`. */
static char folder[] = "/tmp/memsweep-test-XXXXXX";

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int enter(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    DIR *dir = opendir(".");
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;)
        if (entry->d_name[0] != '.')
            remove(entry->d_name);
    if (dir)
        closedir(dir);
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static void a_refining_file_wins(void **state)
{
    (void)state;
    write_file("base.yaml", HEAD "vary: {gain: [1, 2], x1: [0, 0.5], x2: [0, 1]}\n"
                                 "fix: {x4: 0.1}\n"
                                 "sampling: {target: 1%, pilot: 16}\n"
                                 "design: {kind: sobol, points: 64}\n"
                                 "where: \"gain > x1\"\n");
    assert_alike("extends: base.yaml\nsweep: top\n"
                 "vary: {x1: [0, 0.5, 1], x2: null}\n"
                 "fix: {x2: 0.25}\n"
                 "sampling: {target: 5%}\n"
                 "where: null\n"
                 "design: grid\n",
                 HEAD "vary: {gain: [1, 2], x1: [0, 0.5, 1]}\n"
                      "fix: {x2: 0.25, x4: 0.1}\n"
                      "sampling: {target: 5%, pilot: 16}\n",
                 true);
}

static void design_settings_are_refined_or_dropped(void **state)
{
    (void)state;
    write_file("base.yaml", HEAD "vary: {gain: [1, 2], x1: [0, 0.5]}\n"
                                 "design: {kind: sobol, points: 64}\n");
    assert_alike("extends: base.yaml\ndesign: {points: 8}\n",
                 HEAD "vary: {gain: [1, 2], x1: [0, 0.5]}\ndesign: {kind: sobol, points: 8}\n",
                 true);
    assert_alike("extends: base.yaml\ndesign: {kind: grid}\n",
                 HEAD "vary: {gain: [1, 2], x1: [0, 0.5]}\ndesign: grid\n", true);
}

static void extending_has_an_end(void **state)
{
    (void)state;
    write_file("a.yaml", "extends: b.yaml\n");
    write_file("b.yaml", "extends: ./a.yaml\n");
    assert_refused("extends: a.yaml\n",
                   "b.yaml:1:10: './a.yaml' extends itself, directly or through others\n");
    char name[20], text[40];
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "n%d.yaml", i);
        snprintf(text, sizeof text, "extends: n%d.yaml\n", i + 1);
        write_file(name, text);
    }
    assert_refused("extends: n0.yaml\n", "n15.yaml:1:10: more than 16 files extend one another\n");
}

static void tables_of_points_are_read(void **state)
{
    (void)state;
    write_file("points.csv", "# two points\nx1, gain\r\n0.5, 2\n\n 0.25,1\n");
    assert_alike(HEAD "design: {kind: list, file: points.csv}\n",
                 HEAD "design: {kind: list, points: [{gain: 2, x1: 0.5}, {gain: 1, x1: 0.25}]}\n",
                 true);
    write_file("points.csv", "");
    assert_refused(HEAD "design: {kind: list, file: points.csv}\n",
                   "points.csv:1:1: an empty table; its first line names parameters\n");
}

static void files_are_found_in_data_folders(void **state)
{
    (void)state;
    static const char TEXT[] = HEAD "design: {kind: list, file: more.csv}\n";
    const char *const dirs[] = {"/nowhere", folder, NULL};
    const msw_plan_options options = {.data_dirs = dirs, .seed = -1};
    msw_messages messages = {0};
    msw_plan *plan;
    write_file("more.csv", "gain\n1\n2\n3\n");
    assert_int_equal(
        msw_plan_parse("/nowhere/a.yaml", TEXT, strlen(TEXT), &options, &plan, &messages), 0);
    assert_int_equal(plan->points, 3);
    msw_plan_free(plan);
    msw_text_free(&messages.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_do_not_count),
        cmocka_unit_test(whatever_decides_rows_counts),
        cmocka_unit_test(a_refining_file_wins),
        cmocka_unit_test(design_settings_are_refined_or_dropped),
        cmocka_unit_test(extending_has_an_end),
        cmocka_unit_test(tables_of_points_are_read),
        cmocka_unit_test(files_are_found_in_data_folders),
    };
    return cmocka_run_group_tests_name("sweep_digest", tests, enter, leave);
}
