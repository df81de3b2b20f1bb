/* SPDX-License-Identifier: MIT */
/* One point, any fidelity: the only place where mechanisms are evaluated. */
#include "mech/engine/evaluate.h"
#include "memsweep/mech/engine.h"

#include "memsweep/base/text.h"

#include <math.h>
#include <string.h>

const char *msw_fidelity_name(msw_fidelity fidelity)
{
    static const char *const NAMES[] = {"analytic", "sampled", "full"};
    return NAMES[fidelity];
}

const char *msw_status_name(msw_status status)
{
    static const char *const NAMES[] = {"ok", "infeasible", "failed", "timeout"};
    return NAMES[status];
}

int msw_mech_bound_by(const msw_mech *mech, const double *metrics)
{
    int best = -1;
    for (int i = 0; mech->metrics[i].name; i++)
        if (mech->metrics[i].stack && !isnan(metrics[i]) &&
            (best < 0 || metrics[i] > metrics[best]))
            best = i;
    return best;
}

int msw_detail_add(const msw_task *task, int detail, const double *values, msw_err *err)
{
    msw_detail_sink *sink = task->details;
    if (!sink)
        return 0;
    if (sink->most && sink->count >= sink->most)
        return msw_fail(err,
                        "more than %zu rows of detail tables, the last of '%s': a smaller "
                        "workload, or fewer details",
                        sink->most, task->mech->details[detail].name);
    size_t width = msw_detail_width(&task->mech->details[detail]);
    msw_detail_row *row = msw_arena_take(sink->arena, sizeof *row + width * sizeof *values);
    if (!row)
        return msw_fail_memory(err);
    row->next = NULL;
    row->detail = detail;
    memcpy(row->values, values, width * sizeof *values);
    *sink->last = row;
    sink->last = &row->next;
    sink->count++;
    return 0;
}

static int evaluate_analytic(const msw_task *task, const msw_references *references,
                             msw_answer *answer, msw_err *err)
{
    if (task->mech->analytic(task, answer->metrics, err))
        return -1;
    msw_finish_exact(task, references, answer->metrics);
    for (size_t m = 0; m < task->map->metric_count; m++)
        if (task->mech->metrics[m].unstated)
            answer->metrics[m] = NAN; /* whatever the others took from it */
    return 0;
}

/* A mechanism that is a program: nothing is started where nobody may. */
static int launch(const msw_task *task, msw_answer *answer, msw_err *err)
{
    if (!task->launch)
        return msw_fail(err, "%s is another program, which is not started here", task->mech->name);
    int rc = task->launch->run(task->launch->context, task, answer->metrics, err);
    return rc == MSW_LAUNCH_EXPIRED ? MSW_EXPIRED : rc;
}

/* What is compared with a reference is to be trusted no more than that. */
static void tell_doubts(const msw_task *task, const msw_references *references)
{
    for (size_t r = 0; r < references->count; r++)
        if (references->units[r]->doubt && *references->units[r]->doubt)
            msw_task_doubt(task, "reference %s: %s", task->mech->references[r].name,
                           references->units[r]->doubt);
}

/* Infinities and NaN of a model are its own mistakes; NaN of a ratio without denominator is not. */
static int check_finite(const msw_task *task, const msw_answer *answer, msw_err *err)
{
    for (size_t i = 0; i < task->map->metric_count; i++) {
        const msw_metric *m = &task->mech->metrics[i];
        bool computed = m->kind == MSW_TOTAL && !(m->unstated && task->fidelity == MSW_ANALYTIC);
        if (isinf(answer->metrics[i]) || (computed && isnan(answer->metrics[i])))
            return msw_fail(err, "the model gave no finite %s", task->mech->metrics[i].name);
    }
    return 0;
}

static int check_answer(const msw_task *task, const msw_answer *answer, msw_err *err)
{
    MSW_TRY(check_finite(task, answer, err));
    return msw_self_check_answer(task, answer, err);
}

static int evaluate_inside(msw_task *task, void *context, msw_err *err)
{
    msw_answer *answer = context;
    msw_references references;
    int rc;
    if (!task->mech->analytic && !task->mech->measure)
        return launch(task, answer, err);
    if (task->fidelity == MSW_SAMPLED) {
        rc = msw_evaluate_sampled(task, answer, err);
        return rc ? rc : check_answer(task, answer, err);
    }
    if (msw_references_get(task, 0, &references, err))
        return -1;
    if (task->fidelity == MSW_ANALYTIC)
        rc = evaluate_analytic(task, &references, answer, err);
    else
        rc = msw_evaluate_full(task, &references, answer, err);
    if (rc == 0)
        rc = check_answer(task, answer, err);
    msw_references_tell_unfit(&references, answer);
    tell_doubts(task, &references);
    msw_references_put(task, &references);
    return rc;
}

static void clear_answer(msw_answer *answer, size_t width)
{
    answer->status = MSW_OK;
    answer->reason[0] = answer->doubt[0] = '\0';
    answer->measured = answer->units = answer->events = 0;
    for (size_t i = 0; i < width; i++)
        answer->metrics[i] = answer->half_widths[i] = NAN;
}

static void set_reason(msw_answer *answer, msw_status status, const char *reason, size_t width)
{
    clear_answer(answer, width);
    answer->status = status;
    msw_text_fit(answer->reason, sizeof answer->reason, reason);
}

void msw_mech_evaluate(msw_task *task, msw_answer *answer)
{
    msw_err err;
    msw_metric_map own;
    const msw_metric_map *given = task->map;
    task->doubt = answer->doubt;
    msw_err_clear(&err);
    if (!given && msw_metric_map_init(&own, task->mech, &err)) {
        set_reason(answer, MSW_FAILED, err.text, 0);
        return;
    }
    if (!given)
        task->map = &own;
    size_t width = task->map->metric_count;
    clear_answer(answer, width);
    if (task->mech->check && task->mech->check(task->config, &err)) {
        set_reason(answer, MSW_INFEASIBLE, err.text, width);
    } else {
        int rc = msw_with_artifacts(task, evaluate_inside, answer, &err);
        /* A mechanism that notices the deadline itself fails; it is a timeout all the same. */
        if (rc == MSW_EXPIRED || (rc && msw_task_expired(task)))
            set_reason(answer, MSW_TIMEOUT, "point timeout passed", width);
        else if (rc && err.kind == MSW_ERR_UNFIT)
            set_reason(answer, MSW_INFEASIBLE, err.text, width);
        else if (rc)
            set_reason(answer, MSW_FAILED, err.text, width);
    }
    task->map = given;
    task->doubt = NULL;
}
