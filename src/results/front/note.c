/* SPDX-License-Identifier: MIT */
/* Says what a front is of, what was left out and what its intervals show; saves it in the file. */
#include "memsweep/results/front.h"
#include "memsweep/results/nearest.h"
#include "memsweep/results/reading.h"

#include "memsweep/base/quote.h"
#include "memsweep/base/text_check.h"
#include "memsweep/format/format.h"
#include "memsweep/sweep/outline.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- saved ---- */

static void add_objectives(const msw_front *j, msw_text *out)
{
    for (size_t i = 0; i < j->input.objectives.count; i++) {
        msw_text_add(out, "%s{\"name\": ", i ? ", " : "");
        msw_text_add_json(out, j->input.objectives.names[i]);
        msw_text_add(out, ", \"goal\": ");
        msw_text_add_json(out,
                          j->input.objectives.goals[i] == MSW_GOAL_HIGHER ? "higher" : "lower");
        msw_text_add(out, "}");
    }
}

static void add_setting(const char *name, const char *value, msw_text *out)
{
    if (!value)
        return;
    msw_text_add(out, ", ");
    msw_text_add_json(out, name);
    msw_text_add(out, ": ");
    msw_text_add_json(out, value);
}

int msw_front_save(const msw_front *j)
{
    msw_text asked = MSW_TEXT_EMPTY, result = MSW_TEXT_EMPTY;
    msw_text_add(&asked, "{\"objectives\": [");
    add_objectives(j, &asked);
    msw_text_add(&asked, "], \"ranks\": %" PRId64, j->options.ranks);
    add_setting("group_by", j->options.group_by, &asked);
    add_setting("filter", j->options.filter, &asked);
    add_setting("goals", j->options.goals, &asked);
    add_setting("weights", j->options.weights, &asked);
    if (j->options.thin)
        msw_text_add(&asked, ", \"thin\": %" PRId64, j->options.thin);
    msw_text_add(&asked, "}");
    msw_text_add(&result, "{\"ranked\": %zu, \"left_out\": %zu, \"points\": [",
                 j->ranks.count.ranked, j->ranks.count.left_out);
    for (size_t i = 0; i < j->shown.count; i++)
        msw_text_add(&result, "%s%.0f", i ? ", " : "",
                     j->rows.values.columns[MSW_FRONT_POINT].values[j->shown.rows[i]]);
    msw_text_add(&result, "]}");
    int rc = asked.failed || result.failed
                 ? msw_fail_memory(j->err)
                 : msw_store_save_analysis(j->input.store, j->input.sweep.id, "pareto", asked.data,
                                           result.data, j->err);
    msw_text_free(&asked);
    msw_text_free(&result);
    return rc;
}

/* ---- said ---- */

static size_t count_reached(const msw_front_shown *shown, const double *miss)
{
    size_t count = 0;
    for (size_t i = 0; i < shown->count; i++)
        count += miss[shown->rows[i]] <= 0;
    return count;
}

static void add_wanted_note(const msw_front *j, msw_text *note)
{
    if (j->ranks.kept)
        msw_text_add(note,
                     "thinned to %zu of %zu points: each one left out is matched by one shown but "
                     "for %.3g %% of the range of an objective\n",
                     j->shown.count, j->ranks.count.front, 100 * j->ranks.epsilon);
    if (j->ranks.miss && j->options.goals)
        msw_text_add(note,
                     "%zu of %zu points reach all goals; miss: by how much of its goal the "
                     "worst objective fails (missed_by), below 0 the reserve\n",
                     count_reached(&j->shown, j->ranks.miss), j->shown.count);
    else if (j->ranks.miss)
        msw_text_add(note, "miss: weighted distance from the best of each objective, in ranges of "
                           "the front, in the worst of them (missed_by)\n");
}

static bool has_half(const msw_front *j, size_t objective)
{
    size_t column = MSW_FRONT_OBJECTIVES + j->input.objectives.count + objective;
    const double *half = j->rows.values.columns[column].values;
    for (size_t r = 0; r < j->rows.values.rows; r++)
        if (half[r] > 0)
            return true;
    return false;
}

/* Which objectives have no half-width, and which have one that follows from those of metrics. */
static void add_halves(const msw_front *j, msw_text *out)
{
    static const char *const INTRO[] = {"taken as exact, for want of a half-width: ",
                                        "half-width from those of the metrics in it: "};
    const msw_objectives *o = &j->input.objectives;
    msw_outline outline = {0};
    msw_outline_read(j->input.sweep.canonical, &outline, NULL);
    for (size_t k = 0; k < 2; k++) {
        const char *before = INTRO[k];
        for (size_t i = 0; i < o->count; i++) {
            bool metric = outline.mech && msw_metrics_find(outline.mech->metrics, o->names[i]) >= 0;
            if (has_half(j, i) != (k == 1) || (k == 1 && metric))
                continue;
            msw_text_add(out, "%s%s", before, o->names[i]);
            before = ", ";
        }
        msw_text_add(out, *before == ',' ? "\n" : "");
    }
    msw_outline_free(&outline);
}

