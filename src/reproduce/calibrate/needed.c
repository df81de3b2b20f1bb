/* SPDX-License-Identifier: MIT */
/* Which rows values are taken from. A row is behind a claim where another answer in it changes the
 * claim's: the answers of one design point, or of one workload, are changed together, each metric
 * by a factor of its own, up and down, and taken away. What compares the points of a workload with
 * one another stays as it is where they all change alike, so single answers are changed, too. A
 * claim may count rows, or find its numbers in a detail table, whatever the answers are: so the
 * rows themselves are taken away at last. */
#include "reproduce/calibrate/calibration.h"

#include "memsweep/base/hash.h"
#include "memsweep/base/quote.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 5,   /* the last takes the answers away */
    GONE = ROUNDS /* one more: takes the rows away */
};

typedef struct probe {
    const msw_paper *paper;
    msw_store *store;
    const msw_paper_sweep *sweep;
    msw_table row;    /* one of the sweep's, for its columns */
    const char *load; /* the workload whose answers change; NULL: those of a design point */
    uint64_t point;
    bool single; /* only the answers of that workload at that point change */
    unsigned round;
    bool used; /* by the claim */
    bool read; /* by any of them */
} probe;

/* ---- other answers ---- */

static bool is_answer(const msw_plan *plan, const char *column)
{
    for (size_t m = 0; m < plan->mech->metric_count; m++)
        if (strcmp(plan->mech->metrics[m].name, column) == 0)
            return true;
    for (size_t d = 0; d < plan->derived_count; d++)
        if (strcmp(plan->derived[d].name, column) == 0)
            return true;
    return false;
}

/* Between 1 and 1000 times, or a part of it; other rounds go the other way. */
static double factor_of(const char *column, unsigned round)
{
    uint64_t bits = msw_hash_string(column).lo;
    double size = 2 + (double)(bits >> 20 & 1023), way = bits >> (40 + round / 2) & 1;
    return (way != 0) == (round % 2 != 0) ? size : 1 / size;
}

/* The rows that are looked at: of a workload, or of a design point. */
static void add_rows_of(const probe *b, msw_text *out)
{
    if (b->load) {
        msw_text_add(out, "workload = ");
        msw_text_add_sql_string(out, b->load);
    }
    if (b->single)
        msw_text_add(out, " AND ");
    if (b->single || !b->load) {
        msw_text_add(out, "design_index = %" PRIu64, b->point);
    }
}

static void add_answer(const probe *b, const char *column, msw_text *out)
{
    msw_text_add(out, "CASE WHEN ");
    add_rows_of(b, out);
    if (b->round + 1 == ROUNDS) {
        msw_text_add(out, " THEN NULL ELSE ");
    } else {
        msw_text_add(out, " THEN ");
        msw_text_add_double(out, factor_of(column, b->round));
        msw_text_add(out, " * ");
        msw_text_add_sql_name(out, column);
        msw_text_add(out, " ELSE ");
    }
    msw_text_add_sql_name(out, column);
    msw_text_add(out, " END AS ");
    msw_text_add_sql_name(out, column);
}

static int add_rows(void *context, const char *word, size_t size, msw_text *out)
{
    probe *b = context;
    const msw_paper_sweep *sweep = msw_paper_find_sweep(b->paper, word, size, b->paper->err);
    if (!sweep)
        return -1;
    if (sweep != b->sweep) {
        msw_text_add_sql_name(out, sweep->called);
        return 0;
    }
    b->used = b->read = true;
    for (size_t c = 0; c < b->row.column_count; c++) {
        const char *column = b->row.columns[c].name;
        msw_text_add(out, c ? ", " : "(SELECT ");
        if (b->round != GONE && is_answer(sweep->plan, column))
            add_answer(b, column, out);
        else
            msw_text_add_sql_name(out, column);
    }
    msw_text_add(out, " FROM ");
    msw_text_add_sql_name(out, sweep->called);
    if (b->round == GONE) {
        msw_text_add(out, " WHERE NOT (");
        add_rows_of(b, out);
        msw_text_add(out, ")");
    }
    msw_text_add(out, ")");
    return 0;
}

/* ---- who takes them ---- */

