/* What does the engine itself cost? The `null` mechanism at zero cost per point, without a store;
 * with a condition; with 1 ms per point, on one thread and on two. */
#include "memsweep/run/run.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const char GRID[] =
    "sweep: bench\nmechanism: null\nfidelity: analytic\n"
    "vary:\n"
    "  x1: [0.1, 0.2, 0.3, 0.4]\n  x2: [0.1, 0.2, 0.3, 0.4]\n  x3: [0.1, 0.2, 0.3, 0.4]\n"
    "  x4: [0.1, 0.2, 0.3, 0.4]\n  x5: [0.1, 0.2, 0.3, 0.4]\n  x6: [0.1, 0.2, 0.3, 0.4]\n"
    "  x7: [0.1, 0.2, 0.3, 0.4]\n  x8: [0.1, 0.2, 0.3, 0.4]\n  x9: [0.1, 0.2, 0.3, 0.4]\n"
    "  x10: [0.1, 0.2, 0.3, 0.4]\n";

static const char WHERE[] = "where: \"x1 + x2 < 10\"\n";

static const char COSTLY[] = "sweep: bench-costly\nmechanism: null\nfidelity: analytic\n"
                             "fix: {cost: 1ms, cost_tail: %s, cost_kind: %s}\n"
                             "design: {kind: random, points: %d}\nvary: {x1: {from: 0, to: 1}}\n";

static msw_plan *load(const char *text)
{
    msw_plan *plan = NULL;
    msw_messages messages = {0};
    const char *const dirs[] = {NULL};
    msw_plan_options options = {.data_dirs = dirs, .seed = -1};
    if (msw_plan_parse("bench.yaml", text, strlen(text), &options, &plan, &messages))
        fprintf(stderr, "%s\n", msw_text_str(&messages.text));
    return plan;
}

static int run(const char *text, int threads, msw_run_result *result, double *load_seconds)
{
    msw_err err = {0};
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    msw_plan *plan = load(text);
    clock_gettime(CLOCK_MONOTONIC, &b);
    if (!plan)
        return -1;
    *load_seconds = (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) * 1e-9;
    msw_todo todo = {.points = plan->points, .missing = plan->points, .everything = true};
    msw_run_options options = {.threads = threads};
    int rc = msw_run(plan, NULL, 0, 0, &todo, &options, result, &err);
    if (rc)
        fprintf(stderr, "%s\n", err.text);
    msw_plan_free(plan);
    return rc;
}

/* Of all threads: the fair figure where other programs share the machine. */
static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int bench_rate(const char *name, const char *text)
{
    msw_run_result result;
    double load_seconds, start = cpu_seconds();
    if (run(text, 1, &result, &load_seconds))
        return -1;
    double cpu = cpu_seconds() - start;
    printf("%-24s %8.0f points/s, %8.0f per CPU second with the making of the plan (%llu points, "
           "plan %.3f s)\n",
           name, (double)result.evaluated / result.seconds, (double)result.evaluated / cpu,
           (unsigned long long)result.evaluated, load_seconds);
    return 0;
}

/* From sweep text to committed rows, two workers and the writer. */
static int bench_rows(void)
{
    static const char PATH[] = "bench-engine.db";
    msw_err err = {0};
    msw_plan *plan = load(GRID);
    msw_store *store = NULL;
    msw_todo todo = {0};
    msw_run_info info = {"bench", "", "here", "bench_engine", 1, 2, NULL};
    msw_run_options options = {.threads = 2};
    msw_run_result result;
    int64_t sweep, id;
    remove(PATH);
    double start = cpu_seconds();
    int rc = !plan || msw_store_open(PATH, MSW_STORE_WRITE, false, NULL, &store, &err) ||
             msw_store_add_sweep(store, plan, &sweep, &err) ||
             msw_store_todo(store, plan, sweep, false, &todo, &err) ||
             msw_store_begin_run(store, sweep, &info, &id, &err) ||
             msw_run(plan, store, sweep, id, &todo, &options, &result, &err);
    double cpu = cpu_seconds() - start;
    if (rc)
        fprintf(stderr, "%s\n", err.text);
    else
        printf(
            "into SQLite, 2 threads   %8.0f rows/s, %.2f us of CPU per row of %zu parameters, %zu "
            "metrics and 15 columns more\n",
            (double)result.evaluated / result.seconds, 1e6 * cpu / (double)result.evaluated,
            plan->schema.count, msw_metrics_count(plan->mech->metrics));
    msw_store_close(store, &err);
    msw_todo_free(&todo);
    msw_plan_free(plan);
    remove(PATH);
    return rc;
}

static int bench_costly(const char *tail, const char *kind, int points)
{
    char text[400];
    msw_run_result one, two;
    double ignored;
    snprintf(text, sizeof text, COSTLY, tail, kind, points);
    if (run(text, 1, &one, &ignored) || run(text, 2, &two, &ignored))
        return -1;
    printf("1 ms per point (%s), tail %s: %d points, one thread %.3f s (engine share %.2f %%), two "
           "threads %.3f s, ratio %.3f\n",
           kind, tail, points, one.seconds, 100 * (1 - one.work_seconds / one.seconds), two.seconds,
           one.seconds / two.seconds);
    return 0;
}

int main(int argc, char **argv)
{
    char text[sizeof GRID + sizeof WHERE];
    snprintf(text, sizeof text, "%s%s", GRID, WHERE);
    if (bench_rate("zero cost, 10 factors", GRID) || bench_rate("the same with a where", text) ||
        bench_rows())
        return 1;
    if (argc > 1 && strcmp(argv[1], "rates") == 0)
        return 0;
    return bench_costly("0", "spin", 3000) || bench_costly("1", "spin", 3000) ||
           bench_costly("1", "sleep", 3000);
}
