/* Do the intervals of sampled neummu hold what they promise, and what do they cost? Over seeds that
 * draw units and never the workload, against full. Every unit is measured once by the cycle model;
 * samples are then drawn from what it gave, so that hundreds of them take no longer than their
 * predictions. Without and with predictions; seeds that measured everything are left out.
 * MEMSWEEP_FULL=1: the table of docs/models/sampling.md. */
#include "direct.h"
#include "neummu_configs.h"
#include "testing.h"

#include "mech/neummu/config.h"
#include "mech/neummu/metrics.h"
#include "mech/neummu/stream.h"

/* What the units of a config and of its reference gave. */
typedef struct tape {
    double *totals;
    uint64_t *events;
    uint64_t steps;
} tape;

static tape tapes[2]; /* by oracle */
static msw_mech recorder, player;

static const neummu_stream *stream_of(const msw_task *task)
{
    return task->artifacts[0];
}

static tape *tape_of(const msw_task *task)
{
    return &tapes[((const neummu_config *)task->config)->oracle ? 1 : 0];
}

static int record_begin(const msw_task *task, void *state, msw_err *err)
{
    tape *t = tape_of(task);
    t->steps = stream_of(task)->step_count;
    t->totals = realloc(t->totals, t->steps * NEUMMU_METRICS * sizeof *t->totals);
    t->events = realloc(t->events, t->steps * sizeof *t->events);
    assert_true(t->totals && t->events);
    return msw_mech_find("neummu")->begin(task, state, err);
}

static int record_unit(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                       msw_unit_out *out, msw_err *err)
{
    tape *t = tape_of(task);
    uint32_t step = stream_of(task)->strata[stratum].steps[unit];
    if (msw_mech_find("neummu")->measure(task, state, stratum, unit, out, err))
        return -1;
    memcpy(t->totals + step * NEUMMU_METRICS, out->totals, NEUMMU_METRICS * sizeof(double));
    t->events[step] = out->events;
    return 0;
}

static int play_unit(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                     msw_unit_out *out, msw_err *err)
{
    const tape *t = tape_of(task);
    uint32_t step = stream_of(task)->strata[stratum].steps[unit];
    (void)state;
    (void)err;
    memcpy(out->totals, t->totals + step * NEUMMU_METRICS, NEUMMU_METRICS * sizeof(double));
    out->events = t->events[step];
    return 0;
}

static void open_records(void)
{
    recorder = player = *msw_mech_find("neummu");
    recorder.begin = record_begin;
    recorder.measure = record_unit;
    player.begin = NULL;
    player.warm = NULL;
    player.state_bytes = NULL;
    player.finish = NULL;
    player.measure = play_unit;
}

/* ---- what is counted ---- */

enum { SEEDS_MOST = 2000 };

typedef struct tally {
    int seeds, whole, covered;
    double errors[SEEDS_MOST], widths[SEEDS_MOST], events, full;
} tally;

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return count ? values[count / 2] : 0;
}

static void count_seed(const direct *d, int metric, double exact, tally *t)
{
    double miss = fabs(d->metrics[metric] - exact), width = d->half_widths[metric];
    int at = t->seeds - t->whole - 1;
    t->covered += miss <= width + 1e-9 * fabs(exact);
    t->errors[at] = miss / fabs(exact);
    t->widths[at] = width / fabs(exact);
}

static bool run_full(direct *d, double *exact, tally *t)
{
    d->task.mech = d->mech = &recorder;
    direct_run(d, MSW_FULL, 1);
    memcpy(exact, d->metrics, NEUMMU_METRICS * sizeof *exact);
    t->full = (double)d->answer.events;
    return d->answer.status == MSW_OK;
}

static void run_seeds(direct *d, int first, int seeds, const double *exact, int metric, tally *t)
{
    for (int seed = first; seed < first + seeds; seed++) {

        d->task.sampling.seed = (uint64_t)seed;
        direct_run(d, MSW_SAMPLED, 1);
        assert_int_equal(d->answer.status, MSW_OK);
        t->events += (double)d->answer.events;
        t->seeds++;
        t->whole += d->answer.measured == d->answer.units;
        if (d->answer.measured < d->answer.units)
            count_seed(d, metric, exact[metric], t);
    }
}

/* ---- a network ---- */

enum { POOL = 200000 };

