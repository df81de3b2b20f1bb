/* SPDX-License-Identifier: MIT */
/* Answers that were found elsewhere, line by line, become rows of the points that were handed out:
 * all of them or none. */
#include "cli/run/sweep_run.h"

#include "memsweep/base/json.h"
#include "memsweep/base/map.h"
#include "memsweep/expr/expr.h"
#include "memsweep/store/choice.h"
#include "memsweep/store/lease.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MOST = 1 << 20, PARTS = 2 };

/* A plan whose points were handed out: the sweep's, or a part of one at fidelity auto. */
typedef struct part {
    const msw_plan *plan;
    int64_t sweep;
    msw_pointer *pointer;
    msw_batch *batch;
    cli_asked asked;
    msw_map lines; /* point -> its row in the batch + 1 */
} part;

typedef struct telling {
    part parts[PARTS];
    size_t part_count;
    msw_map keys; /* half a key -> its lease * PARTS + its part */
    msw_arena arena;
    bool *needed; /* metrics */
    uint64_t told, again;
} telling;

/* ---- metrics ---- */

static bool is_needed(const msw_plan *plan, size_t m)
{
    const char *name = plan->mech->metrics[m].name;
    if (plan->program)
        return !plan->program->readers[m].optional;
    for (size_t i = 0; i < plan->view.objective_count; i++)
        if (strcmp(plan->view.objectives[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < plan->view.derived_count; i++)
        if (msw_expr_mentions(plan->view.derived[i].text, name))
            return true;
    return false;
}

static int read_metric(const msw_plan *plan, const msw_json *value, double *metrics, msw_err *err)
{
    int m = msw_metrics_find(plan->mech->metrics, value->key);
    if (m < 0)
        return msw_fail(err, "mechanism %s has no metric '%s'", plan->mech->name, value->key);
    const msw_metric *metric = &plan->mech->metrics[m];
    const msw_reader reader = {.with_unit = value->kind == MSW_JSON_STRING, .scale = 1};
    if (value->kind == MSW_JSON_NULL && !is_needed(plan, (size_t)m))
        return 0;
    if (value->kind != MSW_JSON_NUMBER && (value->kind != MSW_JSON_STRING || !metric->unit[0]))
        return msw_fail(err, "metric %s: found %s%s%s, expected a number%s", metric->name,
                        value->text ? "'" : "", value->text ? value->text : "none",
                        value->text ? "'" : "",
                        metric->unit[0] ? ", or a text with a unit" : ": it has no unit");
    if (msw_reader_number(&reader, value->text, metric->unit, &metrics[m], err))
        return msw_fail_prefix(err, "metric %s: ", metric->name);
    metrics[m] += 0.0; /* no negative zero */
    return 0;
}

static int read_metrics(const telling *t, const msw_plan *plan, const msw_json *object,
                        double *metrics, msw_err *err)
{
    if (object->kind != MSW_JSON_OBJECT || !object->first)
        return msw_fail(err, "metrics: expected {\"NAME\": VALUE, ...}");
    for (const msw_json *value = object->first; value; value = value->next)
        MSW_TRY(read_metric(plan, value, metrics, err));
    for (size_t m = 0; plan->mech->metrics[m].name; m++)
        if (t->needed[m] && isnan(metrics[m]))
            return msw_fail(err, "metric %s is missing", plan->mech->metrics[m].name);
    return 0;
}

/* ---- a line ---- */

/* What `ask` prints may come back; what means nothing here was meant to mean something. */
static int check_words(const msw_json *line, msw_err *err)
{
    static const char *const WORDS[] = {"metrics",   "failed",   "infeasible", "key",    "workload",
                                        "replicate", "fidelity", "deadline",   "values", NULL};
    enum { ENDS = 3, ALL = sizeof WORDS / sizeof *WORDS - 1 };
    const char *end = NULL;
    for (const msw_json *m = line->kind == MSW_JSON_OBJECT ? line->first : NULL; m; m = m->next) {
        size_t i = 0;
        while (i < ALL && strcmp(WORDS[i], m->key) != 0)
            i++;
        const char *near = i < ALL ? NULL : msw_nearest(m->key, WORDS, sizeof *WORDS);
        if (i == ALL)
            return msw_fail(err, "unknown name \"%s\"%s%s%s", m->key,
                            near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
        if (i < ENDS && end)
            return msw_fail(err, "both \"%s\" and \"%s\"", end, m->key);
        end = i < ENDS ? m->key : end;
    }
    return 0;
}

static int find_lease(const telling *t, const msw_json *line, msw_digest *key, uint64_t *number,
                      msw_err *err)
{
    const msw_json *word = msw_json_find(line, "key");
    const msw_json *values = msw_json_find(line, "values");
    if (!word && values && t->parts[0].asked.values.count) {
        MSW_TRY(cli_asked_find(&t->parts[0].asked, line, values, number, err));
        *key = t->parts[0].asked.leases[*number].key;
        *number *= PARTS;
        return 0;
    }
    if (!word || word->kind != MSW_JSON_STRING || !msw_digest_parse(word->text, key))
        return msw_fail(err, "no \"key\" of 32 digits, as 'memsweep ask' gives it");
    const uint64_t *found = msw_map_find(&t->keys, key->lo);
    if (!found ||
        !msw_digest_equal(*key, t->parts[*found % PARTS].asked.leases[*found / PARTS].key))
        return msw_fail(err, "key %s was never asked for in this database", word->text);
    *number = *found;
    return 0;
}

static int read_end(const msw_json *line, msw_row *row, msw_batch *batch, msw_err *err)
{
    static const char *const WORDS[] = {"failed", "infeasible"};
    static const msw_status STATUS[] = {MSW_FAILED, MSW_INFEASIBLE};
    for (int i = 0; i < 2; i++) {
        const msw_json *why = msw_json_find(line, WORDS[i]);
        if (!why)
            continue;
        if (why->kind != MSW_JSON_STRING || !why->text[0])
            return msw_fail(err, "%s: a text that says why", WORDS[i]);
        char reason[sizeof((msw_answer *)0)->reason];
        msw_text_fit(reason, sizeof reason, why->text);
        row->status = STATUS[i];
        return msw_batch_reason(batch, reason) ? msw_fail_memory(err) : 0;
    }
    return msw_fail(err, "neither \"metrics\" nor \"failed\" nor \"infeasible\"");
}

static int fill_row(part *p, const msw_lease *lease, msw_row *row, double *values, msw_err *err)
{
    msw_point point;
    MSW_TRY(msw_pointer_at(p->pointer, lease->point, true, &point, err));
    if (!msw_digest_equal(point.key, lease->key))
        return msw_fail(err, "its key is of another version of the sweep: ask again");
    for (size_t i = 0; i < p->plan->schema.count; i++)
        values[i] = msw_schema_get(&p->plan->schema, i, point.block);
    row->index = lease->point;
    row->key = lease->key;
    row->workload = (uint32_t)point.workload;
    return 0;
}

static bool is_same(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

/* The same line twice in one text is one; `before` is the row of the first. */
static int check_twice(part *p, size_t before, msw_err *err)
{
    msw_batch *b = p->batch;
    size_t last = b->count - 1, params = p->plan->schema.count;
    if (b->rows[before].status != b->rows[last].status ||
        !is_same(msw_batch_values(b, before) + params, msw_batch_values(b, last) + params,
                 b->metrics))
        return msw_fail(err, "another line says something else of this key");
    b->count--;
    return 0;
}

static int take_line(telling *t, const char *text, size_t size, msw_err *err)
{
    msw_digest key;
    uint64_t number = 0, *before;
    const msw_json *line = msw_json_read("tell", text, size, &t->arena, err);
    if (!line)
        return -1;
    MSW_TRY(check_words(line, err));
    MSW_TRY(find_lease(t, line, &key, &number, err));
    part *p = &t->parts[number % PARTS];
    msw_row *row = msw_batch_add(p->batch);
    if (!row)
        return msw_fail_memory(err);
    double *values = msw_batch_values(p->batch, p->batch->count - 1);
    double *metrics = values + p->plan->schema.count;
    const msw_json *answer = msw_json_find(line, "metrics");
    const msw_json *given = msw_json_find(line, "values");
    MSW_TRY(fill_row(p, &p->asked.leases[number / PARTS], row, values, err));
    MSW_TRY(given && cli_asked_check(p->plan, given, values, err));
    row->status = MSW_OK;
    if (answer)
        MSW_TRY(read_metrics(t, p->plan, answer, metrics, err));
    else
        MSW_TRY(read_end(line, row, p->batch, err));
    row->bound_by = msw_mech_bound_by(p->plan->mech, metrics);
    MSW_TRY(msw_map_add(&p->lines, row->index, &before, err));
    if (*before)
        return check_twice(p, *before - 1, err);
    *before = p->batch->count;
    return 0;
}

static int take_lines(telling *t, msw_err *err)
{
    char *line = malloc(LINE_MOST + 2);
    size_t size;
    int rc = line ? 0 : msw_fail_memory(err);
    for (uint64_t number = 1; rc == 0 && cli_next_line(line, LINE_MOST, &size); number++) {
        if (strspn(line, " \t\r") == size)
            continue;
        msw_arena_reset(&t->arena);
        rc = size > LINE_MOST ? msw_fail(err, "longer than %d bytes", LINE_MOST)
                              : take_line(t, line, size, err);
        if (rc)
            msw_fail_prefix(err, "line %" PRIu64 ": ", number);
    }
    free(line);
    return rc;
}

/* ---- what is there ---- */

static void add_columns(const msw_plan *plan, msw_text *out)
{
    msw_text_add(out, "point, status");
    for (const msw_metric *m = plan->mech->metrics; m->name; m++)
        msw_text_add(out, ", %s", m->name);
}

/* A row that is there is an answer, which stays, or a failure, which an answer replaces. */
static int compare(const part *p, size_t i, const msw_table *t, size_t row, bool *same,
                   msw_err *err)
{
    char key[MSW_DIGEST_TEXT];
    const msw_column *status = &t->columns[1];
    const char *word = status->labels[(size_t)status->values[row]];
    const msw_row *mine = &p->batch->rows[i];
    const double *metrics = msw_batch_values(p->batch, i) + p->plan->schema.count;
    *same = strcmp(word, msw_status_name((msw_status)mine->status)) == 0;
    bool answered = strcmp(word, "ok") == 0 || strcmp(word, "infeasible") == 0;
    for (size_t m = 0; *same && m < p->batch->metrics; m++)
        *same = is_same(&metrics[m], &t->columns[2 + m].values[row], 1);
    return *same || !answered ? 0
                              : msw_fail(err, "key %s was told before, with another answer",
                                         msw_digest_text(mine->key, key));
}

static int compare_all(telling *t, const part *p, const msw_table *table, msw_err *err)
{
    for (size_t row = 0; row < table->rows; row++) {
        bool same = false;
        const uint64_t *i = msw_map_find(&p->lines, (uint64_t)table->columns[0].values[row]);
        if (i)
            MSW_TRY(compare(p, *i - 1, table, row, &same, err));
        t->again += same;
    }
    return 0;
}

static int check_rows(telling *t, msw_store *store, const part *p, msw_err *err)
{
    size_t count = p->batch->count, found = 0;
    uint64_t *points = calloc(count + 1, sizeof *points);
    msw_row_id *rows = calloc(count + 1, sizeof *rows);
    msw_text columns = MSW_TEXT_EMPTY;
    msw_table table = {0};
    char *called = NULL;
    int rc = points && rows ? 0 : msw_fail_memory(err);
    for (size_t i = 0; rc == 0 && i < count; i++)
        points[i] = p->batch->rows[i].index;
    if (rc == 0)
        rc = msw_store_find_rows(store, p->sweep, points, count, rows, &found, err);
    if (rc == 0 && found) {
        add_columns(p->plan, &columns);
        called = msw_store_called(store, p->plan, err);
        const msw_query query = {.sweep = called,
                                 .columns = msw_text_str(&columns),
                                 .limit = -1,
                                 .row_ids = rows,
                                 .row_id_count = found};
        rc = called ? msw_store_read(store, &query, &table, err) : -1;
    }
    if (rc == 0)
        rc = compare_all(t, p, &table, err);
    msw_table_free(&table);
    msw_text_free(&columns);
    free(called);
    free(points);
    free(rows);
    return rc;
}

/* ---- storing ---- */

static int write_rows(telling *t, const cli *c, msw_store *store, const part *p, msw_err *err)
{
    int64_t run;
    msw_todo todo = {0};
    if (!p->batch->count)
        return 0;
    /* Of equal points the first is asked for; its answer serves all. */
    if (!p->plan->distinct && p->plan->part != MSW_PART_FULL && !p->plan->design.kind->searches)
        MSW_TRY(msw_store_todo(store, p->plan, p->sweep, true, &todo, err));
    msw_todo_free(&todo);
    MSW_TRY(cli_begin_run(c, store, p->sweep, 1, 1, &run, err));
    MSW_TRY(msw_store_write(store, p->plan, p->sweep, run, p->batch, err));
    t->told += p->batch->count;
    return msw_store_end_run(store, run, "finished", err);
}

static int add_part(telling *t, msw_store *store, const msw_plan *plan, msw_err *err)
{
    part *p = &t->parts[t->part_count++];
    p->plan = plan;
    p->batch = msw_batch_new(0, plan->schema.count, msw_metrics_count(plan->mech->metrics));
    if (!p->batch)
        return msw_fail_memory(err);
    MSW_TRY(msw_pointer_new(plan, &p->pointer, err));
    MSW_TRY(msw_store_add_sweep(store, plan, &p->sweep, err));
    MSW_TRY(plan->by_hand
                ? msw_store_leases(store, p->sweep, &p->asked.leases, &p->asked.count, err)
                : cli_asked_list(&p->asked, plan, p->pointer, err));
    for (size_t i = 0; i < p->asked.count; i++) {
        uint64_t *number;
        MSW_TRY(msw_map_add(&t->keys, p->asked.leases[i].key.lo, &number, err));
        *number = i * PARTS + t->part_count - 1; /* of equal points the last: a run joins them */
    }
    return 0;
}

/* The points of a search are known once it has proposed them again. */
static int propose(const msw_plan *plan, msw_store *store, msw_err *err)
{
    int64_t sweep;
    const msw_plan *first = plan->parts ? msw_plan_analytic(plan) : plan;
    if (!first->design.kind->searches)
        return 0;
    MSW_TRY(msw_store_add_sweep(store, first, &sweep, err));
    return cli_search_again(store, first, sweep, err);
}

static int tell(telling *t, const cli *c, const msw_plan *plan, msw_store *store, msw_err *err)
{
    const msw_plan *parts[PARTS] = {plan->parts ? msw_plan_full(plan) : plan,
                                    msw_plan_analytic(plan)};
    t->needed = calloc(msw_metrics_count(plan->mech->metrics) + 1, sizeof *t->needed);
    if (!t->needed)
        return msw_fail_memory(err);
    for (size_t m = 0; plan->mech->metrics[m].name; m++)
        t->needed[m] = is_needed(plan, m);
    MSW_TRY(propose(plan, store, err));
    for (int i = 0; i < PARTS && parts[i]; i++)
        if (!plan->by_hand || msw_plan_is_told(parts[i]))
            MSW_TRY(add_part(t, store, parts[i], err));
    MSW_TRY(take_lines(t, err));
    for (size_t i = 0; i < t->part_count; i++)
        MSW_TRY(check_rows(t, store, &t->parts[i], err));
    uint64_t lines = 0;
    for (size_t i = 0; i < t->part_count; i++)
        lines += t->parts[i].batch->count;
    for (size_t i = 0; i < t->part_count && lines > t->again; i++)
        MSW_TRY(write_rows(t, c, store, &t->parts[i], err));
    return 0;
}

static void free_telling(telling *t)
{
    for (size_t i = 0; i < t->part_count; i++) {
        msw_pointer_free(t->parts[i].pointer);
        msw_batch_free(t->parts[i].batch);
        free(t->parts[i].asked.leases);
        msw_map_free(&t->parts[i].lines);
        msw_map_free(&t->parts[i].asked.values);
    }
    msw_map_free(&t->keys);
    msw_arena_free(&t->arena);
    free(t->needed);
}

/* Answers of a program that somebody else ran count for its sweep, where all keys are known without
 * starting anything. */
static int check_plan(const msw_plan *plan, msw_err *err)
{
    if (plan->by_hand)
        return 0;
    if (!plan->program)
        return msw_fail(err, "the answers of sweep %s are computed: it has no 'by: hand'",
                        plan->name);
    if (plan->program->version)
        return msw_fail(err,
                        "the keys of sweep %s have the version of its program, which is not "
                        "started here: leave 'version' out of the definition",
                        plan->name);
    if (plan->parts || plan->design.kind->searches)
        return msw_fail(err,
                        "sweep %s works in rounds: of these only what 'memsweep ask' gives can be "
                        "told ('by: hand')",
                        plan->name);
    return 0;
}

int cli_tell(const cli *c, const cli_tell_options *ask)
{
    msw_err err = {0}, closing = {0};
    msw_plan *plan = NULL;
    msw_store *store = NULL;
    telling t = {0};
    cli_target target = {0};
    const cli_target_options options = {.file = ask->file, .wait = ask->wait};
    int code = cli_load_plan(c, ask->sweep, ask->fidelity, ask->seed, &plan);
    if (code != EXIT_OK)
        return code;
    int rc = check_plan(plan, &err);
    if (rc == 0)
        rc = cli_target_open(&target, c, plan->name, &options, &store, &err);
    if (rc == 0)
        rc = tell(&t, c, plan, store, &err);
    if (msw_store_close(store, &closing) && rc == 0) {
        err = closing;
        rc = -1;
    }
    if (rc == 0 && !ask->quiet)
        cli_printf("%" PRIu64 " told, %" PRIu64 " as before\n", t.told - (t.told ? t.again : 0),
                   t.again);
    free_telling(&t);
    free(target.path);
    msw_plan_free(plan);
    return rc ? cli_fail(&err) : EXIT_OK;
}
