/* SPDX-License-Identifier: MIT */
/* Do the intervals of sampled neummu hold what they promise, and what do they cost? Over seeds that
 * draw units and never the workload, against full. Every unit is measured once by the cycle model;
 * samples are then drawn from what it gave, which is exact: a unit gives the same whatever was
 * measured before it. Without and with predictions; seeds that measured everything are left out.
 * MEMSWEEP_FULL=1: the table of docs/models/sampling.md, in one go; after each network it says how
 * long the rest takes. MEMSWEEP_NETWORKS: only those so named; MEMSWEEP_SEEDS: other than 400. */
#include "coverage.h"
#include "direct.h"
#include "neummu_configs.h"
#include "tape.h"
#include "testing.h"

#include "mech/neummu/config.h"
#include "mech/neummu/model.h"

#include <math.h>
#include <time.h>

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
    static const struct {
        const char *name;
        double weight; /* units: what it takes, about */
    } NETWORKS[] = {
        {"resnet50/b1", 1436},         {"alexnet/b1", 1881},         {"bert_base_s128/b1", 2718},
        {"vit_b16/b1", 5532},          {"vgg16/b1", 4961},           {"pointpillars/b1", 6684},
        {"wav2vec2_base_1s/b1", 3377}, {"bert_base_s512/b1", 11682}, {"gnmt_s25/b1", 11570},
        {"bert_base_s384/b1", 8658}};
    const char *only = getenv("MEMSWEEP_NETWORKS");
    if (!getenv("MEMSWEEP_FULL"))
        skip();
    int seeds = getenv("MEMSWEEP_SEEDS") ? atoi(getenv("MEMSWEEP_SEEDS")) : 400;
    printf("| network | units | | configs | events over full | largest | needed | covered | worst "
           "config | "
           "median error | median half-width |\n");
    time_t begin = time(NULL);
    double done = 0, all = 0;
    for (size_t i = 0; i < sizeof NETWORKS / sizeof *NETWORKS; i++)
        all += !only || strstr(only, NETWORKS[i].name) ? NETWORKS[i].weight : 0;
    for (size_t i = 0; i < sizeof NETWORKS / sizeof *NETWORKS; i++) {
        if (only && !strstr(only, NETWORKS[i].name))
            continue;
        run_network(NETWORKS[i].name, 131072, CONFIGS, seeds);
        done += NETWORKS[i].weight;
        double seconds = difftime(time(NULL), begin);
        fprintf(stderr, "%s: %.0f s so far, about %.0f s to go\n", NETWORKS[i].name, seconds,
                seconds * (all - done) / done);
    }
    coverage_verdict(&tables[0], WAY[0], 10);
    bool holds = coverage_verdict(&tables[1], WAY[1], 10);
    close_tables();
    assert_true(holds);
}

/* ---- units where full is one pass ---- */

/* How full and sampled differ where the state of TLBs is carried from unit to unit at full and
 * rebuilt before each unit at sampled. */
typedef struct rebuilt {
    double configs, mean, squares, largest;
} rebuilt;

static const struct carried_config {
    const char *name, *param;
    double value;
    double bound; /* of |change of the cycles| that docs/models/sampling.md states */
} CARRIED[] = {
    {"fifo", "tlb_policy", MSW_POLICY_FIFO, 0.02},
    {"tree", "tlb_policy", MSW_POLICY_TREE, 0.02},
    {"bit", "tlb_policy", MSW_POLICY_BIT, 0.02},
    {"random", "tlb_policy", MSW_POLICY_RANDOM, 0.02},
    {"prefetch next_page", "tlb_prefetch", NEUMMU_PREFETCH_NEXT_PAGE, 0.1},
    {"prefetch tile", "tlb_prefetch", NEUMMU_PREFETCH_TILE, 0.02},
    {"prefetch layer", "tlb_prefetch", NEUMMU_PREFETCH_LAYER, 0.02},
    {"prefetch network", "tlb_prefetch", NEUMMU_PREFETCH_NETWORK, 0.02},
};

/* All units, each after a warm-up of its own, against the pass. */
static double rebuilt_change(direct *d)
{
    d->task.sampling = (msw_sampling){.confidence = 0.95, .target = 0.02, .pilot = 1e9};
    d->task.mech = d->mech = msw_mech_find("neummu");
    direct_run(d, MSW_FULL, 1);
    assert_int_equal(d->answer.status, MSW_OK);
    double full = d->metrics[NEUMMU_CYCLES];
    recorder = *d->mech;
    recorder.carried = NULL; /* else a sample of all units is the pass */
    recorder.predict = NULL;
    d->task.mech = d->mech = &recorder;
    direct_run(d, MSW_SAMPLED, 1);
    assert_int_equal(d->answer.status, MSW_OK);
    assert_int_equal(d->answer.measured, d->answer.units);
    return d->metrics[NEUMMU_CYCLES] / full - 1;
}

static void compare_rebuilt(const char *workload, size_t which, rebuilt *sums)
{
    static const double ENTRIES[] = {256, 1024}, WAYS_OF[] = {2, 8};
    msw_err err = {0};
    for (int entries = 0; entries < 2; entries++)
        for (int ways = 0; ways < 2; ways++) {
            direct d;
            assert_ok(direct_open(&d, msw_mech_find("neummu"), workload, &err), err);
            direct_set(&d, "npu_spm_activation", 131072);
            direct_set(&d, "npu_spm_weight", 131072);
            direct_set(&d, "tlb_entries", ENTRIES[entries]);
            direct_set(&d, "tlb_ways", WAYS_OF[ways]);
            direct_set(&d, CARRIED[which].param, CARRIED[which].value);
            double change = rebuilt_change(&d);
            sums->configs++;
            sums->mean += change;
            sums->squares += change * change;
            if (fabs(change) > fabs(sums->largest))
                sums->largest = change;
            direct_close(&d);
        }
}

static void rebuilt_units_are_as_carried(void **state)
{
    (void)state;
    static const char *const NETWORKS[] = {"alexnet/b1", "resnet50/b1", "bert_base_s128/b1"};
    size_t networks = getenv("MEMSWEEP_FULL") ? 3 : 1, kinds = getenv("MEMSWEEP_FULL") ? 8 : 1;
    for (size_t i = 0; i < kinds; i++) {
        rebuilt sums = {0};
        for (size_t n = 0; n < networks; n++)
            compare_rebuilt(NETWORKS[n], i, &sums);
        printf("| %s | %.0f | %+.3f %% | %.3f %% | %+.3f %% |\n", CARRIED[i].name, sums.configs,
               100 * sums.mean / sums.configs, 100 * sqrt(sums.squares / sums.configs),
               100 * sums.largest);
        fflush(stdout);
        assert_true(fabs(sums.largest) <= CARRIED[i].bound);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold),
        cmocka_unit_test(rebuilt_units_are_as_carried),
        cmocka_unit_test(large_networks_hold),
    };
    return cmocka_run_group_tests_name("coverage_neummu", tests, NULL, NULL);
}
