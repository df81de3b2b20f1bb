/* SPDX-License-Identifier: MIT */
/* How fast are figures made, up to the script that gnuplot would draw? All recipes that a sweep has
 * something for, with no program to be found. */
#include "section.h"

#include "source.h"

#include "memsweep/figure/figure.h"
#include "memsweep/run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A finished sweep of n points at two objectives. */
static void finish(bench *b, const char *path, size_t n)
{
    msw_err err = {0};
    msw_plan *plan = NULL;
    msw_store *store = NULL;
    msw_todo todo = {0};
    msw_messages messages = {0};
    msw_run_info info = {"bench", "", "here", "figure", 1, 1, NULL};
    msw_run_options options = {.threads = 1};
    msw_run_result result;
    const char *const dirs[] = {source_folder(), NULL};
    msw_plan_options how = {.data_dirs = dirs, .seed = -1};
    char text[400];
    int64_t sweep, id;
    snprintf(text, sizeof text,
             "sweep: bench\nmechanism: null\nfidelity: analytic\n"
             "design: {kind: random, points: %zu}\n"
             "vary: {x1: {from: 0, to: 1}, x2: {from: 0, to: 1}, gain: [1, 2, 4, 8]}\n",
             n);
    if (msw_plan_parse("bench.yaml", text, strlen(text), &how, &plan, &messages))
        bench_fail(b, "%s", msw_text_str(&messages.text));
    bench_check(b,
                msw_store_open(path, MSW_STORE_WRITE, false, NULL, &store, &err) ||
                    msw_store_add_sweep(store, plan, &sweep, &err) ||
                    msw_store_todo(store, plan, sweep, false, &todo, &err) ||
                    msw_store_begin_run(store, sweep, &info, &id, &err) ||
                    msw_run(plan, store, sweep, id, &todo, &options, &result, &err) ||
                    msw_store_close(store, &err),
                &err);
    msw_todo_free(&todo);
    msw_plan_free(plan);
}

static double draw(bench *b, void *context, size_t n)
{
    static const char PATH[] = "figures.db";
    msw_err err = {0};
    msw_plot_outcome outcome = {0};
    const char *const dirs[] = {source_folder(), NULL};
    msw_context where = {.data_dirs = dirs, .results_dir = "."};
    msw_plot plot = {
        .context = &where, .options = {.folder = "drawn", .format = "svg"}, .err = &err};
    (void)context;
    unlink(PATH);
    finish(b, PATH, n);
    double start = bench_seconds();
    bench_check(b, msw_plot_open(&plot, PATH) || msw_plot_make_all(&plot, &outcome), &err);
    double spent = bench_seconds() - start;
    if (!outcome.without_gnuplot)
        bench_fail(b, "no figure was made: %s", msw_text_str(&outcome.skipped));
    msw_plot_outcome_free(&outcome);
    msw_plot_free(&plot);
    return spent;
}

void section_figure(bench *b)
{
    setenv("PATH", "/nowhere", 1);
    bench_growth(b, (size_t)bench_set(b, "rows") / 10, draw, NULL, "rows in all figures");
}
