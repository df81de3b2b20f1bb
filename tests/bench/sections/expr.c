/* SPDX-License-Identifier: MIT */
/* How many expressions does one thread evaluate per second, and what would binding values to a
 * plain statement give? */
#include "section.h"

#include "memsweep/expr/expr.h"

#include <sqlite3.h>

static const msw_expr_name NAMES[] = {
    {"ptw_count", MSW_EXPR_INTEGER}, {"prmb_slots", MSW_EXPR_INTEGER},
    {"page_size", MSW_EXPR_INTEGER}, {"cycles", MSW_EXPR_REAL},
    {"policy", MSW_EXPR_TEXT},
};

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

static double evaluate(bench *b, void *context, size_t n)
{
    msw_err err;
    long hits = 0;
    double start = bench_seconds();
    for (size_t round = 0; round < n; round++) {
        bind_round(context, (int)round);
        hits += msw_expr_true(context, &err);
    }
    double spent = bench_seconds() - start;
    if (hits < 0)
        bench_fail(b, "%s", err.text);
    return spent;
}

static double rate_of(bench *b, msw_expr_host *host, const char *text)
{
    msw_err err;
    msw_expr *expr;
    size_t rounds = (size_t)bench_set(b, "rounds");
    bench_check(b, msw_expr_new(host, text, &expr, &err), &err);
    double each = bench_mean(b, evaluate, expr, rounds) / (double)rounds;
    bench_rate(b, 1, each, "%s", text);
    msw_expr_free(expr);
    return each;
}

static double step(bench *b, void *context, size_t n)
{
    sqlite3_stmt *stmt = context;
    long hits = 0;
    double start = bench_seconds();
    for (size_t round = 0; round < n; round++) {
        sqlite3_bind_int64(stmt, 1, (int)round & 127);
        sqlite3_bind_int64(stmt, 2, (int)round & 127);
        sqlite3_step(stmt);
        hits += sqlite3_column_double(stmt, 0) != 0;
        sqlite3_reset(stmt);
    }
    double spent = bench_seconds() - start;
    if (hits < 1)
        bench_fail(b, "no row is true");
    return spent;
}

/* The other way: one prepared statement, values bound, the statement reset after every step. */
static void beside_statement(bench *b, double ours, const char *what, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    size_t rounds = (size_t)bench_set(b, "rounds");
    if (sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) ||
        sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        bench_fail(b, "%s", sqlite3_errmsg(db));
    double each = bench_mean(b, step, stmt, rounds) / (double)rounds;
    bench_row(b, "x", BENCH_LOWER, ours / each, "ours over %s", what);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
}

static double compile(bench *b, void *context, size_t n)
{
    msw_err err;
    msw_expr *expr;
    double start = bench_seconds();
    for (size_t round = 0; round < n; round++) {
        bench_check(b, msw_expr_new(context, "ptw_count * prmb_slots <= 8192", &expr, &err), &err);
        msw_expr_free(expr);
    }
    return bench_seconds() - start;
}

void section_expr(bench *b)
{
    msw_err err;
    msw_expr_host *host;
    bench_check(b, msw_expr_host_new(NAMES, sizeof NAMES / sizeof *NAMES, &host, &err), &err);
    double ours = rate_of(b, host, "ptw_count * prmb_slots <= 8192");
    rate_of(b, host, "page_size >= 64 * KiB AND cycles > 1e6 OR ptw_count IN (8, 16, 32)");
    rate_of(b, host, "sqrt(cycles) + log2(ptw_count + 1) < 900");
    rate_of(b, host, "policy = 'lru'");
    beside_statement(b, ours, "bound with CAST",
                     "SELECT CAST(?1 AS INTEGER) * CAST(?2 AS INTEGER) <= 8192");
    beside_statement(b, ours, "a flattened subquery",
                     "SELECT a * b <= 8192 FROM "
                     "(SELECT CAST(?1 AS INTEGER) a, CAST(?2 AS INTEGER) b)");
    beside_statement(b, ours, "bound without type", "SELECT ?1 * ?2 <= 8192");
    bench_growth(b, 100, compile, host, "compiling");
    msw_expr_host_free(host);
}
