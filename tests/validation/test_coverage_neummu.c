/* Do the intervals of sampled neummu hold what they promise, and what do they cost? Over seeds that
 * draw units and never the workload, against full. Every unit is measured once by the cycle model;
 * samples are then drawn from what it gave, which is exact: a unit gives the same whatever was
 * measured before it. Without and with predictions; seeds that measured everything are left out.
 * MEMSWEEP_FULL=1: the table of docs/models/sampling.md. MEMSWEEP_NETWORKS: only those so named. */
#include "coverage.h"
#include "direct.h"
#include "neummu_configs.h"
#include "tape.h"
#include "testing.h"

#include "mech/neummu/metrics.h"

enum { WAYS = 2, CONFIGS = 10, FIRST = 40 }; /* draws 0 .. 39 chose constants of the error law */
static const char *const WAY[WAYS] = {"plain", "predicted"};

static msw_mech recorder, player;
static coverage_table tables[WAYS];

static void describe(const direct *d, char *out, size_t size)
{
    tape_errors e = tape_errors_of(d->config, NEUMMU_CYCLES);
    snprintf(
        out, size,
        "%llu units, %llu not as predicted, %llu beyond, %llu uncertain, errors %.4f and stated "
        "%.3f of the cycles",
        (unsigned long long)e.units, (unsigned long long)e.apart, (unsigned long long)e.beyond,
        (unsigned long long)e.uncertain, e.sum, e.stated);
}

static void run_seeds(direct *d, int seeds, double exact, double full, coverage *c)
{
    const direct_entry *mark = d->entries;
    d->task.mech = d->mech = &player;
    for (int seed = 1; seed <= seeds; seed++) {
        d->task.sampling.seed = (uint64_t)seed;
        direct_run(d, MSW_SAMPLED, 1);
        assert_int_equal(d->answer.status, MSW_OK);
        coverage_add(c, (double)d->answer.events / full, d->answer.measured == d->answer.units,
                     d->metrics[NEUMMU_SLOWDOWN], d->half_widths[NEUMMU_SLOWDOWN], exact);
        direct_drop_since(d, mark);
    }
}

/* Returns whether the config can be predicted and answered. */
static bool run_config(direct *d, const char *workload, uint64_t config, int seeds)
{
    char name[64];
    neummu_random(d, config);
    if (!recorder.predictable(d->config))
        return false;
    direct_drop_artifacts(d);
    tape_open(msw_mech_find("neummu"), &recorder, &player);
    d->task.mech = d->mech = &recorder;
    direct_run(d, MSW_FULL, 1);
    if (d->answer.status != MSW_OK)
        return false;
    double exact = d->metrics[NEUMMU_SLOWDOWN], full = (double)d->answer.events;
    snprintf(name, sizeof name, "%s draw %llu", workload, (unsigned long long)config);
    for (int way = 0; way < WAYS; way++) {
        coverage *c = coverage_new(&tables[way], name, seeds);
        describe(d, tables[way].causes[c - tables[way].configs], sizeof *tables[way].causes);
        tape_predict(&player, way);
        c->least = way ? tape_least(d->config, NEUMMU_SLOWDOWN, d->task.sampling.target,
                                    d->task.sampling.confidence)
                       : 0;
        run_seeds(d, seeds, exact, full, c);
    }
    return true;
}

static void run_network(const char *workload, double scratchpad, int configs, int seeds)
{
    msw_err err = {0};
    direct d;
    int first[WAYS], run = 0;
    tape_open(msw_mech_find("neummu"), &recorder, &player);
    assert_ok(direct_open(&d, &recorder, workload, &err), err);
    direct_set(&d, "npu_spm_activation", scratchpad);
    direct_set(&d, "npu_spm_weight", scratchpad);
    d.task.sampling.target = 0.02;
    for (int way = 0; way < WAYS; way++)
        first[way] = tables[way].config_count;
    for (uint64_t draw = FIRST; run < configs; draw++)
        run += run_config(&d, workload, draw, seeds);
    for (int way = 0; way < WAYS; way++)
        coverage_row(&tables[way], first[way], workload, d.answer.units, WAY[way]);
    direct_close(&d);
}

static void close_tables(void)
{
    for (int way = 0; way < WAYS; way++)
        coverage_close(&tables[way]);
    tape_close();
}

static void intervals_hold(void **state)
{
    (void)state;
    run_network("rnn2/b1", 131072, CONFIGS, 60);
    coverage_verdict(&tables[0], WAY[0], 0);
    assert_true(coverage_verdict(&tables[1], WAY[1], 3));
    close_tables();
}

static void large_networks_hold(void **state)
{
    (void)state;
    static const char *const NETWORKS[] = {
        "resnet50/b1", "alexnet/b1",       "bert_base_s128/b1",   "vit_b16/b1",
        "vgg16/b1",    "pointpillars/b1",  "wav2vec2_base_1s/b1", "bert_base_s512/b1",
        "gnmt_s25/b1", "bert_base_s384/b1"};
    const char *only = getenv("MEMSWEEP_NETWORKS");
    if (!getenv("MEMSWEEP_FULL"))
        skip();
    int seeds = getenv("MEMSWEEP_SEEDS") ? atoi(getenv("MEMSWEEP_SEEDS")) : 400;
    printf("| network | units | | configs | events over full | largest | needed | covered | worst "
           "config | "
           "median error | median half-width |\n");
    for (size_t i = 0; i < sizeof NETWORKS / sizeof *NETWORKS; i++)
        if (!only || strstr(only, NETWORKS[i]))
            run_network(NETWORKS[i], 131072, CONFIGS, seeds);
    coverage_verdict(&tables[0], WAY[0], 10);
    bool holds = coverage_verdict(&tables[1], WAY[1], 10);
    close_tables();
    assert_true(holds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold),
        cmocka_unit_test(large_networks_hold),
    };
    return cmocka_run_group_tests_name("coverage_neummu", tests, NULL, NULL);
}
