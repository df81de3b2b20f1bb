/* SPDX-License-Identifier: MIT */
/* `sampled` from predictions and differences: docs/models/sampling.md. */
#include "mech/engine/evaluate.h"

#include "memsweep/base/bits.h"

#include <math.h>
#include <string.h>

enum {
    PILOT_LEAST = 16,      /* units before their number is chosen */
    PILOT_OF_CLASS = 2,    /* the fewest that show a spread */
    DIFFERENCES_LEAST = 8, /* fewer do not carry an interval */
};

/* One evaluation. */
typedef struct predicted {
    const msw_task *task;
    msw_unit_set strata, set; /* of the mechanism; cut into classes */
    msw_predictions own;
    msw_shared_predictions shared;
    const msw_predictions *shape; /* those that cut the classes, or NULL */
    bool *uncertain;              /* per class */
    uint64_t *wanted;
    msw_references references;
    msw_answer *answer;
} predicted;

static uint64_t sum_units(const uint64_t *wanted, size_t count)
{
    uint64_t all = 0;
    for (size_t c = 0; c < count; c++)
        all += wanted[c];
    return all;
}

/* ---- before the first unit ---- */

static bool is_usable(const predicted *p)
{
    for (size_t r = 0; r < p->shared.count; r++)
        if (!p->shared.all[r]->usable)
            return false;
    return true;
}

static const msw_predictions *find_shape(const predicted *p)
{
    int r = p->task->map->entries[p->task->map->primary].reference;
    if (r < 0 && p->shared.count)
        r = 0;
    return r < 0 ? NULL : p->shared.all[r];
}

static int prepare(predicted *p, msw_err *err)
{
    const msw_task *task = p->task;
    p->shape = find_shape(p);
    bool *by_unit = msw_classes_by_unit(task, &p->strata, p->shape, &p->shared);
    if (!by_unit)
        return msw_fail_memory(err);
    if (msw_predictions_make(task, &p->strata, by_unit, task->arena, &p->own, err) ||
        msw_classes_make(task, &p->strata, p->shape, &p->own, &p->shared, &p->set, &p->uncertain,
                         err))
        return -1;
    p->set.events = p->own.events;
    p->wanted = msw_arena_zero(task->arena, p->set.stratum_count + 1, sizeof *p->wanted);
    if (!p->wanted)
        return msw_fail_memory(err);
    for (size_t c = 0; c < p->set.stratum_count; c++) {
        msw_stratum_set *s = &p->set.strata[c];
        if (msw_predictions_sum(task, p->set.frame, s, &p->own, task->arena, &s->sums, &s->scale,
                                err))
            return -1;
    }
    return 0;
}

/* Two of every class, sixteen in all in proportion to their sizes, and all that are uncertain. */
static void choose_pilot(predicted *p)
{
    uint64_t certain = 0;
    for (size_t c = 0; c < p->set.stratum_count; c++)
        certain += p->uncertain[c] ? 0 : p->set.strata[c].units;
    for (size_t c = 0; c < p->set.stratum_count; c++) {
        uint64_t units = p->set.strata[c].units;
        double part = certain ? (double)units / (double)certain : 0;
        uint64_t share = (uint64_t)ceil(PILOT_LEAST * part);
        p->wanted[c] =
            p->uncertain[c] ? units : msw_min_u64(units, msw_max_u64(PILOT_OF_CLASS, share));
    }
}

/* ---- how many ---- */

/* One unit more of every class than the pilot's: of those that chose the number alone, a sample
 * that happens to be narrow would also be short. */
static void exceed_pilot(const predicted *p, uint64_t *wanted)
{
    for (size_t c = 0; c < p->set.stratum_count; c++)
        if (wanted[c] < p->set.strata[c].units)
            wanted[c] = msw_max_u64(wanted[c], p->set.strata[c].measured + 1);
}

/* Four reasons for units: the spread of the differences, their skewness, the skewness of the units
 * themselves, and what a sample of equal differences cannot see. Each step after the first only
 * raises the numbers. */
