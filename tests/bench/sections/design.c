/* SPDX-License-Identifier: MIT */
/* How long does one point of each design take, and how fast is a grid filtered? */
#include "section.h"

#include "design/design_private.h"

enum { FACTORS = 10 };

typedef struct walking {
    const msw_design *design;
    const void *(*config)(void *memory, uint64_t points); /* NULL: it takes none */
    msw_design_input input;
} walking;

/* Prepares a design of n points and makes all of them. */
static double walk(bench *b, void *context, size_t n)
{
    walking *w = context;
    msw_design_state state;
    msw_err err;
    double coords[FACTORS], sum = 0, start = bench_seconds();
    union {
        msw_random_config random;
        msw_lhs_config lhs;
        msw_sobol_config sobol;
        msw_halton_config halton;
        msw_morris_config morris;
        msw_saltelli_config saltelli;
    } memory;
    w->input.config = w->config ? w->config(&memory, n) : NULL;
    bench_check(b, msw_design_prepare(w->design, &w->input, &state, &err), &err);
    uint64_t count = state.count < n ? state.count : n;
    for (uint64_t i = 0; i < count; i++) {
        msw_design_point(w->design, &w->input, &state, i, coords);
        sum += coords[FACTORS - 1];
    }
    double spent = bench_seconds() - start;
    msw_design_release(w->design, &state);
    if (sum < 0 || !count)
        bench_fail(b, "no points");
    return spent * (double)n / (double)count;
}

static const void *random_of(void *memory, uint64_t n)
{
    *(msw_random_config *)memory = (msw_random_config){n};
    return memory;
}

static const void *lhs_of(void *memory, uint64_t n)
{
    *(msw_lhs_config *)memory = (msw_lhs_config){n, 0, 0};
    return memory;
}

static const void *sobol_of(void *memory, uint64_t n)
{
    *(msw_sobol_config *)memory = (msw_sobol_config){n, MSW_SCRAMBLE_NONE, 0};
    return memory;
}

static const void *sobol_shifted_of(void *memory, uint64_t n)
{
    *(msw_sobol_config *)memory = (msw_sobol_config){n, MSW_SCRAMBLE_SHIFT, 0};
    return memory;
}

static const void *sobol_owen_of(void *memory, uint64_t n)
{
    *(msw_sobol_config *)memory = (msw_sobol_config){n, MSW_SCRAMBLE_OWEN, 0};
    return memory;
}

static const void *halton_of(void *memory, uint64_t n)
{
    *(msw_halton_config *)memory = (msw_halton_config){n, 0, 0};
    return memory;
}

static const void *halton_permuted_of(void *memory, uint64_t n)
{
    *(msw_halton_config *)memory = (msw_halton_config){n, 1, 0};
    return memory;
}

static const void *morris_of(void *memory, uint64_t n)
{
    *(msw_morris_config *)memory = (msw_morris_config){n / (FACTORS + 1), 4, 0};
    return memory;
}

static const void *saltelli_owen_of(void *memory, uint64_t n)
{
    *(msw_saltelli_config *)memory =
        (msw_saltelli_config){n / (FACTORS + 2), 0, MSW_SCRAMBLE_OWEN, 0, 0, 1};
    return memory;
}

static const struct {
    const char *name;
    const msw_design *design;
    const void *(*config)(void *memory, uint64_t points);
} DESIGNS[] = {
    {"grid", &msw_design_grid, NULL},
    {"random", &msw_design_random, random_of},
    {"lhs", &msw_design_lhs, lhs_of},
    {"sobol", &msw_design_sobol, sobol_of},
    {"sobol shifted", &msw_design_sobol, sobol_shifted_of},
    {"sobol owen", &msw_design_sobol, sobol_owen_of},
    {"halton", &msw_design_halton, halton_of},
    {"halton permuted", &msw_design_halton, halton_permuted_of},
    {"morris", &msw_design_morris, morris_of},
    {"saltelli owen", &msw_design_saltelli, saltelli_owen_of},
};

static void each_design(bench *b)
{
    static const uint64_t GRID[FACTORS] = {4, 5, 3, 7, 4, 6, 5, 4, 3, 10}, FREE[FACTORS] = {0};
    size_t points = (size_t)bench_set(b, "points");
    for (size_t d = 0; d < sizeof DESIGNS / sizeof *DESIGNS; d++) {
        walking w = {DESIGNS[d].design,
                     DESIGNS[d].config,
                     {.factor_count = FACTORS,
                      .levels = DESIGNS[d].design->needs_levels ? GRID : FREE,
                      .seed = 1}};
        bench_growth(b, points / 10, walk, &w, "%s points", DESIGNS[d].name);
    }
}

static int every_third(void *context, const double *coords, msw_err *err)
{
    (void)err;
    (void)context;
    return (int)(coords[0] + coords[FACTORS - 1]) % 3 != 0;
}

/* n: of the last factor; a thousand times as many points. */
static double filter(bench *b, void *context, size_t n)
{
    const uint64_t levels[FACTORS] = {10, 10, 10, 1, 1, 1, 1, 1, 1, n};
    msw_design_input input = {.factor_count = FACTORS, .levels = levels, .accept = every_third};
    msw_design_state state;
    msw_err err;
    double start = bench_seconds();
    (void)context;
    bench_check(b, msw_design_prepare(&msw_design_grid, &input, &state, &err), &err);
    double spent = bench_seconds() - start;
    msw_design_release(&msw_design_grid, &state);
    return spent;
}

void section_design(bench *b)
{
    each_design(b);
    bench_growth(b, (size_t)bench_set(b, "points") / 10000, filter, NULL,
                 "thousands of points filtered");
}
