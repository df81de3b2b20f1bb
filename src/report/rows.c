/* SPDX-License-Identifier: MIT */
/* Chooses the rows that a page shows, and those it shows exactly: the front, rows asked for, and a
 * random choice of the rest. */
#include "memsweep/report/report.h"

#include "memsweep/mech/engine.h"

#include "memsweep/base/text_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns of the rows that are exact ---- */

/* What the engine notes about a row in addition to its answer. */
static bool is_bookkeeping(const char *name)
{
    static const char *const NAMES[] = {"design_index", "fidelity", "status",      "seed",
                                        "version",      "run",      "cost_us",     "reason",
                                        "key",          "row_id",   MSW_DOUBT_NAME};
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

/* ---- the choice ---- */

/* Whether the next of `of` things is among `most` chosen at random; `seen` counts them. */
static bool is_next(size_t *seen, size_t of, size_t most)
{
    return msw_plot_is_chosen((*seen)++, of, most);
}

typedef struct choice {
    const msw_front *front;
    bool *take, *exact, *pinned; /* of each row of the front's values */
    size_t *group_rows, *group_seen, groups;
    msw_row_id *row_ids; /* of exact rows */
} choice;

static bool has_objectives(const msw_front *front, size_t row)
{
    for (size_t i = 0; i < front->input.objectives.count; i++)
        if (isnan(front->rows.values.columns[MSW_FRONT_OBJECTIVES + i].values[row]))
            return false;
    return true;
}

static bool is_front(const choice *c, size_t row)
{
    return c->front->ranks.rank[row] == 0;
}

static uint64_t number_of(const choice *c, size_t column, size_t row)
{
    return (uint64_t)c->front->rows.values.columns[column].values[row];
}

static int make_choice(msw_report *r, const msw_front *front, choice *c)
{
    size_t n = front->rows.values.rows + 1;
    *c = (choice){.front = front, .groups = front->rows.group ? front->rows.group_count : 1};
    c->take = calloc(n, sizeof *c->take);
    c->exact = calloc(n, sizeof *c->exact);
    c->pinned = calloc(n, sizeof *c->pinned);
    c->group_rows = calloc(c->groups + 1, sizeof *c->group_rows);
    c->group_seen = calloc(c->groups + 1, sizeof *c->group_seen);
    return c->take && c->exact && c->pinned && c->group_rows && c->group_seen
               ? 0
               : msw_fail_memory(r->plot.err);
}

static void free_choice(choice *c)
{
    free(c->take);
    free(c->exact);
    free(c->pinned);
    free(c->group_rows);
    free(c->group_seen);
    free(c->row_ids);
}

/* Rows asked for, matched with those that take part: both come in the order of the sweep. */
static int find_pinned(msw_report *r, choice *c)
{
    const msw_front *front = c->front;
    msw_table found = {0};
    if (!r->options.pin)
        return 0;
    char *filter = r->plot.options.filter
                       ? msw_strfmt("(%s) AND (%s)", r->plot.options.filter, r->options.pin)
                       : msw_strdup(r->options.pin);
    msw_query query = {.sweep = r->plot.sweep.name,
                       .columns = "row_id",
                       .filter = filter,
                       .limit = -1,
                       .within_limits = !r->plot.options.beyond,
                       .trusted = !r->plot.options.doubtful};
    int rc = filter ? msw_store_read(r->plot.store, &query, &found, r->plot.err)
                    : msw_fail_memory(r->plot.err);
    for (size_t row = 0, i = 0; rc == 0 && row < front->rows.values.rows && i < found.rows; row++)
        if ((double)number_of(c, MSW_FRONT_ROW_ID, row) == found.columns[0].values[i]) {
            c->pinned[row] = has_objectives(front, row);
            r->chosen.pinned += c->pinned[row];
            i++;
        }
    msw_table_free(&found);
    free(filter);
    return rc;
}

static void count_rows(msw_report *r, const choice *c)
{
    for (size_t row = 0; row < c->front->rows.values.rows; row++) {
        bool there = has_objectives(c->front, row);
        r->chosen.total += there;
        c->group_rows[c->front->rows.group ? c->front->rows.group[row] : 0] += there;
    }
    r->chosen.left_out = c->front->rows.values.rows - r->chosen.total;
    r->chosen.front = c->front->shown.count;
}

/* The front and what is asked for whole, as far as there is room. */
static void take_rows(msw_report *r, const choice *c)
{
    size_t first = 0, seen_first = 0, seen_rest = 0, n = c->front->rows.values.rows;
    for (size_t row = 0; row < n; row++)
        first += has_objectives(c->front, row) && (is_front(c, row) || c->pinned[row]);
    size_t shown = first < MSW_REPORT_ROWS ? first : MSW_REPORT_ROWS;
    for (size_t row = 0; row < n; row++) {
        if (!has_objectives(c->front, row))
            continue;
        c->take[row] = is_front(c, row) || c->pinned[row]
                           ? is_next(&seen_first, first, MSW_REPORT_ROWS)
                           : is_next(&seen_rest, r->chosen.total - first, MSW_REPORT_ROWS - shown);
        r->chosen.shown += c->take[row];
    }
}

/* Of each workload some, so that what is the same in all rows is the same in those. */
static void take_sample(const choice *c, size_t most)
{
    for (size_t row = 0; row < c->front->rows.values.rows; row++) {
        size_t group = c->front->rows.group ? c->front->rows.group[row] : 0;
        if (has_objectives(c->front, row) &&
            is_next(&c->group_seen[group], c->group_rows[group], most / c->groups + 1))
            c->exact[row] = c->exact[row] || c->take[row];
    }
}

static void take_exact(const msw_report *r, const choice *c)
{
    size_t of = r->chosen.front, seen_front = 0, seen_pinned = 0;
    size_t room = MSW_REPORT_EXACT - MSW_REPORT_SAMPLE - c->groups % MSW_REPORT_SAMPLE;
    size_t front = of < room ? of : room;
    for (size_t row = 0; row < c->front->rows.values.rows; row++)
        c->exact[row] = c->take[row] &&
                        (r->chosen.whole || (is_front(c, row) && is_next(&seen_front, of, room)) ||
                         (c->pinned[row] && is_next(&seen_pinned, r->chosen.pinned, room - front)));
    if (!r->chosen.whole)
        take_sample(c, MSW_REPORT_SAMPLE);
}

/* ---- what was chosen ---- */

static int make_lists(msw_report *r, choice *c)
{
    size_t exact = 0;
    for (size_t row = 0; row < c->front->rows.values.rows; row++)
        exact += c->exact[row];
    c->row_ids = malloc((exact + 1) * sizeof *c->row_ids);
    r->chosen.exact_rows = malloc((exact + 1) * sizeof *r->chosen.exact_rows);
    r->chosen.points = malloc((r->chosen.shown + 1) * sizeof *r->chosen.points);
    r->chosen.front_rows = malloc((r->chosen.front + 1) * sizeof *r->chosen.front_rows);
    r->chosen.pinned_rows = malloc((r->chosen.pinned + 1) * sizeof *r->chosen.pinned_rows);
    return c->row_ids && r->chosen.exact_rows && r->chosen.points && r->chosen.front_rows &&
                   r->chosen.pinned_rows
               ? 0
               : msw_fail_memory(r->plot.err);
}

static int list_rows(msw_report *r, choice *c)
{
    uint32_t at = 0;
    if (make_lists(r, c))
        return -1;
    for (size_t row = 0; row < c->front->rows.values.rows; row++) {
        if (!c->take[row])
            continue;
        if (is_front(c, row))
            r->chosen.front_rows[r->chosen.front_shown++] = at;
        if (c->pinned[row])
            r->chosen.pinned_rows[r->chosen.pinned_shown++] = at;
        if (c->exact[row]) {
            r->chosen.exact_rows[r->chosen.exact] = at;
            c->row_ids[r->chosen.exact++] = (msw_row_id){number_of(c, MSW_FRONT_POINT, row),
                                                         number_of(c, MSW_FRONT_ROW_ID, row)};
        }
        r->chosen.points[at++] = (uint32_t)number_of(c, MSW_FRONT_POINT, row);
    }
    return 0;
}

static int read_exact(msw_report *r, const choice *c, const msw_text *columns)
{
    msw_query query = {.sweep = r->plot.sweep.name,
                       .columns = msw_text_str(columns),
                       .row_ids = c->row_ids,
                       .row_id_count = r->chosen.exact};
    if (msw_store_read(r->plot.store, &query, &r->chosen.table, r->plot.err))
        return -1;
    return r->chosen.table.rows == r->chosen.exact
               ? 0
               : msw_fail_kind(r->plot.err, MSW_ERR_IO,
                               "the file changed while it was read: try again");
}

static int choose(msw_report *r, const msw_front *front, choice *c)
{
    msw_text columns = MSW_TEXT_EMPTY;
    size_t width = list_columns(r, &columns) + 1;
    if (make_choice(r, front, c) || find_pinned(r, c))
        return msw_text_free(&columns), -1;
    count_rows(r, c);
    r->chosen.whole =
        r->chosen.total <= MSW_REPORT_WHOLE && r->chosen.total * width <= MSW_REPORT_CELLS;
    take_rows(r, c);
    take_exact(r, c);
    int rc = list_rows(r, c) || msw_text_check(&columns, r->plot.err) || read_exact(r, c, &columns);
    msw_text_free(&columns);
    return rc ? -1 : 0;
}

int msw_report_rows(msw_report *r)
{
    msw_front front = {0};
    choice c = {0};
    int rc = -1;
    if (msw_plot_front(&r->plot, &front) || msw_plot_keep_front(&r->plot, &front) ||
        choose(r, &front, &c) || msw_report_columns(r, &front, c.take))
        goto done;
    rc = 0;
done:
    free_choice(&c);
    msw_front_free(&front);
    return rc;
}