void msw_front_uncertain_note(const msw_front *j, msw_text *out)
{
    size_t count[4] = {0}, more = 0;
    char text[4][32];
    for (size_t r = 0; r < j->rows.values.rows; r++) {
        count[j->ranks.standing[r].verdict]++;
        more += j->ranks.standing[r].sample_more;
    }
    add_halves(j, out);
    msw_text_add(out,
                 "at %g %%: %s certainly on it, %s open, %s excluded; more samples of %s points "
                 "(sample_more) would settle it\n",
                 100 * j->options.confidence, msw_count_text(count[MSW_FRONT_CERTAIN], text[0]),
                 msw_count_text(count[MSW_FRONT_OPEN], text[1]),
                 msw_count_text(count[MSW_FRONT_EXCLUDED], text[2]), msw_count_text(more, text[3]));
}

static void count_reasons(const msw_column *status, size_t rows, size_t count[4])
{
    for (size_t r = 0; r < rows; r++) {
        const char *text = status->labels && !isnan(status->values[r])
                               ? status->labels[(size_t)status->values[r]]
                               : "";
        count[strcmp(text, "ok") == 0           ? 0
              : strcmp(text, "infeasible") == 0 ? 1
              : strcmp(text, "missing") == 0    ? 3
                                                : 2]++;
    }
}

static int add_reasons(msw_front *j, msw_text *out)
{
    static const char *const NAMES[] = {"not defined", "infeasible", "failed", "not there"};
    msw_text filter = MSW_TEXT_EMPTY;
    msw_table table = {0};
    size_t count[4] = {0, 0, 0, 0};
    char text[32];
    if (j->rows.left_out.beyond)
        msw_text_add(out, "; %s beyond the limits of the sweep",
                     msw_count_text(j->rows.left_out.beyond, text));
    msw_doubtful_note(j->rows.left_out.doubtful, out);
    msw_outside_note(j->rows.left_out.outside, out);
    msw_unknown_note(&j->rows.left_out, out);
    if (!j->ranks.count.left_out)
        return 0;
    for (size_t i = 0; i < j->input.objectives.count; i++)
        msw_text_add(&filter, "%s%s IS NULL", i ? " OR " : "(", j->input.objectives.names[i]);
    msw_text_add(&filter, j->options.filter ? ") AND (%s)" : ")", j->options.filter);
    msw_query query = {.sweep = j->input.sweep.name,
                       .columns = "status",
                       .filter = msw_text_str(&filter),
                       .limit = -1,
                       .within_limits = !j->options.beyond,
                       .trusted = !j->options.doubtful};
    int rc = msw_text_check(&filter, j->err)
                 ? -1
                 : msw_store_read(j->input.store, &query, &table, j->err);
    if (rc == 0)
        count_reasons(&table.columns[0], table.rows, count);
    const char *before = "; without a value: ";
    for (int i = 3; i >= 0; i--)
        if (count[i]) {
            msw_text_add(out, "%s%s %s", before, msw_count_text(count[i], text), NAMES[i]);
            before = ", ";
        }
    msw_table_free(&table);
    out->failed = out->failed || filter.failed;
    msw_text_free(&filter);
    return rc;
}

/* The sentence that the last run kept with the sweep. */
static void add_statement(const msw_table *t, msw_text *note)
{
    static const char HEAD[] = "\"statement\": \"";
    const msw_column *c = &t->columns[0];
    const char *json = t->rows && c->labels ? c->labels[(size_t)c->values[0]] : "";
    const char *text = strstr(json, HEAD);
    if (text)
        msw_text_add(note, "\n%.*s", (int)strcspn(text + strlen(HEAD), "\""), text + strlen(HEAD));
}

/* The statement is about one front: the sweep's own objectives over all its rows, workloads taken
 * together, or each by itself, as the sweep says. */
static bool is_stated_front(const msw_front *j)
{
    return j->input.own && !j->options.beyond && !j->options.doubtful &&
           (!j->options.group_by || msw_front_by_default(j));
}

