/* SPDX-License-Identifier: MIT */
/* One thread's way from an index to a row. */
#include "memsweep/base/clock.h"
#include "memsweep/sweep/errors.h"
#include "run/artifact.h"
#include "run/pool.h"

#include "memsweep/sweep/acting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DETAIL_ROWS = 1 << 23 }; /* of a point: half a GiB and more */

struct msw_worker {
    /* Everything here belongs to one thread, so evaluating a point needs no lock except to fetch
     * artifacts. */
    const msw_plan *plan;
    msw_metric_map map;
    msw_pointer *pointer;
    msw_window window;
    msw_artifact_source source;
    msw_memo memo;
    msw_launcher *launcher; /* NULL: nothing is started */
    bool keys;
    msw_alike *alike;     /* NULL: no point equals another */
    msw_answers *answers; /* of points that others may equal */
    msw_arena arena, detail_arena;
    size_t *detail_widths;
    bool *known; /* workloads whose errors the plan's table can know; NULL: none */
    msw_answer answer;
    atomic_uint *done; /* thousandths of the point in work; or NULL */
};

static int make_detail_widths(msw_worker *w, msw_err *err)
{
    const msw_detail *details = w->plan->mech->details;
    size_t count = msw_detail_count(details);
    w->detail_widths = calloc(count + 1, sizeof *w->detail_widths);
    if (!w->detail_widths)
        return msw_fail_memory(err);
    for (size_t d = 0; d < count; d++)
        w->detail_widths[d] = msw_detail_width(&details[d]);
    return 0;
}

/* A table that was learned with other models says nothing of these. */
static int find_known(msw_worker *w, msw_err *err)
{
    const msw_plan *plan = w->plan;
    if (!plan->errors || plan->fidelity != MSW_ANALYTIC)
        return 0;
    w->known = calloc(plan->workload_count + 1, sizeof *w->known);
    if (!w->known)
        return msw_fail_memory(err);
    for (size_t i = 0; i < plan->workload_count; i++)
        w->known[i] = msw_errors_know(plan->errors, &plan->workloads[i]);
    return 0;
}

int msw_worker_new(const msw_plan *plan, msw_artifacts *artifacts, bool keys, msw_worker **worker,
                   msw_err *err)
{
    msw_worker *w = calloc(1, sizeof *w);
    if (!w)
        return msw_fail_memory(err);
    w->plan = plan;
    w->keys = keys;
    w->window.shared = artifacts;
    w->source = (msw_artifact_source){.context = &w->window,
                                      .get = msw_window_get,
                                      .put = msw_window_put,
                                      .get_kept = msw_window_get_kept};
    if (msw_metric_map_init(&w->map, plan->mech, err) || msw_pointer_new(plan, &w->pointer, err) ||
        make_detail_widths(w, err) || find_known(w, err) ||
        (!plan->program && msw_alike_new(plan, &w->alike, err))) {
        msw_worker_free(w);
        return -1;
    }
    if (w->alike)
        w->answers = msw_artifacts_answers(artifacts, plan, w->map.metric_count);
    *worker = w;
    return 0;
}

void msw_worker_repeat(msw_worker *worker)
{
    worker->answers = NULL;
}

void msw_worker_free(msw_worker *worker)
{
    if (!worker)
        return;
    msw_window_close(&worker->window);
    msw_launcher_free(worker->launcher);
    msw_pointer_free(worker->pointer);
    msw_alike_free(worker->alike);
    msw_arena_free(&worker->arena);
    msw_arena_free(&worker->detail_arena);
    free(worker->detail_widths);
    free(worker->known);
    free(worker);
}

int msw_worker_launch(msw_worker *worker, msw_launches *launches, msw_err *err)
{
    return launches ? msw_launcher_new(launches, &worker->launcher, err) : 0;
}

