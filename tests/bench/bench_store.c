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
    printf("%-34s %7.3f s wall %7.3f s cpu %9.0f rows/s\n", what, wall, busy, (double)rows / wall);
}

static void write_all(msw_store *store, const toy_plan *toy, int64_t sweep, int64_t run)
{
    msw_err err;
    msw_batch *batch = toy_batch(toy);
    double filling = 0, wall = msw_store_now(), busy = cpu();
    for (uint64_t i = 0; i < toy->plan.points;) {
        double start = msw_store_now();
        msw_batch_clear(batch);
        for (uint64_t end = i + 1000; i < end && i < toy->plan.points; i++)
            toy_row(toy, batch, i, MSW_OK);
        filling += msw_store_now() - start;
        check(msw_store_write(store, &toy->plan, sweep, run, batch, &err), &err);
    }
    check(msw_store_commit(store, &err), &err);
    report("write (without making the rows)", msw_store_now() - wall - filling,
           cpu() - busy - filling, toy->plan.points);
    msw_batch_free(batch);
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
    int64_t sweep, run, second;
    struct stat file;
    unlink(PATH);
    toy_plan_init(&toy, "bench", rows, 1);
    toy_plan_init(&other, "other", rows, 1);
    check(msw_store_open(PATH, MSW_STORE_WRITE, false, NULL, &store, &err), &err);
    check(msw_store_add_sweep(store, &toy.plan, &sweep, &err), &err);
    check(msw_store_begin_run(store, sweep, &TOY_RUN, &run, &err), &err);
    write_all(store, &toy, sweep, run);
    check(msw_store_close(store, &err), &err);
    stat(PATH, &file);
    printf("%-34s %7.1f bytes per row\n", "file", (double)file.st_size / (double)rows);
    check(msw_store_open(PATH, MSW_STORE_WRITE, false, NULL, &store, &err), &err);
    find_todo(store, &toy, sweep, "todo of a finished sweep");
    check(msw_store_add_sweep(store, &other.plan, &second, &err), &err);
    find_todo(store, &other, second, "todo, all rows reused");
    check(msw_store_close(store, &err), &err);
    check(msw_store_open(PATH, MSW_STORE_READ, false, NULL, &store, &err), &err);
    read_metrics(store, rows);
    digest(store, rows);
    check(msw_store_close(store, &err), &err);
    unlink(PATH);
    toy_plan_free(&toy);
    toy_plan_free(&other);
    return 0;
}