/* Over all configs. */
typedef struct pool {
    int configs, part, covered;
    double events, worst; /* worst: covered share of a config */
    double errors[POOL], widths[POOL];
} pool;

static void add_tally(tally *t, pool *p)
{
    int part = t->seeds - t->whole;
    for (int i = 0; i < part && p->part < POOL; i++, p->part++) {
        p->errors[p->part] = t->errors[i];
        p->widths[p->part] = t->widths[i];
    }
    p->configs++;
    p->covered += t->covered;
    p->events += t->events / t->full / t->seeds;
    if (part)
        p->worst = fmin(p->worst, (double)t->covered / part);
}

static void print_pool(const char *workload, uint64_t units, bool predicted, pool *p)
{
    int n = p->part ? p->part : 1;
    printf("| %s | %llu | %s | %d | %.3f | %.1f %% of %d | %.0f %% | %.4f %% | %.3f %% |\n",
           workload, (unsigned long long)units, predicted ? "predicted" : "plain", p->configs,
           p->events / p->configs, 100.0 * p->covered / n, p->part, 100 * p->worst,
           100 * median(p->errors, p->part), 100 * median(p->widths, p->part));
}

static void use_predictions(bool predicted)
{
    const msw_mech *mech = msw_mech_find("neummu");
    player.predict = predicted ? mech->predict : NULL;
    player.predict_begin = predicted ? mech->predict_begin : NULL;
    player.predictable = predicted ? mech->predictable : NULL;
}

static void run_config(direct *d, uint64_t config, int seeds, pool pools[2])
{
    static tally t;
    double exact[NEUMMU_METRICS];
    neummu_random(d, config);
    if (!recorder.predictable(d->config))
        return;
    direct_drop_artifacts(d);
    memset(&t, 0, sizeof t);
    if (!run_full(d, exact, &t))
        return;
    for (int predicted = 0; predicted < 2; predicted++) {
        double full = t.full;
        memset(&t, 0, sizeof t);
        t.full = full;
        use_predictions(predicted);
        direct_drop_artifacts(d);
        d->task.mech = d->mech = &player;
        run_seeds(d, 1, seeds, exact, NEUMMU_SLOWDOWN, &t);
        add_tally(&t, &pools[predicted]);
    }
}

/* Returns what predictions gave. */
static const pool *run_network(const char *workload, double scratchpad, int configs, int seeds)
{
    static pool pools[2];
    msw_err err = {0};
    direct d;
    for (int i = 0; i < 2; i++) {
        pools[i] = (pool){0};
        pools[i].worst = 1;
    }
    assert_ok(direct_open(&d, &recorder, workload, &err), err);
    direct_set(&d, "npu_spm_activation", scratchpad);
    direct_set(&d, "npu_spm_weight", scratchpad);
    d.task.sampling.target = 0.02;
    for (int c = 0; c < configs; c++)
        run_config(&d, (uint64_t)c, seeds, pools);
    for (int i = 0; i < 2; i++)
        print_pool(workload, d.answer.units, i, &pools[i]);
    direct_close(&d);
    return &pools[1];
}

static void intervals_hold(void **state)
{
    (void)state;
    open_records();
    const pool *p = run_network("rnn2/b1", 131072, 10, 60);
    assert_true(p->part > 100);
    assert_true(p->covered >= (0.93 - 3 * sqrt(0.05 * 0.95 / p->part)) * p->part);
}

static void large_networks_hold(void **state)
{
    (void)state;
    static const char *const NETWORKS[] = {
        "resnet50/b1", "alexnet/b1",       "bert_base_s128/b1",   "vit_b16/b1",
        "vgg16/b1",    "pointpillars/b1",  "wav2vec2_base_1s/b1", "bert_base_s512/b1",
        "gnmt_s25/b1", "bert_base_s384/b1"};
    if (!getenv("MEMSWEEP_FULL"))
        skip();
    int seeds = getenv("MEMSWEEP_SEEDS") ? atoi(getenv("MEMSWEEP_SEEDS")) : 400;
    open_records();
    for (size_t i = 0; i < sizeof NETWORKS / sizeof *NETWORKS; i++)
        run_network(NETWORKS[i], 131072, 12, seeds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold),
        cmocka_unit_test(large_networks_hold),
    };
    return cmocka_run_group_tests_name("coverage_neummu", tests, NULL, NULL);
}
