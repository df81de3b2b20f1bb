/* SPDX-License-Identifier: MIT */
/* Binds one row to an INSERT: typed, NaN as NULL, -0.0 as 0.0; and its checksum, made from the
 * columns of a layout as the file covers them, and from details. */
#include "store/state.h"

#include "store/sum/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

/* A neutral value of the file as a value of rows; NaN: none that this parameter can have. */
static double neutral_of(const msw_param *param, sqlite3_value *neutral)
{
    if (!neutral)
        return NAN;
    if (param->kind != MSW_CHOICE)
        return sqlite3_value_type(neutral) == SQLITE_TEXT ? NAN : sqlite3_value_double(neutral);
    const char *name = (const char *)sqlite3_value_text(neutral);
    for (size_t i = 0; name && i < msw_param_choices(param); i++)
        if (strcmp(param->choices[i].name, name) == 0)
            return (double)i;
    return NAN;
}

static void cover(const msw_store_columns *layout, const msw_sums *sums, msw_covered *covered)
{
    for (size_t c = 0; c < layout->count; c++) {
        const msw_store_column *column = &layout->columns[c];
        covered[c] = (msw_covered){msw_sum_seed(column->name), NAN};
        for (size_t i = 0; i < sums->count && column->role == MSW_ROLE_PARAM; i++)
            if (strcmp(sums->columns[i].name, column->name) == 0)
                covered[c].neutral = neutral_of(column->param, sums->columns[i].neutral);
    }
}

static int make_sum(size_t columns, msw_bound_sum *sum)
{
    sum->terms = calloc(columns + 1, sizeof *sum->terms);
    sum->texts = calloc(columns + 1, sizeof *sum->texts);
    return sum->terms && sum->texts ? 0 : -1;
}

int msw_cover_layout(msw_store *store, msw_writer *writer, msw_err *err)
{
    msw_sums sums;
    size_t count = writer->layout.count;
    writer->covered = calloc(count + 1, sizeof *writer->covered);
    if (!writer->covered || make_sum(count, &writer->insert_sum) ||
        make_sum(count, &writer->replace_sum))
        return msw_fail_memory(err);
    if (msw_sums_load(store, "main", writer->layout.table, &sums, err))
        return -1;
    cover(&writer->layout, &sums, writer->covered);
    msw_sums_free(&sums);
    return 0;
}

static void free_sum(msw_bound_sum *sum)
{
    free(sum->terms);
    free(sum->texts);
}

void msw_cover_free(msw_writer *writer)
{
    free(writer->covered);
    free_sum(&writer->insert_sum);
    free_sum(&writer->replace_sum);
}

/* ---- details ---- */

enum { DETAIL_COLUMNS = 32 };

/* A table of details. */
typedef struct cover_table {
    uint64_t seed, item, columns[DETAIL_COLUMNS];
} cover_table;

static int make_table(const msw_mech *mech, size_t detail, cover_table *table, msw_err *err)
{
    const msw_detail *d = &mech->details[detail];
    char *name = msw_strfmt("detail_%s_%s", mech->name, d->name);
    if (!name)
        return msw_fail_memory(err);
    *table = (cover_table){.seed = msw_sum_seed(name), .item = msw_sum_seed("item")};
    for (int i = 0; i < DETAIL_COLUMNS && d->columns[i]; i++)
        table->columns[i] = msw_sum_seed(d->columns[i]);
    free(name);
    return 0;
}

static uint64_t sum_record(const cover_table *table, const double *record, uint64_t item)
{
    uint64_t sum = msw_sum_integer(table->item, (int64_t)item);
    for (size_t v = 0; v < (size_t)record[MSW_DETAIL_WIDTH] && v < DETAIL_COLUMNS; v++)
        sum += msw_sum_real(table->columns[v], record[MSW_DETAIL_HEAD + v] + 0.0);
    return sum;
}

/* Records of a row follow each other and are numbered through. */
static void sum_details(const cover_table *tables, const msw_batch *batch, uint64_t *rows,
                        uint64_t *records)
{
    uint64_t item = 0;
    double last = -1;
    for (size_t at = 0, n = 0; at < batch->detail_size; n++) {
        const double *record = batch->details + at;
        const cover_table *table = &tables[(size_t)record[MSW_DETAIL_TABLE]];
        item = record[MSW_DETAIL_ROW] == last ? item + 1 : 0;
        last = record[MSW_DETAIL_ROW];
        records[n] = sum_record(table, record, item);
        rows[(size_t)record[MSW_DETAIL_ROW]] += msw_sum_integer(table->seed, (int64_t)records[n]);
        at += MSW_DETAIL_HEAD + (size_t)record[MSW_DETAIL_WIDTH];
    }
}

