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
    size_t width = 0;
    while (task->mech->details[detail].columns[width])
        width++;
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

static void finish_exact(const msw_task *task, const msw_references *references, msw_answer *answer)
{
    const double *totals[MSW_METRICS_MAX];
    for (size_t r = 0; r < references->count; r++)
        totals[r] = references->units[r]->totals;
    msw_finish_metrics(task, totals, answer->metrics);
}

static int evaluate_analytic(const msw_task *task, const msw_references *references,
                             msw_answer *answer, msw_err *err)
{
    if (task->mech->analytic(task, answer->metrics, err))
        return -1;
    finish_exact(task, references, answer);
    return 0;
}

static int finish_details(const msw_task *task, const msw_unit_set *set, msw_err *err)
{
    return task->details && task->mech->finish ? task->mech->finish(task, set->state, err) : 0;
}

static int evaluate_full(const msw_task *task, const msw_references *references, msw_answer *answer,
                         msw_err *err)
{
    msw_unit_set set;
    msw_totals sums = {0};
    if (msw_units_init(task, &set, err))
        return -1;
    int rc = msw_units_full(task, &set, &sums, err);
    if (rc == 0)
        rc = finish_details(task, &set, err);
    if (rc)
        return rc;
    size_t width = task->map->metric_count;
    for (size_t i = 0; i < width; i++) {
        msw_metric_kind kind = task->mech->metrics[i].kind;
        if (kind == MSW_TOTAL || kind == MSW_MAXIMUM)
            answer->metrics[i] = sums.totals[i];
        answer->half_widths[i] = 0;
    }
    answer->measured = answer->units = sums.units;
    answer->events = sums.events;
    msw_finish_quantiles(task, sums.histograms, answer->metrics);
    finish_exact(task, references, answer);
    return 0;
}

/* A second pass that goes through all units in detail may as well measure them. */
static void set_level(const msw_task *task, const msw_unit_set *set, unsigned *level,
                      uint64_t *wanted)
{
    for (size_t h = 0; h < set->stratum_count; h++)
        wanted[h] = msw_units_at_level(task, set, h, *level);
    if (*level == 0 || !task->mech->lead || msw_units_cost(task, set, wanted) < (double)set->units)
        return;
    *level = MSW_LEVEL_ALL;
    for (size_t h = 0; h < set->stratum_count; h++)
        wanted[h] = set->strata[h].units;
}

static bool is_complete(const msw_unit_set *set)
{
    for (size_t h = 0; h < set->stratum_count; h++)
        if (set->strata[h].measured < set->strata[h].units)
            return false;
    return true;
}

/* The pilot's verdict: how many units of each stratum, and the smallest level that holds them. */
static int choose_units(const msw_task *task, const msw_unit_set *set,
                        const msw_references *references, uint64_t *wanted, unsigned *level,
                        msw_err *err)
{
    size_t count = set->stratum_count;
    double *costs = msw_arena_take(task->arena, (count + 1) * sizeof *costs);
    msw_primary primary;
    if (!costs)
        return msw_fail_memory(err);
    if (msw_estimate_primary(task, set, references, &primary, err))
        return -1;
    for (size_t h = 0; h < count; h++)
        costs[h] = set->strata[h].cost;
    msw_sample_allocate(primary.residual, costs, count, primary.half_width,
                        task->sampling.confidence, wanted);
    msw_sample_tame(primary.residual, count, wanted);
    msw_sample_tame(primary.total, count, wanted);
    *level = 0;
    for (size_t h = 0; h < count; h++)
        while (msw_units_at_level(task, set, h, *level) < wanted[h])
            ++*level;
    /* A forward pass and its reference must measure the same units, all along the way. */
    if (task->mech->order == MSW_UNITS_FORWARD)
        set_level(task, set, level, wanted);
    return 0;
}

static int sample_units(const msw_task *task, msw_unit_set *set, msw_references *references,
                        msw_err *err)
{
    uint64_t *wanted = msw_arena_take(task->arena, (set->stratum_count + 1) * sizeof *wanted);
    unsigned level = 0;
    if (!wanted)
        return msw_fail_memory(err);
    for (size_t h = 0; h < set->stratum_count; h++)
        wanted[h] = msw_units_at_level(task, set, h, 0);
    set->choosing = true;
    int rc = msw_units_measure(task, set, wanted, err);
    set->choosing = false;
    if (rc)
        return rc;
    bool complete = is_complete(set);
    if (complete && task->mech->lead)
        level = MSW_LEVEL_ALL;
    else if (choose_units(task, set, references, wanted, &level, err))
        return -1;
    if (level > 0) {
        msw_references_put(task, references);
        if (msw_references_get(task, level, references, err))
            return -1;
    }
    return level > 0 && !complete ? msw_units_measure(task, set, wanted, err) : 0;
}

