/* SPDX-License-Identifier: MIT */
/* Binding one row to an INSERT: typed, NaN as NULL, -0.0 as 0.0; and its checksum. */
#include "store/state.h"
#include "store/sum/sum.h"

#include <math.h>
#include <string.h>

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

static uint64_t bind_reason(slot s, const msw_batch *batch, size_t i)
{
    return batch->rows[i].reason ? bind_text(s, msw_batch_reason_text(batch, i)) : bind_null(s);
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
        return bind_reason(s, bind->batch, i);
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
