/* How fast does htmmu answer, and how do closed form and samples agree with it? Requests per second
 * of processor time at `full`, points per second at `analytic`, errors over random configs.
 *
 *   bench_htmmu [random configs per workload, default 40] [v: each of them]
 */
#include "bench.h"

#include "htmmu_configs.h"

#include <math.h>

/* Mean seconds of a run, over at least 0.2 s. */
static double time_run(direct *d, msw_fidelity fidelity)
{
    int runs = 0;
    direct_run(d, fidelity, 1); /* builds the artifacts and the reference */
    double start = bench_seconds(), end;
    do {
        direct_run(d, fidelity, 1);
        runs++;
    } while ((end = bench_seconds()) - start < 0.2);
    return (end - start) / runs;
}

static int open_workload(direct *d, const char *workload)
{
    msw_err err = {0};
    if (direct_open(d, &msw_mech_htmmu, workload, &err) == 0)
        return 0;
    fprintf(stderr, "%s\n", err.text);
    return -1;
}

static int show_speed(const char *workload)
{
    static const char *const NAMES[] = {"baseline", "tbu", "htmmu"};
    direct d;
    if (open_workload(&d, workload))
        return -1;
    double start = bench_seconds();
    direct_run(&d, MSW_ANALYTIC, 1);
    double build = bench_seconds() - start, analytic = time_run(&d, MSW_ANALYTIC);
    printf("%-12s profiles built in %.0f ms, analytic %.0f points/s\n", workload, 1e3 * build,
           1 / analytic);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        stream_preset(&d, NAMES[i]);
        double seconds = time_run(&d, MSW_FULL);
        printf("%-12s %-10s full %6.1f M requests/s, speedup %.2f, wait %.2f, walks per request "
               "%.3f\n",
               "", NAMES[i], 1e-6 * stream_metric(&d, "requests") / seconds,
               stream_metric(&d, "speedup"), stream_metric(&d, "relative_wait"),
               stream_metric(&d, "walks") / stream_metric(&d, "requests"));
    }
    direct_close(&d);
    return 0;
}

/* ---- closed form against full ---- */

typedef struct pair {
    double full, closed, error, wait_error;
    int same_bound;
} pair;

static const char *const SHOWN[] = {"l1_hits",
                                    "l2_hits",
                                    "walks",
                                    "repeated",
                                    "redundant_walks",
                                    "accesses_per_walk",
                                    "wait_accepted_cycles"};
enum { SHOWN_COUNT = sizeof SHOWN / sizeof *SHOWN };

static int compare_one(direct *d, uint64_t seed, pair *out, int verbose)
{
    double full[MSW_METRICS_MAX];
    htmmu_random(d, seed);
    direct_run(d, MSW_FULL, 1);
    if (d->answer.status != MSW_OK)
        return -1;
    memcpy(full, d->metrics, sizeof full);
    int bound = msw_mech_bound_by(d->mech, d->metrics);
    direct_run(d, MSW_ANALYTIC, 1);
    int closed = msw_mech_bound_by(d->mech, d->metrics);
    *out = (pair){full[HTMMU_CYCLES], d->metrics[HTMMU_CYCLES],
                  fabs(d->metrics[HTMMU_CYCLES] / full[HTMMU_CYCLES] - 1),
                  fabs(d->metrics[HTMMU_MEAN_WAIT] / full[HTMMU_MEAN_WAIT] - 1), bound == closed};
    if (!verbose)
        return 0;
    printf("%+.3f wait %+.3f %s/%s ", out->closed / out->full - 1,
           d->metrics[HTMMU_MEAN_WAIT] / full[HTMMU_MEAN_WAIT] - 1, d->mech->metrics[bound].name,
           d->mech->metrics[closed].name);
    for (int i = 0; i < SHOWN_COUNT; i++) {
        int m = msw_metrics_find(d->mech->metrics, SHOWN[i]);
        printf("%s %.4g/%.4g ", SHOWN[i], full[m], d->metrics[m]);
    }
    htmmu_show(d);
    printf("\n");
    return 0;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const pair *pairs, int count, double q, int wait)
{
    double *errors = malloc((size_t)count * sizeof *errors);
    for (int i = 0; i < count; i++)
        errors[i] = wait ? pairs[i].wait_error : pairs[i].error;
    qsort(errors, (size_t)count, sizeof *errors, compare_doubles);
    double value = errors[(int)(q * (count - 1))];
    free(errors);
    return value;
}

static double tau(const pair *pairs, int count)
{
    double all = 0, sum = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            double x = pairs[i].full - pairs[j].full, y = pairs[i].closed - pairs[j].closed;
            all++;
            sum += x * y > 0 ? 1 : x * y < 0 ? -1 : 0;
        }
    return all > 0 ? sum / all : 1;
}

static int show_agreement(const char *workload, int configs, int verbose)
{
    direct d;
    int count = 0, same = 0;
    pair *pairs = calloc((size_t)configs, sizeof *pairs);
    if (open_workload(&d, workload))
        return -1;
    for (int seed = 0; count < configs && seed < 3 * configs; seed++) {
        if (compare_one(&d, (uint64_t)seed, &pairs[count], verbose))
            continue;
        same += pairs[count++].same_bound;
        if (count % 8 == 0)
            direct_drop_artifacts(&d);
    }
    printf("%-12s %d configs: error of cycles median %.3f, p95 %.3f; of mean wait %.3f, %.3f; "
           "tau %.3f; same bound %d\n",
           workload, count, quantile(pairs, count, 0.5, 0), quantile(pairs, count, 0.95, 0),
           quantile(pairs, count, 0.5, 1), quantile(pairs, count, 0.95, 1), tau(pairs, count),
           same);
    free(pairs);
    direct_close(&d);
    return 0;
}

int main(int argc, char **argv)
{
    static const char *const WORKLOADS[] = {"dense", "big", "large", "kgcn/b128", "dlrm/b128"};
    int configs = argc > 1 ? atoi(argv[1]) : 40, verbose = argc > 2;
    for (size_t w = 0; w < sizeof WORKLOADS / sizeof *WORKLOADS; w++)
        if (show_speed(WORKLOADS[w]))
            return 1;
    for (size_t w = 0; w < sizeof WORKLOADS / sizeof *WORKLOADS && configs; w++)
        if (show_agreement(WORKLOADS[w], configs, verbose))
            return 1;
    return 0;
}
