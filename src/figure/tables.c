/* SPDX-License-Identifier: MIT */
/* Tables that recipes name and memory holds: the front, the same points at two fidelities, points
 * that may be on the front. Each is made once for all figures and reaches a query as a JSON text.
 */
#include "memsweep/figure/figure.h"

#include "memsweep/base/math.h"
#include "memsweep/base/quote.h"
#include "memsweep/mech/engine.h"
#include "memsweep/mech/mechanism.h"
#include "memsweep/results/fidelity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int name_objectives(const msw_plot *p, msw_objectives *o)
{
    for (size_t i = 0; i < p->metrics.count && i < MSW_PARETO_OBJECTIVES; i++) {
        const msw_column *column = msw_plot_column(p, p->metrics.names[i], p->err);
        o->names[i] = column ? msw_strdup(p->metrics.names[i]) : NULL;
        if (!o->names[i])
            return column ? msw_fail_memory(p->err) : -1;
        o->goals[i] = column->goal;
        for (size_t j = 0; j < p->sweep.objective_count; j++)
            if (strcmp(p->sweep.objectives[j].name, p->metrics.names[i]) == 0)
                o->goals[i] = p->sweep.objectives[j].goal;
        o->count = i + 1;
    }
    return 0;
}

int msw_plot_front(msw_plot *p, msw_front *front)
{
    front->options.group_by = p->workloads > 1 ? "workload" : NULL;
    front->options.filter = p->options.filter;
    front->options.beyond = p->options.beyond;
    front->options.doubtful = p->options.doubtful;
    front->options.ranks = 1;
    front->options.uncounted = true; /* the plot has counted */
    front->input.store = p->store;
    front->err = p->err;
    MSW_TRY(name_objectives(p, &front->input.objectives));
    MSW_TRY(msw_store_sweep(p->store, p->sweep.name, &front->input.sweep, p->err));
    MSW_TRY(msw_front_find(front));
    return 0;
}

static double point_of(const msw_front *front, size_t row)
{
    return front->rows.values.columns[MSW_FRONT_POINT].values[row];
}

/* ---- places on paper ---- */

enum { ACROSS = 150, UP = 100 };

/* One axis of the plane in one panel, with the scale that style.gp takes: places are even on it. */
typedef struct ruler {
    double low, high, above; /* ends; the least that is above 1 */
    double origin, step;     /* of the logarithm, where there is one */
    double base;             /* what the logarithm is taken above: 0, or 1 for an excess */
    bool log;
} ruler;

static void widen(ruler *r, double value)
{
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
    if (value > 1 + 1e-9)
        r->above = fmin(r->above, value - 1);
}

static void choose_scale(ruler *r, int asked, int cells)
{
    bool excess = r->low >= 1 - 1e-9 && r->high - 1 > r->above &&
                  (asked == MSW_SCALE_EXCESS ||
                   (asked == MSW_SCALE_AUTO && r->above < 0.2 && r->high - 1 > 20 * r->above));
    bool wide = r->low > 0 && r->high > 20 * r->low && r->high < 1e12 * r->low;
    r->base = excess ? 1 : 0;
    r->log = excess || (r->low > 0 && asked == MSW_SCALE_LOG) || (wide && asked == MSW_SCALE_AUTO);
    r->origin = excess ? r->above : r->low;
    double length = r->log ? msw_math_log((r->high - r->base) / r->origin) : r->high - r->low;
    r->step = fmax(length, 1e-300) / cells;
}

/* The rulers of an objective, one per panel: panels may have axes of their own. */
static ruler *make_rulers(const msw_plot *p, const msw_front *front, size_t objective, int cells)
{
    size_t panels = front->rows.group ? front->rows.group_count : 1;
    const double *values = front->rows.values.columns[MSW_FRONT_OBJECTIVES + objective].values;
    ruler *r = malloc((panels + 1) * sizeof *r);
    for (size_t i = 0; r && i < panels; i++)
        r[i] = (ruler){.low = INFINITY, .high = -INFINITY, .above = INFINITY};
    for (size_t row = 0; r && row < front->rows.values.rows; row++)
        widen(&r[front->rows.group ? front->rows.group[row] : 0], values[row]);
    for (size_t i = 0; r && i < panels; i++)
        choose_scale(&r[i], p->metrics.scales[objective], cells);
    return r;
}

