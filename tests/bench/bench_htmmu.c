/* How fast does htmmu answer? Requests per second of processor time at `full`. */
#include "../htmmu_streams.h"

#include <math.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_run(direct *d, msw_fidelity fidelity)
{
    int runs = 0;
    direct_run(d, fidelity, 1);
    double start = now(), end;
    do {
        direct_run(d, fidelity, 1);
        runs++;
    } while ((end = now()) - start < 0.2);
    return (end - start) / runs;
}

int main(void)
{
    static const struct {
        const char *name;
        stream_config c;
    } S[] = {
        {"sequential", {.kind = STREAM_SEQUENTIAL, .requests = 1000000}},
        {"skewed", {.kind = STREAM_SKEWED, .requests = 300000, .footprint = 64ull << 30}},
        {"uniform 1T", {.kind = STREAM_UNIFORM, .requests = 100000, .footprint = 1ull << 40}},
    };
    static const char *const P[] = {"baseline", "tbu", "htmmu"};
    for (size_t s = 0; s < 3; s++)
        for (size_t p = 0; p < 3; p++) {
            direct d;
            stream_open(&d, S[s].c);
            stream_preset(&d, P[p]);
            double t = time_run(&d, MSW_FULL);
            if (d.answer.status != MSW_OK) {
                printf("%s\n", d.answer.reason);
                return 1;
            }
            printf("%-12s %-10s %6.1f M/s cycles %.0f speedup %.3f relwait %.3f wait %.1f p99 %.0f "
                   "l1 %.3f l2 %.3f walks %.0f rep %.3f ms %.3f apw %.3f | ",
                   S[s].name, P[p], 1e-6 * (double)S[s].c.requests / t, d.metrics[0],
                   stream_metric(&d, "speedup"), stream_metric(&d, "relative_wait"),
                   stream_metric(&d, "mean_wait"), stream_metric(&d, "wait_p99"),
                   stream_metric(&d, "l1_hit_rate"), stream_metric(&d, "l2_hit_rate"),
                   stream_metric(&d, "walks"), stream_metric(&d, "repeated_share"),
                   stream_metric(&d, "merged_share"), stream_metric(&d, "accesses_per_walk"));
            for (int i = HTMMU_ISSUE; i <= HTMMU_STALL_MEMORY; i++)
                printf("%.3f ", d.metrics[i] / d.metrics[0]);
            printf("\n");
            direct_close(&d);
        }
    return 0;
}