static int serve_metric(predicted *p, const msw_references *references, int metric,
                        uint64_t *wanted, msw_err *err)
{
    size_t count = p->set.stratum_count;
    double *costs = msw_arena_take(p->task->arena, (count + 1) * sizeof *costs);
    msw_stratum_sample *scratch = msw_arena_take(p->task->arena, (count + 1) * sizeof *scratch);
    double confidence = p->task->sampling.confidence;
    msw_primary primary;
    if (!costs || !scratch)
        return msw_fail_memory(err);
    if (msw_estimate_primary(p->task, &p->set, references, metric, &primary, err))
        return -1;
    for (size_t c = 0; c < count; c++)
        costs[c] = p->set.strata[c].cost;
    msw_sample_moderate(primary.residual, count);
    msw_sample_moderate(primary.total, count);
    msw_sample_allocate(primary.residual, costs, count, primary.half_width, confidence, wanted);
    msw_sample_tame(primary.residual, count, wanted);
    if (!msw_sample_few(primary.residual, count)) {
        msw_sample_tame(primary.total, count, wanted);
        exceed_pilot(p, wanted);
    }
    msw_sample_see(primary.residual, count, primary.half_width, confidence, scratch, wanted);
    return 0;
}

/* From the pilot: the largest number that any metric needs which must meet the target. */
static int choose_units(predicted *p, msw_err *err)
{
    const msw_metric *metrics = p->task->mech->metrics;
    size_t count = p->set.stratum_count;
    uint64_t *wanted = msw_arena_take(p->task->arena, (count + 1) * sizeof *wanted);
    if (!wanted)
        return msw_fail_memory(err);
    for (size_t m = 0; m < p->task->map->metric_count; m++) {
        if (!msw_metric_wanted(p->task, m) || metrics[m].kind > MSW_PAIRED)
            continue;
        if (serve_metric(p, &p->references, (int)m, wanted, err))
            return -1;
        for (size_t c = 0; c < count; c++)
            p->wanted[c] = msw_max_u64(p->wanted[c], wanted[c]);
    }
    if (msw_units_serve(p->task, &p->set, &p->references, p->wanted, err))
        return -1;
    return 0;
}

/* What is squared and added up in the stated relative error of the primary metric. */
static double stated_square(const predicted *p, int metric)
{
    double e = metric < 0 ? 0 : p->task->mech->metrics[metric].predicted.typical;
    return e * e;
}

/* Forward units, before their only pass: so many that the stated errors meet the target. */
static int choose_ahead(predicted *p, msw_err *err)
{
    const msw_metric_map *map = p->task->map;
    size_t count = p->set.stratum_count;
    msw_stratum_sample *stated = msw_arena_take(p->task->arena, (count + 1) * sizeof *stated);
    uint64_t *wanted = msw_arena_take(p->task->arena, (count + 1) * sizeof *wanted);
    double x = 0, square;
    if (!stated || !wanted)
        return msw_fail_memory(err);
    bool ratio = p->task->mech->metrics[map->primary].kind != MSW_TOTAL;
    int num = ratio ? map->entries[map->primary].num : map->primary;
    int mark = map->mark_of[num];
    if (mark < 0) /* the pilot's number has to do */
        return 0;
    square = stated_square(p, num) + stated_square(p, ratio ? map->entries[map->primary].den : -1);
    for (size_t c = 0; c < count; c++) {
        const msw_stratum_set *s = &p->set.strata[c];
        double mean = s->sums[mark] / (double)s->units;
        x += s->sums[mark];
        stated[c] = (msw_stratum_sample){
            .population = s->units, .measured = p->wanted[c], .variance = square * mean * mean};
    }
    msw_sample_allocate(stated, NULL, count, p->task->sampling.target * fabs(x),
                        p->task->sampling.confidence, wanted);
    for (size_t c = 0; c < count; c++)
        p->wanted[c] = msw_max_u64(p->wanted[c], wanted[c]);
    return 0;
}

/* Too few differences carry no interval: what is left of the classes is measured, too. */
static void complete_few(predicted *p)
{
    uint64_t measured = 0;
    for (size_t c = 0; c < p->set.stratum_count; c++)
        if (p->wanted[c] < p->set.strata[c].units)
            measured += p->wanted[c];
    for (size_t c = 0; c < p->set.stratum_count && measured < DIFFERENCES_LEAST; c++)
        p->wanted[c] = p->set.strata[c].units;
}

/* ---- whether a part of the units saves ---- */

/* Before any was measured. A pilot of which one more step would cost as much as all saves nothing.
 */
static bool pilot_saves(const predicted *p)
{
    return 2 * sum_units(p->wanted, p->set.stratum_count) < p->set.units;
}