static void evaluate_task(msw_worker *w, const msw_point *point, double timeout_s,
                          msw_detail_sink *sink)
{
    msw_task task;
    msw_point_task(w->plan, point, &task);
    task.map = &w->map;
    task.arena = &w->arena;
    task.source = &w->source;
    task.memo = &w->memo;
    task.launch = w->launcher ? msw_launcher_launch(w->launcher) : NULL;
    task.details = w->plan->mech->details && sink->most ? sink : NULL;
    task.excused_ns = &w->window.excused_ns;
    task.deadline_ns = timeout_s > 0 ? (int64_t)((msw_now() + timeout_s) * 1e9) : 0;
    task.done = w->done;
    msw_mech_evaluate(&task, &w->answer);
    if (w->done)
        atomic_store(w->done, 0);
}

void msw_worker_tell(msw_worker *worker, atomic_uint *done)
{
    worker->done = done;
}

/* The rules may know a setting that changes no answer, and detail rows are no part of one: such
 * points are evaluated. */
static void answer_point(msw_worker *w, const msw_point *point, double timeout_s,
                         msw_detail_sink *sink)
{
    msw_task task;
    msw_digest key;
    const msw_mech *mech = w->plan->mech;
    if (!w->answers || msw_alike_key(w->alike, point, &key, NULL)) {
        evaluate_task(w, point, timeout_s, sink);
        return;
    }
    msw_point_task(w->plan, point, &task);
    if ((!mech->check || mech->check(task.config, NULL) == 0) &&
        msw_answers_find(w->answers, key, &w->answer))
        return;
    evaluate_task(w, point, timeout_s, sink);
    if (w->answer.status == MSW_OK && !sink->count && !w->window.interrupted)
        msw_answers_keep(w->answers, key, &w->answer);
}

int msw_worker_build(msw_worker *w, uint64_t index, msw_err *err)
{
    msw_point point;
    msw_task task;
    (void)err;
    msw_arena_reset(&w->arena);
    if (msw_pointer_at(w->pointer, index, false, &point, NULL))
        return 0;
    msw_point_task(w->plan, &point, &task);
    task.map = &w->map;
    task.arena = &w->arena;
    task.source = &w->source;
    msw_mech_prepare(&task, NULL);
    msw_window_settle(&w->window);
    return 0;
}

/* A point whose configuration could not be made has no key of its own: its index is used. */
static void fail_point(msw_worker *w, msw_point *point, const char *reason)
{
    point->key = msw_hash_pair(w->plan->digest, msw_hash_bytes(&point->index, sizeof point->index));
    w->answer.status = MSW_FAILED;
    w->answer.measured = w->answer.units = w->answer.events = 0;
    w->answer.doubt[0] = '\0';
    msw_text_fit(w->answer.reason, sizeof w->answer.reason, reason);
    for (size_t m = 0; m < w->map.metric_count; m++)
        w->answer.metrics[m] = w->answer.half_widths[m] = NAN;
}

/* A sweep may keep some of the metrics alone. */
static void forget_metrics(const msw_worker *w)
{
    const msw_keeping *keep = &w->plan->keep;
    size_t next = 0;
    for (size_t m = 0; keep->metric_count && m < w->map.metric_count; m++) {
        if (next < keep->metric_count && (size_t)keep->metrics[next] == m)
            next++;
        else
            w->answer.metrics[m] = w->answer.half_widths[m] = NAN;
    }
}

static void fill_row(msw_worker *w, const msw_point *point, msw_batch *batch, size_t i)
{
    const msw_schema *schema = &w->plan->schema;
    double *values = msw_batch_values(batch, i);
    for (size_t p = 0; p < schema->count; p++)
        values[p] = msw_schema_get(schema, p, point->block);
    batch->rows[i] = (msw_row){
        .index = point->index,
        .key = point->key,
        .measured = w->answer.measured,
        .units = w->answer.units,
        .events = w->answer.events,
        .bound_by = msw_mech_bound_by(w->plan->mech, w->answer.metrics),
        .workload = (uint16_t)point->workload,
        .status = (uint8_t)w->answer.status,
    };
    if (w->known && w->answer.status == MSW_OK && !w->answer.doubt[0])
        batch->rows[i].stratum = 1 + msw_errors_stratum(w->plan->errors, w->known[point->workload],
                                                        values, w->answer.metrics);
    forget_metrics(w);
}

