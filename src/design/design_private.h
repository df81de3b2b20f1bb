/* SPDX-License-Identifier: MIT */
/* design_private: the settings of each design, and the keyed numbers and sequences they share. */
#ifndef MSW_DESIGN_DESIGN_PRIVATE_H
#define MSW_DESIGN_DESIGN_PRIVATE_H

#include "memsweep/design/design.h"

#define MSW_POINTS_MAX 1e9 /* raw indices stay far below 2^52, the digits of a Sobol point */

/* Settings that start with `points` share msw_design_points_wanted. */
typedef struct msw_random_config {
    int64_t points;
} msw_random_config;

typedef struct msw_lhs_config {
    int64_t points;
    int64_t centred;
    int64_t optimise;
} msw_lhs_config;

typedef enum msw_scramble { MSW_SCRAMBLE_NONE, MSW_SCRAMBLE_OWEN, MSW_SCRAMBLE_SHIFT } msw_scramble;

typedef struct msw_sobol_config {
    int64_t points;
    int64_t scramble; /* msw_scramble */
    int64_t skip;
} msw_sobol_config;

typedef struct msw_halton_config {
    int64_t points;
    int64_t scramble; /* 0: none, 1: permuted digits */
    int64_t skip;
} msw_halton_config;

typedef struct msw_morris_config {
    int64_t trajectories;
    int64_t levels;
    int64_t constrained; /* 0: refuse, 1: conditional */
} msw_morris_config;

typedef struct msw_saltelli_config {
    int64_t base_rows;
    int64_t second_order;
    int64_t scramble; /* msw_scramble */
    int64_t skip;
    int64_t constrained; /* 0: refuse, 1: conditional */
    int64_t scrambles;
} msw_saltelli_config;

/* Table entries that several designs declare alike. */
#define MSW_PARAM_SETTING                                                                          \
    .unit = "", .neutral = MSW_NO_NEUTRAL, .source = MSW_PUBLIC,                                   \
    .reference = "a choice of the experiment"
#define MSW_PARAM_POINTS(config)                                                                   \
    {                                                                                              \
        .name = "points", .kind = MSW_INTEGER, .min = 1, .max = MSW_POINTS_MAX, .def = 1024,       \
        .doc = "points to draw", .offset = offsetof(config, points), MSW_PARAM_SETTING             \
    }
#define MSW_PARAM_SKIP(config)                                                                     \
    {                                                                                              \
        .name = "skip", .kind = MSW_INTEGER, .min = 0, .max = MSW_POINTS_MAX, .def = 0,            \
        .doc = "points of the sequence left out at its start", .offset = offsetof(config, skip),   \
        MSW_PARAM_SETTING                                                                          \
    }
#define MSW_PARAM_SCRAMBLE(config)                                                                 \
    {                                                                                              \
        .name = "scramble", .kind = MSW_CHOICE, .def = MSW_SCRAMBLE_OWEN,                          \
        MSW_CHOICES(msw_sobol_scrambles), .doc = "how the Sobol sequence is randomised",           \
        .offset = offsetof(config, scramble), MSW_PARAM_SETTING                                    \
    }
#define MSW_PARAM_CONSTRAINED(config)                                                              \
    {                                                                                              \
        .name = "constrained", .kind = MSW_CHOICE, .def = 0, MSW_CHOICES(msw_constrained_choices), \
        .doc = "what happens when constraints leave points out",                                   \
        .offset = offsetof(config, constrained), MSW_PARAM_SETTING                                 \
    }

extern const msw_choice msw_sobol_scrambles[4];
extern const msw_choice msw_constrained_choices[3];

/* The designs themselves. */
extern const msw_design msw_design_grid, msw_design_random, msw_design_lhs, msw_design_sobol,
    msw_design_halton, msw_design_morris, msw_design_saltelli, msw_design_list;

/* `wanted` of a design whose settings start with `points`. */
uint64_t msw_design_points_wanted(const msw_design_input *input);

/* Counts what varies on its own: factors, or groups of them. Returns the count. */
size_t msw_design_movers(const msw_design_input *input);

/* Number of the mover that a factor belongs to; never above the factor's own. Returns it. */
size_t msw_design_mover(const msw_design_input *input, size_t factor);

/* `raw_count` of a design without a limit on its points. Returns UINT64_MAX. */
uint64_t msw_design_endless(const msw_design_input *input);

/* Finaliser of SplitMix64 (Steele et al. 2014, constants of Stafford's variant 13). A bijection:
 * every output bit depends on every input bit. */
static inline uint64_t msw_design_mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xBF58476D1CE4E5B9u;
    x ^= x >> 27;
    x *= 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

/* Key of a random choice, numbered by two integers under a seed. */
static inline uint64_t msw_design_key(uint64_t seed, uint64_t a, uint64_t b)
{
    uint64_t key = msw_design_mix(seed + 0x9E3779B97F4A7C15u);
    key = msw_design_mix(key + 0x9E3779B97F4A7C15u * a);
    return msw_design_mix(key ^ 0xD1B54A32D192ED03u * (b + 1));
}

/* Top 53 bits of a key as a double in [0, 1). */
static inline double msw_design_uniform(uint64_t key)
{
    return (double)(int64_t)(key >> 11) * 0x1p-53;
}

enum { MSW_SOBOL_DIMS = 1024, MSW_SOBOL_DIGITS = 52 };

/* Polynomial and initial direction numbers of dimensions 2 .. MSW_SOBOL_DIMS, one after another. */
extern const uint16_t msw_sobol_numbers[];

/* A Sobol sequence in `dims` dimensions, scrambled by a seed; immutable once made. */
typedef struct msw_sobol msw_sobol;

/* Makes a sequence. Returns 0, or -1 with `err` when there are no numbers for this many
 * dimensions.*/
int msw_sobol_new(size_t dims, msw_scramble scramble, uint64_t seed, msw_sobol **sobol,
                  msw_err *err);

/* Frees a sequence; accepts NULL. */
void msw_sobol_free(msw_sobol *sobol);

/* Coordinates of point `index` in dimensions first .. first + count - 1. */
void msw_sobol_point(const msw_sobol *sobol, uint64_t index, size_t first, size_t count,
                     double *coords);

#endif
