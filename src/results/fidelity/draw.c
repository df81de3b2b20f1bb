/* SPDX-License-Identifier: MIT */
/* Random configs, answered by the closed form and in full. */
#include "memsweep/base/clock.h"
#include "memsweep/results/learn.h"

#include "memsweep/base/math.h"
#include "memsweep/base/quote.h"
#include "memsweep/base/rng.h"
#include "memsweep/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TRIES = 200,      /* draws of a workload, */
    TRIES_POINT = 40, /* and for each point that is wanted */
};

/* One model: a plan of one point for each workload, whose configs are set from outside. */
typedef struct model {
    msw_plan *plan;
    msw_worker *worker;
    msw_batch *batch;
} model;

typedef struct drawing {
    const msw_learn *learn;
    msw_learn_points *points;
    msw_artifacts *artifacts;
    model closed, full;
    double *values; /* of the config, parameter by parameter */
} drawing;

static void add_workloads(const char *list, msw_text *text)
{
    for (bool first = true; *list; first = false) {
        msw_text name = MSW_TEXT_EMPTY;
        list += strspn(list, ", ");
        size_t size = msw_workload_name_size(list);
        msw_text_add_bytes(&name, list, size);
        msw_text_add(text, first ? "" : ", ");
        msw_text_add_yaml(text, msw_text_str(&name));
        text->failed = text->failed || name.failed;
        msw_text_free(&name);
        list += size + (list[size] == ',');
    }
}

static const char *workloads_of(const msw_learn *learn)
{
    const msw_mech *mech = learn->mech;
    return learn->workloads        ? learn->workloads
           : mech->learn_workloads ? mech->learn_workloads
           : mech->law_workloads   ? mech->law_workloads
                                   : mech->default_workload;
}

static int open_model(drawing *d, model *m, const char *fidelity, msw_err *err)
{
    msw_text text = MSW_TEXT_EMPTY;
    msw_messages messages = {0};
    const msw_mech *mech = d->learn->mech;
    msw_plan_options options = {.data_dirs = d->learn->context->data_dirs, .seed = -1};
    msw_text_add(&text, "sweep: learn\nmechanism: %s\nworkloads: [", mech->name);
    add_workloads(workloads_of(d->learn), &text);
    msw_text_add(&text, "]\nfidelity: %s\n", fidelity);
    int rc = msw_text_check(&text, err);
    if (rc == 0 &&
        msw_plan_parse("learn", msw_text_str(&text), text.size, &options, &m->plan, &messages))
        rc = msw_messages_fail(&messages, err);
    msw_text_free(&messages.text);
    msw_text_free(&text);
    if (rc)
        return -1;
    m->batch = msw_batch_new(1, m->plan->schema.count, msw_metrics_count(mech->metrics));
    return m->batch ? msw_worker_new(m->plan, d->artifacts, false, &m->worker, err)
                    : msw_fail_memory(err);
}

static void close_model(model *m)
{
    msw_worker_free(m->worker);
    msw_batch_free(m->batch);
    msw_plan_free(m->plan);
}

/* ---- configs ---- */

/* What writes tables of details, acts on no metric, or has the instrument take time or fail. */
static bool is_left(const msw_mech *mech, const msw_param *p)
{
    if (strncmp(mech->name, "null", 4) == 0 &&
        (strncmp(p->name, "cost", 4) == 0 || strstr(p->name, "_share")))
        return true;
    return (p->acts && strcmp(p->acts, "0") == 0) || strstr(p->doc, "detail table");
}

static void draw_config(drawing *d, uint64_t number)
{
    msw_rng rng;
    const msw_param *params = d->learn->mech->params;
    msw_rng_init(&rng, d->learn->seed, number);
    for (size_t i = 0; params[i].name; i++) {
        double value = msw_param_draw(&params[i], msw_rng_uniform(&rng));
        bool kept = msw_rng_uniform(&rng) < 0.5 && number % 2;
        d->values[i] = kept || is_left(d->learn->mech, &params[i]) ? params[i].def : value;
    }
}

static int ask(drawing *d, model *m, size_t workload, double seconds, msw_err *err)
{
    msw_batch_clear(m->batch);
    for (size_t i = 0; i < d->points->params; i++)
        msw_schema_set(&m->plan->schema, i, m->plan->space.base, d->values[i]);
    uint64_t index = workload * (m->plan->points / m->plan->workload_count);
    return msw_worker_evaluate(m->worker, index, seconds, m->batch, err);
}

