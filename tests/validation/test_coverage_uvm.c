/* SPDX-License-Identifier: MIT */
/* Do samples of uvm pay, and do their intervals hold what full gives? Every seed is a run of its
 * own: what a unit gives depends on the state in which the pass comes to it. Prints a row for each
 * kernel and prefetcher: events and processor time over those of full, errors, half-widths,
 * coverage. Without MEMSWEEP_FULL one small kernel. MEMSWEEP_KERNELS, MEMSWEEP_PREFETCHERS: only
 * those whose names they hold; MEMSWEEP_SEEDS: other numbers of seeds. */
#include "coverage.h"
#include "direct.h"
#include "testing.h"

#include "mech/uvm/config.h"
#include "mech/uvm/metrics.h"

#include <math.h>
#include <time.h>

enum { ASKED = 8, MOST_SEEDS = 200 };
static const int METRIC[ASKED] = {UVM_CYCLES, UVM_BUSY,     UVM_MEMORY, UVM_FAULT_WAIT,
                                  UVM_WALKS,  UVM_HIT_RATE, UVM_FAULTS, UVM_BYTES_IN};
static const char *const NAME[ASKED] = {"cycles", "busy",     "memory", "fault wait",
                                        "walks",  "hit rate", "faults", "bytes"};

extern const msw_mech msw_mech_uvm;

typedef struct sums {
    double exact[UVM_METRICS], full_events, full_seconds;
    double events, seconds, most;
    double error[ASKED], squares[ASKED], widths[ASKED];
    int covered[ASKED], whole, seeds;
    uint64_t units, measured;
    double cycles[MOST_SEEDS];
} sums;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double run(direct *d, msw_fidelity fidelity)
{
    double start = seconds();
    direct_run(d, fidelity, 1);
    assert_int_equal(d->answer.status, MSW_OK);
    return seconds() - start;
}

static void add_seed(direct *d, sums *s, uint64_t seed)
{
    d->task.sampling.seed = seed;
    s->seconds += run(d, MSW_SAMPLED);
    for (int m = 0; m < ASKED; m++) {
        double exact = s->exact[METRIC[m]], error = d->metrics[METRIC[m]] - exact;
        double size = exact != 0 ? fabs(exact) : 1;
        s->error[m] += error / size;
        s->squares[m] += error * error / size / size;
        s->widths[m] += d->half_widths[METRIC[m]] / size;
        s->covered[m] += fabs(error) <= d->half_widths[METRIC[m]] + 1e-9 * size;
    }
    s->cycles[seed - 1] = d->metrics[UVM_CYCLES];
    s->units = d->answer.units;
    s->measured = d->answer.measured;
    s->seeds++;
    s->whole += d->answer.measured == d->answer.units;
    s->events += (double)d->answer.events / s->full_events;
    s->most = fmax(s->most, (double)d->answer.events / s->full_events);
}

static void print_row(const char *name, const char *prefetcher, const sums *s)
{
    double n = s->seeds;
    printf("| %s | %s | %.2f M | %llu of %llu | %.3f, %.3f | %.3f |", name, prefetcher,
           1e-6 * s->full_events, (unsigned long long)s->measured, (unsigned long long)s->units,
           s->events / n, s->most, s->seconds / n / s->full_seconds);
    for (int m = 0; m < ASKED; m++)
        printf(" %s %+.2f, %.2f, %.2f %%, %d%s", NAME[m], 100 * s->error[m] / n,
               100 * sqrt(s->squares[m] / n), 100 * s->widths[m] / n, s->covered[m],
               m + 1 < ASKED ? ";" : "");
    printf(" | %d |\n", s->seeds);
    fflush(stdout);
}

static sums measure(const char *name, int prefetcher, int seeds)
{
    static const char *const PREFETCHERS[] = {
        [UVM_NONE] = "none", [UVM_TREE] = "tree", [UVM_MARKOV2] = "markov2"};
    direct d;
    msw_err err = {0};
    sums s = {.seeds = 0};
    assert_ok(direct_open(&d, &msw_mech_uvm, name, &err), err);
    direct_set(&d, "prefetcher", prefetcher);
    d.task.sampling = (msw_sampling){.confidence = 0.95, .target = 0.02, .pilot = 30};
    run(&d, MSW_FULL);
    s.full_seconds = run(&d, MSW_FULL);
    s.full_events = (double)d.answer.events;
    memcpy(s.exact, d.metrics, sizeof s.exact);
    for (int seed = 1; seed <= seeds; seed++)
        add_seed(&d, &s, (uint64_t)seed);
    print_row(name, PREFETCHERS[prefetcher], &s);
    direct_close(&d);
    return s;
}

/* Spread of the ratio of two policies, with the same units and with units drawn apart. */
static void print_ratio(const char *name, const sums *a, const sums *b)
{
    double same = 0, apart = 0, exact = a->exact[UVM_CYCLES] / b->exact[UVM_CYCLES];
    for (int i = 0; i < a->seeds; i++) {
        double paired = a->cycles[i] / b->cycles[i] / exact - 1;
        double other = a->cycles[i] / b->cycles[(i + 1) % b->seeds] / exact - 1;
        same += paired * paired;
        apart += other * other;
    }
    printf("%s: cycles of tree over none, error of the ratio: %.2f %% with the same units, %.2f %% "
           "with others\n",
           name, 100 * sqrt(same / a->seeds), 100 * sqrt(apart / a->seeds));
    fflush(stdout);
}

