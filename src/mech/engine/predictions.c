/* SPDX-License-Identifier: MIT */
/* Keeps predictions of units: those of the candidate, and those of references, which all points
 * share. */
#include "mech/engine/evaluate.h"

#include <math.h>
#include <string.h>

/* ---- one config ---- */

int msw_predictions_begin(msw_task *task, msw_err *err)
{
    const msw_mech *mech = task->mech;
    return mech->predict_begin ? mech->predict_begin(task, &task->prediction, err) : 0;
}

static int predict_unit(const msw_task *task, size_t h, uint64_t unit, double *slots,
                        double *marked, msw_unit_prediction *out, msw_err *err)
{
    const msw_metric_map *map = task->map;
    *out = (msw_unit_prediction){.totals = slots, .scale = slots + map->metric_count};
    memset(slots, 0, 2 * map->metric_count * sizeof *slots);
    if (task->mech->predict(task, h, unit, out, err))
        return -1;
    for (size_t m = 0; m < map->mark_count; m++)
        marked[m] = slots[map->marks[m]];
    return 0;
}

/* The list of uncertain units is made at the first one: most strata have none. */
static int predict_by_unit(const msw_task *task, size_t h, uint64_t units, double *slots,
                           msw_arena *arena, msw_predictions *out, msw_err *err)
{
    size_t marks = task->map->mark_count;
    msw_unit_prediction one;
    out->units[h] = msw_arena_take(arena, units * marks * sizeof(double) + 1);
    out->scales[h] = msw_arena_take(arena, units * marks * sizeof(double) + 1);
    if (!out->units[h] || !out->scales[h])
        return msw_fail_memory(err);
    for (uint64_t u = 0; u < units; u++) {
        double *z = out->units[h] + u * marks, *scales = out->scales[h] + u * marks;
        if (predict_unit(task, h, u, slots, z, &one, err))
            return -1;
        out->events += one.events;
        for (size_t m = 0; m < marks; m++) {
            out->sums[h * marks + m] += z[m];
            scales[m] = one.scale[task->map->marks[m]];
            if (!(scales[m] > 0))
                scales[m] = fabs(z[m]);
            out->scale[h * marks + m] = fmax(out->scale[h * marks + m], scales[m]);
        }
        if (!one.uncertain)
            continue;
        if (!out->uncertain[h])
            out->uncertain[h] = msw_arena_zero(arena, units, sizeof(bool));
        if (!out->uncertain[h])
            return msw_fail_memory(err);
        out->uncertain[h][u] = true;
    }
    return 0;
}

/* Returns 1 when the stratum's sum represents it, 0 when it takes its units, -1 on failure. */
static int predict_by_sum(const msw_task *task, size_t h, double *slots, msw_predictions *out,
                          msw_err *err)
{
    const msw_metric_map *map = task->map;
    msw_unit_prediction sum = {.totals = slots, .scale = slots + map->metric_count};
    memset(slots, 0, 2 * map->metric_count * sizeof *slots);
    if (task->mech->predict_sum(task, h, &sum, err))
        return -1;
    out->events += sum.events;
    for (size_t m = 0; m < map->mark_count && !sum.uncertain; m++) {
        out->sums[h * map->mark_count + m] = sum.totals[map->marks[m]];
        out->scale[h * map->mark_count + m] = sum.scale[map->marks[m]];
    }
    return !sum.uncertain;
}

int msw_predictions_make(const msw_task *task, const msw_unit_set *strata, const bool *by_unit,
                         msw_arena *arena, msw_predictions *out, msw_err *err)
{
    size_t count = strata->stratum_count, marks = task->map->mark_count;
    double *slots = msw_arena_take(task->arena, 2 * task->map->metric_count * sizeof *slots);
    *out = (msw_predictions){.usable = true};
    out->units = msw_arena_zero(arena, count + 1, sizeof *out->units);
    out->uncertain = msw_arena_zero(arena, count + 1, sizeof *out->uncertain);
    out->sums = msw_arena_zero(arena, count * marks + 1, sizeof *out->sums);
    out->scale = msw_arena_zero(arena, count * marks + 1, sizeof *out->scale);
    out->scales = msw_arena_zero(arena, count + 1, sizeof *out->scales);
    if (!slots || !out->units || !out->uncertain || !out->sums || !out->scale || !out->scales)
        return msw_fail_memory(err);
    for (size_t h = 0; h < count; h++) {
        int done = 0;
        if (task->mech->predict_sum && by_unit && !by_unit[h])
            done = predict_by_sum(task, h, slots, out, err);
        if (done < 0 ||
            (!done && predict_by_unit(task, h, strata->strata[h].units, slots, arena, out, err)))
            return -1;
    }
    return 0;
}

/* ---- of a class ---- */

/* Adds a unit; of a stratum that is predicted as a whole, its sum for the first of its units: all
 * of them are of one class. */
