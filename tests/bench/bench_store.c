/* How fast rows go in and come out of the store, 33 columns each. Prints rates; with an argument,
 * that many rows (default 1000000). */
#include "store_fixture.h"

#include "store/open.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static double cpu(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void check(int result, const msw_err *err)
{
    if (result == 0)
        return;
    fprintf(stderr, "bench_store: %s\n", err->text);
    exit(1);
}

static void report(const char *what, double wall, double busy, uint64_t rows)
{
    printf("%-36s %7.3f s wall %7.3f s cpu %9.0f rows/s, %9.0f per CPU second\n", what, wall, busy,
           (double)rows / wall, (double)rows / busy);
}

/* Writes the points that are missing. Returns the seconds it took to make them. */
static double write_points(msw_store *store, const toy_plan *toy, const int64_t ids[2],
                           const msw_todo *todo)
{
    msw_err err;
    msw_batch *batch = toy_batch(toy);
    double filling = 0;
    for (uint64_t i = 0; i < todo->points;) {
        double start = cpu();
        msw_batch_clear(batch);
        for (; batch->count < 1000 && i < todo->points; i++)
            if (todo->everything || msw_bit(todo->bitmap, i))
                toy_row(toy, batch, i, MSW_OK);
        filling += cpu() - start;
        check(msw_store_write(store, &toy->plan, ids[0], ids[1], batch, &err), &err);
    }
    check(msw_store_commit(store, &err), &err);
    msw_batch_free(batch);
    return filling;
}

static void write_all(msw_store *store, const toy_plan *toy, int64_t sweep, int64_t run)
{
    const int64_t ids[] = {sweep, run};
    msw_todo todo = {.points = toy->plan.points, .everything = true};
    double wall = msw_store_now(), busy = cpu();
    double filling = write_points(store, toy, ids, &todo);
    report("write (without making the rows)", msw_store_now() - wall - filling,
           cpu() - busy - filling, toy->plan.points);
}

static msw_store *create(const char *path, const toy_plan *toy, uint64_t shard, uint64_t shards,
                         int64_t ids[2])
{
    msw_err err;
    msw_store *store;
    unlink(path);
    check(msw_store_open(path, MSW_STORE_WRITE, false, NULL, &store, &err), &err);
    check(msw_store_add_sweep(store, &toy->plan, &ids[0], &err), &err);
    msw_store_number_shard(store, toy->plan.points, shard, shards);
    check(msw_store_begin_run(store, ids[0], &TOY_RUN, &ids[1], &err), &err);
    return store;
}

enum { PARTS = 8 };

static void make_part(const toy_plan *toy, const char *path, uint64_t part, bool numbered)
{
    msw_err err;
    int64_t ids[2];
    uint64_t points = toy->plan.points;
    msw_todo todo = {.points = points, .missing = points, .everything = true};
    msw_store *store = create(path, toy, part, numbered ? PARTS : 1, ids);
    check(msw_todo_keep_shard(&todo, part, PARTS, &err), &err);
    write_points(store, toy, ids, &todo);
    check(msw_store_close(store, &err), &err);
    msw_todo_free(&todo);
}

/* Eight files into an empty one: shards, whose rows are numbered apart, or files that all number
 * theirs from 1. */
static void merge(const toy_plan *toy, bool numbered)
{
    static const char ALL[] = "bench_store.all.db";
    char paths[PARTS][32];
    uint64_t rows;
    msw_err err;
    msw_store *store;
    for (int p = 0; p < PARTS; p++) {
        snprintf(paths[p], sizeof paths[p], "bench_store.%d.db", p);
        make_part(toy, paths[p], (uint64_t)p, numbered);
    }
    unlink(ALL);
    double wall = msw_store_now(), busy = cpu();
    check(msw_store_open(ALL, MSW_STORE_WRITE, false, NULL, &store, &err), &err);
    for (int p = 0; p < PARTS; p++)
        check(msw_store_merge(store, paths[p], MSW_MERGE_REFUSE, &rows, &err), &err);
    check(msw_store_close(store, &err), &err);
    report(numbered ? "merge of eight shards" : "merge of eight files numbered alike",
           msw_store_now() - wall, cpu() - busy, toy->plan.points);
    for (int p = 0; p < PARTS; p++)
        unlink(paths[p]);
    unlink(ALL);
}

static void read_metrics(msw_store *store, uint64_t rows)
{
    msw_err err;
    msw_table table;
    msw_query query = {.sweep = "bench", .columns = "cycles, stall, rate"};
    double wall = msw_store_now(), busy = cpu();
    check(msw_store_read(store, &query, &table, &err), &err);
    report("read three metrics", msw_store_now() - wall, cpu() - busy, rows);
    msw_table_free(&table);
}

static void find_todo(msw_store *store, toy_plan *toy, int64_t sweep, const char *what)
{
    msw_err err;
    msw_todo todo;
    double wall = msw_store_now(), busy = cpu();
    check(msw_todo_find(store, &toy->plan, sweep, false, toy_key, toy, &todo, &err), &err);
    report(what, msw_store_now() - wall, cpu() - busy, todo.points);
    msw_todo_free(&todo);
}

static void digest(msw_store *store, uint64_t rows)
{
    msw_err err;
    msw_digest d;
    double wall = msw_store_now(), busy = cpu();
    check(msw_store_digest(store, "bench", &d, &rows, &err), &err);
    report("digest", msw_store_now() - wall, cpu() - busy, rows);
}

int main(int argc, char **argv)
{
    static const char PATH[] = "bench_store.db";
    uint64_t rows = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    msw_err err;
    msw_store *store;
    toy_plan toy, other;
    int64_t ids[2], second;
    struct stat file;
    toy_plan_init(&toy, "bench", rows, 1);
    toy_plan_init(&other, "other", rows, 1);
    store = create(PATH, &toy, 0, 1, ids);
    write_all(store, &toy, ids[0], ids[1]);
    check(msw_store_close(store, &err), &err);
    stat(PATH, &file);
    printf("%-36s %7.1f bytes per row\n", "file", (double)file.st_size / (double)rows);
    check(msw_store_open(PATH, MSW_STORE_WRITE, false, NULL, &store, &err), &err);
    find_todo(store, &toy, ids[0], "todo of a finished sweep");
    check(msw_store_add_sweep(store, &other.plan, &second, &err), &err);
    find_todo(store, &other, second, "todo, all rows reused");
    check(msw_store_close(store, &err), &err);
    check(msw_store_open(PATH, MSW_STORE_READ, false, NULL, &store, &err), &err);
    read_metrics(store, rows);
    digest(store, rows);
    check(msw_store_close(store, &err), &err);
    unlink(PATH);
    merge(&toy, true);
    merge(&toy, false);
    toy_plan_free(&toy);
    toy_plan_free(&other);
    return 0;
}
