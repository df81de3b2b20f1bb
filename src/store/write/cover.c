/* SPDX-License-Identifier: MIT */
/* What the checksums of rows to be written are made from: the columns of a layout as the file
 * covers them, and details. */
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
