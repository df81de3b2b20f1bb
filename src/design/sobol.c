/* SPDX-License-Identifier: MIT */
/* The Sobol sequence with Joe and Kuo's direction numbers, and its randomisations.
 *
 * Digits of point i in dimension j: XOR over the set bits k of gray(i) = i ^ (i >> 1) of the
 * direction number v_jk, 52 binary digits; gray(i) gives the order in which the sequence is usually
 * printed, and permutes each block of 2^m points only. Indices are read four bits at a time.
 *
 * owen: nested uniform scrambling (A. B. Owen, Lecture Notes in Statistics 106 (1995) 299-317): the
 * flip of a digit depends, at random, on all digits before it. A table holds the flips of the first
 * CELL_DIGITS digits and, for each cell they name, flips of all later digits; before that, a random
 * lower triangular matrix with ones on its diagonal (J. Matousek, J. Complexity 14 (1998) 527-556),
 * folded into the direction numbers, mixes each digit into later ones. Two points that share k
 * digits then differ in digit k + 1, and their later digits differ independently with probability
 * 1/2: for pairs of points that is Owen's law at every depth, so mean and variance of every
 * estimate are Owen's for any number of points; up to 2^CELL_DIGITS points the whole law is.
 * shift: one random flip per digit (digital shift). */
#include "design/design_private.h"

#include "memsweep/base/bits.h"

#include <stdlib.h>

enum {
    DIGITS = MSW_SOBOL_DIGITS,
    NIBBLES = DIGITS / 4,
    LANES = 8, /* dimensions computed side by side */
    CELL_DIGITS = 10,
    CELLS = 1 << CELL_DIGITS
};

struct msw_sobol {
    size_t dims, stride; /* stride: room for LANES from any dimension on */
    msw_scramble scramble;
    uint64_t *xors;  /* [nibble][value of the nibble][stride] */
    uint64_t *flips; /* owen: [dims][CELLS]; shift: [dims] */
};

const msw_choice msw_sobol_scrambles[] = {
    [MSW_SCRAMBLE_NONE] =
        {.name = "none",
         .doc = "the sequence itself; its first point is 0, and no error can be estimated"},
    [MSW_SCRAMBLE_OWEN] =
        {.name = "owen",
         .doc = "nested uniform scrambling: keeps all balance and lowers the error further"},
    [MSW_SCRAMBLE_SHIFT] = {.name = "shift", .doc = "digital shift: keeps all balance"},
    {.name = NULL},
};

static int degree_of(uint16_t polynomial)
{
    return (int)msw_bits_log2(polynomial);
}

/* Direction numbers of one dimension from its polynomial and initial numbers (Bratley and Fox,
 * ACM TOMS 14 (1988) 88-100, recurrence 2). `numbers` NULL: the first dimension. */
static void directions(const uint16_t *numbers, uint64_t v[DIGITS])
{
    int degree = numbers ? degree_of(numbers[0]) : DIGITS;
    for (int k = 0; k < degree; k++)
        v[k] = (uint64_t)(numbers ? numbers[1 + k] : 1) << (DIGITS - 1 - k);
    for (int k = degree; k < DIGITS; k++) {
        v[k] = v[k - degree] ^ v[k - degree] >> degree;
        for (int a = 1; a < degree; a++)
            if (numbers[0] >> (degree - a) & 1)
                v[k] ^= v[k - a];
    }
}

/* Multiplies direction numbers by a random lower triangular matrix: digit d of a number, if set,
 * also flips a random set of later digits. */
static void mix_digits(uint64_t v[DIGITS], uint64_t key)
{
    uint64_t later[DIGITS];
    for (int d = 0; d < DIGITS; d++)
        later[d] = msw_design_key(key, 1, (uint64_t)d) >> (64 - DIGITS) >> 1 >> d;
    for (int k = 0; k < DIGITS; k++) {
        uint64_t mixed = v[k];
        for (int d = 0; d < DIGITS; d++)
            mixed ^= v[k] >> (DIGITS - 1 - d) & 1 ? later[d] : 0;
        v[k] = mixed;
    }
}

static void fill_xors(msw_sobol *sobol, size_t dim, const uint64_t v[DIGITS])
{
    for (int nibble = 0; nibble < NIBBLES; nibble++)
        for (int value = 0; value < 16; value++) {
            uint64_t all = 0;
            for (int bit = 0; bit < 4; bit++)
                all ^= value >> bit & 1 ? v[4 * nibble + bit] : 0;
            sobol->xors[(size_t)(16 * nibble + value) * sobol->stride + dim] = all;
        }
}

/* Flips of every cell of one dimension: its first digits by the random bits of the tree nodes above
 * it (numbered 1 << depth | prefix), all later digits by bits of its own. */
static void fill_cells(uint64_t cells[CELLS], uint64_t key)
{
    for (uint64_t cell = 0; cell < CELLS; cell++) {
        uint64_t flips = msw_design_key(key, 2, cell) >> (64 - DIGITS) >> CELL_DIGITS;
        for (int depth = 0; depth < CELL_DIGITS; depth++) {
            uint64_t node = (uint64_t)1 << depth | cell >> (CELL_DIGITS - depth);
            flips |= (msw_design_key(key, 3, node) & 1) << (DIGITS - 1 - depth);
        }
        cells[cell] = flips;
    }
}

