/* SPDX-License-Identifier: MIT */
/* Measuring units: all of them in order, or a growing random part of each stratum. */
#include "mech/engine/evaluate.h"
#include "memsweep/base/clock.h"

#include "memsweep/base/rng.h"
#include "memsweep/base/sort.h"

#include <stdlib.h>
#include <string.h>

bool msw_task_expired(const msw_task *task)
{
    if (!task->deadline_ns)
        return false;
    int64_t excused = task->excused_ns ? *task->excused_ns : 0;
    return msw_now_ns() - excused > task->deadline_ns;
}

int msw_units_init(const msw_task *task, msw_unit_set *set, msw_err *err)
{
    const msw_mech *mech = task->mech;
    size_t buckets = task->map->histogram_count * MSW_HISTOGRAM_BUCKETS;
    msw_stratum *strata = msw_arena_zero(task->arena, mech->strata_max, sizeof *strata);
    *set = (msw_unit_set){.map = task->map, .stratum_count = mech->strata_max};
    if (mech->state_bytes)
        set->state = msw_arena_take(task->arena, mech->state_bytes(task));
    set->histogram = msw_arena_zero(task->arena, buckets, sizeof *set->histogram);
    set->touched = msw_arena_take(task->arena, buckets * sizeof *set->touched);
    if (!strata || (mech->state_bytes && !set->state) || !set->histogram || !set->touched)
        return msw_fail_memory(err);
    if (mech->strata(task, strata, &set->stratum_count, err))
        return -1;
    set->strata = msw_arena_zero(task->arena, set->stratum_count, sizeof *set->strata);
    if (!set->strata)
        return msw_fail_memory(err);
    for (size_t h = 0; h < set->stratum_count; h++) {
        set->strata[h].stratum = h;
        set->strata[h].units = strata[h].units;
        set->strata[h].cost = strata[h].cost;
        set->strata[h].rest = strata[h].rest;
        set->strata[h].times = strata[h].times;
        set->units += strata[h].units;
    }
    return 0;
}

/* ---- the functions that a mechanism without a state does without ---- */

static int begin(const msw_task *task, msw_unit_set *set, msw_err *err)
{
    return task->mech->begin ? task->mech->begin(task, set->state, err) : 0;
}

static int warm(const msw_task *task, msw_unit_set *set, size_t h, uint64_t unit, msw_err *err)
{
    return task->mech->warm ? task->mech->warm(task, set->state, h, unit, err) : 0;
}

static int advance(const msw_task *task, msw_unit_set *set, size_t h, uint64_t unit, msw_err *err)
{
    return task->mech->advance ? task->mech->advance(task, set->state, h, unit, err) : 0;
}

/* ---- one unit ---- */

/* Between units only: a unit is never measured in part, or rows would depend on the speed of the
 * machine. */
static int check_limits(const msw_task *task, uint64_t events, msw_err *err)
{
    if (task->event_budget && events > task->event_budget)
        return msw_fail(err, "event budget of %llu spent", (unsigned long long)task->event_budget);
    return msw_task_expired(task) ? MSW_EXPIRED : 0;
}

static int measure_unit(const msw_task *task, msw_unit_set *set, size_t h, uint64_t unit,
                        double *totals, msw_err *err)
{
    msw_unit_out out = {.totals = totals, .histograms = set->histogram, .touched = set->touched};
    memset(totals, 0, set->map->metric_count * sizeof *totals);
    if (task->mech->measure(task, set->state, h, unit, &out, err))
        return -1;
    set->touched_count = out.touched_count;
    set->events += out.events;
    return check_limits(task, set->events, err);
}

/* ---- all units, in order ---- */

static void add_unit(const msw_task *task, const msw_unit_set *set, const double *unit,
                     double *sums, msw_totals *out)
{
    const msw_metric *metrics = task->mech->metrics;
    for (size_t i = 0; i < set->map->metric_count; i++) {
        if (metrics[i].kind == MSW_TOTAL)
            sums[i] += unit[i];
        else if (metrics[i].kind == MSW_MAXIMUM && unit[i] > out->totals[i])
            out->totals[i] = unit[i];
    }
}

