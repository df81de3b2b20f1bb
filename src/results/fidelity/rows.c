/* SPDX-License-Identifier: MIT */
/* The rows of a name at all fidelities, with a key that says which are the same point. */
#include "memsweep/base/sort.h"
#include "memsweep/results/fidelity.h"
#include "memsweep/results/grouping.h"

#include "memsweep/base/hash.h"
#include "memsweep/format/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what to compare ---- */

static int add_metric(msw_agree_options *ask, const char *name, size_t size, msw_err *err)
{
    if (ask->metric_count == MSW_AGREE_METRICS)
        return msw_fail(err, "more than %d metrics", MSW_AGREE_METRICS);
    char *copy = msw_strfmt("%.*s", (int)size, name);
    ask->metrics[ask->metric_count] = copy;
    ask->metric_count += copy != NULL;
    return copy ? 0 : msw_fail_memory(err);
}

int msw_agree_metrics(const char *list, const msw_mech *mech, msw_agree_options *ask, msw_err *err)
{
    ask->mech = mech;
    for (const msw_metric *m = mech->metrics; !list && m->name; m++)
        if (add_metric(ask, m->name, strlen(m->name), err))
            return -1;
    while (list && *list) {
        list += strspn(list, " ,");
        size_t size = strcspn(list, " ,");
        if (size && add_metric(ask, list, size, err))
            return -1;
        list += size;
    }
    return 0;
}

/* A maximum, or what is not a metric, has no column for its half-width. */
static bool has_half_width(const msw_mech *mech, const char *name)
{
    int m = msw_metrics_find(mech->metrics, name);
    return m >= 0 && mech->metrics[m].kind != MSW_MAXIMUM;
}

/* ---- one sweep ---- */

static size_t add_params(const msw_param *table, msw_text *out)
{
    size_t count = msw_params_count(table);
    for (size_t i = 0; i < count; i++)
        msw_text_add(out, "%s, ", table[i].name);
    return count;
}

static int add_group(void *context, const char *part, size_t size)
{
    msw_text_add(context, ", %.*s AS group_value", (int)size, part);
    return 0;
}

/* Where the mechanism states something about the metric, as the registry has checked it. */
static void add_inside(const msw_mech *mech, const char *metric, size_t index, msw_text *out)
{
    const msw_agreement *stated = msw_stated_find(mech, metric);
    msw_text condition = MSW_TEXT_EMPTY;
    if (stated && msw_stated_condition(mech, stated, &condition, NULL))
        condition.failed = true;
    msw_text_add(out, ", (%s) AS inside_%zu", condition.size ? msw_text_str(&condition) : "1",
                 index);
    out->failed = out->failed || condition.failed;
    msw_text_free(&condition);
}

static size_t add_columns(const msw_outline *outline, const msw_agree_options *ask, msw_text *out)
{
    size_t params = add_params(outline->mech->params, out);
    for (size_t i = 0; i < outline->frontend_count; i++)
        params += add_params(outline->frontends[i]->params, out);
    msw_text_add(out,
                 "workload, replicate, seed, fidelity, status, bound_by, point, " MSW_DOUBT_NAME);
    for (size_t i = 0; i < ask->metric_count; i++) {
        const char *name = ask->metrics[i];
        msw_text_add(out, ", %s AS metric_%zu, ", name, i);
        if (has_half_width(outline->mech, name))
            msw_text_add(out, "%s_hw AS half_%zu", name, i);
        else
            msw_text_add(out, "NULL AS half_%zu", i);
        add_inside(outline->mech, name, i, out);
    }
    if (ask->group_by)
        msw_list_each(ask->group_by, add_group, out);
    return params;
}

