/* SPDX-License-Identifier: MIT */
/* Do samples of mpu pay on large kernels, and do their intervals hold what full gives? Every seed
 * is a run of its own: what a window gives depends on the state in which a pass comes to it. Prints
 * a row for each kernel: how much runs in detail, processor time, errors, half-widths, coverage.
 * Without MEMSWEEP_FULL one kernel on a quarter of the machine. MEMSWEEP_KERNELS: only those whose
 * names it holds; MEMSWEEP_SEEDS: other numbers of seeds. */
#include "coverage.h"
#include "direct.h"
#include "testing.h"

#include "mech/mpu/config.h"

#include <math.h>
#include <time.h>

enum { ASKED = 4 };
static const int METRIC[ASKED] = {MPU_CYCLES, MPU_TSV_BYTES, MPU_ENERGY, MPU_STALL_DRAM};
static const char *const NAME[ASKED] = {"cycles", "TSV bytes", "energy", "stall for DRAM"};

extern const msw_mech msw_mech_mpu;

static msw_mech mech;
static msw_metric metrics[MPU_METRICS + 1]; /* the last: none */

typedef struct kernel {
    const char *name;
    double processors, cores, window, pilot, target;
    int seeds;
    uint64_t first; /* seed before the first */
} kernel;

typedef struct sums {
    coverage_table tables[ASKED];
    coverage *of[ASKED];
    double exact[MPU_METRICS], full_events, full_seconds;
    double events, seconds, error, squares, widths;
    int whole, seeds;
} sums;

/* A metric that is compared with a reference is compared with the config itself: the reference
 * would be measured once more for every seed. */
static void leave_references(void)
{
    mech = msw_mech_mpu;
    memcpy(metrics, mech.metrics, MPU_METRICS * sizeof *metrics);
    for (int m = 0; m < MPU_METRICS; m++)
        if (metrics[m].kind == MSW_PAIRED)
            metrics[m].kind = MSW_RATIO, metrics[m].reference = NULL;
    mech.metrics = metrics;
}

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
    bool whole = d->answer.measured == d->answer.units;
    double error = d->metrics[MPU_CYCLES] / s->exact[MPU_CYCLES] - 1;
    for (int m = 0; m < ASKED; m++)
        coverage_add(s->of[m], (double)d->answer.events / s->full_events, whole,
                     d->metrics[METRIC[m]], d->half_widths[METRIC[m]], s->exact[METRIC[m]]);
    s->seeds++;
    s->whole += whole;
    s->events += (double)d->answer.events / s->full_events;
    s->error += error;
    s->squares += error * error;
    s->widths += d->half_widths[MPU_CYCLES] / s->exact[MPU_CYCLES];
}

static void print_row(const direct *d, const kernel *k, const sums *s)
{
    double n = s->seeds;
    printf("| %s | %.0f, %.0f, %g %% | %.1f M | %llu | %d (%d whole) | %.3f | %.3f | %+.2f, %.2f, "
           "%.2f %% |",
           k->name, k->window, k->pilot, 100 * k->target, 1e-6 * s->exact[MPU_INSNS],
           (unsigned long long)d->answer.units, s->seeds, s->whole, s->events / n,
           s->seconds / n / s->full_seconds, 100 * s->error / n, 100 * sqrt(s->squares / n),
           100 * s->widths / n);
    for (int m = 0; m < ASKED; m++)
        printf(" %s %d of %d%s", NAME[m], s->of[m]->covered, s->of[m]->pairs,
               m + 1 < ASKED ? "," : " |\n");
}

static sums *measure(const kernel *k, int seeds)
{
    direct d;
    msw_err err = {0};
    sums *s = calloc(1, sizeof *s);
    assert_non_null(s);
    leave_references();
    assert_ok(direct_open(&d, &mech, k->name, &err), err);
    direct_set(&d, "window_insns", k->window);
    direct_set(&d, "processors", k->processors);
    direct_set(&d, "processor_columns", k->processors < 4 ? k->processors : 4);
    direct_set(&d, "cores", k->cores);
    direct_set(&d, "core_columns", k->cores < 4 ? k->cores : 4);
    d.task.sampling =
        (msw_sampling){.confidence = 0.95, .target = k->target, .pilot = (int64_t)k->pilot};
    s->full_seconds = run(&d, MSW_FULL);
    s->full_events = (double)d.answer.events;
    memcpy(s->exact, d.metrics, sizeof s->exact);
    for (int m = 0; m < ASKED; m++)
        s->of[m] = coverage_new(&s->tables[m], k->name, seeds);
    for (int seed = 1; seed <= seeds; seed++)
        add_seed(&d, s, k->first + (uint64_t)seed);
    print_row(&d, k, s);
    fflush(stdout);
    direct_close(&d);
    return s;
}

static void drop(sums *s)
{
    for (int m = 0; m < ASKED; m++)
        coverage_close(&s->tables[m]);
    free(s);
}

static void a_part_of_a_kernel_tells_of_all(void **state)
{
    (void)state;
    static const kernel SMALL = {"hist/n=4Mi", 2, 16, 4096, 24, 0.2, 1, 1};
    sums *s = measure(&SMALL, SMALL.seeds);
    assert_true(s->whole < s->seeds);
    assert_true(s->events < 0.9 * s->seeds);
    assert_int_equal(s->of[0]->covered, s->of[0]->pairs);
    drop(s);
}

static void large_kernels_take_a_twentieth(void **state)
{
    (void)state;
    static const kernel LARGE[] = {
        {"blur", 8, 16, 65536, 48, 0.1, 20, 0},
        {"conv", 8, 16, 65536, 48, 0.1, 10, 0},
        {"axpy/n=256Mi", 8, 16, 65536, 48, 0.1, 20, 0},
        {"knn/n=256Mi", 8, 16, 65536, 48, 0.1, 10, 0},
        {"pr/n=512Mi", 8, 16, 65536, 48, 0.1, 10, 0},
        {"hist/n=256Mi", 8, 16, 65536, 48, 0.1, 10, 0},
        {"kmeans/n=32Mi", 8, 16, 65536, 48, 0.1, 10, 0},
        {"ttrans/h=16384,w=16384", 8, 16, 65536, 48, 0.1, 10, 0},
        {"maxp/h=4096,w=4096", 8, 16, 65536, 48, 0.1, 10, 0},
        {"upsamp/h=4096,w=4096", 8, 16, 65536, 48, 0.1, 10, 0},
    };
    const char *only = getenv("MEMSWEEP_KERNELS");
    if (!getenv("MEMSWEEP_FULL"))
        skip();
    int seeds = getenv("MEMSWEEP_SEEDS") ? atoi(getenv("MEMSWEEP_SEEDS")) : 0;
    for (size_t i = 0; i < sizeof LARGE / sizeof *LARGE; i++)
        if (!only || strstr(only, LARGE[i].name))
            drop(measure(&LARGE[i], seeds ? seeds : LARGE[i].seeds));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_of_a_kernel_tells_of_all),
        cmocka_unit_test(large_kernels_take_a_twentieth),
    };
    return cmocka_run_group_tests_name("coverage_mpu", tests, NULL, NULL);
}
