/* SPDX-License-Identifier: MIT */
/* Chooses the columns that a page holds of all its rows, and codes them. A small page holds all
 * columns; a large one those that a design is chosen by, read block by block. */
#include "memsweep/report/report.h"

#include "memsweep/base/text_check.h"
#include "memsweep/base/vec.h"
#include "memsweep/mech/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool msw_report_is_factor(const msw_report *r, const char *name)
{
    const msw_outline *o = &r->plot.outline;
    for (size_t f = 0; f < o->factor_count; f++)
        for (size_t t = 0; t < o->factors[f].target_count; t++)
            if (strcmp(o->factors[f].targets[t]->name, name) == 0)
                return true;
    return false;
}

const msw_param *msw_report_param(const msw_report *r, const char *name)
{
    const msw_outline *o = &r->plot.outline;
    const msw_param *param = msw_params_find(o->mech->params, name);
    for (size_t f = 0; !param && f < o->frontend_count; f++)
        param = msw_params_find(o->frontends[f]->params, name);
    return param;
}

/* One value in all rows says nothing, unless there is one row; what varies by plan is kept. */
bool msw_report_is_shown(const msw_report *r, const msw_column *column)
{
    const double *v = column->values;
    if (strcmp(column->name, "point") == 0)
        return false;
    if (r->chosen.table.rows < 2)
        return r->chosen.table.rows && !isnan(v[0]);
    if (msw_report_is_factor(r, column->name))
        return true;
    for (size_t i = 1; i < r->chosen.table.rows; i++)
        if (v[i] != v[0] && !(isnan(v[i]) && isnan(v[0])))
            return true;
    return false;
}

enum { BLOCK = 4096 };

/* ---- which ---- */

static bool is_listed(const msw_report *r, const char *name)
{
    for (size_t i = 0; i < r->column_count; i++)
        if (strcmp(r->columns[i].about->name, name) == 0)
            return true;
    return false;
}

/* Once each, and only what there is. Returns whether it was added. */
static bool add_column(msw_report *r, const char *name)
{
    int c = msw_table_find(&r->chosen.table, name);
    if (c < 0 || is_listed(r, name) || !msw_report_is_shown(r, &r->chosen.table.columns[c]))
        return false;
    msw_report_column *column = &r->columns[r->column_count++];
    column->about = &r->chosen.table.columns[c];
    column->coder.level_most = r->chosen.whole ? r->chosen.table.rows : MSW_REPORT_LEVELS;
    return true;
}

static bool ends_with(const char *name, const char *end)
{
    size_t size = strlen(name), tail = strlen(end);
    return size > tail && strcmp(name + size - tail, end) == 0;
}

/* Of what nobody asked for: what sampling settles, then the sweep's own columns, then metrics in
 * the order of their table. */
static void add_more(msw_report *r, size_t *left)
{
    const msw_mech *mech = r->plot.outline.mech;
    if (*left && add_column(r, mech->primary))
        --*left;
    for (int round = 0; round < 2; round++)
        for (size_t c = 0; c < r->chosen.table.column_count && *left; c++) {
            const char *name = r->chosen.table.columns[c].name;
            bool metric = msw_metrics_find(mech->metrics, name) >= 0;
            if (metric == (round == 1) && !msw_report_param(r, name) && !ends_with(name, "_hw") &&
                strncmp(name, MSW_LEAST_PREFIX, strlen(MSW_LEAST_PREFIX)) != 0 &&
                add_column(r, name))
                --*left;
        }
}

static int add_asked(msw_report *r, size_t *left)
{
    const char *names = r->options.more;
    while (names && *(names += strspn(names, " ,"))) {
        char *name = msw_strfmt("%.*s", (int)strcspn(names, " ,"), names);
        if (!name)
            return msw_fail_memory(r->plot.err);
        const msw_column *known = msw_plot_column(&r->plot, name, r->plot.err);
        if (known && *left && add_column(r, name))
            --*left;
        names += strlen(name);
        free(name);
        if (!known)
            return -1;
    }
    return 0;
}

/* In the order in which they get room. */
static int list_columns(msw_report *r)
{
    static const char *const ALWAYS[] = {"workload", "replicate", "bound_by", "bound_resource"};
    size_t left = MSW_REPORT_MORE;
    r->columns = calloc(r->chosen.table.column_count + 1, sizeof *r->columns);
    if (!r->columns)
        return msw_fail_memory(r->plot.err);
    for (size_t i = 0; i < r->plot.metrics.count; i++)
        add_column(r, r->plot.metrics.names[i]);
    for (size_t c = 0; c < r->chosen.table.column_count; c++)
        if (msw_report_is_factor(r, r->chosen.table.columns[c].name))
            add_column(r, r->chosen.table.columns[c].name);
    for (size_t i = 0; i < sizeof ALWAYS / sizeof *ALWAYS; i++)
        add_column(r, ALWAYS[i]);
    if (add_asked(r, &left))
        return -1;
    if (!r->chosen.whole)
        add_more(r, &left);
    for (size_t c = 0; c < r->chosen.table.column_count && r->chosen.whole; c++)
        add_column(r, r->chosen.table.columns[c].name);
    return 0;
}

static int allocate_values(msw_report *r)
{
    for (size_t c = 0; c < r->column_count; c++) {
        r->columns[c].values = malloc((r->chosen.shown + 1) * sizeof *r->columns[c].values);
        if (!r->columns[c].values)
            return msw_fail_memory(r->plot.err);
    }
    return 0;
}

/* ---- reading ---- */

typedef struct pass {
    msw_report *r;
    const msw_front *front; /* NULL: all rows are at hand */
    const bool *take;
    size_t row, shown;    /* of the front's values met so far; of them shown */
    size_t places[BLOCK]; /* of each row of a block: its number among those shown, or NOWHERE */
} pass;