static int add_chosen_note(msw_front *j, msw_text *note)
{
    msw_table table = {0};
    if (!j->input.narrowed)
        return 0;
    msw_text_add(note, "\nrows in full alone: those by the closed form do not compete");
    if (!is_stated_front(j))
        return 0;
    char *sql = msw_strfmt("SELECT result FROM msw_analysis WHERE sweep = %" PRId64
                           " AND kind = 'auto' ORDER BY id DESC LIMIT 1",
                           j->input.sweep.id);
    msw_query query = {.sql = sql};
    int rc = sql ? msw_store_read(j->input.store, &query, &table, j->err) : msw_fail_memory(j->err);
    free(sql);
    if (rc)
        return -1;
    add_statement(&table, note);
    msw_table_free(&table);
    return 0;
}

/* Where the limits leave little. */
static int add_nearest(msw_front *j, msw_text *note)
{
    msw_text nearest = MSW_TEXT_EMPTY;
    int rc = j->rows.left_out.beyond ? msw_nearest_note(j->input.store, j->input.sweep.name,
                                                        j->options.doubtful, &nearest, j->err)
                                     : 0;
    if (nearest.size)
        msw_text_add(note, "\n%s", msw_text_str(&nearest));
    msw_text_free(&nearest);
    return rc;
}

/* A front of rows that a search chose is one of what it found. */
static int add_search_note(msw_front *j, msw_text *note)
{
    msw_table t = {0};
    char *sql = msw_strfmt(
        "SELECT json_extract(result, '$.draws'), json_extract(result, '$.found'), "
        "json_extract(result, '$.missed'), json_extract(result, '$.lost') FROM "
        "msw_analysis WHERE sweep = %" PRId64 " AND kind = 'search' ORDER BY id DESC LIMIT 1",
        j->input.sweep.id);
    msw_query query = {.sql = sql};
    if (!strstr(j->input.sweep.canonical, "\ndesign: {kind: search"))
        return free(sql), 0;
    int rc = sql ? msw_store_read(j->input.store, &query, &t, j->err) : msw_fail_memory(j->err);
    free(sql);
    msw_text_add(note, "\nthe rows were chosen by a search%s",
                 rc == 0 && !t.rows && !j->input.narrowed ? ", which is not over" : "");
    if (rc == 0 && t.rows && t.columns[0].values[0] > 0)
        msw_text_add(note,
                     ": %.0f of %.0f designs drawn at random extend its front; with 95 %% "
                     "confidence at most %.3g %% of the space would",
                     t.columns[1].values[0], t.columns[0].values[0], 100 * t.columns[2].values[0]);
    if (rc == 0 && t.rows && t.columns[3].values[0] > 0)
        msw_text_add(note, " (%.0f of them have no answer to be trusted and may not)",
                     t.columns[3].values[0]);
    msw_table_free(&t);
    return rc;
}

/* The front of rows that are kept is that of all points. */
static uint64_t competing(const msw_front *j)
{
    const msw_kept_rows *k = &j->input.kept;
    return k->chosen ? k->counts.ok - k->counts.doubtful - k->counts.beyond : j->ranks.count.ranked;
}

int msw_front_note(msw_front *j, msw_text *note)
{
    char front[32], ranked[32], repeats[32];
    if (j->options.uncertain)
        msw_front_uncertain_note(j, note);
    if (j->options.exclusive) {
        const char *before = "exclusive part of the hypervolume up to ";
        for (size_t i = 0; i < j->input.objectives.count; i++) {
            msw_text_add(note, "%s%s = %g", before, j->input.objectives.names[i],
                         j->ranks.reference[i]);
            before = ", ";
        }
        msw_text_add(note, "\n");
    }
    add_wanted_note(j, note);
    msw_text_add(note, "%sfront: %s of %s points", j->options.uncertain ? "measured " : "",
                 msw_count_text(j->ranks.count.front, front), msw_count_text(competing(j), ranked));
    if (j->rows.group_count > 1 && msw_front_by_default(j))
        msw_text_add(note, ", one front per workload (--group-by none: one of all)");
    if (j->input.sweep.over)
        msw_text_add(note, ", each a design over its workloads (%s)%s",
                     msw_sweep_over_word(&j->input.sweep),
                     j->input.narrowed && j->input.own ? ", as the sweep says" : "");
    if (j->ranks.repeats)
        msw_text_add(note, ", %s of them equal to another",
                     msw_count_text(j->ranks.repeats, repeats));
    if (j->input.kept.chosen) {
        msw_text_add(note, "\n");
        msw_kept_rows_note(&j->input.kept, note);
    }
    MSW_TRY(add_reasons(j, note));
    MSW_TRY(add_nearest(j, note));
    MSW_TRY(add_search_note(j, note));
    return add_chosen_note(j, note);
}
