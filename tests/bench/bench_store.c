/* How fast rows go in and come out of the store, 33 columns each. Prints rates; with an argument,
 * that many rows (default 1000000). */
#include "store_fixture.h"

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
    printf("%-34s %7.3f s wall %7.3f s cpu %9.0f rows/s, %9.0f per CPU second\n", what, wall, busy,
           (double)rows / wall, (double)rows / busy);
}

/* Writes points [first, end). Returns the seconds it took to make them. */
static double write_points(msw_store *store, const toy_plan *toy, const int64_t ids[2],
                           uint64_t first, uint64_t end)
{
    msw_err err;
    msw_batch *batch = toy_batch(toy);
    double filling = 0;
    for (uint64_t i = first; i < end;) {
        double start = cpu();
        msw_batch_clear(batch);
        for (uint64_t last = i + 1000; i < last && i < end; i++)
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
    double wall = msw_store_now(), busy = cpu();
    double filling = write_points(store, toy, ids, 0, toy->plan.points);
    report("write (without making the rows)", msw_store_now() - wall - filling,
           cpu() - busy - filling, toy->plan.points);
}

static msw_store *create(const char *path, const toy_plan *toy, int64_t ids[2])
{
    msw_err err;
    msw_store *store;
    unlink(path);
    check(msw_store_open(path, MSW_STORE_WRITE, false, NULL, &store, &err), &err);
    check(msw_store_add_sweep(store, &toy->plan, &ids[0], &err), &err);
    check(msw_store_begin_run(store, ids[0], &TOY_RUN, &ids[1], &err), &err);
    return store;
}

/* Eight shards into an empty file. */
static void merge(const toy_plan *toy)
{
    enum { PARTS = 8 };
    char paths[PARTS][32];
    int64_t ids[2];
    uint64_t points = toy->plan.points, rows;
    msw_err err;
    msw_store *store;
    for (uint64_t p = 0; p < PARTS; p++) {
        snprintf(paths[p], sizeof paths[p], "bench_store.%d.db", (int)p);
        store = create(paths[p], toy, ids);
        write_points(store, toy, ids, points * p / PARTS, points * (p + 1) / PARTS);
        check(msw_store_close(store, &err), &err);
    }
    unlink("bench_store.all.db");
    double wall = msw_store_now(), busy = cpu();
    check(msw_store_open("bench_store.all.db", MSW_STORE_WRITE, false, NULL, &store, &err), &err);
    for (int p = 0; p < PARTS; p++)
        check(msw_store_merge(store, paths[p], MSW_MERGE_REFUSE, &rows, &err), &err);
    check(msw_store_close(store, &err), &err);
    report("merge of eight shards", msw_store_now() - wall, cpu() - busy, points);
    for (int p = 0; p < PARTS; p++)
        unlink(paths[p]);
    unlink("bench_store.all.db");
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
    store = create(PATH, &toy, ids);
    write_all(store, &toy, ids[0], ids[1]);
    check(msw_store_close(store, &err), &err);
    stat(PATH, &file);
    printf("%-34s %7.1f bytes per row\n", "file", (double)file.st_size / (double)rows);
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
    merge(&toy);
    toy_plan_free(&toy);
    toy_plan_free(&other);
    return 0;
}
