/* Which rows a page shows: the front whole, and of the rest an even choice, as many as a browser
 * draws without a hitch. */
#include "memsweep/report/report.h"

#include "memsweep/mech/engine.h"

#include "memsweep/base/text_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

bool msw_report_is_factor(const msw_report *r, const char *name)
{
    const msw_outline *o = &r->plot.outline;
    for (size_t f = 0; f < o->factor_count; f++)
        for (size_t t = 0; t < o->factors[f].target_count; t++)
            if (strcmp(o->factors[f].targets[t]->name, name) == 0)
                return true;
    return false;
}

/* What the engine notes about a row, beside its answer. */
static bool is_bookkeeping(const char *name)
{
    static const char *const NAMES[] = {"design_index", "fidelity", "status", "seed", "version",
                                        "run",          "cost_us",  "reason", "key",  "row_id"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(NAMES[i], name) == 0)
            return true;
    return false;
}

static bool is_half_width(const char *name)
{
    size_t size = strlen(name);
    return size > 3 && strcmp(name + size - 3, "_hw") == 0;
}

static bool is_wanted(const msw_report *r, const char *name)
{
    bool exact = r->plot.outline.fidelity == MSW_ANALYTIC;
    return !is_bookkeeping(name) && !(exact && is_half_width(name));
}

/* Returns how many of them may differ from row to row. */
static size_t list_columns(const msw_report *r, msw_text *out)
{
    const msw_table *columns = &r->plot.columns;
    const msw_param *params = r->plot.outline.mech->params;
    size_t count = 0;
    for (size_t c = 0; c < columns->column_count; c++) {
        const char *name = columns->columns[c].name;
        if (!is_wanted(r, name))
            continue;
        msw_text_add(out, "%s%s", out->size ? ", " : "", name);
        count += !msw_params_find(params, name) || msw_report_is_factor(r, name);
    }
    return count;
}

/* ---- rows ---- */

static bool has_objectives(const msw_front *front, size_t row)
{
    for (size_t i = 0; i < front->objectives.count; i++)
        if (isnan(front->values.columns[MSW_FRONT_OBJECTIVES + i].values[row]))
            return false;
    return true;
}

/* Whether the next of `of` things is among `most` chosen evenly; `seen` counts them. */
static bool is_next(size_t *seen, size_t of, size_t most)
{
    size_t i = (*seen)++;
    return of <= most || (i + 1) * most / of > i * most / of;
}

typedef struct choice {
    msw_row_id *row_ids;
    size_t count;
} choice;

static int choose(msw_report *r, const msw_front *front, size_t most, choice *out)
{
    size_t n = front->values.rows, seen_front = 0, seen_rest = 0;
    out->row_ids = malloc((most + 1) * sizeof *out->row_ids);
    r->on_front = malloc((most + 1) * sizeof *r->on_front);
    if (!out->row_ids || !r->on_front)
        return msw_fail_memory(r->plot.err);
    r->front = front->chosen_count;
    r->shown_front = r->front < most ? r->front : most;
    for (size_t row = 0; row < n; row++) {
        bool is_front = front->rank[row] == 0;
        if (!has_objectives(front, row) ||
            !(is_front ? is_next(&seen_front, r->front, most)
                       : is_next(&seen_rest, r->total - r->front, most - r->shown_front)))
            continue;
        r->on_front[out->count] = is_front;
        out->row_ids[out->count++] =
            (msw_row_id){(uint64_t)front->values.columns[MSW_FRONT_POINT].values[row],
                         (uint64_t)front->values.columns[MSW_FRONT_ROW_ID].values[row]};
    }
    return 0;
}

static void count_rows(msw_report *r, const msw_front *front)
{
    for (size_t row = 0; row < front->values.rows; row++)
        r->total += has_objectives(front, row);
    r->left_out = front->values.rows - r->total;
}

static int read_chosen(msw_report *r, const msw_front *front)
{
    msw_text columns = MSW_TEXT_EMPTY;
    choice chosen = {0};
    size_t width = list_columns(r, &columns), most = MSW_REPORT_CELLS / (width + 1);
    count_rows(r, front);
    int rc = choose(r, front, most < MSW_REPORT_ROWS ? most : MSW_REPORT_ROWS, &chosen);
    msw_query query = {.sweep = r->plot.sweep.name,
                       .columns = msw_text_str(&columns),
                       .row_ids = chosen.row_ids,
                       .row_id_count = chosen.count};
    if (rc == 0)
        rc = msw_text_check(&columns, r->plot.err);
    if (rc == 0)
        rc = msw_store_read(r->plot.store, &query, &r->rows, r->plot.err);
    if (rc == 0 && r->rows.rows != chosen.count)
        rc =
            msw_fail_kind(r->plot.err, MSW_ERR_IO, "the file changed while it was read: try again");
    msw_text_free(&columns);
    free(chosen.row_ids);
    return rc;
}

int msw_report_rows(msw_report *r)
{
    msw_front front = {0};
    int rc = msw_plot_front(&r->plot, &front) || msw_plot_keep_front(&r->plot, &front) ||
                     read_chosen(r, &front)
                 ? -1
                 : 0;
    msw_front_free(&front);
    return rc;
}
