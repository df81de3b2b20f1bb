/* Binding one row to an INSERT: typed, NaN as NULL, -0.0 as 0.0. */
#include "store/state.h"

#include <math.h>
#include <string.h>

static void bind_text(sqlite3_stmt *stmt, int at, const char *text)
{
    sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC);
}

static void bind_real(sqlite3_stmt *stmt, int at, double value)
{
    if (isnan(value))
        sqlite3_bind_null(stmt, at);
    else
        sqlite3_bind_double(stmt, at, value + 0.0); /* -0.0 + 0.0 is 0.0 */
}

static void bind_param(sqlite3_stmt *stmt, int at, const msw_param *param, double value)
{
    if (isnan(value))
        sqlite3_bind_null(stmt, at);
    else if (param->kind == MSW_REAL)
        bind_real(stmt, at, value);
    else if (param->kind == MSW_CHOICE)
        bind_text(stmt, at, param->choices[(size_t)value].name);
    else
        sqlite3_bind_int64(stmt, at, (sqlite3_int64)value);
}

static void bind_metric_name(sqlite3_stmt *stmt, int at, const msw_metric *metrics, int index)
{
    if (index < 0)
        sqlite3_bind_null(stmt, at);
    else
        bind_text(stmt, at, metrics[index].name);
}

static void bind_reason(sqlite3_stmt *stmt, int at, const msw_batch *batch, size_t i)
{
    if (batch->rows[i].reason)
        bind_text(stmt, at, msw_batch_reason_text(batch, i));
    else
        sqlite3_bind_null(stmt, at);
}

/* A copy would need memory, and a NULL would stand there when there is none. */
static void bind_key(sqlite3_stmt *stmt, int at, msw_digest key, uint8_t bytes[16])
{
    msw_digest_store(key, bytes);
    sqlite3_bind_blob(stmt, at, bytes, 16, SQLITE_STATIC);
}

/* Columns that differ from row to row; the constant ones keep what msw_bind_constants bound. */
static void bind_engine(const msw_bind *bind, sqlite3_stmt *stmt, int at, msw_engine column,
                        size_t i)
{
    const msw_row *row = &bind->batch->rows[i];
    switch (column) {
    case MSW_ENGINE_STATUS:
        return bind_text(stmt, at, msw_status_name((msw_status)row->status));
    case MSW_ENGINE_BOUND_BY:
        return bind_metric_name(stmt, at, bind->plan->mech->metrics, row->bound_by);
    case MSW_ENGINE_WORKLOAD:
        return bind_text(stmt, at, bind->plan->workloads[row->workload].name);
    case MSW_ENGINE_REPLICATE:
        sqlite3_bind_int64(stmt, at, (sqlite3_int64)(row->index % bind->plan->replicates));
        return;
    case MSW_ENGINE_MEASURED:
        sqlite3_bind_int64(stmt, at, (sqlite3_int64)row->measured);
        return;
    case MSW_ENGINE_UNITS:
        sqlite3_bind_int64(stmt, at, (sqlite3_int64)row->units);
        return;
    case MSW_ENGINE_EVENTS:
        sqlite3_bind_int64(stmt, at, (sqlite3_int64)row->events);
        return;
    case MSW_ENGINE_COST:
        sqlite3_bind_int64(stmt, at, row->cost_us);
        return;
    case MSW_ENGINE_REASON:
        return bind_reason(stmt, at, bind->batch, i);
    case MSW_ENGINE_KEY:
        return bind_key(stmt, at, row->key, bind->key);
    default:
        return;
    }
}

static void bind_value(sqlite3_stmt *stmt, int at, const msw_store_column *column, size_t front,
                       const double *values)
{
    if (column->role != MSW_ROLE_PARAM)
        bind_real(stmt, at, values[column->value]);
    else if (column->part == 0 || column->part == front)
        bind_param(stmt, at, column->param, values[column->value]);
    else
        sqlite3_bind_null(stmt, at);
}

void msw_bind_row(const msw_bind *bind, sqlite3_stmt *stmt, uint64_t id, size_t i, size_t before)
{
    const double *values = msw_batch_values(bind->batch, i), *bound = NULL;
    size_t workload = bind->batch->rows[i].workload;
    size_t front = bind->plan->workload_frontend[workload] + 1;
    if (before != SIZE_MAX && bind->batch->rows[before].workload == workload)
        bound = msw_batch_values(bind->batch, before);
    sqlite3_bind_int64(stmt, 1, (sqlite3_int64)id);
    for (size_t c = 0; c < bind->layout->count; c++) {
        const msw_store_column *column = &bind->layout->columns[c];
        if (column->role == MSW_ROLE_ENGINE)
            bind_engine(bind, stmt, (int)c + 2, (msw_engine)column->value, i);
        else if (!bound || memcmp(&bound[column->value], &values[column->value], sizeof *values))
            bind_value(stmt, (int)c + 2, column, front, values);
    }
}

static void bind_constant(const msw_bind *bind, sqlite3_stmt *stmt, int at, msw_engine column)
{
    if (column == MSW_ENGINE_FIDELITY)
        bind_text(stmt, at, msw_fidelity_name(bind->plan->fidelity));
    else if (column == MSW_ENGINE_SEED)
        sqlite3_bind_int64(stmt, at, (sqlite3_int64)bind->plan->seed);
    else if (column == MSW_ENGINE_VERSION)
        sqlite3_bind_int64(stmt, at, msw_mech_version(bind->plan->mech, bind->plan->fidelity));
    else if (column == MSW_ENGINE_RUN)
        sqlite3_bind_int64(stmt, at, bind->run);
}

void msw_bind_constants(const msw_bind *bind, sqlite3_stmt *stmt)
{
    for (size_t c = 0; c < bind->layout->count; c++)
        if (bind->layout->columns[c].role == MSW_ROLE_ENGINE)
            bind_constant(bind, stmt, (int)c + 2, (msw_engine)bind->layout->columns[c].value);
}