static int full_stratum(const msw_task *task, msw_unit_set *set, size_t h, double *unit,
                        double *sums, msw_totals *out, msw_err *err)
{
    size_t width = set->map->metric_count;
    memset(sums, 0, width * sizeof *sums);
    for (uint64_t u = 0; u < set->strata[h].units; u++) {
        if (task->mech->order == MSW_UNITS_INDEPENDENT && warm(task, set, h, u, err))
            return -1;
        int rc = measure_unit(task, set, h, u, unit, err);
        if (rc)
            return rc;
        add_unit(task, set, unit, sums, out);
    }
    /* Sums per stratum first: the order in which a sample of all units is summed. */
    for (size_t i = 0; i < width; i++)
        if (task->mech->metrics[i].kind == MSW_TOTAL)
            out->totals[i] += sums[i];
    return 0;
}

int msw_units_full(const msw_task *task, msw_unit_set *set, msw_totals *out, msw_err *err)
{
    size_t width = set->map->metric_count;
    double *unit = msw_arena_take(task->arena, width * sizeof *unit);
    double *sums = msw_arena_take(task->arena, width * sizeof *sums);
    out->totals = msw_arena_zero(task->arena, width, sizeof *out->totals);
    out->histograms = set->histogram;
    set->touched = NULL; /* one histogram for all units: nothing to take apart */
    if (!unit || !sums || !out->totals)
        return msw_fail_memory(err);
    if (begin(task, set, err))
        return -1;
    for (size_t h = 0; h < set->stratum_count; h++) {
        int rc = full_stratum(task, set, h, unit, sums, out, err);
        if (rc)
            return rc;
    }
    out->units = set->units;
    out->events = set->events;
    return 0;
}

/* ---- a random part ---- */

/* Few strata get many units each, because the interval of a few skewed strata needs them; of many
 * strata each needs only enough to show its spread. */
enum { PILOT_LEAST = 8 };

bool msw_units_interleave(const msw_unit_set *set)
{
    return set->stratum_count && set->strata[0].times;
}

uint64_t msw_units_at_level(const msw_task *task, const msw_unit_set *set, size_t h, unsigned level)
{
    uint64_t units = set->strata[h].units;
    uint64_t pilot = (uint64_t)task->sampling.pilot / set->stratum_count;
    pilot = msw_max_u64(pilot, PILOT_LEAST);
    return level >= MSW_LEVEL_ALL || pilot << level >= units ? units : pilot << level;
}

/* The seed of the choice must not touch the workload: with seed 0 the key is the stream itself. */
uint64_t msw_units_key(const msw_task *task)
{
    uint64_t seed = task->sampling.seed;
    return seed ? msw_hash_bytes((uint64_t[]){task->stream, seed}, 2 * sizeof seed).lo
                : task->stream;
}

/* In a stratum, or over all strata where they are classes. */
static uint64_t unit_of_slot(const msw_task *task, const msw_unit_set *set, size_t h, uint64_t slot)
{
    const msw_stratum_set *s = &set->strata[h];
    return s->members ? s->members[slot] : msw_permute(slot, s->units, msw_units_key(task) + h);
}

/* Samples grow: an arena cannot extend what it gave, so what was measured is copied to larger
 * arrays. */
static int allocate_slots(const msw_task *task, msw_unit_set *set, msw_stratum_set *s,
                          uint64_t wanted, msw_err *err)
{
    if (wanted <= s->capacity)
        return 0;
    size_t width = set->map->metric_count;
    double *values = msw_arena_take(task->arena, wanted * width * sizeof *values);
    msw_unit_histogram *sparse = msw_arena_take(task->arena, wanted * sizeof *sparse);
    s->order = msw_arena_take(task->arena, wanted * 2 * sizeof *s->order);
    if (!values || !s->order || !sparse)
        return msw_fail_memory(err);
    if (s->measured) {
        memcpy(values, s->values, s->measured * width * sizeof *values);
        memcpy(sparse, s->sparse, s->measured * sizeof *sparse);
    }
    s->values = values;
    s->sparse = sparse;
    s->capacity = wanted;
    return 0;
}

