/* SPDX-License-Identifier: MIT */
/* Words of recipes that stand for tables found out in memory: the same points at two fidelities,
 * and points that may be on the front. They reach the query as a JSON text. */
#include "memsweep/figure/figure.h"
#include "memsweep/results/fidelity.h"

#include "memsweep/base/quote.h"
#include "memsweep/mech/engine.h"
#include "memsweep/mech/mechanism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    msw_agree_text(side, pair->candidate, MSW_AGREE_WORKLOAD, &workload);
    msw_text_add(out, "%s[", out->size ? "," : "");
    msw_text_add_json(out, msw_text_str(&workload));
    msw_text_add(out, ",");
    msw_text_add_json(out, msw_fidelity_name((msw_fidelity)m->candidate));
    msw_text_add(out, ",");
    msw_text_add_json(out, msw_fidelity_name((msw_fidelity)m->reference));
    const msw_agree_row *rows[] = {pair->reference, pair->candidate};
    for (int r = 0; r < 2; r++)
        for (size_t c = 0; c < 2; c++) {
            msw_text_add(out, ",");
            add_number(msw_agree_value(side, rows[r], MSW_AGREE_METRIC + c), out);
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
    size_t step = match.n / MOST_PAIRS + 1;
    for (size_t i = 0; rc == 0 && i < match.n; i += step)
        add_pair(&match, &match.pairs[i], out);
    msw_agree_drop(&match);
    return rc;
}

static int match_all(msw_plot *p, const msw_agree_options *ask, msw_text *out)
{
    msw_agree_side side = {0};
    int rc = msw_agree_read(p->store, &p->sweep, ask, &side, p->err);
    for (int reference = 1; rc == 0 && reference < MSW_FIDELITY_COUNT; reference++)
        for (int candidate = 0; rc == 0 && candidate < reference; candidate++)
            rc = match_two(ask, &side, candidate, reference, out, p->err);
    msw_agree_free(&side);
    return rc;
}

int msw_plot_add_pairs(msw_figure *f, size_t which)
{
    static const char *const NAMES[] = {"workload", "candidate", "reference", "x", "x_hw",
                                        "y",        "y_hw",      "of",        NULL};
    msw_plot *p = f->plot;
    msw_agree_options ask = {.filter = p->ask.filter};
    msw_text rows = MSW_TEXT_EMPTY;
    (void)which;
    f->metric_used[0] = true;
    int rc = -1;
    if (check_fidelities(p) || msw_agree_metrics(p->metrics[0], p->outline.mech, &ask, p->err) ||
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
    return add_table(f, NAMES, &f->plot->uncertain);
}

/* ---- details ---- */

static const msw_detail *find_detail(const msw_plot *p)
{
    const msw_detail *first = p->outline.mech->details, *detail = first;
    size_t size = p->ask.detail ? strcspn(p->ask.detail, ".") : 0;
    while (detail && detail->name && p->ask.detail &&
           (strlen(detail->name) != size || strncmp(detail->name, p->ask.detail, size) != 0))
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
    if (!f->detail && p->ask.detail)
        return msw_fail(p->err, "the mechanism %s has no details '%s'", p->sweep.mechanism,
                        p->ask.detail);
    if (!f->detail)
        return msw_fail(p->err, "the mechanism %s keeps no details", p->sweep.mechanism);
    f->detail_value = find_value(f->detail, p->ask.detail);
    return f->detail_value < 0 ? msw_fail(p->err, "no column '%s' in details of %s", p->ask.detail,
                                          p->sweep.mechanism)
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
