/* SPDX-License-Identifier: MIT */
/* How fast do rows go in and come out of the store, 33 columns each, and how fast are files merged?
 */
#include "section.h"

#include "store_fixture.h"

#include "store/state.h"

#include <sys/stat.h>
#include <unistd.h>

/* Writes the points that are missing. Returns the seconds it took to make them. */
static double write_points(bench *b, msw_store *store, const toy_plan *toy, const int64_t ids[2],
                           const msw_todo *todo)
{
    msw_err err;
    msw_batch *batch = toy_batch(toy);
    double filling = 0;
    for (uint64_t i = 0; i < todo->points;) {
        double start = bench_seconds();
        msw_batch_clear(batch);
        for (; batch->count < 1000 && i < todo->points; i++)
            if (todo->everything || msw_bit(todo->bitmap, i))
                toy_row(toy, batch, i, MSW_OK);
        filling += bench_seconds() - start;
        bench_check(b, msw_store_write(store, &toy->plan, ids[0], ids[1], batch, &err), &err);
    }
    bench_check(b, msw_store_commit(store, &err), &err);
    msw_batch_free(batch);
    return filling;
}

static msw_store *create(bench *b, const char *path, const toy_plan *toy, uint64_t shard,
                         uint64_t shards, int64_t ids[2])
{
    msw_err err;
    msw_store *store;
    unlink(path);
    bench_check(b, msw_store_open(path, MSW_STORE_WRITE, false, NULL, &store, &err), &err);
    bench_check(b, msw_store_add_sweep(store, &toy->plan, &ids[0], &err), &err);
    msw_store_number_shard(store, toy->plan.points, shard, shards);
    bench_check(b, msw_store_begin_run(store, ids[0], &TOY_RUN, &ids[1], &err), &err);
    return store;
}

enum { PARTS = 8 };

static void make_part(bench *b, const toy_plan *toy, const char *path, uint64_t part, bool numbered)
{
    msw_err err;
    int64_t ids[2];
    uint64_t points = toy->plan.points;
    msw_todo todo = {.points = points, .missing = points, .everything = true};
    msw_store *store = create(b, path, toy, part, numbered ? PARTS : 1, ids);
    bench_check(b, msw_todo_keep_shard(&todo, part, PARTS, &err), &err);
    write_points(b, store, toy, ids, &todo);
    bench_check(b, msw_store_close(store, &err), &err);
    msw_todo_free(&todo);
}

/* Eight files into an empty one: shards, whose rows are numbered apart, or files that all number
 * theirs from 1. n: rows of all. */
static double merge(bench *b, void *numbered, size_t n)
{
    static const char ALL[] = "all.db";
    char paths[PARTS][32];
    uint64_t rows;
    msw_err err;
    msw_store *store;
    toy_plan toy;
    toy_plan_init(&toy, "bench", n, 1);
    for (int p = 0; p < PARTS; p++) {
        snprintf(paths[p], sizeof paths[p], "part.%d.db", p);
        make_part(b, &toy, paths[p], (uint64_t)p, numbered);
    }
    double start = bench_seconds();
    bench_check(b, msw_store_open(ALL, MSW_STORE_WRITE, false, NULL, &store, &err), &err);
    for (int p = 0; p < PARTS; p++)
        bench_check(b, msw_store_merge(store, paths[p], MSW_MERGE_REFUSE, &rows, &err), &err);
    bench_check(b, msw_store_close(store, &err), &err);
    double spent = bench_seconds() - start;
    for (int p = 0; p < PARTS; p++)
        unlink(paths[p]);
    unlink(ALL);
    toy_plan_free(&toy);
    return spent;
}

void section_merge(bench *b)
{
    size_t rows = (size_t)bench_set(b, "rows");
    bench_growth(b, rows / 10, merge, b, "rows of eight shards");
    bench_time(b, merge(b, NULL, rows), "eight files numbered alike");
}

/* Without the making of the rows. */
static double write_rows(bench *b, void *context, size_t n)
{
    static const char PATH[] = "written.db";
    msw_err err;
    int64_t ids[2];
    toy_plan toy;
    msw_todo todo = {.points = n, .everything = true};
    (void)context;
    toy_plan_init(&toy, "bench", n, 1);
    msw_store *store = create(b, PATH, &toy, 0, 1, ids);
    double start = bench_seconds();
    double filling = write_points(b, store, &toy, ids, &todo);
    double spent = bench_seconds() - start - filling;
    bench_check(b, msw_store_close(store, &err), &err);
    unlink(PATH);
    toy_plan_free(&toy);
    return spent;
}

static void read_metrics(bench *b, msw_store *store, double rows)
{
    msw_err err;
    msw_table table;
    msw_query query = {.sweep = "bench", .columns = "cycles, stall, rate"};
    double start = bench_seconds();
    bench_check(b, msw_store_read(store, &query, &table, &err), &err);
    bench_rate(b, rows, bench_seconds() - start, "read three metrics");
    msw_table_free(&table);
}

static void find_todo(bench *b, msw_store *store, toy_plan *toy, int64_t sweep, const char *what)
{
    msw_err err;
    msw_todo todo;
    double start = bench_seconds();
    bench_check(b, msw_todo_find(store, &toy->plan, sweep, false, toy_key, toy, &todo, &err), &err);
    bench_rate(b, (double)todo.points, bench_seconds() - start, "%s", what);
    msw_todo_free(&todo);
}

static void digest(bench *b, msw_store *store, double rows)
{
    msw_err err;
    msw_digest d;
    uint64_t count;
    double start = bench_seconds();
    bench_check(b, msw_store_digest(store, "bench", &d, &count, &err), &err);
    bench_rate(b, rows, bench_seconds() - start, "digest");
}

static void fill(bench *b, const char *path, const toy_plan *toy, int64_t ids[2])
{
    msw_err err;
    struct stat file;
    msw_todo todo = {.points = toy->plan.points, .everything = true};
    msw_store *store = create(b, path, toy, 0, 1, ids);
    write_points(b, store, toy, ids, &todo);
    bench_check(b, msw_store_close(store, &err), &err);
    stat(path, &file);
    bench_row(b, "B", BENCH_LOWER, (double)file.st_size / (double)toy->plan.points,
              "bytes per row");
}

void section_store(bench *b)
{
    static const char PATH[] = "store.db";
    double rows = bench_set(b, "rows");
    msw_err err;
    msw_store *store;
    toy_plan toy, other;
    int64_t ids[2], second;
    bench_growth(b, (size_t)rows / 10, write_rows, NULL, "rows written");
    toy_plan_init(&toy, "bench", (uint64_t)rows, 1);
    toy_plan_init(&other, "other", (uint64_t)rows, 1);
    fill(b, PATH, &toy, ids);
    bench_check(b, msw_store_open(PATH, MSW_STORE_WRITE, false, NULL, &store, &err), &err);
    find_todo(b, store, &toy, ids[0], "todo of a finished sweep");
    bench_check(b, msw_store_add_sweep(store, &other.plan, &second, &err), &err);
    find_todo(b, store, &other, second, "todo, all rows reused");
    bench_check(b, msw_store_close(store, &err), &err);
    bench_check(b, msw_store_open(PATH, MSW_STORE_READ, false, NULL, &store, &err), &err);
    read_metrics(b, store, rows);
    digest(b, store, rows);
    bench_check(b, msw_store_close(store, &err), &err);
    toy_plan_free(&toy);
    toy_plan_free(&other);
}
