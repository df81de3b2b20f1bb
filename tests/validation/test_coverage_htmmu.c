/* SPDX-License-Identifier: MIT */
/* Do the intervals of sampled htmmu hold what they promise, and what do they cost? Over seeds that
 * draw units and never the workload, against full. What a unit gives depends on the state in which
 * a pass comes to it, so every seed is a run of its own. By metric; seeds that measured everything
 * are left out. With it what a jump changes in the units behind it, and what predictions could save
 * at most. MEMSWEEP_FULL=1: the tables of docs/models/sampling.md. MEMSWEEP_STREAMS: only those so
 * named ("large x 8,"); MEMSWEEP_SEEDS: other numbers. */
#include "coverage.h"
#include "htmmu_configs.h"
#include "testing.h"
#include "unit_values.h"

#include <math.h>
#include <time.h>

#define TARGET 0.02

enum { ASKED = 3, CONFIGS = 10, WORST = 3, FIRST = 1000, PILOT = 90 };

/* Where the first so many seeds measured everything all do. */
enum { WHOLE_FIRST = 8 };
static const int METRIC[ASKED] = {HTMMU_CYCLES, HTMMU_WALKS, HTMMU_MEAN_WAIT};
static const char *const NAME[ASKED] = {"cycles", "walks", "mean wait"};

static msw_mech mech;
static msw_metric metrics[HTMMU_METRICS + 1]; /* the last: none */
static coverage_table tables[ASKED];

/* A metric that is compared with the baseline is compared with the config itself: the baseline
 * would be measured once more for every seed. */
static void leave_references(void)
{
    mech = msw_mech_htmmu;
    memcpy(metrics, mech.metrics, HTMMU_METRICS * sizeof *metrics);
    for (int m = 0; m < HTMMU_METRICS; m++)
        if (metrics[m].kind == MSW_PAIRED)
            metrics[m].kind = MSW_RATIO, metrics[m].reference = NULL;
    mech.metrics = metrics;
}

/* What a jump changes in the estimate of the cycles: over the seeds of a config, and over configs.
 */
typedef struct changes {
    double seeds, sum, squares;
    double configs, mean, means_squared, largest, error, last;
} changes;

enum { WAYS = 3 };
static const char *const FORECAST[WAYS] = {"closed form per request", "exact mean per request",
                                           "exact requests and walks"};

/* What is known of a stream's configs. */
typedef struct stream_sums {
    changes change;
    unit_errors errors[WAYS][CONFIGS];
    int configs;
} stream_sums;

static void describe(const double *full, char *out, size_t size)
{
    unit_spread y = unit_spread_of(HTMMU_CYCLES);
    snprintf(out, size,
             "%llu strata, spread %.2f, skewness %.0f, largest %.0f of the mean; "
             "%.3f walks per request",
             (unsigned long long)y.strata, y.spread, y.skewness, y.largest,
             full[HTMMU_WALKS] / full[HTMMU_REQUESTS]);
}

static void add_change(changes *c, double change)
{
    c->seeds++;
    c->sum += change;
    c->squares += change * change;
}

static void end_changes(changes *c)
{
    c->last = 0;
    if (c->seeds == 0)
        return;
    double mean = c->sum / c->seeds, variance = c->squares / c->seeds - mean * mean;
    c->last = mean;
    c->configs++;
    c->mean += mean;
    c->means_squared += mean * mean;
    if (fabs(mean) > fabs(c->largest)) {
        c->largest = mean;
        c->error = sqrt(fmax(0, variance) / c->seeds);
    }
    c->seeds = c->sum = c->squares = 0;
}

static void print_changes(const changes *c, const char *stream)
{
    printf("  %s: a jump changes the cycles by %+.3f %% (mean of %.0f configs), %.3f %% (root mean "
           "square), %+.3f %% (largest, +- %.3f %%)\n",
           stream, 100 * c->mean / c->configs, c->configs,
           100 * sqrt(c->means_squared / c->configs), 100 * c->largest, 100 * c->error);
}

/* In every way that units may be predicted, by the full run itself in the last two. */
static void forecast(direct *d, const double *full, stream_sums *sums)
{
    direct_run(d, MSW_ANALYTIC, 1);
    assert_int_equal(d->answer.status, MSW_OK);
    const unit_forecast ways[WAYS] = {
        {HTMMU_REQUESTS, -1, d->metrics[HTMMU_CYCLES] / d->metrics[HTMMU_REQUESTS], 0},
        {HTMMU_REQUESTS, -1, full[HTMMU_CYCLES] / full[HTMMU_REQUESTS], 0},
        unit_forecast_best(HTMMU_CYCLES, HTMMU_REQUESTS, HTMMU_WALKS),
    };
    for (int way = 0; way < WAYS; way++)
        sums->errors[way][sums->configs] = unit_errors_of(HTMMU_CYCLES, &ways[way]);
}

static void print_forecast(const stream_sums *sums, const char *stream, int way)
{
    double low = INFINITY, all = 0, typical = 0, own = 0, least = 1, one = 0, ahead = 0;
    for (int i = 0; i < sums->configs; i++) {
        low = fmin(low, sums->errors[way][i].largest);
        all = fmax(all, sums->errors[way][i].largest);
        typical = fmax(typical, sums->errors[way][i].typical);
    }
    for (int i = 0; i < sums->configs; i++) {
        const unit_errors *e = &sums->errors[way][i];
        double part = unit_errors_least(e, e->largest, TARGET, 0.95);
        own += part / sums->configs;
        least = fmin(least, part);
        one += unit_errors_least(e, all, TARGET, 0.95) / sums->configs;
        ahead += unit_errors_ahead(e, typical, TARGET) / sums->configs;
    }
    printf("| `%s` | %s | %.2f | %.2f | %.2f | %.3f | %.3f | %.3f | %.3f |\n", stream,
           FORECAST[way], low, all, typical, own, least, one, ahead);
}

