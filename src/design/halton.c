/* SPDX-License-Identifier: MIT */
/* halton: points of the Halton sequence: coordinate j is the index mirrored at the point in base
 * p_j, the j-th prime.
 *
 * permuted: every digit position of every base has its own random permutation of the digits, the
 * endless zeros before the index included; their sum from position k on is kept as tail[k].
 * Sources: J. H. Halton, Numer. Math. 2 (1960) 84-90; A. B. Owen, A randomized Halton algorithm in
 * R, arXiv:1706.02808 (2017). */
#include "design/design_private.h"
#include "memsweep/base/rng.h"

#include <stdlib.h>

enum {
    DIMS = 1024, /* the last base, 8161, fits 16 bits */
    MAX_DIGITS = 53,
    STREAM = 0x68616c
};

typedef struct halton_base {
    uint32_t base;
    int digits;                  /* base^digits >= 2^53 */
    uint16_t *digit;             /* [position][digit]: the digit put in its place */
    double tail[MAX_DIGITS + 1]; /* value of the permuted zeros from a position on, as a fraction */
} halton_base;

typedef struct halton {
    size_t dims;
    halton_base *bases;
} halton;

static void release(void *data)
{
    halton *all = data;
    if (!all)
        return;
    for (size_t j = 0; all->bases && j < all->dims; j++)
        free(all->bases[j].digit);
    free(all->bases);
    free(all);
}

static bool divides_none(const halton_base *primes, size_t count, uint32_t candidate)
{
    for (size_t i = 0; i < count && primes[i].base * primes[i].base <= candidate; i++)
        if (candidate % primes[i].base == 0)
            return false;
    return true;
}

static void fill_primes(halton_base *bases, size_t count)
{
    uint32_t candidate = 2;
    for (size_t found = 0; found < count; candidate++)
        if (divides_none(bases, found, candidate))
            bases[found++].base = candidate;
}

static void shuffle(uint16_t *digits, uint32_t count, msw_rng *rng)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = (uint32_t)msw_rng_below(rng, i + 1);
        digits[i] = digits[other];
        digits[other] = (uint16_t)i;
    }
}

static int permute_digits(halton_base *base, msw_rng *rng, msw_err *err)
{
    base->digits = 0;
    for (double reach = 1; reach < 0x1p53; reach *= base->base)
        base->digits++;
    base->digit = calloc((size_t)base->digits * base->base, sizeof *base->digit);
    if (!base->digit)
        return msw_fail_memory(err);
    for (int position = 0; position < base->digits; position++)
        shuffle(base->digit + (size_t)position * base->base, base->base, rng);
    base->tail[base->digits] = msw_rng_uniform(rng);
    for (int position = base->digits; position-- > 0;)
        base->tail[position] =
            (base->digit[(size_t)position * base->base] + base->tail[position + 1]) / base->base;
    return 0;
}

static int permute_all(halton *all, uint64_t seed, msw_err *err)
{
    for (size_t j = 0; j < all->dims; j++) {
        msw_rng rng;
        msw_rng_init(&rng, seed, (uint64_t)STREAM << 32 | j);
        if (permute_digits(&all->bases[j], &rng, err))
            return -1;
    }
    return 0;
}

static int prepare(const msw_design_input *input, void **data, msw_err *err)
{
    const msw_halton_config *config = input->config;
    if (input->factor_count > DIMS)
        return msw_fail(err, "design halton takes up to %d factors, not %zu", DIMS,
                        input->factor_count);
    halton *all = calloc(1, sizeof *all);
    if (!all)
        return msw_fail_memory(err);
    all->dims = input->factor_count;
    all->bases = calloc(all->dims, sizeof *all->bases);
    if (!all->bases) {
        release(all);
        return msw_fail_memory(err);
    }
    fill_primes(all->bases, all->dims);
    if (config->scramble && permute_all(all, input->seed, err)) {
        release(all);
        return -1;
    }
    *data = all;
    return 0;
}

static double mirrored(const halton_base *base, uint64_t index)
{
    uint64_t mirror = 0;
    double scale = 1;
    int position = 0;
    for (; index; position++, index /= base->base, scale *= base->base) {
        size_t digit = index % base->base;
        if (base->digit)
            digit = base->digit[(size_t)position * base->base + digit];
        mirror = mirror * base->base + digit;
    }
    double u = ((double)(int64_t)mirror + base->tail[position]) / scale;
    return u < 1 ? u : 1 - 0x1p-53;
}

static void point(const msw_design_input *input, const void *data, uint64_t raw, double *coords)
{
    const msw_halton_config *config = input->config;
    const halton *all = data;
    for (size_t j = 0; j < input->factor_count; j++)
        coords[j] = mirrored(&all->bases[j], raw + (uint64_t)config->skip);
}

static const msw_choice SCRAMBLES[] = {
    {.name = "none",
     .doc = "the sequence itself; its first point is 0, and later dimensions run in step"},
    {.name = "permuted", .doc = "random permutation of the digits at every position of every base"},
    {.name = NULL},
};

static const msw_param PARAMS[] = {
    MSW_PARAM_POINTS(msw_halton_config),
    {.name = "scramble",
     .kind = MSW_CHOICE,
     .def = 1,
     MSW_CHOICES(SCRAMBLES),
     .doc = "how the Halton sequence is randomised",
     .offset = offsetof(msw_halton_config, scramble),
     MSW_PARAM_SETTING},
    MSW_PARAM_SKIP(msw_halton_config),
    {.name = NULL},
};

const msw_design msw_design_halton = {
    .name = "halton",
    .title = "Halton sequence",
    .version = 2,
    .params = PARAMS,
    .config_size = sizeof(msw_halton_config),
    .coords = MSW_COORDS_UNIT,
    .constrained = MSW_CONSTRAINED_REJECT,
    .raw_count = msw_design_endless,
    .wanted = msw_design_points_wanted,
    .prepare = prepare,
    .release = release,
    .point = point,
};