int msw_cover_details(const msw_plan *plan, const msw_batch *batch, uint64_t **rows,
                      uint64_t **records, msw_err *err)
{
    size_t count = msw_detail_count(plan->mech->details);
    *rows = *records = NULL;
    if (!batch->detail_size)
        return 0;
    cover_table *tables = calloc(count + 1, sizeof *tables);
    *rows = calloc(batch->count + 1, sizeof **rows);
    *records = calloc(batch->detail_size / MSW_DETAIL_HEAD + 1, sizeof **records);
    int rc = tables && *rows && *records ? 0 : msw_fail_memory(err);
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = make_table(plan->mech, i, &tables[i], err);
    if (rc == 0)
        sum_details(tables, batch, *rows, *records);
    free(tables);
    return rc;
}

/* One value on its way: where it is bound, and what its term begins with. Binding returns the term.
 */
typedef struct slot {
    sqlite3_stmt *stmt;
    int at;
    uint64_t seed;
} slot;

static uint64_t bind_null(slot s)
{
    sqlite3_bind_null(s.stmt, s.at);
    return 0;
}

static uint64_t bind_text(slot s, const char *text)
{
    sqlite3_bind_text(s.stmt, s.at, text, -1, SQLITE_STATIC);
    return msw_sum_text(s.seed, text);
}

static uint64_t bind_integer(slot s, int64_t value)
{
    sqlite3_bind_int64(s.stmt, s.at, value);
    return msw_sum_integer(s.seed, value);
}

static uint64_t bind_real(slot s, double value)
{
    if (isnan(value))
        return bind_null(s);
    value += 0.0; /* -0.0 + 0.0 is 0.0 */
    sqlite3_bind_double(s.stmt, s.at, value);
    return msw_sum_real(s.seed, value);
}

static uint64_t bind_param(slot s, const msw_param *param, double value)
{
    if (isnan(value))
        return bind_null(s);
    if (param->kind == MSW_REAL)
        return bind_real(s, value);
    if (param->kind == MSW_CHOICE)
        return bind_text(s, param->choices[(size_t)value].name);
    return bind_integer(s, (int64_t)value);
}

static uint64_t bind_key(slot s, msw_bound_sum *sum, msw_digest key)
{
    msw_digest_store(key, sum->key);
    sqlite3_bind_blob(s.stmt, s.at, sum->key, sizeof sum->key, SQLITE_STATIC);
    return msw_sum_bytes(s.seed, false, sum->key, sizeof sum->key);
}

static void set_term(msw_bound_sum *sum, size_t column, uint64_t term)
{
    sum->sum += term - sum->terms[column];
    sum->terms[column] = term;
}

/* Names live as long as the plan, so a pointer that is the same is bound already. */
static void set_name(msw_bound_sum *sum, size_t column, slot s, const char *name)
{
    if (sum->texts[column] == name)
        return;
    sum->texts[column] = name;
    set_term(sum, column, name ? bind_text(s, name) : bind_null(s));
}

/* ---- the engine's columns ---- */

static const char *bound_by(const msw_bind *bind, int metric)
{
    return metric < 0 ? NULL : bind->plan->mech->metrics[metric].name;
}

/* "" is NULL. */
static uint64_t bind_said(slot s, const char *text)
{
    return *text ? bind_text(s, text) : bind_null(s);
}

/* Those that are numbers or differ from row to row. */
static uint64_t bind_counted(const msw_bind *bind, msw_bound_sum *sum, slot s, msw_engine column,
                             size_t i)
{
    const msw_row *row = &bind->batch->rows[i];
    switch (column) {
    case MSW_ENGINE_REPLICATE:
        return bind_integer(s, (int64_t)(row->index % bind->plan->replicates));
    case MSW_ENGINE_MEASURED:
        return bind_integer(s, (int64_t)row->measured);
    case MSW_ENGINE_UNITS:
        return bind_integer(s, (int64_t)row->units);
    case MSW_ENGINE_EVENTS:
        return bind_integer(s, (int64_t)row->events);
    case MSW_ENGINE_COST:
        return bind_integer(s, row->cost_us);
    case MSW_ENGINE_REASON:
        return bind_said(s, msw_batch_reason_text(bind->batch, i));
    case MSW_ENGINE_DOUBT:
        return bind_said(s, msw_batch_doubt_text(bind->batch, i));
    case MSW_ENGINE_STRATUM:
        return row->stratum ? bind_integer(s, (int64_t)row->stratum - 1) : bind_null(s);
    default:
        return bind_key(s, sum, row->key);
    }
}