/* Moves the unit's histogram out of the scratch, which is empty again afterwards. */
static int keep_histogram(const msw_task *task, msw_unit_set *set, msw_unit_histogram *out,
                          msw_err *err)
{
    out->count = set->touched_count;
    out->buckets = msw_arena_take(task->arena, out->count * sizeof *out->buckets);
    out->counts = msw_arena_take(task->arena, out->count * sizeof *out->counts);
    if (!out->buckets || !out->counts)
        return msw_fail_memory(err);
    for (uint32_t i = 0; i < out->count; i++) {
        uint32_t bucket = set->touched[i];
        out->buckets[i] = bucket;
        out->counts[i] = set->histogram[bucket];
        set->histogram[bucket] = 0;
    }
    return 0;
}

/* A unit where the mechanism has it. */
typedef struct msw_site {
    size_t stratum;
    uint64_t unit;
} msw_site;

static msw_site site_of(const msw_unit_set *set, size_t h, uint64_t unit)
{
    if (!set->frame)
        return (msw_site){set->strata[h].stratum, unit};
    size_t stratum = set->frame->stratum[unit];
    return (msw_site){stratum, unit - set->frame->first[stratum]};
}

static int measure_slot(const msw_task *task, msw_unit_set *set, size_t h, uint64_t slot,
                        msw_site site, msw_err *err)
{
    msw_stratum_set *s = &set->strata[h];
    uint64_t before = set->events;
    int rc = measure_unit(task, set, site.stratum, site.unit,
                          s->values + slot * set->map->metric_count, err);
    s->events += set->events - before;
    return rc ? rc : keep_histogram(task, set, &s->sparse[slot], err);
}

typedef struct slot_pair {
    uint64_t unit, slot;
} slot_pair;

static int compare_pairs(const void *a, const void *b)
{
    const slot_pair *x = a, *y = b;
    return msw_compare_u64(x->unit, y->unit);
}

/* Puts the slots into unit order. `order` has room for pairs, of which slots stay. */
static void sort_slots(const msw_task *task, const msw_unit_set *set, size_t h, uint64_t count)
{
    uint64_t *order = set->strata[h].order;
    slot_pair *pairs = (slot_pair *)order;
    for (uint64_t k = 0; k < count; k++)
        pairs[k] = (slot_pair){unit_of_slot(task, set, h, k), k};
    msw_sort(pairs, count, sizeof *pairs, compare_pairs);
    for (uint64_t k = 0; k < count; k++)
        order[k] = pairs[k].slot;
}

static int extend_independent(const msw_task *task, msw_unit_set *set, size_t h, uint64_t wanted,
                              msw_err *err)
{
    msw_stratum_set *s = &set->strata[h];
    for (; s->measured < wanted; s->measured++) {
        msw_site site = site_of(set, h, unit_of_slot(task, set, h, s->measured));
        if (warm(task, set, site.stratum, site.unit, err))
            return -1;
        int rc = measure_slot(task, set, h, s->measured, site, err);
        if (rc)
            return rc;
    }
    return 0;
}

/* One forward pass over a stratum: cheap progress over what is not measured. */
static int pass_forward(const msw_task *task, msw_unit_set *set, size_t h, uint64_t wanted,
                        uint64_t *position, msw_err *err)
{
    msw_stratum_set *s = &set->strata[h];
    for (uint64_t k = 0; k < wanted; k++) {
        uint64_t unit = unit_of_slot(task, set, h, s->order[k]);
        if (unit != *position && advance(task, set, h, unit, err))
            return -1;
        int rc = measure_slot(task, set, h, s->order[k], site_of(set, h, unit), err);
        if (rc)
            return rc;
        *position = unit + 1;
    }
    s->measured = wanted;
    /* The next stratum's first unit is next in line only when this one's last was measured. */
    *position = *position == s->units ? 0 : UINT64_MAX;
    return 0;
}

/* A unit to be measured, when it comes, and where it is kept. */
typedef struct msw_visit {
    uint64_t time, unit, slot;
    size_t class;
} msw_visit;

static int compare_visits(const void *a, const void *b)
{
    const msw_visit *x = a, *y = b;
    return msw_compare_u64(x->time, y->time);
}

static msw_visit visit_of(const msw_task *task, const msw_unit_set *set, size_t h, uint64_t slot)
{
    uint64_t unit = unit_of_slot(task, set, h, slot);
    const uint64_t *times = set->strata[h].times;
    return (msw_visit){times ? times[unit] : unit, unit, slot, h};
}