static void keep_point(drawing *d, size_t workload)
{
    msw_learn_points *p = d->points;
    double *to = p->values + p->n * (p->params + 2 * p->metrics);
    const double *closed = msw_batch_values(d->closed.batch, 0);
    const double *full = msw_batch_values(d->full.batch, 0);
    memcpy(to, closed, p->params * sizeof *to);
    memcpy(to + p->params, closed + d->closed.batch->params, p->metrics * sizeof *to);
    memcpy(to + p->params + p->metrics, full + d->full.batch->params, p->metrics * sizeof *to);
    int total = msw_errors_total(d->learn->mech);
    if (total >= 0)
        p->largest = fmax(p->largest, to[p->params + (size_t)total]);
    p->group[p->n++] = (uint32_t)workload;
}

/* The closed form is asked first: what it cannot answer, or doubts, costs nothing more. */
static int try_config(drawing *d, uint64_t number, size_t workload, bool *kept, msw_err *err)
{
    *kept = false;
    d->points->drawn++;
    draw_config(d, number);
    MSW_TRY(ask(d, &d->closed, workload, d->learn->seconds, err));
    const msw_row *row = &d->closed.batch->rows[0];
    d->points->infeasible += row->status == MSW_INFEASIBLE;
    d->points->doubtful += row->status == MSW_OK && row->doubt;
    if (row->status != MSW_OK || row->doubt)
        return 0;
    MSW_TRY(ask(d, &d->full, workload, d->learn->seconds, err));
    *kept = d->full.batch->rows[0].status == MSW_OK;
    d->points->unfinished += d->full.batch->rows[0].status == MSW_TIMEOUT;
    if (*kept)
        keep_point(d, workload);
    return 0;
}

/* Artifacts of one workload serve its points one after the other. One that is seldom done in time
 * is left when it has cost as much as it should have given. */
static int draw_all(drawing *d, msw_err *err)
{
    double start = msw_now();
    size_t count = d->closed.plan->workload_count;
    for (size_t w = 0; w < count; w++) {
        uint64_t wanted = (d->learn->points * (w + 1)) / count;
        uint64_t most = TRIES + TRIES_POINT * d->learn->points / count;
        uint64_t late = d->points->unfinished + d->learn->points / count;
        bool kept;
        for (uint64_t t = 0; d->points->n < wanted && t < most && d->points->unfinished < late;
             t++) {
            MSW_TRY(try_config(d, t * count + w, w, &kept, err));
            if (d->learn->progress && kept)
                d->learn->progress(d->learn->progress_context, d->points->n, d->learn->points,
                                   msw_now() - start);
        }
    }
    return 0;
}

static void name_sources(drawing *d)
{
    const msw_plan *plan = d->closed.plan;
    msw_learn_points *p = d->points;
    p->workload_count = plan->workload_count;
    for (size_t w = 0; w < plan->workload_count; w++)
        msw_text_add(&p->workloads, "%s%s", w ? "," : "", plan->workloads[w].name);
    for (size_t f = 0; f < plan->frontend_count; f++)
        msw_text_add(&p->frontends, "%s%s", f ? "," : "", plan->frontends[f]->name);
}

static int allocate(drawing *d, msw_err *err)
{
    msw_learn_points *p = d->points;
    p->params = msw_params_count(d->learn->mech->params);
    p->metrics = msw_metrics_count(d->learn->mech->metrics);
    p->values = calloc(d->learn->points + 1, (p->params + 2 * p->metrics) * sizeof *p->values);
    p->group = calloc(d->learn->points + 1, sizeof *p->group);
    d->values = calloc(p->params + 1, sizeof *d->values);
    d->artifacts = msw_artifacts_new(0);
    return p->values && p->group && d->values && d->artifacts ? 0 : msw_fail_memory(err);
}

static int mark_known(drawing *d, const msw_errors *errors, msw_err *err)
{
    msw_learn_points *p = d->points;
    p->known = calloc(p->n + 1, sizeof *p->known);
    if (!p->known)
        return msw_fail_memory(err);
    for (size_t i = 0; errors && i < p->n; i++)
        p->known[i] = msw_errors_know(errors, &d->closed.plan->workloads[p->group[i]]);
    return 0;
}

int msw_learn_draw(const msw_learn *learn, msw_learn_points *points, msw_err *err)
{
    *points = (msw_learn_points){0};
    drawing d = {.learn = learn, .points = points};
    int rc = allocate(&d, err) || open_model(&d, &d.closed, "analytic", err) ||
             open_model(&d, &d.full, "full", err) || draw_all(&d, err) ||
             mark_known(&d, learn->errors, err);
    if (rc == 0)
        name_sources(&d);
    close_model(&d.closed);
    close_model(&d.full);
    msw_artifacts_free(d.artifacts);
    free(d.values);
    return rc ? -1 : 0;
}

void msw_learn_free(msw_learn_points *points)
{
    free(points->values);
    free(points->group);
    free(points->known);
    msw_text_free(&points->workloads);
    msw_text_free(&points->frontends);
}
