/* How many expressions does one thread evaluate per second, and what would binding values to a
 * plain statement give? */
#include "memsweep/expr/expr.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 3000000 };

static const msw_expr_name NAMES[] = {
    {"ptw_count", MSW_EXPR_INTEGER}, {"prmb_slots", MSW_EXPR_INTEGER},
    {"page_size", MSW_EXPR_INTEGER}, {"cycles", MSW_EXPR_REAL},
    {"policy", MSW_EXPR_TEXT},
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void stop(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void bind_round(msw_expr *expr, int round)
{
    const int *used;
    size_t count = msw_expr_used(expr, &used);
    for (size_t k = 0; k < count; k++)
        if (NAMES[used[k]].type == MSW_EXPR_TEXT)
            msw_expr_bind_text(expr, k, round & 1 ? "lru" : "fifo");
        else if (NAMES[used[k]].type == MSW_EXPR_REAL)
            msw_expr_bind_real(expr, k, round * 0.5);
        else
            msw_expr_bind_integer(expr, k, round & 127);
}

static double rate_of(msw_expr_host *host, const char *text)
{
    msw_err err;
    msw_expr *expr;
    if (msw_expr_new(host, text, &expr, &err) != 0)
        stop(err.text);
    long hits = 0;
    double start = seconds();
    for (int round = 0; round < ROUNDS; round++) {
        bind_round(expr, round);
        hits += msw_expr_true(expr, &err);
    }
    double rate = ROUNDS / (seconds() - start);
    printf("%-52s %6.2f M/s  (%ld true)\n", text, rate * 1e-6, hits);
    msw_expr_free(expr);
    return rate;
}

/* The other way: one prepared statement, values bound, the statement reset after every step. */
static double rate_of_statement(const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    if (sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) ||
        sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        stop(sqlite3_errmsg(db));
    long hits = 0;
    double start = seconds();
    for (int round = 0; round < ROUNDS; round++) {
        sqlite3_bind_int64(stmt, 1, round & 127);
        sqlite3_bind_int64(stmt, 2, round & 127);
        sqlite3_step(stmt);
        hits += sqlite3_column_double(stmt, 0) != 0;
        sqlite3_reset(stmt);
    }
    double rate = ROUNDS / (seconds() - start);
    printf("%-52.52s %6.2f M/s  (%ld true)\n", sql, rate * 1e-6, hits);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return rate;
}

static void print_compile_rate(msw_expr_host *host, const char *text)
{
    msw_err err;
    double start = seconds();
    for (int round = 0; round < 10000; round++) {
        msw_expr *expr;
        if (msw_expr_new(host, text, &expr, &err) != 0)
            stop(err.text);
        msw_expr_free(expr);
    }
    printf("compiling it: %.1f us\n", 1e6 * (seconds() - start) / 10000);
}

int main(void)
{
    msw_err err;
    msw_expr_host *host;
    if (msw_expr_host_new(NAMES, sizeof NAMES / sizeof *NAMES, &host, &err) != 0)
        stop(err.text);
    double ours = rate_of(host, "ptw_count * prmb_slots <= 8192");
    rate_of(host, "page_size >= 64 * KiB AND cycles > 1e6 OR ptw_count IN (8, 16, 32)");
    rate_of(host, "sqrt(cycles) + log2(ptw_count + 1) < 900");
    rate_of(host, "policy = 'lru'");
    double cast = rate_of_statement("SELECT CAST(?1 AS INTEGER) * CAST(?2 AS INTEGER) <= 8192");
    double flat = rate_of_statement("SELECT a * b <= 8192 FROM "
                                    "(SELECT CAST(?1 AS INTEGER) a, CAST(?2 AS INTEGER) b)");
    double bare = rate_of_statement("SELECT ?1 * ?2 <= 8192");
    printf("ours / bound with CAST %.2f, / flattened subquery %.2f, / bound without type %.2f\n",
           ours / cast, ours / flat, ours / bare);
    print_compile_rate(host, "ptw_count * prmb_slots <= 8192");
    msw_expr_host_free(host);
    return 0;
}