/* `refuses` looks at the point before it is evaluated. */
int msw_worker_answer(void *worker, uint64_t index, const msw_worker_ask *ask, msw_point *point,
                      msw_answer **answer, msw_err *err)
{
    msw_worker *w = worker;
    msw_err why = {0};
    msw_detail_sink none = {.arena = &w->detail_arena};
    point->key = (msw_digest){0, 0};
    msw_arena_reset(&w->arena);
    w->answer.metrics = ask->metrics;
    w->answer.half_widths = ask->metrics + w->map.metric_count;
    *answer = &w->answer;
    if (msw_pointer_at(w->pointer, index, false, point, &why)) {
        fail_point(w, point, why.text);
        return 1;
    }
    int refused = ask->refuses(ask->context, point, err);
    if (refused)
        return refused < 0 ? -1 : 0;
    answer_point(w, point, ask->timeout_s, &none);
    msw_window_settle(&w->window);
    return 1;
}

const double *msw_worker_coords(void *worker)
{
    return msw_pointer_coords(((msw_worker *)worker)->pointer);
}

int msw_worker_evaluate(msw_worker *w, uint64_t index, double timeout_s, msw_batch *batch,
                        msw_err *err)
{
    msw_err why;
    msw_point point;
    point.key = (msw_digest){0, 0};
    msw_err_clear(&why);
    size_t i = batch->count, params = w->plan->schema.count;
    double *values = msw_batch_values(batch, i), start = msw_now();
    w->window.excused_ns = 0;
    w->window.interrupted = false;
    msw_detail_sink sink = {.arena = &w->detail_arena, .most = DETAIL_ROWS};
    sink.last = &sink.first;
    msw_arena_reset(&w->arena);
    msw_arena_reset(&w->detail_arena);
    w->answer.metrics = values + params;
    w->answer.half_widths = w->answer.metrics + w->map.metric_count;
    if (msw_pointer_at(w->pointer, index, w->keys, &point, &why))
        fail_point(w, &point, why.text);
    else
        answer_point(w, &point, timeout_s, &sink);
    msw_window_settle(&w->window);
    int launched = w->launcher ? msw_launcher_outcome(w->launcher, err) : 0;
    if (w->window.interrupted || launched)
        return launched < 0 ? -1 : 0;
    fill_row(w, &point, batch, i);
    batch->count++;
    double seconds = fmax(msw_now() - start - (double)w->window.excused_ns * 1e-9, 0);
    batch->rows[i].cost_us = (uint64_t)(seconds * 1e6);
    batch->seconds += seconds;
    if (w->answer.reason[0] && msw_batch_reason(batch, w->answer.reason))
        return msw_fail_memory(err);
    if (w->answer.status == MSW_OK && msw_batch_doubt(batch, w->answer.doubt))
        return msw_fail_memory(err);
    if (w->launcher && msw_batch_attempts(batch, msw_launcher_attempts(w->launcher)))
        return msw_fail_memory(err);
    bool answered = w->answer.status == MSW_OK; /* rows of half a point say nothing */
    if (answered && sink.count && msw_batch_details(batch, sink.first, w->detail_widths))
        return msw_fail_memory(err);
    return 0;
}

static void add_value(const msw_plan *plan, const double *values, size_t param, msw_text *out)
{
    char text[MSW_PARAM_TEXT];
    const msw_param *p = plan->schema.params[param];
    msw_text_add(out, " %s=%s", p->name, msw_param_print(p, values[param], text));
}

void msw_worker_describe(const msw_plan *plan, const msw_batch *batch, size_t row, char *text,
                         size_t size)
{
    const double *values = batch->values + row * (batch->params + 2 * batch->metrics);
    msw_text out = MSW_TEXT_EMPTY;
    msw_text_add(&out, "%s", plan->workloads[batch->rows[row].workload].name);
    for (size_t f = 0; f < plan->space.factor_count; f++)
        for (size_t t = 0; t < plan->space.factors[f].target_count; t++)
            add_value(plan, values, plan->space.factors[f].targets[t], &out);
    msw_text_add(&out, ": %s", msw_batch_reason_text(batch, row));
    msw_text_fit(text, size, msw_text_str(&out));
    msw_text_free(&out);
}