static int read_sweep(msw_store *store, const char *name, const msw_agree_options *ask,
                      msw_agree_side *side, msw_err *err)
{
    msw_sweep_info info;
    msw_outline outline = {0};
    msw_text columns = MSW_TEXT_EMPTY;
    if (msw_store_sweep(store, name, &info, err))
        return -1;
    int rc = msw_outline_read(info.canonical, &outline, err);
    if (rc == 0) {
        side->param_count[side->table_count] = add_columns(&outline, ask, &columns);
        char *today = ask->today ? msw_strfmt("(%s) AND (fidelity <> 'analytic' OR version = %d)",
                                              ask->filter ? ask->filter : "1 = 1",
                                              outline.mech->version_closed)
                                 : NULL;
        msw_query query = {.sweep = name,
                           .columns = msw_text_str(&columns),
                           .filter = today ? today : ask->filter,
                           .limit = -1};
        rc = columns.failed || (ask->today && !today)
                 ? msw_fail_memory(err)
                 : msw_store_read(store, &query, &side->tables[side->table_count], err);
        side->table_count += rc == 0;
        free(today);
    }
    msw_text_free(&columns);
    msw_outline_free(&outline);
    msw_sweep_info_free(&info);
    return rc;
}

/* ---- all sweeps of a name ---- */

static bool same_name(const char *a, const char *b)
{
    size_t size = strcspn(a, "@");
    return size == strcspn(b, "@") && strncmp(a, b, size) == 0;
}

static const char *label_of(const msw_table *status, size_t column, size_t row)
{
    return status->columns[column].labels[(size_t)status->columns[column].values[row]];
}

static bool is_of(const msw_table *status, size_t row, const msw_sweep_info *sweep)
{
    return same_name(label_of(status, 0, row), sweep->name) &&
           strcmp(label_of(status, 1, row), sweep->mechanism) == 0;
}

int msw_agree_alone(msw_store *store, const msw_sweep_info *sweep, int *only, msw_err *err)
{
    msw_table status = {0};
    int count = 0;
    *only = -1;
    MSW_TRY(msw_store_status(store, &status, err));
    for (size_t r = 0; r < status.rows; r++) {
        if (!is_of(&status, r, sweep))
            continue;
        count++;
        for (int f = 0; f < MSW_FIDELITY_COUNT; f++)
            if (strcmp(label_of(&status, 2, r), msw_fidelity_name((msw_fidelity)f)) == 0)
                *only = f;
    }
    msw_table_free(&status);
    *only = count == 1 ? *only : -1;
    return 0;
}

static int read_sweeps(msw_store *store, const msw_sweep_info *sweep, const msw_table *status,
                       const msw_agree_options *ask, msw_agree_side *side, msw_err *err)
{
    side->tables = calloc(status->rows + 1, sizeof *side->tables);
    side->param_count = calloc(status->rows + 1, sizeof *side->param_count);
    if (!side->tables || !side->param_count)
        return msw_fail_memory(err);
    for (size_t r = status->rows; r-- > 0;) {
        if (is_of(status, r, sweep) && read_sweep(store, label_of(status, 0, r), ask, side, err))
            return -1;
    }
    return 0;
}

/* ---- keys ---- */

static uint64_t cell_hash(const msw_column *column, size_t row)
{
    double value = column->values[row];
    if (column->labels)
        return msw_hash_string(column->labels[(size_t)value]).lo;
    return msw_hash_bytes(&value, sizeof value).lo;
}

/* Parameters that a sweep does not have are left out, so that those of only one of two sweeps do
 * not matter. */
static msw_digest key_of(const msw_table *table, const uint64_t *names, size_t params, size_t row)
{
    uint64_t sum[2] = {0, 0};
    size_t last = params + MSW_AGREE_SEED;
    for (size_t c = 0; c <= last; c++) {
        const msw_column *column = &table->columns[c];
        if (isnan(column->values[row]))
            continue;
        uint64_t words[2] = {names[c], cell_hash(column, row)};
        msw_digest cell = msw_hash_bytes(words, sizeof words);
        sum[0] += cell.lo;
        sum[1] += cell.hi;
    }
    return (msw_digest){.lo = sum[0], .hi = sum[1]};
}

static int fidelity_of(const msw_column *column, size_t row)
{
    for (int f = 0; f < MSW_FIDELITY_COUNT; f++)
        if (!isnan(column->values[row]) &&
            strcmp(column->labels[(size_t)column->values[row]], msw_fidelity_name(f)) == 0)
            return f;
    return 0;
}

