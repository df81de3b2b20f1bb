/* SPDX-License-Identifier: MIT */
/* Finds the rows that each claim depends on: those where another answer changes the claim's value.
 * The answers of one design point, or of one workload, are changed together, each metric by a
 * factor of its own, up and down, and then removed. A claim that compares the points of a workload
 * does not move where they all change alike, so single answers are changed, too. A claim may count
 * rows, or read a detail table, whatever the answers are: so the rows themselves are removed last.
 * The quantities that depend on a row are kept, so that settings can be computed for some alone. */
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
    bool used;      /* by the claim */
    bool read;      /* by any of them */
    uint64_t reads; /* bits: quantities that read the sweep */
    const msw_calibration *c;
} probe;

/* ---- other answers ---- */

static bool is_answer(const msw_plan *plan, const char *column)
{
    for (size_t m = 0; m < plan->mech->metric_count; m++)
        if (strcmp(plan->mech->metrics[m].name, column) == 0)
            return true;
    for (size_t d = 0; d < plan->view.derived_count; d++)
        if (strcmp(plan->view.derived[d].name, column) == 0)
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

static bool is_behind(probe *b, size_t claim)
{
    for (b->round = 0, b->used = true; b->used && b->round <= GONE; b->round++) {
        b->used = false;
        if (changes(b, claim))
            return true;
    }
    return false;
}

static bool is_quantity(const msw_calibration *c, size_t claim)
{
    for (size_t q = 0; q < c->quantities; q++)
        if (c->claim[q] == claim)
            return true;
    return false;
}

/* Whether the rows are behind a claim that is listed and not compared. */
static bool is_listed(probe *b)
{
    const msw_calibration *c = b->c;
    for (size_t i = 0; i < c->paper->claims.count; i++)
        if (c->asks[i] && !is_quantity(c, i) && is_behind(b, i))
            return true;
    return false;
}

/* Looks at the rows for all claims: whether they are behind any, and bits of the quantities. */
static bool is_needed(probe *b, uint64_t *bits)
{
    const msw_calibration *c = b->c;
    bool any = false;
    for (size_t q = 0; q < c->quantities; q++) {
        bool is = is_behind(b, c->claim[q]);
        *bits |= is ? (uint64_t)1 << q : 0;
        b->reads |= b->used || is ? (uint64_t)1 << q : 0;
        any = any || is;
    }
    return any || is_listed(b);
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

static uint64_t bits_of(const uint64_t *bits, size_t count)
{
    uint64_t any = 0;
    for (size_t i = 0; i < count; i++)
        any |= bits[i];
    return any;
}

/* The same for each quantity, of rows that are needed at all: those behind it are bits. */
static void complete_bits(uint64_t reads, const bool *needed, uint64_t *bits, size_t count,
                          uint64_t elsewhere)
{
    uint64_t here = bits_of(bits, count);
    bool any_yet = false;
    for (size_t i = 0; i < count; i++) {
        if (!needed[i])
            continue;
        bits[i] |= elsewhere & ~here; /* only together with more than one: all of them */
        bits[i] |= any_yet ? 0 : reads & ~here & ~elsewhere;
        any_yet = true;
    }
}

/* The quantities that only a single answer shows to be behind: a largest ratio between points of a
 * workload, where the ratios of another one are larger at the defaults. */
static uint64_t single_bits(probe *b, uint64_t known)
{
    uint64_t bits = 0;
    for (size_t q = 0; q < b->c->quantities; q++) {
        uint64_t bit = (uint64_t)1 << q;
        if (b->reads & bit && !(known & bit) && is_behind(b, b->c->claim[q]))
            bits |= bit;
    }
    return bits;
}

static void mark_singles(probe *b, msw_paper_sweep *sweep, uint64_t points)
{
    const msw_plan *plan = sweep->plan;
    b->single = true;
    for (size_t w = 0; w < plan->workload_count; w++)
        for (b->point = 0; b->point < points; b->point++) {
            uint64_t bits;
            b->load = plan->workloads[w].name;
            bits = single_bits(b, sweep->load_bits[w] & sweep->point_bits[b->point]);
            sweep->load_bits[w] |= bits;
            sweep->point_bits[b->point] |= bits;
            if (bits || (!(sweep->loads[w] && sweep->points[b->point]) && is_listed(b)))
                sweep->loads[w] = sweep->points[b->point] = true;
        }
    b->single = false;
}

static void mark(probe *b, msw_paper_sweep *sweep)
{
    const msw_plan *plan = sweep->plan;
    uint64_t replicates = plan->replicates ? plan->replicates : 1;
    uint64_t points = plan->points / plan->workload_count / replicates;
    for (b->point = 0, b->load = NULL; b->point < points; b->point++)
        sweep->points[b->point] = is_needed(b, &sweep->point_bits[b->point]);
    for (size_t w = 0; w < plan->workload_count; w++) {
        b->load = plan->workloads[w].name;
        sweep->loads[w] = is_needed(b, &sweep->load_bits[w]);
    }
    mark_singles(b, sweep, points);
    complete(b, sweep, points);
    uint64_t by_point = bits_of(sweep->point_bits, points);
    uint64_t by_load = bits_of(sweep->load_bits, plan->workload_count);
    complete_bits(b->reads, sweep->points, sweep->point_bits, points, by_load);
    complete_bits(b->reads, sweep->loads, sweep->load_bits, plan->workload_count, by_point);
}

static int make_room(const msw_paper *p, msw_paper_sweep *sweep)
{
    size_t points = sweep->plan->points + 1, loads = sweep->plan->workload_count + 1;
    sweep->points = calloc(points, sizeof *sweep->points);
    sweep->loads = calloc(loads, sizeof *sweep->loads);
    sweep->point_bits = calloc(points, sizeof *sweep->point_bits);
    sweep->load_bits = calloc(loads, sizeof *sweep->load_bits);
    return sweep->points && sweep->loads && sweep->point_bits && sweep->load_bits
               ? 0
               : msw_fail_memory(p->err);
}

static int look_at(const msw_calibration *c, msw_store *store, msw_paper_sweep *sweep)
{
    const msw_paper *p = c->paper;
    probe b = {.c = c, .paper = p, .store = store, .sweep = sweep};
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "SELECT * FROM ");
    msw_text_add_sql_name(&sql, sweep->called);
    msw_text_add(&sql, " LIMIT 1");
    msw_query query = {.sql = msw_text_str(&sql)};
    int rc = sql.failed ? msw_fail_memory(p->err) : make_room(p, sweep);
    if (rc == 0)
        rc = msw_store_read(store, &query, &b.row, p->err);
    if (rc == 0)
        mark(&b, sweep);
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
            rc = look_at(c, store, &p->sweeps[i]);
    msw_store_close(store, NULL);
    free(file);
    return rc;
}
