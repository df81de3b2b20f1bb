/* SPDX-License-Identifier: MIT */
/* What does the engine itself cost? The `null` mechanism at zero cost per point, without a store;
 * with a condition; into a store, with two threads; and with 1 ms per point. */
#include "section.h"

#include "memsweep/base/text.h"
#include "memsweep/run/run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A grid of four levels of so many factors. */
static void grid(msw_text *text, int factors, const char *more)
{
    msw_text_add(text, "sweep: bench\nmechanism: null\nfidelity: analytic\nvary:\n");
    for (int f = 1; f <= factors; f++)
        msw_text_add(text, "  x%d: [0.1, 0.2, 0.3, 0.4]\n", f);
    msw_text_add(text, "%s", more);
}

static msw_plan *load(bench *b, const char *text)
{
    msw_plan *plan = NULL;
    msw_messages messages = {0};
    const char *const dirs[] = {NULL};
    msw_plan_options options = {.data_dirs = dirs, .seed = -1};
    if (msw_plan_parse("bench.yaml", text, strlen(text), &options, &plan, &messages))
        bench_fail(b, "%s", msw_text_str(&messages.text));
    return plan;
}

static msw_run_result run(bench *b, const char *text, int threads)
{
    msw_err err = {0};
    msw_plan *plan = load(b, text);
    msw_run_result result;
    msw_todo todo = {.points = plan->points, .missing = plan->points, .everything = true};
    msw_run_options options = {.threads = threads};
    bench_check(b, msw_run(plan, NULL, 0, 0, &todo, &options, &result, &err), &err);
    msw_plan_free(plan);
    return result;
}

static void rate(bench *b, const char *name, const char *more)
{
    msw_text text = MSW_TEXT_EMPTY;
    grid(&text, (int)bench_set(b, "factors"), more);
    double start = bench_seconds(), points = 0;
    do
        points += (double)run(b, msw_text_str(&text), 1).evaluated;
    while (bench_seconds() - start < bench_least(b));
    bench_rate(b, points, bench_seconds() - start, "%s", name);
    msw_text_free(&text);
}

/* From sweep text to committed rows, two workers and the writer. */
static double store_points(bench *b, void *context, size_t n)
{
    static const char PATH[] = "engine.db";
    msw_err err = {0};
    msw_store *store = NULL;
    msw_todo todo = {0};
    msw_run_info info = {"bench", "", "here", "engine", 1, 2, NULL};
    msw_run_options options = {.threads = 2};
    msw_run_result result;
    int64_t sweep, id;
    char text[300];
    (void)context;
    snprintf(text, sizeof text,
             "sweep: bench\nmechanism: null\nfidelity: analytic\n"
             "design: {kind: random, points: %zu}\nvary: {x1: {from: 0, to: 1}}\n",
             n);
    double start = bench_seconds();
    msw_plan *plan = load(b, text);
    bench_check(b,
                msw_store_open(PATH, MSW_STORE_WRITE, false, NULL, &store, &err) ||
                    msw_store_add_sweep(store, plan, &sweep, &err) ||
                    msw_store_todo(store, plan, sweep, false, &todo, &err) ||
                    msw_store_begin_run(store, sweep, &info, &id, &err) ||
                    msw_run(plan, store, sweep, id, &todo, &options, &result, &err) ||
                    msw_store_close(store, &err),
                &err);
    double spent = bench_seconds() - start;
    msw_todo_free(&todo);
    msw_plan_free(plan);
    unlink(PATH);
    return spent;
}

/* What the engine takes beside points of 1 ms: of one thread, in processor time. */
static void costly(bench *b, const char *tail)
{
    char text[400];
    int points = bench_quick(b) ? 100 : 500;
    snprintf(text, sizeof text,
             "sweep: bench-costly\nmechanism: null\nfidelity: analytic\n"
             "fix: {cost: 1ms, cost_tail: %s, cost_kind: sleep}\n"
             "design: {kind: random, points: %d}\nvary: {x1: {from: 0, to: 1}}\n",
             tail, points);
    double start = bench_seconds();
    run(b, text, 2);
    bench_time(b, (bench_seconds() - start) / points,
               "engine's share of a point that sleeps, tail %s", tail);
}

void section_engine(bench *b)
{
    rate(b, "points at zero cost", "");
    rate(b, "the same with a where", "where: \"x1 + x2 < 10\"\n");
    bench_growth(b, bench_quick(b) ? 1000 : 10000, store_points, NULL, "rows stored, 2 threads");
    costly(b, "0");
    costly(b, "1");
}
