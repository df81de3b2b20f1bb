/* SPDX-License-Identifier: MIT */
/* A loop that no commit of the program changes: four streams of random numbers that read and write
 * a table of 64 KiB. It says how fast the machine is at the moment of a row. */
#include "harness.h"

enum { WORDS = 8192, LANES = 4, ROUNDS = 20000 };
#define SECONDS 0.004

static uint64_t step(uint64_t x)
{
    x ^= x << 13;
    x ^= x >> 7;
    return x ^ x << 17;
}

static uint64_t loop(uint64_t *table, uint64_t sum)
{
    uint64_t lane[LANES] = {1 + sum % 7, 2, 3, 4};
    for (int i = 0; i < ROUNDS; i++)
        for (int k = 0; k < LANES; k++) {
            lane[k] = step(lane[k]);
            table[lane[k] % WORDS] += lane[k] ^ table[lane[k] >> 32 & (WORDS - 1)];
        }
    return lane[0] ^ lane[1] ^ lane[2] ^ lane[3];
}

double bench_calibrate(void)
{
    uint64_t table[WORDS] = {0}, sum = 0;
    double start = bench_seconds(), spent;
    int rounds = 0;
    do {
        sum += loop(table, sum);
        rounds++;
    } while ((spent = bench_seconds() - start) < SECONDS);
    return 1e-6 * rounds * ROUNDS / spent + (sum == 1 ? 1e-9 : 0);
}
