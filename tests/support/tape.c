/* SPDX-License-Identifier: MIT */
#include "tape.h"

#include <assert.h>
#include <math.h>

typedef struct tape {
    struct tape *next;
    void *config;
    size_t strata;
    msw_stratum *sizes;
    uint64_t *first; /* unit of each stratum, over all */
    uint64_t units;
    double *totals, *predicted, *scale; /* unit-major */
    bool *uncertain;
    uint64_t *events, *work; /* of measuring, of predicting */
} tape;

static const msw_mech *original;
static tape *tapes;

static tape *tape_of(const void *config)
{
    tape *t = tapes;
    while (t && memcmp(t->config, config, original->config_size) != 0)
        t = t->next;
    return t;
}

static void tape_free(tape *t)
{
    free(t->config);
    free(t->sizes);
    free(t->first);
    free(t->totals);
    free(t->predicted);
    free(t->scale);
    free(t->uncertain);
    free(t->events);
    free(t->work);
    free(t);
}

void tape_close(void)
{
    while (tapes) {
        tape *next = tapes->next;
        tape_free(tapes);
        tapes = next;
    }
}

static void *room(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    assert(p);
    return p;
}

static int tape_new(const msw_task *task, tape **out, msw_err *err)
{
    tape *t = room(1, sizeof *t);
    size_t width = original->metric_count;
    t->config = room(1, original->config_size);
    memcpy(t->config, task->config, original->config_size);
    t->strata = original->strata_max;
    t->sizes = room(t->strata, sizeof *t->sizes);
    t->first = room(t->strata, sizeof *t->first);
    t->next = tapes;
    *out = tapes = t;
    if (original->strata(task, t->sizes, &t->strata, err))
        return -1;
    for (size_t h = 0; h < t->strata; h++) {
        t->first[h] = t->units;
        t->units += t->sizes[h].units;
    }
    t->totals = room(t->units * width, sizeof *t->totals);
    t->predicted = room(t->units * width, sizeof *t->predicted);
    t->scale = room(t->units * width, sizeof *t->scale);
    t->uncertain = room(t->units, sizeof *t->uncertain);
    t->events = room(t->units, sizeof *t->events);
    t->work = room(t->units, sizeof *t->work);
    return 0;
}

static int predict_all(const msw_task *task, tape *t, msw_err *err)
{
    msw_task own = *task;
    size_t width = original->metric_count;
    if (!original->predict || (original->predictable && !original->predictable(task->config)))
        return 0;
    if (original->predict_begin && original->predict_begin(&own, &own.prediction, err))
        return -1;
    for (size_t h = 0; h < t->strata; h++)
        for (uint64_t u = 0; u < t->sizes[h].units; u++) {
            uint64_t at = t->first[h] + u;
            msw_unit_prediction z = {.totals = t->predicted + at * width,
                                     .scale = t->scale + at * width};
            if (original->predict(&own, h, u, &z, err))
                return -1;
            t->uncertain[at] = z.uncertain;
            t->work[at] = z.events;
        }
    return 0;
}

static int record_begin(const msw_task *task, void *state, msw_err *err)
{
    tape *t = tape_of(task->config);
    if (!t && (tape_new(task, &t, err) || predict_all(task, t, err)))
        return -1;
    return original->begin ? original->begin(task, state, err) : 0;
}

static int record_unit(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                       msw_unit_out *out, msw_err *err)
{
    tape *t = tape_of(task->config);
    uint64_t at = t->first[stratum] + unit;
    size_t width = original->metric_count;
    if (original->measure(task, state, stratum, unit, out, err))
        return -1;
    memcpy(t->totals + at * width, out->totals, width * sizeof(double));
    t->events[at] = out->events;
    return 0;
}

static int play_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err)
{
    const tape *t = tape_of(task->config);
    (void)err;
    memcpy(strata, t->sizes, t->strata * sizeof *strata);
    *count = t->strata;
    return 0;
}

static int play_unit(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                     msw_unit_out *out, msw_err *err)
{
    const tape *t = tape_of(task->config);
    uint64_t at = t->first[stratum] + unit;
    size_t width = original->metric_count;
    (void)state;
    (void)err;
    memcpy(out->totals, t->totals + at * width, width * sizeof(double));
    out->events = t->events[at];
    return 0;
}