static msw_visit *list_visits(const msw_task *task, const msw_unit_set *set, const uint64_t *wanted,
                              uint64_t *count)
{
    *count = 0;
    for (size_t c = 0; c < set->stratum_count; c++)
        *count += wanted[c];
    msw_visit *visits = msw_arena_take(task->arena, (*count + 1) * sizeof *visits);
    uint64_t next = 0;
    for (size_t c = 0; visits && c < set->stratum_count; c++)
        for (uint64_t k = 0; k < wanted[c]; k++)
            visits[next++] = visit_of(task, set, c, k);
    if (visits)
        msw_sort(visits, *count, sizeof *visits, compare_visits);
    return visits;
}

/* One forward pass in the order of time, whatever the class or stratum. */
static int pass_classes(const msw_task *task, msw_unit_set *set, const uint64_t *wanted,
                        msw_err *err)
{
    uint64_t count, position = 0;
    msw_visit *visits = list_visits(task, set, wanted, &count);
    if (!visits)
        return msw_fail_memory(err);
    for (uint64_t v = 0; v < count; v++) {
        msw_site site = site_of(set, visits[v].class, visits[v].unit);
        if (visits[v].time != position && advance(task, set, site.stratum, site.unit, err))
            return -1;
        int rc = measure_slot(task, set, visits[v].class, visits[v].slot, site, err);
        if (rc)
            return rc;
        position = visits[v].time + 1;
    }
    for (size_t c = 0; c < set->stratum_count; c++)
        set->strata[c].measured = wanted[c];
    return 0;
}

static int measure_classes_forward(const msw_task *task, msw_unit_set *set, const uint64_t *wanted,
                                   msw_err *err)
{
    if (begin(task, set, err))
        return -1;
    for (size_t c = 0; c < set->stratum_count; c++) {
        if (allocate_slots(task, set, &set->strata[c], wanted[c], err))
            return -1;
        sort_slots(task, set, c, wanted[c]);
    }
    return pass_classes(task, set, wanted, err);
}

double msw_units_cost(const msw_task *task, const msw_unit_set *set, const uint64_t *wanted)
{
    double each = 1 + task->mech->lead(task, set->state), sum = 0;
    for (size_t h = 0; h < set->stratum_count; h++)
        sum += msw_min_f64((double)wanted[h] * each, (double)set->strata[h].units);
    return sum;
}

/* A pilot of which one more step would cost as much as all units saves nothing: all are measured
 * then, in order, as at full. Known once the first stratum is measured whole. */
static void choose_all(const msw_task *task, const msw_unit_set *set, uint64_t *wanted)
{
    if (!task->mech->lead || set->strata[0].measured < set->strata[0].units)
        return;
    double pilot = msw_units_cost(task, set, wanted);
    for (size_t h = 0; h < set->stratum_count; h++)
        wanted[h] = msw_units_at_level(task, set, h, 1);
    bool all = pilot + msw_units_cost(task, set, wanted) >= (double)set->units;
    for (size_t h = 0; h < set->stratum_count; h++)
        wanted[h] = msw_units_at_level(task, set, h, all ? MSW_LEVEL_ALL : 0);
}

int msw_units_measure(const msw_task *task, msw_unit_set *set, uint64_t *wanted, msw_err *err)
{
    bool forward = task->mech->order == MSW_UNITS_FORWARD;
    bool fresh = forward || set->strata[0].measured == 0;
    uint64_t position = 0;
    if (forward && (set->frame || msw_units_interleave(set)))
        return measure_classes_forward(task, set, wanted, err);
    if (fresh && begin(task, set, err))
        return -1;
    for (size_t h = 0; h < set->stratum_count; h++) {
        msw_stratum_set *s = &set->strata[h];
        s->measured = forward ? 0 : s->measured;
        if (allocate_slots(task, set, s, wanted[h], err))
            return -1;
        sort_slots(task, set, h, wanted[h]);
        int rc = forward ? pass_forward(task, set, h, wanted[h], &position, err)
                         : extend_independent(task, set, h, wanted[h], err);
        if (rc)
            return rc;
        if (set->choosing && forward && h == 0)
            choose_all(task, set, wanted);
    }
    return 0;
}
