/* What the benches share: processor time, and two loops that say how fast the machine is, so that
 * ratios can be compared from one machine to another. */
#ifndef MEMSWEEP_TESTS_BENCH_H
#define MEMSWEEP_TESTS_BENCH_H

#include "memsweep/base/hash.h"

#include <stdio.h>
#include <time.h>

/* Seconds of processor time. */
static inline double bench_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Hashes 200 bytes again and again. Returns the seconds of one hash. */
static inline double bench_hash(void)
{
    enum { ROUNDS = 2000000 };
    char bytes[200] = {0};
    uint64_t sum = 0;
    double start = bench_seconds();
    for (int i = 0; i < ROUNDS; i++) {
        bytes[i % 200] = (char)(i + (int)sum);
        sum += msw_hash_bytes(bytes, sizeof bytes).lo;
    }
    double cost = (bench_seconds() - start) / ROUNDS;
    printf("calibration: %.1f M hashes of 200 bytes/s (%llx)\n", 1e-6 / cost,
           (unsigned long long)sum);
    return cost;
}

/* Multiplies and adds, each on the result before. Returns millions of rounds per second, the best
 * of three. */
static inline double bench_multiply(void)
{
    enum { ROUNDS = 50000000 };
    double best = 0;
    uint64_t x = 1;
    for (int repeat = 0; repeat < 3; repeat++) {
        double start = bench_seconds();
        for (uint32_t i = 0; i < ROUNDS; i++)
            x = x * 6364136223846793005u + 1442695040888963407u;
        double rate = 1e-6 * ROUNDS / (bench_seconds() - start);
        best = rate > best ? rate : best;
    }
    printf("calibration: %.1f M dependent multiplications/s (%u)\n", best, (unsigned)(x & 1));
    return best;
}

#endif