static void run_seeds(direct *d, int seeds, const double *exact, double full, coverage **c,
                      changes *change)
{
    int whole_first = 0;
    for (int seed = 1; seed <= seeds && whole_first < WHOLE_FIRST; seed++) {
        d->task.sampling.seed = (uint64_t)seed;
        direct_run(d, MSW_SAMPLED, 1);
        assert_int_equal(d->answer.status, MSW_OK);
        bool whole = d->answer.measured == d->answer.units;
        for (int m = 0; m < ASKED; m++)
            coverage_add(c[m], (double)d->answer.events / full, whole, d->metrics[METRIC[m]],
                         d->half_widths[METRIC[m]], exact[METRIC[m]]);
        whole_first += whole && whole_first == seed - 1;
        if (!whole)
            add_change(change, unit_change_of(HTMMU_CYCLES));
    }
    end_changes(change);
}

/* Returns whether the config can be answered. */
static bool run_config(direct *d, const char *stream, uint64_t draw, int seeds, stream_sums *sums)
{
    char name[64];
    double exact[HTMMU_METRICS];
    coverage *c[ASKED];
    htmmu_random(d, draw);
    direct_drop_artifacts(d);
    d->task.sampling = (msw_sampling){.confidence = 0.95, .target = TARGET, .pilot = PILOT};
    direct_run(d, MSW_FULL, 1);
    if (d->answer.status != MSW_OK)
        return false;
    double full = (double)d->answer.events;
    memcpy(exact, d->metrics, sizeof exact);
    snprintf(name, sizeof name, "%s draw %llu", stream, (unsigned long long)draw);
    for (int m = 0; m < ASKED; m++) {
        c[m] = coverage_new(&tables[m], name, seeds);
        describe(exact, tables[m].causes[c[m] - tables[m].configs], sizeof *tables[m].causes);
    }
    forecast(d, exact, sums);
    run_seeds(d, seeds, exact, full, c, &sums->change);
    for (int m = 0; m < ASKED; m++) {
        char *cause = tables[m].causes[c[m] - tables[m].configs];
        size_t used = strlen(cause);
        snprintf(cause + used, sizeof *tables[m].causes - used, "; a jump %+.2f %%",
                 100 * sums->change.last);
    }
    return true;
}

/* A stream so many times as long as it is by default, and how many seeds it takes. */
typedef struct long_stream {
    const char *name;
    double times;
    int seeds;
} long_stream;

static void lengthen(direct *d, double times)
{
    const msw_param *p = msw_params_find(d->workload.frontend->params, "sparse_batches");
    direct_set(d, p->name, times * msw_param_get(p, d->workload.config));
}

static void run_stream(long_stream of, int configs, int seeds)
{
    char stream[48];
    msw_err err = {0};
    direct d;
    stream_sums sums = {0};
    int first = tables[0].config_count;
    time_t begin = time(NULL);
    snprintf(stream, sizeof stream, "%s x %.0f", of.name, of.times);
    leave_references();
    unit_values_open(&mech);
    assert_ok(direct_open(&d, &mech, of.name, &err), err);
    lengthen(&d, of.times);
    for (uint64_t draw = FIRST; sums.configs < configs; draw++)
        sums.configs += run_config(&d, stream, draw, seeds, &sums);
    for (int m = 0; m < ASKED; m++)
        coverage_row(&tables[m], first, stream, d.answer.units, NAME[m]);
    for (int way = 0; way < WAYS; way++)
        print_forecast(&sums, stream, way);
    print_changes(&sums.change, stream);
    fprintf(stderr, "%s: %.0f s\n", stream, difftime(time(NULL), begin));
    direct_close(&d);
    unit_values_close();
}

static void close_tables(void)
{
    for (int m = 0; m < ASKED; m++)
        coverage_close(&tables[m]);
}

static bool is_asked(const char *only, const long_stream *stream)
{
    char name[48];
    snprintf(name, sizeof name, "%s x %.0f,", stream->name, stream->times);
    return strstr(only, name) != NULL;
}

static void streams_hold(void **state)
{
    (void)state;
    static const long_stream STREAMS[] = {
        {"large", 1, 400},     {"neumf/b2048", 1, 60}, {"large", 8, 60},
        {"dlrm/b128", 20, 60}, {"big", 4, 60},
    };
    const char *only = getenv("MEMSWEEP_STREAMS");
    if (!getenv("MEMSWEEP_FULL"))
        skip();
    int seeds = getenv("MEMSWEEP_SEEDS") ? atoi(getenv("MEMSWEEP_SEEDS")) : 0;
    for (size_t i = 0; i < sizeof STREAMS / sizeof *STREAMS; i++)
        if (!only || is_asked(only, &STREAMS[i]))
            run_stream(STREAMS[i], CONFIGS, seeds ? seeds : STREAMS[i].seeds);
    for (int m = 0; m < ASKED; m++)
        coverage_verdict(&tables[m], NAME[m], WORST);
    close_tables();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_hold),
    };
    return cmocka_run_group_tests_name("coverage_htmmu", tests, NULL, NULL);
}
