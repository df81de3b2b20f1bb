/* What does evaluating a point cost, apart from the model? Rates of `null` at zero cost per point,
 * beside a calibration loop (hashing 200 bytes), so that machines can be compared. */
#include "bench.h"

#include "direct.h"
#include "neummu_configs.h"

#include "run/artifact.h"
#include "run/pool.h"

#include <stdio.h>

static void bench(direct *d, msw_fidelity fidelity, int count, double calibration)
{
    double start = msw_now();
    d->task.fidelity = fidelity;
    for (int i = 0; i < count; i++) {
        msw_arena_reset(&d->arena);
        msw_param_set(&d->mech->params[1], d->config, i * 1e-7);
        msw_mech_evaluate(&d->task, &d->answer);
    }
    double seconds = msw_now() - start;
    printf("evaluate null %-8s %9.0f points/s, ratio to calibration %.4f\n",
           msw_fidelity_name(fidelity), count / seconds, count / seconds / calibration);
}

/* Sampled points of 4 x 5000 units, plain and predicted: rates, and events over those of full. */
static void bench_predicted(direct *d, double calibration)
{
    static const char *const LAWS[] = {"plain", "small", "rare", "biased", "cost"};
    direct_set(d, "gain", 2);
    direct_set(d, "synth_units", 5000);
    direct_set(d, "synth_shape", 1);
    direct_set(d, "synth_cv", 0.5);
    direct_set(d, "unit_events", 100);
    direct_set(d, "predict_error", 0.03);
    d->task.sampling.target = 0.01;
    msw_arena_reset(&d->arena);
    d->task.fidelity = MSW_FULL;
    msw_mech_evaluate(&d->task, &d->answer);
    double full = (double)d->answer.events;
    d->task.fidelity = MSW_SAMPLED;
    for (int law = 0; law < 5; law++) {
        enum { COUNT = 200 };
        double events = 0, start = msw_now();
        direct_set(d, "predict_law", law);
        for (int i = 0; i < COUNT; i++) {
            msw_arena_reset(&d->arena);
            d->task.sampling.seed = (uint64_t)i + 1;
            msw_mech_evaluate(&d->task, &d->answer);
            events += (double)d->answer.events / COUNT;
        }
        double rate = COUNT / (msw_now() - start);
        printf(
            "sampled null 4 x 5000 units, %-6s %9.0f points/s, ratio to calibration %.3g, events "
            "%.4f of full\n",
            LAWS[law], rate, rate / calibration, events / full);
    }
}

/* One way of evaluating a config of a network: events and time. */
typedef struct spent {
    double events, seconds;
} spent;

static spent evaluate_times(direct *d, msw_fidelity fidelity, int count)
{
    double events = 0, start = msw_now();
    for (int i = 0; i < count; i++) {
        d->task.sampling.seed = (uint64_t)i + 1;
        direct_run(d, fidelity, 1);
        events += (double)d->answer.events / count;
    }
    return (spent){events, (msw_now() - start) / count};
}

/* What the points of a sweep share, streams and references, is made before the time is taken. */
static void bench_network(const char *workload)
{
    enum { CONFIGS = 4, COUNT = 5, FIRST = 40 };
    const msw_mech *mech = msw_mech_find("neummu");
    msw_mech plain = *mech;
    msw_err err = {0};
    direct d;
    double events[2] = {0}, seconds[2] = {0};
    plain.predict = NULL;
    plain.predict_begin = NULL;
    plain.predictable = NULL;
    if (direct_open(&d, mech, workload, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return;
    }
    direct_set(&d, "npu_spm_activation", 131072);
    direct_set(&d, "npu_spm_weight", 131072);
    int configs = 0;
    for (uint64_t c = FIRST; configs < CONFIGS; c++) {
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
            events[way] += part.events / full.events / CONFIGS;
            seconds[way] += part.seconds / full.seconds / CONFIGS;
        }
    }
    for (int way = 0; way < 2; way++)
        printf("sampled neummu %-11s %-9s events %.3f, time %.3f of full\n", workload,
               way ? "predicted" : "plain", events[way], seconds[way]);
    direct_close(&d);
}

int main(void)
{
    direct d;
    msw_err err = {0};
    msw_metric_map map;
    const msw_mech *mech = msw_mech_find("null");
    if (direct_open(&d, mech, "synth/even", &err) || msw_metric_map_init(&map, mech, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    bench_network("resnet50/b1");
    bench_network("vit_b16/b1");
    msw_window window = {.shared = msw_artifacts_new(0)};
    msw_artifact_source source = {.context = &window, .get = msw_window_get, .put = msw_window_put};
    d.task.source = &source;
    d.task.map = &map;
    double calibration = 1 / bench_hash();
    bench(&d, MSW_ANALYTIC, 2000000, calibration);
    bench(&d, MSW_SAMPLED, 10000, calibration);
    bench(&d, MSW_FULL, 10000, calibration);
    bench_predicted(&d, calibration);
    msw_window_close(&window);
    msw_artifacts_free((msw_artifacts *)window.shared);
    direct_close(&d);
    return 0;
}