static size_t cell_on(const ruler *r, double value)
{
    double at = r->log ? msw_math_log(fmax((value - r->base) / r->origin, 1)) : value - r->low;
    return (size_t)(at / r->step);
}

/* The first point of each place, of the front and of what it beats. */
static int keep_plane(msw_plot *p, const msw_front *front)
{
    size_t n = front->rows.values.rows, cells = (ACROSS + 1) * (UP + 1);
    const double *xs = front->rows.values.columns[MSW_FRONT_OBJECTIVES].values;
    const double *ys = front->rows.values.columns[MSW_FRONT_OBJECTIVES + 1].values;
    ruler *x = make_rulers(p, front, 0, ACROSS), *y = make_rulers(p, front, 1, UP);
    bool *taken =
        calloc(2 * cells * (front->rows.group ? front->rows.group_count : 1) + 1, sizeof *taken);
    p->front.plane_points = malloc((n + 1) * sizeof *p->front.plane_points);
    bool whole = x && y && taken && p->front.plane_points;
    for (size_t row = 0; whole && row < n; row++) {
        if (isnan(xs[row]) || isnan(ys[row]))
            continue;
        size_t panel = front->rows.group ? front->rows.group[row] : 0;
        size_t cell = cell_on(&x[panel], xs[row]) * (UP + 1) + cell_on(&y[panel], ys[row]);
        bool *here = &taken[(2 * panel + (front->ranks.rank[row] == 0)) * cells + cell];
        if (!*here)
            p->front.plane_points[p->front.plane++] = point_of(front, row);
        *here = true;
    }
    int rc = whole ? 0 : msw_fail_memory(p->err);
    free(x);
    free(y);
    free(taken);
    return rc;
}

int msw_plot_keep_front(msw_plot *p, const msw_front *front)
{
    size_t n = front->rows.values.rows;
    p->front.points = malloc((n + 1) * sizeof *p->front.points);
    if (!p->front.points)
        return msw_fail_memory(p->err);
    for (size_t row = 0; row < n; row++)
        if (front->ranks.rank[row] == 0)
            p->front.points[p->front.count++] = point_of(front, row);
    return front->input.objectives.count > 1 ? keep_plane(p, front) : 0;
}

/* ---- points that may be on the front ---- */

static int keep_uncertain(msw_plot *p, const msw_front *front)
{
    for (size_t row = 0; row < front->rows.values.rows; row++) {
        const msw_standing *s = &front->ranks.standing[row];
        if (s->verdict != MSW_FRONT_OPEN && s->verdict != MSW_FRONT_CERTAIN)
            continue;
        msw_text_add(&p->front.uncertain, "%s[%.0f,", p->front.uncertain.size ? "," : "",
                     point_of(front, row));
        if (isfinite(s->probability))
            msw_text_add_double(&p->front.uncertain, s->probability);
        else
            msw_text_add(&p->front.uncertain, "null");
        msw_text_add(&p->front.uncertain, ",%d]", s->verdict == MSW_FRONT_CERTAIN);
    }
    p->front.judged = true;
    return p->front.uncertain.failed ? msw_fail_memory(p->err) : 0;
}

int msw_plot_need_front(msw_plot *p, bool judge)
{
    msw_front front = {.options = {.uncertain = judge && !p->front.judged, .confidence = 0.95}};
    if (judge && p->outline.fidelity != MSW_SAMPLED)
        return msw_fail(p->err, "rows at %s have no half-widths",
                        msw_fidelity_name(p->outline.fidelity));
    if (p->front.points && !front.options.uncertain)
        return 0;
    int rc = -1;
    if (msw_plot_front(p, &front) || (!p->front.points && msw_plot_keep_front(p, &front)) ||
        (front.options.uncertain && keep_uncertain(p, &front)))
        goto done;
    rc = 0;
done:
    msw_front_free(&front);
    return rc;
}