static void add_unit(const msw_predictions *from, size_t marks, size_t h, uint64_t unit,
                     double *sums, double *scale)
{
    const double *z = from->units[h], *scales = from->scales[h];
    if (!z && unit > 0)
        return;
    for (size_t m = 0; m < marks; m++) {
        sums[m] += z ? z[unit * marks + m] : from->sums[h * marks + m];
        scale[m] = fmax(scale[m], z ? scales[unit * marks + m] : from->scale[h * marks + m]);
    }
}

int msw_predictions_sum(const msw_task *task, const msw_frame *frame, const msw_stratum_set *s,
                        const msw_predictions *from, msw_arena *arena, double **sums,
                        double **scale, msw_err *err)
{
    size_t marks = task->map->mark_count;
    *sums = msw_arena_zero(arena, marks + 1, sizeof **sums);
    *scale = msw_arena_zero(arena, marks + 1, sizeof **scale);
    if (!*sums || !*scale)
        return msw_fail_memory(err);
    for (uint64_t k = 0; k < s->units; k++) {
        size_t h = frame->stratum[s->members[k]];
        add_unit(from, marks, h, s->members[k] - frame->first[h], *sums, *scale);
    }
    return 0;
}

int msw_predictions_slots(const msw_task *task, const msw_frame *frame, const msw_stratum_set *s,
                          uint64_t count, const msw_predictions *from, msw_arena *arena,
                          double **out, msw_err *err)
{
    size_t marks = task->map->mark_count;
    double *slots = msw_arena_take(task->arena, 2 * task->map->metric_count * sizeof *slots);
    msw_unit_prediction one;
    *out = msw_arena_take(arena, count * marks * sizeof **out + 1);
    if (!*out || !slots)
        return msw_fail_memory(err);
    for (uint64_t k = 0; k < count; k++) {
        size_t h = frame->stratum[s->members[k]];
        uint64_t unit = s->members[k] - frame->first[h];
        double *z = *out + k * marks;
        if (from->units[h])
            memcpy(z, from->units[h] + unit * marks, marks * sizeof *z);
        else if (predict_unit(task, h, unit, slots, z, &one, err))
            return -1;
    }
    return 0;
}

/* ---- of references ---- */

typedef struct prediction_request {
    const void *config;
    msw_arena *arena;
    msw_predictions *out;
} prediction_request;

static int predict_reference(msw_task *task, void *context, msw_err *err)
{
    prediction_request *request = context;
    msw_unit_set set;
    if (task->mech->predictable && !task->mech->predictable(task->config)) {
        request->out->usable = false;
        return 0;
    }
    if (msw_units_init(task, &set, err) || msw_predictions_begin(task, err))
        return -1;
    return msw_predictions_make(task, &set, NULL, request->arena, request->out, err);
}

static int build_predictions(const msw_task *task, const void *extra, msw_arena *arena,
                             const void **root, msw_err *err)
{
    prediction_request request = *(const prediction_request *)extra;
    request.arena = arena;
    request.out = msw_arena_zero(arena, 1, sizeof *request.out);
    *root = request.out;
    return request.out ? msw_reference_task(task, request.config, predict_reference, &request, err)
                       : msw_fail_memory(err);
}

enum { KEY_WORDS = 6 };

static int get_predictions(const msw_task *task, int index, const msw_predictions **out,
                           void **handle, msw_err *err)
{
    uint64_t *words = msw_reference_config(task, index, KEY_WORDS);
    const void *root;
    if (!words)
        return msw_fail_memory(err);
    const uint64_t head[KEY_WORDS] = {
        task->product_key.hi, task->product_key.lo,
        task->map->id,        task->mech->random ? task->stream : 0,
        (uint64_t)index,      UINT64_MAX, /* no reference's units have this key */
    };
    memcpy(words, head, sizeof head);
    prediction_request request = {.config = words + KEY_WORDS};
    msw_digest key = msw_memo_digest(task->memo, 1, words, sizeof head + task->mech->config_size);
    if (task->source->get(task->source->context, key, build_predictions, task, &request, &root,
                          handle, err))
        return msw_fail_prefix(err, "reference %s: ", task->mech->references[index].name);
    *out = root;
    return 0;
}

int msw_predictions_get(const msw_task *task, msw_shared_predictions *shared, msw_err *err)
{
    size_t count = task->map->reference_count;
    shared->count = 0;
    shared->all = msw_arena_zero(task->arena, count + 1, sizeof *shared->all);
    shared->handles = msw_arena_zero(task->arena, count + 1, sizeof *shared->handles);
    if (!shared->all || !shared->handles)
        return msw_fail_memory(err);
    for (; shared->count < count; shared->count++)
        if (get_predictions(task, (int)shared->count, &shared->all[shared->count],
                            &shared->handles[shared->count], err)) {
            msw_predictions_put(task, shared);
            return -1;
        }
    return 0;
}

void msw_predictions_put(const msw_task *task, msw_shared_predictions *shared)
{
    for (size_t r = 0; r < shared->count; r++)
        task->source->put(task->source->context, shared->handles[r]);
    shared->count = 0;
}