/* Whether the changed answers change a claim's; a claim that has none with them does, too. */
static bool changes(probe *b, size_t claim)
{
    msw_err ignored = {0};
    msw_paper copy = *b->paper; /* with errors of its own */
    copy.err = &ignored;
    msw_claim_answer answer = {.value = NAN, .half_width = NAN};
    const msw_paper *paper = b->paper;
    b->paper = &copy;
    int rc = msw_paper_value_of(&copy, b->store, &copy.claims.list[claim], add_rows, b, &answer);
    b->paper = paper;
    free(answer.shown);
    double before = paper->answers[claim].value;
    return b->used && (rc || isnan(before) || answer.value != before);
}

static bool is_behind(probe *b, const bool *asks)
{
    for (size_t i = 0; i < b->paper->claims.count; i++) {
        if (!asks[i])
            continue;
        for (b->round = 0, b->used = true; b->used && b->round <= GONE; b->round++) {
            b->used = false;
            if (changes(b, i))
                return true;
        }
    }
    return false;
}

static bool any_of(const bool *marks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (marks[i])
            return true;
    return false;
}

/* What changes a claim only together with more than a point or a workload is needed whole; of rows
 * that are only looked for one stays. */
static void complete(const probe *b, msw_paper_sweep *sweep, size_t points)
{
    size_t loads = sweep->plan->workload_count;
    bool some_points = any_of(sweep->points, points), some_loads = any_of(sweep->loads, loads);
    if (!some_points && !some_loads)
        sweep->points[0] = sweep->loads[0] = b->read;
    else if (!some_points)
        memset(sweep->points, true, points * sizeof *sweep->points);
    else if (!some_loads)
        memset(sweep->loads, true, loads * sizeof *sweep->loads);
}

/* Marks what only a single answer shows to be behind a claim: a largest ratio between points of a
 * workload, where the ratios of another one are larger at the defaults. */
static void mark_singles(probe *b, const bool *asks, msw_paper_sweep *sweep, uint64_t points)
{
    const msw_plan *plan = sweep->plan;
    b->single = true;
    for (size_t w = 0; w < plan->workload_count; w++)
        for (b->point = 0; b->point < points; b->point++) {
            if (sweep->loads[w] && sweep->points[b->point])
                continue;
            b->load = plan->workloads[w].name;
            if (is_behind(b, asks))
                sweep->loads[w] = sweep->points[b->point] = true;
        }
    b->single = false;
}

static void mark(probe *b, const bool *asks, msw_paper_sweep *sweep)
{
    const msw_plan *plan = sweep->plan;
    uint64_t replicates = plan->replicates ? plan->replicates : 1;
    uint64_t points = plan->points / plan->workload_count / replicates;
    for (b->point = 0, b->load = NULL; b->point < points; b->point++)
        sweep->points[b->point] = is_behind(b, asks);
    for (size_t w = 0; w < plan->workload_count; w++) {
        b->load = plan->workloads[w].name;
        sweep->loads[w] = is_behind(b, asks);
    }
    mark_singles(b, asks, sweep, points);
    complete(b, sweep, points);
}

static int look_at(const msw_paper *p, msw_store *store, const bool *asks, msw_paper_sweep *sweep)
{
    probe b = {.paper = p, .store = store, .sweep = sweep};
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "SELECT * FROM ");
    msw_text_add_sql_name(&sql, sweep->called);
    msw_text_add(&sql, " LIMIT 1");
    msw_query query = {.sql = msw_text_str(&sql)};
    const msw_plan *plan = sweep->plan;
    sweep->points = calloc(plan->points + 1, sizeof *sweep->points);
    sweep->loads = calloc(plan->workload_count + 1, sizeof *sweep->loads);
    int rc = sweep->points && sweep->loads && !sql.failed ? 0 : msw_fail_memory(p->err);
    if (rc == 0)
        rc = msw_store_read(store, &query, &b.row, p->err);
    if (rc == 0)
        mark(&b, asks, sweep);
    msw_table_free(&b.row);
    msw_text_free(&sql);
    return rc;
}

int msw_calibration_needs(msw_calibration *c)
{
    msw_paper *p = c->paper;
    msw_store *store = NULL;
    char *file = msw_paper_database(p, "");
    int rc = file ? msw_store_open(file, MSW_STORE_READ, false, &p->context->log, &store, p->err)
                  : msw_fail_memory(p->err);
    for (size_t i = 0; rc == 0 && i < p->sweep_count; i++)
        if (p->sweeps[i].plan && p->sweeps[i].sampled)
            rc = look_at(p, store, c->asks, &p->sweeps[i]);
    msw_store_close(store, NULL);
    free(file);
    return rc;
}