/* Columns that differ from row to row; the constant ones keep what msw_bind_constants bound. */
static void bind_engine(const msw_bind *bind, msw_bound_sum *sum, size_t c, slot s, size_t i)
{
    const msw_row *row = &bind->batch->rows[i];
    msw_engine column = (msw_engine)bind->layout->columns[c].value;
    switch (column) {
    case MSW_ENGINE_STATUS:
        return set_name(sum, c, s, msw_status_name((msw_status)row->status));
    case MSW_ENGINE_BOUND_BY:
        return set_name(sum, c, s, bound_by(bind, row->bound_by));
    case MSW_ENGINE_WORKLOAD:
        return set_name(sum, c, s, bind->plan->workloads[row->workload].name);
    case MSW_ENGINE_FIDELITY:
    case MSW_ENGINE_SEED:
    case MSW_ENGINE_VERSION:
    case MSW_ENGINE_RUN:
    case MSW_ENGINE_COUNT:
        return;
    default:
        set_term(sum, c, bind_counted(bind, sum, s, column, i));
    }
}

static void bind_constant(const msw_bind *bind, msw_bound_sum *sum, size_t c, slot s)
{
    switch ((msw_engine)bind->layout->columns[c].value) {
    case MSW_ENGINE_FIDELITY:
        return set_name(sum, c, s, msw_fidelity_name(bind->plan->fidelity));
    case MSW_ENGINE_SEED:
        return set_term(sum, c, bind_integer(s, (int64_t)bind->plan->seed));
    case MSW_ENGINE_VERSION:
        return set_term(sum, c,
                        bind_integer(s, msw_mech_version(bind->plan->mech, bind->plan->fidelity)));
    case MSW_ENGINE_RUN:
        bind_integer(s, bind->run); /* not covered: merging gives runs other numbers */
        return;
    default:
        return;
    }
}

/* ---- rows ---- */

static uint64_t bind_value(slot s, const msw_store_column *column, double neutral, size_t front,
                           const double *values)
{
    double value = values[column->value];
    if (column->role != MSW_ROLE_PARAM)
        return bind_real(s, value);
    if (column->part != 0 && column->part != front)
        return bind_null(s);
    uint64_t term = bind_param(s, column->param, value);
    return value == neutral ? 0 : term;
}

static slot slot_of(const msw_bind *bind, msw_bind_target to, size_t c)
{
    return (slot){to.stmt, (int)c + 2, bind->covered[c].seed};
}

void msw_bind_row(const msw_bind *bind, msw_bind_target to, uint64_t id, size_t i, size_t before)
{
    const double *values = msw_batch_values(bind->batch, i), *bound = NULL;
    size_t workload = bind->batch->rows[i].workload;
    size_t front = bind->plan->workload_frontend[workload] + 1;
    if (before != SIZE_MAX && bind->batch->rows[before].workload == workload)
        bound = msw_batch_values(bind->batch, before);
    sqlite3_bind_int64(to.stmt, 1, (sqlite3_int64)id);
    for (size_t c = 0; c < bind->layout->count; c++) {
        const msw_store_column *column = &bind->layout->columns[c];
        slot s = slot_of(bind, to, c);
        if (column->role == MSW_ROLE_ENGINE)
            bind_engine(bind, to.sum, c, s, i);
        else if (!bound || memcmp(&bound[column->value], &values[column->value], sizeof *values))
            set_term(to.sum, c, bind_value(s, column, bind->covered[c].neutral, front, values));
    }
    uint64_t sum = to.sum->sum + (bind->details ? bind->details[i] : 0);
    sqlite3_bind_int64(to.stmt, (int)bind->layout->count + 2, (sqlite3_int64)sum);
}

void msw_bind_constants(const msw_bind *bind, msw_bind_target to)
{
    static const char NOTHING[] = "";
    for (size_t c = 0; c < bind->layout->count; c++)
        to.sum->texts[c] = NOTHING; /* the plan may be another at the same place */
    for (size_t c = 0; c < bind->layout->count; c++)
        if (bind->layout->columns[c].role == MSW_ROLE_ENGINE)
            bind_constant(bind, to.sum, c, slot_of(bind, to, c));
}
