/* SPDX-License-Identifier: MIT */
/* The rows of a name at all fidelities, with a key that says which are the same point. */
#include "memsweep/base/sort.h"
#include "memsweep/base/vec.h"
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

/* A file that an older version wrote lacks the columns that came since. */
static bool has_column(const msw_agree_sweep *sweep, const char *name)
{
    return msw_table_find(&sweep->there, name) >= 0;
}

static void add_params(const msw_param *table, msw_agree_sweep *sweep, msw_text *out)
{
    size_t count = msw_params_count(table);
    for (size_t i = 0; i < count; i++) {
        bool there = has_column(sweep, table[i].name);
        msw_text_add(out, "%s%s, ", there ? "" : "NULL AS ", table[i].name);
        sweep->older = sweep->older || !there;
    }
    sweep->param_count += count;
}

static int add_group(void *context, const char *part, size_t size)
{
    msw_text_add(context, ", %.*s AS group_value", (int)size, part);
    return 0;
}

/* Where the mechanism states something about the metric, as the registry has checked it. */
static void add_inside(const msw_mech *mech, const char *metric, size_t index, bool older,
                       msw_text *out)
{
    const msw_agreement *stated = msw_stated_find(mech, metric);
    msw_text condition = MSW_TEXT_EMPTY;
    if (older)
        msw_text_add(&condition, "NULL");
    else if (stated && msw_stated_condition(mech, stated, &condition, NULL))
        condition.failed = true;
    msw_text_add(out, ", (%s) AS inside_%zu", condition.size ? msw_text_str(&condition) : "1",
                 index);
    out->failed = out->failed || condition.failed;
    msw_text_free(&condition);
}

/* Which of the three columns of a metric there are. */
static void has_columns(const msw_agree_options *ask, size_t metric, bool halves, bool *has)
{
    has[MSW_AGREE_VALUE] = true;
    has[MSW_AGREE_HALF] = halves && has_half_width(ask->mech, ask->metrics[metric]);
    has[MSW_AGREE_INSIDE] = msw_stated_find(ask->mech, ask->metrics[metric]) != NULL;
}

size_t msw_agree_load_count(const msw_agree_options *ask, size_t metric, bool halves)
{
    bool has[MSW_AGREE_PER_METRIC];
    has_columns(ask, metric, halves, has);
    return (size_t)has[MSW_AGREE_VALUE] + has[MSW_AGREE_HALF] + has[MSW_AGREE_INSIDE];
}

/* A metric of the mechanism may have come since; any other text is an expression. */
static bool has_value(const msw_agree_sweep *sweep, const msw_agree_options *ask, size_t metric)
{
    return has_column(sweep, ask->metrics[metric]) ||
           msw_metrics_find(ask->mech->metrics, ask->metrics[metric]) < 0;
}

/* Lists the columns to load of a sweep and notes where each will be: in all sweeps the same. */
static void add_columns(msw_agree_side *side, const msw_agree_options *ask,
                        const msw_agree_load *load, const msw_agree_sweep *sweep, msw_text *out)
{
    int n = ask->group_by ? (int)msw_list_count(ask->group_by) : 0;
    if (ask->group_by)
        msw_list_each(ask->group_by, add_group, out);
    msw_text_add(out, "%s%s", load->bound_by ? ", bound_by" : "",
                 load->workload ? ", workload" : "");
    side->bound_by = load->bound_by ? n++ : -1;
    side->workload = load->workload ? n++ : -1;
    for (size_t i = 0; i < ask->metric_count; i++) {
        bool has[MSW_AGREE_PER_METRIC] = {false};
        if (i >= load->first && i < load->end)
            has_columns(ask, i, load->halves, has);
        if (has[MSW_AGREE_VALUE])
            msw_text_add(out, ", %s AS metric_%zu",
                         has_value(sweep, ask, i) ? ask->metrics[i] : "NULL", i);
        if (has[MSW_AGREE_HALF] && has_value(sweep, ask, i))
            msw_text_add(out, ", %s_hw AS half_%zu", ask->metrics[i], i);
        else if (has[MSW_AGREE_HALF])
            msw_text_add(out, ", NULL AS half_%zu", i);
        if (has[MSW_AGREE_INSIDE])
            add_inside(ask->mech, ask->metrics[i], i, sweep->older, out);
        for (int k = 0; k < MSW_AGREE_PER_METRIC; k++)
            side->metric[i][k] = has[k] ? n++ : -1;
    }
}