/* Where the rows of details end. */
typedef struct detail_mark {
    msw_detail_row **last;
    size_t count;
} detail_mark;

static detail_mark mark_details(const msw_task *task)
{
    return task->details ? (detail_mark){task->details->last, task->details->count}
                         : (detail_mark){0};
}

/* As at full, references and all; rows that a sample has written since the mark are dropped. */
static int evaluate_as_full(const msw_task *task, const detail_mark *mark, msw_answer *answer,
                            msw_err *err)
{
    msw_task whole = *task;
    msw_references references;
    if (task->details) {
        task->details->last = mark->last;
        task->details->count = mark->count;
        *mark->last = NULL;
    }
    whole.fidelity = MSW_FULL;
    if (msw_references_get(&whole, 0, &references, err))
        return -1;
    int rc = evaluate_full(&whole, &references, answer, err);
    msw_references_put(&whole, &references);
    return rc;
}

static bool pilot_is_all(const msw_task *task, const msw_unit_set *set)
{
    for (size_t h = 0; h < set->stratum_count; h++)
        if (msw_units_at_level(task, set, h, 0) < set->strata[h].units)
            return false;
    return true;
}

static int evaluate_sampled(const msw_task *task, msw_references *references, msw_answer *answer,
                            msw_err *err)
{
    msw_unit_set set;
    bool carried = task->mech->carried && task->mech->carried(task);
    detail_mark mark = mark_details(task);
    if (msw_units_init(task, &set, err))
        return -1;
    if (carried && pilot_is_all(task, &set))
        return evaluate_as_full(task, &mark, answer, err);
    int rc = sample_units(task, &set, references, err);
    if (rc)
        return rc;
    if (carried && is_complete(&set))
        return evaluate_as_full(task, &mark, answer, err);
    answer->units = set.units;
    answer->events = set.events;
    if (finish_details(task, &set, err))
        return -1;
    if (msw_estimate(task, &set, references, answer, err))
        return -1;
    /* As at full: what has no value has no interval of unknown width either. */
    for (size_t i = 0; task->mech->lead && is_complete(&set) && i < task->map->metric_count; i++)
        answer->half_widths[i] = 0;
    return 0;
}

static int evaluate_inside(msw_task *task, void *context, msw_err *err)
{
    msw_answer *answer = context;
    msw_references references;
    int rc;
    if (msw_references_get(task, 0, &references, err))
        return -1;
    if (task->fidelity == MSW_ANALYTIC)
        rc = evaluate_analytic(task, &references, answer, err);
    else if (task->fidelity == MSW_SAMPLED)
        rc = evaluate_sampled(task, &references, answer, err);
    else
        rc = evaluate_full(task, &references, answer, err);
    msw_references_put(task, &references);
    return rc;
}

static void clear_answer(msw_answer *answer, size_t width)
{
    answer->status = MSW_OK;
    answer->reason[0] = '\0';
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

/* Infinities and NaN of a model are its own mistakes; NaN of a ratio without denominator is not. */
static int check_finite(const msw_task *task, const msw_answer *answer, msw_err *err)
{
    for (size_t i = 0; i < task->map->metric_count; i++) {
        bool computed = task->mech->metrics[i].kind == MSW_TOTAL;
        if (isinf(answer->metrics[i]) || (computed && isnan(answer->metrics[i])))
            return msw_fail(err, "the model gave no finite %s", task->mech->metrics[i].name);
    }
    return 0;
}

/* Where every unit was measured no resource can have done more than it can. */
static int check_bounds(const msw_task *task, const msw_answer *answer, msw_err *err)
{
    int share = task->map->share;
    if (task->fidelity != MSW_FULL || share < 0 || !(answer->metrics[share] > 1 + 1e-6))
        return 0;
    int least = msw_mech_bound_resource(task->map, answer->metrics);
    return msw_fail(err, "the model gave %.17g %s, fewer than %s = %.17g",
                    answer->metrics[task->map->entries[share].num], task->mech->metrics[share].num,
                    task->mech->metrics[least].name, answer->metrics[least]);
}

void msw_mech_evaluate(msw_task *task, msw_answer *answer)
{
    msw_err err;
    msw_metric_map own;
    const msw_metric_map *given = task->map;
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
        if (rc == 0)
            rc = check_finite(task, answer, &err) || check_bounds(task, answer, &err) ? -1 : 0;
        /* A mechanism that notices the deadline itself fails; it is a timeout all the same. */
        if (rc == MSW_EXPIRED || (rc && msw_task_expired(task)))
            set_reason(answer, MSW_TIMEOUT, "point timeout passed", width);
        else if (rc)
            set_reason(answer, MSW_FAILED, err.text, width);
    }
    task->map = given;
}