enum { MOST_PAIRS = 10000 };

static void add_number(double value, msw_text *out)
{
    if (isfinite(value))
        msw_text_add_double(out, value);
    else
        msw_text_add(out, "null");
}

/* `names`: the columns, ended by NULL. */
static int add_table(msw_figure *f, const char *const *names, const msw_text *rows)
{
    msw_text json = MSW_TEXT_EMPTY;
    msw_text_add(&json, "[%s]", msw_text_str(rows));
    msw_text_add(&f->sql, "(SELECT ");
    for (int c = 0; names[c]; c++)
        msw_text_add(&f->sql, "%sjson_extract(value, '$[%d]') AS %s", c ? ", " : "", c, names[c]);
    msw_text_add(&f->sql, " FROM json_each(");
    msw_text_add_sql_string(&f->sql, msw_text_str(&json));
    msw_text_add(&f->sql, "))");
    bool failed = json.failed || rows->failed;
    msw_text_free(&json);
    return failed ? msw_fail_memory(f->plot->err) : 0;
}

/* ---- the same points at two fidelities ---- */

/* Reading all rows to find no pair would be expensive. */
static int check_fidelities(msw_plot *p)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_table counts = {0};
    msw_text_add(&sql, "SELECT count(DISTINCT fidelity) FROM msw_sweep WHERE name = ");
    char *name = msw_strfmt("%.*s", (int)strcspn(p->sweep.name, "@"), p->sweep.name);
    msw_text_add_sql_string(&sql, name ? name : "");
    free(name);
    if (msw_plot_select(p, &sql, &counts))
        return -1;
    bool several = counts.columns[0].values[0] > 1;
    msw_table_free(&counts);
    return several ? 0
                   : msw_fail(p->err, "there are rows at one fidelity only: run the sweep at "
                                      "another one into the same file");
}

static void add_pair(const msw_agree_match *m, const msw_agree_pair *pair, msw_text *out)
{
    const msw_agree_side *side = m->candidates;
    msw_text workload = MSW_TEXT_EMPTY;
    msw_agree_text(side, pair->candidate, side->workload, &workload);
    msw_text_add(out, "%s[", out->size ? "," : "");
    msw_text_add_json(out, msw_text_str(&workload));
    msw_text_add(out, ",");
    msw_text_add_json(out, msw_fidelity_name((msw_fidelity)m->candidate));
    msw_text_add(out, ",");
    msw_text_add_json(out, msw_fidelity_name((msw_fidelity)m->reference));
    const msw_agree_row *rows[] = {pair->reference, pair->candidate};
    for (int r = 0; r < 2; r++)
        for (int c = MSW_AGREE_VALUE; c <= MSW_AGREE_HALF; c++) {
            msw_text_add(out, ",");
            add_number(msw_agree_value(side, rows[r], side->metric[0][c]), out);
        }
    msw_text_add(out, ",%zu]", m->n);
    out->failed = out->failed || workload.failed;
    msw_text_free(&workload);
}

static int match_two(const msw_agree_options *ask, const msw_agree_side *side, int candidate,
                     int reference, msw_text *out, msw_err *err)
{
    msw_agree_match match = {
        .candidates = side, .references = side, .candidate = candidate, .reference = reference};
    int rc = msw_agree_find(ask, &match, err);
    for (size_t i = 0; rc == 0 && i < match.n; i++)
        if (msw_plot_is_chosen(i, match.n, MOST_PAIRS))
            add_pair(&match, &match.pairs[i], out);
    msw_agree_drop(&match);
    return rc;
}

static int match_all(msw_plot *p, const msw_agree_options *ask, msw_text *out)
{
    msw_agree_side side = {0};
    msw_agree_load load = {.end = 1, .halves = true, .workload = true};
    int rc = msw_agree_read(p->store, &p->sweep, ask, &side, p->err) ||
             msw_agree_load_columns(&side, ask, &load, p->err);
    for (int reference = 1; rc == 0 && reference < MSW_FIDELITY_COUNT; reference++)
        for (int candidate = 0; rc == 0 && candidate < reference; candidate++)
            rc = match_two(ask, &side, candidate, reference, out, p->err);
    msw_agree_free(&side);
    return rc ? -1 : 0;
}