/* The query that all columns of a sweep are read with: its rows are always the same. */
static int with_query(const msw_agree_side *side, const msw_agree_options *ask, size_t sweep,
                      const char *columns, msw_query *query, char **today, msw_err *err)
{
    *today = ask->today ? msw_strfmt("(%s) AND (fidelity <> 'analytic' OR version = %d)",
                                     ask->filter ? ask->filter : "1 = 1", ask->mech->version_closed)
                        : NULL;
    *query = (msw_query){.sweep = side->sweeps[sweep].name,
                         .columns = columns,
                         .filter = *today ? *today : ask->filter,
                         .limit = -1};
    return ask->today && !*today ? msw_fail_memory(err) : 0;
}

enum { BLOCK = 1024 };

int msw_agree_stream(const msw_agree_side *side, const msw_agree_options *ask, size_t sweep,
                     const char *columns, msw_block_fn take, void *context, msw_err *err)
{
    msw_query query;
    char *today;
    int rc = with_query(side, ask, sweep, columns, &query, &today, err);
    if (rc == 0)
        rc = msw_store_read_blocks(side->store, &query, BLOCK, take, context, err);
    free(today);
    return rc;
}

static int load_sweep(msw_agree_side *side, const msw_agree_options *ask, size_t sweep,
                      const char *columns, msw_err *err)
{
    msw_query query;
    char *today;
    msw_agree_sweep *s = &side->sweeps[sweep];
    int rc = with_query(side, ask, sweep, columns, &query, &today, err);
    if (rc == 0)
        rc = msw_store_read(side->store, &query, &s->table, err);
    free(today);
    return rc == 0 && s->table.rows != s->rows
               ? msw_fail(err, "'%s' got rows while it was read: ask again", s->name)
               : rc;
}

