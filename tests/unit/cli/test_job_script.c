/* SPDX-License-Identifier: MIT */
/* Is a job script put together from the options as they were given, quoted for a shell, and is a
 * warning that would stop every start refused? */
#include "testing.h"

#include "cli/slurm/slurm.h"

#include <string.h>

static const msw_plan_jobs JOBS = {.lives = 20};
static const cli_submit_options PLAIN = {
    .sweep = "s.yaml", .time = "1:00:00", .nodes = 2, .tasks = 3, .cpus = 4, .seed = -1};
static const cli_job_plan PLAN = {"it", "/a b/s.yaml", "x y.db", "0123", 512, 120, false, &JOBS};

static void one_job_writes_the_database(void **state)
{
    (void)state;
    cli_script script;
    cli_compose_script(&PLAIN, &PLAN, &script);
    assert_string_equal(msw_text_str(&script.sweep), "'/a b/s.yaml'");
    assert_string_equal(msw_text_str(&script.output), "'x y.db'");
    assert_string_equal(msw_text_str(&script.options), " --expect 0123");
    assert_string_equal(msw_text_str(&script.join), "");
    assert_string_equal(msw_text_str(&script.more), "");
    assert_string_equal(msw_text_str(&script.log), "x y.db.%8j.log");
    static const char *const NUMBERS[] = {"2", "3", "4", "512", "120", "20"};
    for (int i = 0; i < 6; i++)
        assert_string_equal(script.numbers[i], NUMBERS[i]);
    cli_script_free(&script);
}

static void an_array_writes_shards_that_are_merged(void **state)
{
    (void)state;
    cli_submit_options ask = PLAIN;
    cli_script script;
    ask.array = 2;
    ask.seed = 7;
    ask.partition = "long";
    msw_plan_jobs jobs = {.launcher = MSW_LAUNCHER_SRUN, .lives = 20};
    cli_job_plan plan = PLAN;
    plan.jobs = &jobs;
    cli_compose_script(&ask, &plan, &script);
    assert_string_equal(msw_text_str(&script.output),
                        "'x y.shard-'\"$SLURM_ARRAY_TASK_ID\"-of-2.db");
    assert_string_equal(msw_text_str(&script.log), "x y.db.%8A_%1a.log");
    assert_non_null(strstr(msw_text_str(&script.join), "i < 2;"));
    assert_non_null(strstr(msw_text_str(&script.join), "shard='x y.shard-'\"$i\"-of-2.db\n"));
    assert_string_equal(msw_text_str(&script.options),
                        " --seed 7 --expect 0123 --shard \"$SLURM_ARRAY_TASK_ID/2\"");
    assert_string_equal(msw_text_str(&script.more),
                        "#SBATCH --partition=long\n#SBATCH --array=0-1");
    assert_string_equal(msw_text_str(&script.merge_more), "#SBATCH --partition=long");
    assert_non_null(strstr(msw_text_str(&script.launch), "srun "));
    cli_script_free(&script);
}

static void a_warning_leaves_time_to_work(void **state)
{
    (void)state;
    msw_plan_jobs jobs = JOBS;
    cli_submit_options ask = PLAIN;
    int64_t warning;
    msw_err err = {0};
    assert_ok(cli_find_warning(&ask, &jobs, &warning, &err), err);
    assert_int_equal(warning, 120);
    ask.time = "4"; /* minutes */
    assert_ok(cli_find_warning(&ask, &jobs, &warning, &err), err);
    assert_int_equal(warning, 60);
    jobs.warning = 200; /* asked for, so it is kept */
    assert_ok(cli_find_warning(&ask, &jobs, &warning, &err), err);
    assert_int_equal(warning, 200);
    jobs.warning = 240;
    assert_int_equal(cli_find_warning(&ask, &jobs, &warning, &err), -1);
    assert_non_null(strstr(err.text, "every start would stop at once"));
    ask.time = "infinite";
    assert_ok(cli_find_warning(&ask, &jobs, &warning, &err), err);
}

static void time_limits_are_read_as_sbatch_does(void **state)
{
    (void)state;
    assert_int_equal(cli_slurm_seconds("90"), 5400);
    assert_int_equal(cli_slurm_seconds("90:30"), 5430);
    assert_int_equal(cli_slurm_seconds("1:30:15"), 5415);
    assert_int_equal(cli_slurm_seconds("2-3"), 183600);
    assert_int_equal(cli_slurm_seconds("2-3:04:05"), 183845);
    assert_int_equal(cli_slurm_seconds("soon"), 0);
    assert_int_equal(cli_slurm_seconds("1:2:3:4"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_job_writes_the_database),
        cmocka_unit_test(an_array_writes_shards_that_are_merged),
        cmocka_unit_test(a_warning_leaves_time_to_work),
        cmocka_unit_test(time_limits_are_read_as_sbatch_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