static void a_part_of_a_program_tells_of_all(void **state)
{
    (void)state;
    sums s = measure("uvm/bicg/n=1536", UVM_TREE, 2);
    assert_true(s.most <= 1);
}

static void large_programs(void **state)
{
    (void)state;
    static const char *const LARGE[] = {"uvm/addvectors",  "uvm/atax",       "uvm/backprop",
                                        "uvm/bicg",        "uvm/hotspot",    "uvm/mvt",
                                        "uvm/nw",          "uvm/pathfinder", "uvm/srad_v2",
                                        "uvm/streamtriad", "uvm/2dconv"};
    static const int PREFETCHERS[] = {UVM_NONE, UVM_TREE, UVM_MARKOV2};
    static const char *const NAMES[] = {"none", "tree", "markov2"};
    const char *only = getenv("MEMSWEEP_KERNELS"), *by = getenv("MEMSWEEP_PREFETCHERS");
    if (!getenv("MEMSWEEP_FULL"))
        skip();
    int seeds = getenv("MEMSWEEP_SEEDS") ? atoi(getenv("MEMSWEEP_SEEDS")) : 10;
    assert_true(seeds > 0 && seeds <= MOST_SEEDS);
    for (size_t i = 0; i < sizeof LARGE / sizeof *LARGE; i++) {
        sums found[3];
        memset(found, 0, sizeof found);
        for (int p = 0; p < 3; p++)
            if ((!only || strstr(only, LARGE[i])) && (!by || strstr(by, NAMES[p])))
                found[p] = measure(LARGE[i], PREFETCHERS[p], seeds);
        if (found[0].seeds && found[1].seeds)
            print_ratio(LARGE[i], &found[1], &found[0]);
    }
}

/* ---- held out ---- */

/* What no figure of the sampler was set on: other sizes, and machines drawn at random. */
static const struct {
    const char *param;
    int count;
    double values[4];
} VARIED[] = {
    {"prefetcher", 4, {UVM_NONE, UVM_BLOCK, UVM_TREE, UVM_MARKOV2}},
    {"fault_charge", 3, {UVM_EXCLUDED, UVM_SERIAL, UVM_BATCHED}},
    {"tlb_entries", 2, {4096, 8192}},
    {"walk_cycles", 3, {50, 100, 500}},
    {"merge_walks", 2, {0, 1}},
    {"walk_of", 2, {UVM_WALK_LINE, UVM_WALK_PAGE}},
    {"memory_cycles", 2, {100, 300}},
    {"sms", 3, {4, 28, 80}},
    {"schedulers", 3, {1, 2, 4}},
    {"issue_cycles", 3, {1, 6, 13}},
    {"fault_wait", 2, {UVM_WAIT_USE, UVM_WAIT_ACCESS}},
    {"cta_end", 2, {UVM_END_ACCESSES, UVM_END_LINK}},
};

static void draw_config(direct *d, uint64_t *random)
{
    for (size_t i = 0; i < sizeof VARIED / sizeof *VARIED; i++) {
        *random = *random * 6364136223846793005U + 1442695040888963407U;
        double value = VARIED[i].values[(*random >> 33) % (uint64_t)VARIED[i].count];
        direct_set(d, VARIED[i].param, value);
        printf("%s%s=%g", i ? " " : "", VARIED[i].param, value);
    }
    printf("\n");
}

static void hold_out(const char *name, uint64_t number)
{
    direct d;
    msw_err err = {0};
    sums s = {.seeds = 0};
    uint64_t random = number * 0x9e3779b97f4a7c15;
    assert_ok(direct_open(&d, &msw_mech_uvm, name, &err), err);
    draw_config(&d, &random);
    d.task.sampling = (msw_sampling){.confidence = 0.95, .target = 0.02, .pilot = 30};
    s.full_seconds = run(&d, MSW_FULL);
    s.full_events = (double)d.answer.events;
    memcpy(s.exact, d.metrics, sizeof s.exact);
    add_seed(&d, &s, 1 + number % 3);
    print_row(name, s.whole ? "whole" : "sampled", &s);
    direct_close(&d);
}

static void held_out(void **state)
{
    (void)state;
    static const char *const OTHER[] = {"uvm/bicg/n=1472", "uvm/bicg/n=1664", "uvm/bicg/n=1792",
                                        "uvm/bicg/n=1920"};
    if (!getenv("MEMSWEEP_FULL") || getenv("MEMSWEEP_KERNELS"))
        skip();
    for (uint64_t i = 0; i < 36; i++)
        hold_out(OTHER[i % (sizeof OTHER / sizeof *OTHER)], i + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_of_a_program_tells_of_all),
        cmocka_unit_test(held_out),
        cmocka_unit_test(large_programs),
    };
    return cmocka_run_group_tests_name("coverage_uvm", tests, NULL, NULL);
}