static int add_rows(msw_agree_side *side, uint32_t t, msw_err *err)
{
    const msw_table *table = &side->tables[t];
    size_t params = side->param_count[t];
    uint64_t *names = malloc((table->column_count + 1) * sizeof *names);
    if (!names)
        return msw_fail_memory(err);
    for (size_t c = 0; c < table->column_count; c++)
        names[c] = msw_hash_string(table->columns[c].name).lo;
    for (size_t r = 0; r < table->rows; r++)
        side->rows[side->n++] =
            (msw_agree_row){key_of(table, names, params, r),
                            fidelity_of(&table->columns[params + MSW_AGREE_FIDELITY], r), t, r};
    free(names);
    return 0;
}

static int compare(const void *a, const void *b)
{
    const msw_agree_row *x = a, *y = b;
    if (x->fidelity != y->fidelity)
        return x->fidelity < y->fidelity ? -1 : 1;
    if (x->key.hi != y->key.hi)
        return x->key.hi < y->key.hi ? -1 : 1;
    if (x->key.lo != y->key.lo)
        return x->key.lo < y->key.lo ? -1 : 1;
    if (x->table != y->table)
        return x->table < y->table ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static const msw_column *column_of(const msw_agree_side *side, const msw_agree_row *row,
                                   size_t column)
{
    return &side->tables[row->table].columns[side->param_count[row->table] + column];
}

static bool is_doubtful(const msw_agree_side *side, const msw_agree_row *row)
{
    const msw_column *doubt = column_of(side, row, MSW_AGREE_DOUBT);
    return doubt->labels && !isnan(doubt->values[row->row]);
}

static void drop_doubtful(msw_agree_side *side)
{
    size_t kept = 0;
    for (size_t i = 0; i < side->n; i++)
        if (!is_doubtful(side, &side->rows[i]))
            side->rows[kept++] = side->rows[i];
    side->doubtful = side->n - kept;
    side->n = kept;
}

/* Where several sweeps have a point, the row of the latest sweep is used. */
static void keep_once(msw_agree_side *side, bool doubtful)
{
    size_t kept = 0;
    msw_sort(side->rows, side->n, sizeof *side->rows, compare);
    for (size_t i = 0; i < side->n; i++)
        if (!kept || side->rows[kept - 1].fidelity != side->rows[i].fidelity ||
            !msw_digest_equal(side->rows[kept - 1].key, side->rows[i].key))
            side->rows[kept++] = side->rows[i];
    side->n = kept;
    if (!doubtful)
        drop_doubtful(side);
    for (int f = 0; f <= MSW_FIDELITY_COUNT; f++)
        while (side->first[f] < side->n && side->rows[side->first[f]].fidelity < f)
            side->first[f]++;
}

int msw_agree_read(msw_store *store, const msw_sweep_info *sweep, const msw_agree_options *ask,
                   msw_agree_side *side, msw_err *err)
{
    msw_table status = {0};
    size_t count = 0;
    int rc = msw_store_status(store, &status, err);
    if (rc == 0)
        rc = read_sweeps(store, sweep, &status, ask, side, err);
    msw_table_free(&status);
    for (size_t t = 0; t < side->table_count; t++)
        count += side->tables[t].rows;
    side->rows = malloc((count + 1) * sizeof *side->rows);
    if (rc == 0 && !side->rows)
        rc = msw_fail_memory(err);
    for (uint32_t t = 0; rc == 0 && t < side->table_count; t++)
        rc = add_rows(side, t, err);
    if (rc == 0)
        keep_once(side, ask->doubtful);
    return rc;
}

void msw_agree_free(msw_agree_side *side)
{
    for (size_t t = 0; t < side->table_count; t++)
        msw_table_free(&side->tables[t]);
    free(side->tables);
    free(side->param_count);
    free(side->rows);
}

/* ---- cells ---- */

double msw_agree_value(const msw_agree_side *side, const msw_agree_row *row, size_t column)
{
    return column_of(side, row, column)->values[row->row];
}

void msw_agree_text(const msw_agree_side *side, const msw_agree_row *row, size_t column,
                    msw_text *out)
{
    msw_format_cell(column_of(side, row, column), row->row, true, out);
}
