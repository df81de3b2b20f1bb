/* What does a point of the sparse case study cost, at each fidelity? Processor time, without the
 * artifacts, beside a calibration loop (hashing 200 bytes). */
#include "bench.h"

#include "direct.h"

static void bench(const char *workload, int mode, int fidelity, double batches, double hash)
{
    direct d;
    msw_err err = {0};
    int runs = 0;
    if (direct_open(&d, msw_mech_find("neummu_sparse"), workload, &err)) {
        printf("%s: %s\n", workload, err.text);
        return;
    }
    direct_set(&d, "sparse_batches", batches);
    direct_set(&d, "mode", mode);
    direct_run(&d, (msw_fidelity)fidelity, 1);
    double start = bench_seconds();
    for (; runs == 0 || bench_seconds() - start < 0.5; runs++)
        direct_run(&d, (msw_fidelity)fidelity, 1);
    double each = (bench_seconds() - start) / runs;
    double requests = d.metrics[msw_metrics_find(d.mech->metrics, "requests")];
    printf("%-12s mode %d %-8s %9.3f ms = %9.0f hashes, %6.1f M requests/s, %llu of %llu batches, "
           "cycles %.4g +- %.2g %%\n",
           workload, mode, msw_fidelity_name((msw_fidelity)fidelity), 1e3 * each, each / hash,
           1e-6 * requests / each, (unsigned long long)d.answer.measured,
           (unsigned long long)d.answer.units, d.metrics[0], 100 * d.half_widths[0] / d.metrics[0]);
    direct_close(&d);
}

int main(void)
{
    double hash = bench_hash();
    static const char *const WORKLOADS[] = {"neumf/b64", "dlrm/b128"};
    for (size_t w = 0; w < 2; w++)
        for (int mode = 0; mode < 4; mode++)
            for (int fidelity = 0; fidelity < MSW_FIDELITY_COUNT; fidelity++)
                bench(WORKLOADS[w], mode, fidelity, 512, hash);
    return 0;
}