/* Events of the units wanted, and of all, as those of each class's pilot say. */
static bool sample_saves(const predicted *p)
{
    double part = 0, all = 0;
    for (size_t c = 0; c < p->set.stratum_count; c++) {
        const msw_stratum_set *s = &p->set.strata[c];
        double each = (double)s->events / (double)s->measured;
        part += each * (double)p->wanted[c];
        all += each * (double)s->units;
    }
    return (double)p->own.events + part < all;
}

static int pass_saves(const predicted *p, bool *saves, msw_err *err)
{
    const msw_mech *mech = p->task->mech;
    double lead = 0;
    if (mech->lead) {
        if (mech->begin && mech->begin(p->task, p->set.state, err))
            return -1;
        lead = mech->lead(p->task, p->set.state);
    }
    *saves = (1 + lead) * (double)sum_units(p->wanted, p->set.stratum_count) < (double)p->set.units;
    return 0;
}

/* ---- measuring ---- */

/* Classes and what is wanted of them: all that decides which units a reference measures. */
static msw_digest digest_selection(const predicted *p)
{
    msw_digest all = {0};
    for (size_t c = 0; c < p->set.stratum_count; c++) {
        const msw_stratum_set *s = &p->set.strata[c];
        const uint64_t words[] = {s->units, p->wanted[c]};
        all = msw_hash_pair(all, msw_hash_bytes(words, sizeof words));
        all = msw_hash_pair(all, msw_hash_bytes(s->members, s->units * sizeof *s->members));
    }
    return all;
}

static int measure(predicted *p, msw_err *err)
{
    msw_selection selection = {&p->set, p->wanted, digest_selection(p)};
    int rc = msw_units_measure(p->task, &p->set, p->wanted, err);
    if (rc)
        return rc;
    msw_references_put(p->task, &p->references);
    for (size_t c = 0; c < p->set.stratum_count; c++) {
        msw_stratum_set *s = &p->set.strata[c];
        if (msw_predictions_slots(p->task, p->set.frame, s, s->measured, &p->own, p->task->arena,
                                  &s->predicted, err))
            return -1;
    }
    return msw_references_select(p->task, &selection, &p->shared, &p->references, err);
}

/* Two passes: a pilot, whose differences decide how many units are needed, then those. */
static int measure_independent(predicted *p, bool *whole, msw_err *err)
{
    int rc = measure(p, err);
    if (rc)
        return rc;
    if (choose_units(p, err))
        return -1;
    complete_few(p);
    *whole = !sample_saves(p);
    return *whole ? 0 : measure(p, err);
}

/* One pass only, as units come in order: their number is chosen from the stated errors before any
 * is measured. */
static int measure_forward(predicted *p, bool *whole, msw_err *err)
{
    bool saves;
    if (choose_ahead(p, err))
        return -1;
    complete_few(p);
    if (pass_saves(p, &saves, err))
        return -1;
    *whole = !saves;
    return *whole ? 0 : measure(p, err);
}

static int evaluate(predicted *p, bool *whole, msw_err *err)
{
    if (prepare(p, err))
        return -1;
    choose_pilot(p);
    *whole = !pilot_saves(p);
    if (*whole) {
        p->answer->events = p->own.events;
        return 0;
    }
    bool forward = p->task->mech->order == MSW_UNITS_FORWARD;
    int rc = forward ? measure_forward(p, whole, err) : measure_independent(p, whole, err);
    p->answer->events = p->set.events;
    p->answer->units = p->set.units;
    if (rc || *whole)
        return rc;
    if (msw_finish_details(p->task, &p->set, err))
        return -1;
    if (msw_estimate(p->task, &p->set, &p->references, p->answer, err))
        return -1;
    if (forward)
        msw_add_jumps(p->task, p->answer);
    return 0;
}

/* `whole`: sampling would cost as much as measuring everything, so the caller does that instead. */
int msw_evaluate_predicted(const msw_task *task, msw_answer *answer, bool *done, bool *whole,
                           msw_err *err)
{
    msw_task own = *task;
    predicted p = {.task = &own, .answer = answer};
    *done = *whole = false;
    if (!task->mech->predict || !task->map->mark_count ||
        (task->mech->predictable && !task->mech->predictable(task->config)))
        return 0;
    if (msw_predictions_get(task, &p.shared, err))
        return -1;
    int rc = 0;
    *done = is_usable(&p);
    if (*done)
        rc = msw_units_init(&own, &p.strata, err) || msw_predictions_begin(&own, err)
                 ? -1
                 : evaluate(&p, whole, err);
    msw_references_put(task, &p.references);
    msw_predictions_put(task, &p.shared);
    return rc;
}
