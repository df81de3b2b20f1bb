/* SPDX-License-Identifier: MIT */
#include "cache_streams.h"

#include "streams.h"
#include "testing.h"

#include "memsweep/base/rng.h"

#include <math.h>

typedef struct draws {
    msw_rng rng;
    uint64_t lines;
    int stream;
} draws;

/* Key number i of a cycle over lines x part / 8 keys. */
static uint64_t loop(uint64_t lines, int part, int i)
{
    uint64_t length = lines * (uint64_t)part / 8 + 1;
    return (uint64_t)i % length;
}

static uint64_t zipf(draws *d, double exponent)
{
    uint64_t keys = 4 * d->lines + 1;
    double u = msw_rng_uniform(&d->rng);
    /* Inverse of the continuous law: near enough for a stream, and no table. */
    double x = exponent == 1
                   ? exp(u * log((double)keys))
                   : pow(u * (pow((double)keys, 1 - exponent) - 1) + 1, 1 / (1 - exponent));
    uint64_t rank = (uint64_t)x - 1;
    return msw_permute(rank < keys ? rank : keys - 1, keys, 7);
}

/* A hot set of half the lines with a scan in between, in bursts of 8 : `scan`. */
static uint64_t hot_and_scan(draws *d, int i, int scan)
{
    int period = 8 + scan;
    if (i % period < 8)
        return msw_rng_below(&d->rng, d->lines / 2 + 1);
    return (uint64_t)1 << 20 | (uint64_t)i;
}

/* A matrix of `columns` read by columns. */
static uint64_t by_columns(draws *d, int i, uint64_t columns)
{
    uint64_t rows = 2 * d->lines / columns + 2, at = (uint64_t)i % (rows * columns);
    return at % rows * columns + at / rows;
}

static uint64_t phases(draws *d, int i, int length)
{
    uint64_t phase = (uint64_t)(i / length);
    if (phase % 2)
        return phase << 16 | (uint64_t)(i % length);
    return phase << 16 | msw_rng_below(&d->rng, d->lines + 2);
}

static uint64_t key_of(draws *d, int i)
{
    static const int PARTS[] = {3, 7, 8, 9, 12, 20};
    static const double EXPONENTS[] = {0.4, 0.7, 0.9, 1, 1.3};
    static const uint64_t STRIDES[] = {2, 3, 16, 64};
    static const int SCANS[] = {1, 4, 16, 64};
    static const uint64_t COLUMNS[] = {2, 5, 8, 32};
    static const int LENGTHS[] = {50, 200, 1000};
    int s = d->stream;
    if (s < 6)
        return loop(d->lines, PARTS[s], i);
    if (s < 11)
        return zipf(d, EXPONENTS[s - 6]);
    if (s < 15)
        return (uint64_t)i * STRIDES[s - 11] % (6 * d->lines + 5);
    if (s < 19)
        return hot_and_scan(d, i, SCANS[s - 15]);
    if (s < 23)
        return by_columns(d, i, COLUMNS[s - 19]);
    if (s < 26)
        return phases(d, i, LENGTHS[s - 23]);
    if (s < 30)
        return msw_rng_below(&d->rng, d->lines * (uint64_t)(s - 25) + 2);
    if (s == 30)
        return (uint64_t)i; /* never again */
    if (s == 31)
        return (uint64_t)(i / 7); /* bursts */
    if (s == 32)
        return (uint64_t)(i % 2 ? i / 3 : i / 5);
    return msw_rng_below(&d->rng, 2) ? zipf(d, 0.8) : loop(d->lines, 10, i) | (uint64_t)1 << 20;
}

static const char *shipped(const char *name, uint64_t *keys, int count)
{
    stream s;
    assert_ok(stream_named(&s, name), s.err);
    assert_ok(stream_build(&s, 1), s.err);
    for (int i = 0; i < count; i++)
        keys[i] = s.a->addresses[(uint64_t)i % s.a->count] / 64;
    stream_close(&s);
    return name;
}

const char *cache_stream(int number, uint64_t lines, uint64_t *keys, int count)
{
    static const char *const SHIPPED[] = {"trace/lackey", "dlrm/b128", "karate", "neumf/b64"};
    static const char *const NAMES[] = {"loop",    "Zipf",   "stride", "hot set and scan",
                                        "columns", "phases", "random", "mixture"};
    static const int FIRST[] = {0, 6, 11, 15, 19, 23, 26, 30};
    draws d = {.lines = lines, .stream = number};
    int kind = 7;
    if (number >= 36)
        return shipped(SHIPPED[number - 36], keys, count);
    msw_rng_init(&d.rng, 77, (uint64_t)number);
    for (int i = 0; i < count; i++)
        keys[i] = key_of(&d, i);
    while (number < FIRST[kind])
        kind--;
    return NAMES[kind];
}