int msw_plot_add_pairs(msw_figure *f, size_t which)
{
    static const char *const NAMES[] = {"workload", "candidate", "reference", "x", "x_hw",
                                        "y",        "y_hw",      "of",        NULL};
    msw_plot *p = f->plot;
    msw_agree_options ask = {.filter = p->options.filter};
    msw_text rows = MSW_TEXT_EMPTY;
    (void)which;
    f->metric_used[0] = true;
    int rc = -1;
    if (check_fidelities(p) ||
        msw_agree_metrics(p->metrics.names[0], p->outline.mech, &ask, p->err) ||
        match_all(p, &ask, &rows) || add_table(f, NAMES, &rows))
        goto done;
    rc = 0;
done:
    for (size_t i = 0; i < ask.metric_count; i++)
        free(ask.metrics[i]);
    msw_text_free(&rows);
    return rc;
}

/* ---- points that may be on the front ---- */

int msw_plot_add_uncertain(msw_figure *f, size_t which)
{
    static const char *const NAMES[] = {"point", "probability", "certain", NULL};
    (void)which;
    MSW_TRY(msw_plot_need_front(f->plot, true));
    return add_table(f, NAMES, &f->plot->front.uncertain);
}

/* ---- details ---- */

static const msw_detail *find_detail(const msw_plot *p)
{
    const msw_detail *first = p->outline.mech->details, *detail = first;
    size_t size = p->options.detail ? strcspn(p->options.detail, ".") : 0;
    while (detail && detail->name && p->options.detail &&
           (strlen(detail->name) != size || strncmp(detail->name, p->options.detail, size) != 0))
        detail++;
    return detail && detail->name ? detail : NULL;
}

static int find_value(const msw_detail *detail, const char *ask)
{
    const char *dot = ask ? strchr(ask, '.') : NULL;
    int last = 0;
    for (int c = 0; detail->columns[c]; c++) {
        if (dot && strcmp(detail->columns[c], dot + 1) == 0)
            return c;
        last = c;
    }
    return dot ? -1 : last;
}

/* Finds table and columns once per figure. Returns 0, or -1. */
static int need_detail(msw_figure *f)
{
    const msw_plot *p = f->plot;
    if (f->detail)
        return 0;
    f->detail = find_detail(p);
    if (!f->detail && p->options.detail)
        return msw_fail(p->err, "the mechanism %s has no details '%s'", p->sweep.mechanism,
                        p->options.detail);
    if (!f->detail)
        return msw_fail(p->err, "the mechanism %s keeps no details", p->sweep.mechanism);
    f->detail_value = find_value(f->detail, p->options.detail);
    return f->detail_value < 0 ? msw_fail(p->err, "no column '%s' in details of %s",
                                          p->options.detail, p->sweep.mechanism)
                               : 0;
}

int msw_plot_add_detail(msw_figure *f, size_t which)
{
    if (need_detail(f))
        return -1;
    char *table = msw_strfmt("detail_%s_%s", f->plot->sweep.mechanism, f->detail->name);
    if (!table)
        return msw_fail_memory(f->plot->err);
    const char *names[] = {table, f->detail->columns[0], f->detail->columns[f->detail_value]};
    msw_text_add_sql_name(&f->sql, names[which]);
    free(table);
    return 0;
}

/* Name and unit of a column of the details shown. */
void msw_plot_detail_label(const msw_figure *f, bool value, msw_text *out)
{
    int c = value ? f->detail_value : 0;
    if (!f->detail)
        return;
    const char *name = f->detail->columns[c], *unit = f->detail->units[c];
    bool shown = unit && *unit && strcmp(unit, name) != 0;
    msw_text_add(out, shown ? "%s (%s)" : "%s%.0s", name, shown ? unit : "");
}