static const size_t NOWHERE = SIZE_MAX;

/* Both come in the order of the plan. A run that goes on may have added rows since: they are passed
 * over. */
static void find_places(pass *p, const msw_table *block)
{
    const msw_table *values = &p->front->rows.values;
    for (size_t i = 0; i < block->rows; i++) {
        p->places[i] = NOWHERE;
        if (p->row < values->rows &&
            values->columns[MSW_FRONT_ROW_ID].values[p->row] == block->columns[0].values[i]) {
            p->places[i] = p->take[p->row] ? p->shown : NOWHERE;
            p->shown += p->take[p->row++];
        }
    }
}

static void keep_rows(const pass *p, msw_report_column *column, const msw_column *values,
                      size_t rows)
{
    for (size_t i = 0; i < rows; i++) {
        size_t at = p->front ? p->places[i] : i;
        if (at != NOWHERE)
            column->values[at] = values->values[i];
    }
}

/* Labels grow from block to block. */
static int keep_labels(msw_report_column *column, const msw_column *values, msw_err *err)
{
    if (values->label_count <= column->label_count)
        return 0;
    while (column->label_count < values->label_count) {
        MSW_TRY(msw_vec_extend(&column->labels, column->label_count, sizeof *column->labels, err));
        char *copy = msw_strdup(values->labels[column->label_count]);
        if (!copy)
            return msw_fail_memory(err);
        column->labels[column->label_count++] = copy;
    }
    return 0;
}

static int take_column(const pass *p, msw_report_column *column, const msw_column *values,
                       size_t rows, msw_err *err)
{
    MSW_TRY(msw_coder_look(&column->coder, values, rows, err));
    MSW_TRY(values->label_count <= MSW_REPORT_LEVELS && keep_labels(column, values, err));
    keep_rows(p, column, values, rows);
    return 0;
}

static int take_block(void *context, const msw_table *block, msw_err *err)
{
    pass *p = context;
    find_places(p, block);
    for (size_t c = 0; c < p->r->column_count; c++)
        if (take_column(p, &p->r->columns[c], &block->columns[c + 1], block->rows, err))
            return -1;
    return 0;
}

static int read_blocks(pass *p)
{
    const msw_plot *plot = &p->r->plot;
    msw_text columns = MSW_TEXT_EMPTY;
    msw_text_add(&columns, "row_id");
    for (size_t c = 0; c < p->r->column_count; c++)
        msw_text_add(&columns, ", %s", p->r->columns[c].about->name);
    msw_query query = {.sweep = plot->sweep.name,
                       .columns = msw_text_str(&columns),
                       .filter = plot->options.filter,
                       .limit = -1,
                       .within_limits = !plot->options.beyond,
                       .trusted = !plot->options.doubtful};
    p->row = p->shown = 0;
    int rc = msw_text_check(&columns, plot->err) ||
             msw_store_read_blocks(plot->store, &query, BLOCK, take_block, p, plot->err);
    if (!rc && p->row != p->front->rows.values.rows)
        rc = msw_fail_kind(plot->err, MSW_ERR_IO, "the file changed while it was read: try again");
    msw_text_free(&columns);
    return rc ? -1 : 0;
}

static int pass_over(pass *p)
{
    msw_report *r = p->r;
    if (p->front)
        return read_blocks(p);
    for (size_t c = 0; c < r->column_count; c++)
        if (take_column(p, &r->columns[c], r->columns[c].about, r->chosen.table.rows, r->plot.err))
            return -1;
    return 0;
}

/* ---- scales ---- */

/* 2 or 10 where values are best shown by their logarithms, else 0. */
static int log_base(const msw_report *r, const msw_report_column *column)
{
    const msw_param *param = msw_report_param(r, column->about->name);
    double low = column->coder.low, high = column->coder.high;
    if (column->coder.text || !(low > 0) || !(high >= 8 * low))
        return 0;
    if (param)
        return param->scale == MSW_POW2 ? 2 : param->scale == MSW_LOG ? 10 : 0;
    return high > 20 * low ? 10 : 0;
}

static const char *trouble(const msw_report_column *column)
{
    return column->coder.mixed                          ? "numbers and texts"
           : column->coder.labels > MSW_CODE_LEVELS     ? "too many different texts"
           : column->label_count < column->coder.labels ? "too many different texts"
                                                        : NULL;
}

static int code_column(msw_report *r, msw_report_column *column)
{
    column->codes = calloc(r->chosen.shown + 1, sizeof *column->codes);
    if (!column->codes)
        return msw_fail_memory(r->plot.err);
    for (size_t i = 0; i < r->chosen.shown && !column->coder.mixed; i++)
        column->codes[i] = msw_coder_code(&column->coder, column->values[i]);
    free(column->values);
    column->values = NULL;
    return 0;
}

static int code_columns(msw_report *r)
{
    for (size_t c = 0; c < r->column_count; c++) {
        msw_report_column *column = &r->columns[c];
        if (msw_coder_finish(&column->coder, r->plot.err))
            return -1;
        column->log_base = log_base(r, column);
        column->coder.log = column->log_base > 0;
        column->left_out = trouble(column);
        column->coder.mixed = column->left_out != NULL;
        MSW_TRY(code_column(r, column));
    }
    return 0;
}

int msw_report_columns(msw_report *r, const msw_front *front, const bool *take)
{
    pass p = {
        .r = r, .front = r->chosen.whole ? NULL : front, .take = r->chosen.whole ? NULL : take};
    if (list_columns(r) || allocate_values(r) || pass_over(&p))
        return -1;
    return code_columns(r);
}