static int play_prediction(const msw_task *task, size_t stratum, uint64_t unit,
                           msw_unit_prediction *out, msw_err *err)
{
    const tape *t = tape_of(task->config);
    uint64_t at = t->first[stratum] + unit;
    size_t width = original->metric_count;
    (void)err;
    memcpy(out->totals, t->predicted + at * width, width * sizeof(double));
    memcpy(out->scale, t->scale + at * width, width * sizeof(double));
    out->uncertain = t->uncertain[at];
    out->events = t->work[at];
    return 0;
}

void tape_open(const msw_mech *mech, msw_mech *recorder, msw_mech *player)
{
    tape_close();
    original = mech;
    *recorder = *player = *mech;
    recorder->begin = record_begin;
    recorder->measure = record_unit;
    player->begin = NULL;
    player->warm = NULL;
    player->state_bytes = NULL;
    player->finish = NULL;
    player->predict_begin = NULL;
    player->predict_sum = NULL;
    player->strata = play_strata;
    player->measure = play_unit;
    player->predict = mech->predict ? play_prediction : NULL;
}

void tape_predict(msw_mech *player, bool predict)
{
    player->predict = predict ? play_prediction : NULL;
    player->predictable = predict ? original->predictable : NULL;
}

tape_errors tape_errors_of(const void *config, int metric)
{
    const tape *t = tape_of(config);
    size_t width = original->metric_count;
    tape_errors e = {.units = t->units};
    double sum = 0, largest = original->metrics[metric].predicted.largest;
    for (uint64_t i = 0; i < t->units; i++) {
        double y = t->totals[i * width + (size_t)metric];
        double z = t->predicted[i * width + (size_t)metric];
        double scale = t->scale[i * width + (size_t)metric];
        scale = largest * (scale > 0 ? scale : fabs(z));
        sum += y;
        e.sum += fabs(y - z);
        e.stated += scale;
        e.apart += fabs(y - z) > 1e-9 * fabs(y);
        e.uncertain += t->uncertain[i];
        e.beyond += !t->uncertain[i] && fabs(y - z) > scale * (1 + 1e-9) + 1e-9;
    }
    e.sum /= sum > 0 ? sum : 1;
    e.stated /= sum > 0 ? sum : 1;
    return e;
}

/* Stated error of unit i. */
static double stated_of(const tape *t, int metric, uint64_t i)
{
    size_t at = i * original->metric_count + (size_t)metric;
    double scale = t->scale[at] > 0 ? t->scale[at] : fabs(t->predicted[at]);
    return original->metrics[metric].predicted.largest * scale;
}

static double total_of(const tape *t, int metric)
{
    double sum = 0;
    for (uint64_t i = 0; i < t->units; i++)
        sum += t->totals[i * original->metric_count + (size_t)metric];
    return sum;
}

double tape_least(const void *config, int paired, double target, double confidence)
{
    const msw_metric *m = &original->metrics[paired];
    int num = msw_metrics_find(original->metrics, m->num);
    int den = msw_metrics_find(original->metrics, m->den);
    void *changed = room(1, original->config_size);
    memcpy(changed, config, original->config_size);
    original->references[0].change(changed);
    const tape *t = tape_of(config), *reference = tape_of(changed);
    free(changed);
    double x = total_of(t, num), ratio = x / total_of(reference, den), stated = 0;
    double events = 0, full = 0, rate = 1;
    for (uint64_t i = 0; i < t->units; i++)
        stated += stated_of(t, num, i) + ratio * stated_of(reference, den, i);
    if (target * x < stated)
        rate = log(1 - confidence) / log(1 - target * x / stated) / stated;
    for (uint64_t i = 0; i < t->units; i++) {
        double b = stated_of(t, num, i) + ratio * stated_of(reference, den, i);
        events += (double)t->events[i] * fmin(1, target * x < stated ? rate * b : 0);
        events += (double)t->work[i];
        full += (double)t->events[i];
    }
    return events / full;
}