int msw_agree_load_columns(msw_agree_side *side, const msw_agree_options *ask,
                           const msw_agree_load *load, msw_err *err)
{
    msw_text columns = MSW_TEXT_EMPTY;
    int rc = 0;
    for (size_t t = 0; t < side->sweep_count; t++)
        msw_table_free(&side->sweeps[t].table);
    for (size_t t = 0; t < side->sweep_count && rc == 0; t++) {
        msw_text_clear(&columns);
        add_columns(side, ask, load, &side->sweeps[t], &columns);
        rc = msw_text_check(&columns, err);
        if (rc == 0 && columns.size)
            rc = load_sweep(side, ask, t, msw_text_str(&columns) + 2, err);
    }
    msw_text_free(&columns);
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

/* ---- keys ---- */

/* Columns that are read for them, after the parameters. */
enum { KEY_WORKLOAD, KEY_REPLICATE, KEY_SEED, KEY_FIDELITY, KEY_DOUBT, KEY_COLUMNS };

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
    size_t last = params + KEY_SEED;
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

typedef struct key_pass {
    msw_agree_side *side;
    size_t sweep;
    uint64_t *names; /* digests of the columns' names */
} key_pass;

static int take_keys(void *context, const msw_table *block, msw_err *err)
{
    key_pass *p = context;
    msw_agree_side *side = p->side;
    msw_agree_sweep *sweep = &side->sweeps[p->sweep];
    size_t params = sweep->param_count;
    if (msw_vec_reserve(&side->rows, &side->room, side->n + block->rows, sizeof *side->rows, err))
        return -1;
    for (size_t c = 0; c < block->column_count && !sweep->rows; c++)
        p->names[c] = msw_hash_string(block->columns[c].name).lo;
    const msw_column *doubt = &block->columns[params + KEY_DOUBT];
    for (size_t r = 0; r < block->rows; r++)
        side->rows[side->n++] = (msw_agree_row){
            key_of(block, p->names, params, r), (uint32_t)sweep->rows++, (uint16_t)p->sweep,
            (uint8_t)fidelity_of(&block->columns[params + KEY_FIDELITY], r),
            doubt->labels && !isnan(doubt->values[r])};
    return 0;
}

static int read_keys(msw_agree_side *side, const msw_agree_options *ask, size_t t, msw_err *err)
{
    msw_sweep_info info;
    msw_outline outline = {0};
    msw_text columns = MSW_TEXT_EMPTY;
    msw_agree_sweep *sweep = &side->sweeps[t];
    msw_query names = {.sweep = sweep->name, .no_rows = true};
    MSW_TRY(msw_store_sweep(side->store, sweep->name, &info, err));
    int rc = msw_outline_read(info.canonical, &outline, err);
    if (rc == 0)
        rc = msw_store_read(side->store, &names, &sweep->there, err);
    if (rc == 0) {
        add_params(outline.mech->params, sweep, &columns);
        for (size_t i = 0; i < outline.frontend_count; i++)
            add_params(outline.frontends[i]->params, sweep, &columns);
        sweep->params = msw_strdup(msw_text_str(&columns));
        msw_text_add(&columns, "workload, replicate, seed, fidelity, " MSW_DOUBT_NAME);
        key_pass pass = {side, t, calloc(sweep->param_count + KEY_COLUMNS, sizeof *pass.names)};
        rc = !sweep->params || !pass.names ? msw_fail_memory(err) : msw_text_check(&columns, err);
        if (rc == 0)
            rc = msw_agree_stream(side, ask, t, msw_text_str(&columns), take_keys, &pass, err);
        free(pass.names);
    }
    msw_text_free(&columns);
    msw_outline_free(&outline);
    msw_sweep_info_free(&info);
    return rc;
}

static int read_all_keys(msw_agree_side *side, const msw_sweep_info *sweep, const msw_table *status,
                         const msw_agree_options *ask, msw_err *err)
{
    side->sweeps = calloc(status->rows + 1, sizeof *side->sweeps);
    if (!side->sweeps)
        return msw_fail_memory(err);
    if (status->rows > UINT16_MAX)
        return msw_fail(err, "a file of more than %d sweeps", UINT16_MAX);
    for (size_t r = status->rows; r-- > 0;) {
        if (!is_of(status, r, sweep))
            continue;
        char **name = &side->sweeps[side->sweep_count++].name;
        *name = msw_strdup(label_of(status, 0, r));
        MSW_TRY(*name ? read_keys(side, ask, side->sweep_count - 1, err) : msw_fail_memory(err));
    }
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
    if (x->sweep != y->sweep)
        return x->sweep < y->sweep ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static void drop_doubtful(msw_agree_side *side)
{
    size_t kept = 0;
    for (size_t i = 0; i < side->n; i++)
        if (!side->rows[i].doubtful)
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
    side->store = store;
    int rc = msw_store_status(store, &status, err);
    if (rc == 0)
        rc = read_all_keys(side, sweep, &status, ask, err);
    msw_table_free(&status);
    if (rc == 0)
        keep_once(side, ask->doubtful);
    return rc;
}

void msw_agree_free(msw_agree_side *side)
{
    for (size_t t = 0; t < side->sweep_count; t++) {
        msw_table_free(&side->sweeps[t].table);
        msw_table_free(&side->sweeps[t].there);
        free(side->sweeps[t].name);
        free(side->sweeps[t].params);
    }
    free(side->sweeps);
    free(side->rows);
}

/* ---- cells ---- */

double msw_agree_value(const msw_agree_side *side, const msw_agree_row *row, int column)
{
    return column < 0 ? NAN : side->sweeps[row->sweep].table.columns[column].values[row->row];
}

void msw_agree_text(const msw_agree_side *side, const msw_agree_row *row, int column, msw_text *out)
{
    if (column >= 0)
        msw_format_cell(&side->sweeps[row->sweep].table.columns[column], row->row, true, out);
}
