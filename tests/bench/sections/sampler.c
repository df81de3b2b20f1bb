/* SPDX-License-Identifier: MIT */
/* What does evaluating a point cost, apart from the model, and what do samples cost beside all
 * units? `null` at zero cost per point; neummu with what predicts its units. */
#include "section.h"

#include "direct.h"
#include "neummu_configs.h"

#include "run/artifact.h"

/* A point of null, with the artifacts of a run. */
typedef struct point {
    direct d;
    msw_metric_map map;
    msw_window window;
    msw_artifact_source source;
} point;

static void open_point(bench *b, point *p)
{
    msw_err err = {0};
    const msw_mech *mech = msw_mech_find("null");
    bench_check(b, direct_open(&p->d, mech, "synth/even", &err), &err);
    bench_check(b, msw_metric_map_init(&p->map, mech, &err), &err);
    p->window = (msw_window){.shared = msw_artifacts_new(0)};
    p->source =
        (msw_artifact_source){.context = &p->window, .get = msw_window_get, .put = msw_window_put};
    p->d.task.source = &p->source;
    p->d.task.map = &p->map;
}

static void close_point(point *p)
{
    msw_window_close(&p->window);
    msw_artifacts_free((msw_artifacts *)p->window.shared);
    direct_close(&p->d);
}

static double evaluate(bench *b, void *context, size_t n)
{
    direct *d = &((point *)context)->d;
    double start = bench_seconds();
    for (size_t i = 0; i < n; i++) {
        msw_arena_reset(&d->arena);
        msw_param_set(&d->mech->params[1], d->config, (double)i * 1e-7);
        msw_mech_evaluate(&d->task, &d->answer);
    }
    if (d->answer.status != MSW_OK)
        bench_fail(b, "a point has no answer");
    return bench_seconds() - start;
}

void section_evaluate(bench *b)
{
    size_t points = (size_t)bench_set(b, "points");
    point p;
    open_point(b, &p);
    for (int fidelity = 0; fidelity < MSW_FIDELITY_COUNT; fidelity++) {
        p.d.task.fidelity = (msw_fidelity)fidelity;
        bench_growth(b, fidelity == MSW_ANALYTIC ? points / 10 : points / 2000, evaluate, &p,
                     "points of null, %s", msw_fidelity_name(p.d.task.fidelity));
    }
    close_point(&p);
}

/* Sampled points of 4 x 5000 units. */
static void set_units(direct *d)
{
    direct_set(d, "gain", 2);
    direct_set(d, "synth_units", 5000);
    direct_set(d, "synth_shape", 1);
    direct_set(d, "synth_cv", 0.5);
    direct_set(d, "unit_events", 100);
    direct_set(d, "predict_error", 0.03);
    d->task.sampling.target = 0.01;
}

/* Events per point, over those of full. */
static double sample(direct *d, int count, double full)
{
    double events = 0;
    for (int i = 0; i < count; i++) {
        msw_arena_reset(&d->arena);
        d->task.sampling.seed = (uint64_t)i + 1;
        msw_mech_evaluate(&d->task, &d->answer);
        events += (double)d->answer.events / count / full;
    }
    return events;
}

void section_predicted(bench *b)
{
    static const char *const LAWS[] = {"plain", "small", "rare", "biased", "cost"};
    int count = bench_quick(b) ? 10 : 100;
    point p;
    open_point(b, &p);
    set_units(&p.d);
    msw_arena_reset(&p.d.arena);
    p.d.task.fidelity = MSW_FULL;
    msw_mech_evaluate(&p.d.task, &p.d.answer);
    double full = (double)p.d.answer.events;
    p.d.task.fidelity = MSW_SAMPLED;
    for (int law = 0; law < 5; law++) {
        direct_set(&p.d, "predict_law", law);
        double start = bench_seconds(), events = sample(&p.d, count, full);
        bench_rate(b, count, bench_seconds() - start, "points of 20000 units, %s", LAWS[law]);
        bench_fact(b, "of full", events, "events of 20000 units, %s", LAWS[law]);
    }
    close_point(&p);
}

/* One way of evaluating a config of a network: events and time. */
typedef struct spent {
    double events, seconds;
} spent;

static spent evaluate_times(direct *d, msw_fidelity fidelity, int count)
{
    double events = 0, start = bench_seconds();
    for (int i = 0; i < count; i++) {
        d->task.sampling.seed = (uint64_t)i + 1;
        direct_run(d, fidelity, 1);
        events += (double)d->answer.events / count;
    }
    return (spent){events, (bench_seconds() - start) / count};
}

/* What the points of a sweep share, streams and references, is made before the time is taken. */
static void network(bench *b, const char *workload)
{
    enum { COUNT = 5, FIRST = 40 };
    const int most = bench_quick(b) ? 1 : 4;
    const msw_mech *mech = msw_mech_find("neummu");
    msw_mech plain = *mech;
    msw_err err = {0};
    direct d;
    double events[2] = {0}, seconds[2] = {0};
    plain.predict = NULL;
    plain.predict_begin = NULL;
    plain.predictable = NULL;
    bench_check(b, direct_open(&d, mech, workload, &err), &err);
    direct_set(&d, "npu_spm_activation", 131072);
    direct_set(&d, "npu_spm_weight", 131072);
    int configs = 0;
    for (uint64_t c = FIRST; configs < most; c++) {
        neummu_random(&d, c);
        if (!mech->predictable(d.config))
            continue;
        configs++;
        direct_drop_artifacts(&d);
        d.task.mech = d.mech = mech;
        evaluate_times(&d, MSW_FULL, 1);
        spent full = evaluate_times(&d, MSW_FULL, 1);
        for (int way = 0; way < 2; way++) {
            d.task.mech = d.mech = way ? mech : &plain;
            evaluate_times(&d, MSW_SAMPLED, COUNT);
            spent part = evaluate_times(&d, MSW_SAMPLED, COUNT);
            events[way] += part.events / full.events / most;
            seconds[way] += part.seconds / full.seconds / most;
        }
    }
    for (int way = 0; way < 2; way++) {
        const char *name = way ? "predicted" : "plain";
        bench_fact(b, "of full", events[way], "%s events, %s", workload, name);
        bench_row(b, "of full", BENCH_LOWER, seconds[way], "%s time, %s", workload, name);
    }
    direct_close(&d);
}

void section_neummu_predicted(bench *b)
{
    network(b, "resnet50/b1");
    if (!bench_quick(b))
        network(b, "vit_b16/b1");
}