static void fill_dimension(msw_sobol *sobol, size_t dim, const uint16_t *numbers, uint64_t key)
{
    uint64_t v[DIGITS];
    directions(numbers, v);
    if (sobol->scramble == MSW_SCRAMBLE_OWEN) {
        mix_digits(v, key);
        fill_cells(sobol->flips + dim * CELLS, key);
    } else if (sobol->scramble == MSW_SCRAMBLE_SHIFT)
        sobol->flips[dim] = key >> (64 - DIGITS);
    fill_xors(sobol, dim, v);
}

static void fill_all(msw_sobol *sobol, uint64_t seed)
{
    const uint16_t *numbers = NULL;
    for (size_t dim = 0; dim < sobol->dims; dim++) {
        fill_dimension(sobol, dim, numbers, msw_design_key(seed, 0, dim));
        numbers = numbers ? numbers + 1 + degree_of(numbers[0]) : msw_sobol_numbers;
    }
}

static inline uint64_t scrambled(const msw_sobol *sobol, size_t dim, uint64_t x)
{
    switch (sobol->scramble) {
    case MSW_SCRAMBLE_OWEN:
        return x ^ sobol->flips[dim * CELLS + (x >> (DIGITS - CELL_DIGITS))];
    case MSW_SCRAMBLE_SHIFT:
        return x ^ sobol->flips[dim];
    default:
        return x;
    }
}

static inline void digits(const msw_sobol *sobol, uint64_t index, size_t first, uint64_t x[LANES])
{
    const uint64_t *row = sobol->xors + first;
    for (int lane = 0; lane < LANES; lane++)
        x[lane] = 0;
    for (uint64_t gray = index ^ index >> 1; gray; gray >>= 4) {
        const uint64_t *values = row + (gray & 15) * sobol->stride;
        for (int lane = 0; lane < LANES; lane++)
            x[lane] ^= values[lane];
        row += 16 * sobol->stride;
    }
}

void msw_sobol_point(const msw_sobol *sobol, uint64_t index, size_t first, size_t count,
                     double *coords)
{
    for (size_t done = 0; done < count; done += LANES) {
        uint64_t x[LANES];
        digits(sobol, index, first + done, x);
        size_t lanes = count - done < LANES ? count - done : LANES;
        for (size_t lane = 0; lane < lanes; lane++) {
            uint64_t y = scrambled(sobol, first + done + lane, x[lane]);
            coords[done + lane] = (double)(int64_t)y * 0x1p-52;
        }
    }
}

static bool take_memory(msw_sobol *sobol)
{
    size_t flips = sobol->scramble == MSW_SCRAMBLE_OWEN ? sobol->dims * CELLS : sobol->dims;
    sobol->xors = calloc(16 * NIBBLES * sobol->stride, sizeof *sobol->xors);
    sobol->flips = calloc(flips, sizeof *sobol->flips);
    return sobol->xors && sobol->flips;
}

int msw_sobol_new(size_t dims, msw_scramble scramble, uint64_t seed, msw_sobol **sobol,
                  msw_err *err)
{
    if (dims > MSW_SOBOL_DIMS)
        return msw_fail(err, "the Sobol sequence has numbers for %d dimensions, %zu are needed",
                        MSW_SOBOL_DIMS, dims);
    msw_sobol *made = calloc(1, sizeof *made);
    if (!made)
        return msw_fail_memory(err);
    *made = (msw_sobol){.dims = dims, .stride = dims + LANES, .scramble = scramble};
    if (!take_memory(made)) {
        msw_sobol_free(made);
        return msw_fail_memory(err);
    }
    fill_all(made, seed);
    *sobol = made;
    return 0;
}

void msw_sobol_free(msw_sobol *sobol)
{
    if (!sobol)
        return;
    free(sobol->xors);
    free(sobol->flips);
    free(sobol);
}

/* ---- the design: balance is best when `points` is a power of two ---- */

static int prepare(const msw_design_input *input, void **data, msw_err *err)
{
    const msw_sobol_config *config = input->config;
    msw_sobol *sobol;
    if (msw_sobol_new(input->factor_count, (msw_scramble)config->scramble, input->seed, &sobol,
                      err))
        return -1;
    *data = sobol;
    return 0;
}

static void release(void *data)
{
    msw_sobol_free(data);
}

static void point(const msw_design_input *input, const void *data, uint64_t raw, double *coords)
{
    const msw_sobol_config *config = input->config;
    msw_sobol_point(data, raw + (uint64_t)config->skip, 0, input->factor_count, coords);
}

static const msw_param PARAMS[] = {
    MSW_PARAM_POINTS(msw_sobol_config),
    MSW_PARAM_SCRAMBLE(msw_sobol_config),
    MSW_PARAM_SKIP(msw_sobol_config),
    {.name = NULL},
};

const msw_design msw_design_sobol = {
    .name = "sobol",
    .title = "Sobol sequence",
    .version = 2,
    .params = PARAMS,
    .config_size = sizeof(msw_sobol_config),
    .coords = MSW_COORDS_UNIT,
    .constrained = MSW_CONSTRAINED_REJECT,
    .raw_count = msw_design_endless,
    .wanted = msw_design_points_wanted,
    .prepare = prepare,
    .release = release,
    .point = point,
};
