/* How long does one point of each design take, and how fast is a grid filtered? */
#include "design/design_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FACTORS = 10, POINTS = 1000000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double walk(const msw_design *design, const msw_design_input *input,
                   const msw_design_state *state)
{
    double coords[FACTORS], sum = 0;
    uint64_t count = state->count < POINTS ? state->count : POINTS;
    double start = now();
    for (uint64_t i = 0; i < count; i++) {
        msw_design_point(design, input, state, i, coords);
        sum += coords[FACTORS - 1];
    }
    double each = (now() - start) / (double)count;
    return sum < 0 ? 0 : each;
}

static void time_design(const msw_design *design, const char *note, const void *config)
{
    static const uint64_t GRID[FACTORS] = {4, 5, 3, 7, 4, 6, 5, 4, 3, 10}, FREE[FACTORS] = {0};
    msw_design_input input = {.factor_count = FACTORS,
                              .levels = design->needs_levels ? GRID : FREE,
                              .seed = 1,
                              .config = config};
    msw_design_state state;
    msw_err err;
    double start = now();
    if (msw_design_prepare(design, &input, &state, &err)) {
        fprintf(stderr, "%s: %s\n", design->name, err.text);
        exit(1);
    }
    double prepared = now() - start, best = 1;
    for (int repeat = 0; repeat < 5; repeat++) {
        double each = walk(design, &input, &state);
        best = each < best ? each : best;
    }
    printf("%-10s %-10s %8.1f ns a point of %d factors, prepared in %.3f ms\n", design->name, note,
           best * 1e9, FACTORS, prepared * 1e3);
    msw_design_release(design, &state);
}

static int every_third(void *context, const double *coords, msw_err *err)
{
    (void)err;
    (void)context;
    return (int)(coords[0] + coords[FACTORS - 1]) % 3 != 0;
}

static void time_filter(void)
{
    static const uint64_t LEVELS[FACTORS] = {10, 10, 10, 10, 10, 10, 10, 1, 1, 1};
    msw_design_input input = {.factor_count = FACTORS, .levels = LEVELS, .accept = every_third};
    msw_design_state state;
    msw_err err;
    double start = now();
    if (msw_design_prepare(&msw_design_grid, &input, &state, &err))
        exit(1);
    double seconds = now() - start;
    printf("filter     grid       %8.1f ns a point, %llu of %llu kept\n",
           seconds * 1e9 / (double)state.drawn, (unsigned long long)state.count,
           (unsigned long long)state.drawn);
    msw_design_release(&msw_design_grid, &state);
}

int main(void)
{
    time_design(&msw_design_grid, "", NULL);
    time_design(&msw_design_random, "", &(msw_random_config){POINTS});
    time_design(&msw_design_lhs, "", &(msw_lhs_config){POINTS, 0});
    time_design(&msw_design_sobol, "none", &(msw_sobol_config){POINTS, MSW_SCRAMBLE_NONE, 0});
    time_design(&msw_design_sobol, "shift", &(msw_sobol_config){POINTS, MSW_SCRAMBLE_SHIFT, 0});
    time_design(&msw_design_sobol, "owen 1024", &(msw_sobol_config){1024, MSW_SCRAMBLE_OWEN, 0});
    time_design(&msw_design_sobol, "owen", &(msw_sobol_config){POINTS, MSW_SCRAMBLE_OWEN, 0});
    time_design(&msw_design_halton, "none", &(msw_halton_config){POINTS, 0, 0});
    time_design(&msw_design_halton, "permuted", &(msw_halton_config){POINTS, 1, 0});
    time_design(&msw_design_morris, "", &(msw_morris_config){POINTS / (FACTORS + 1), 4, 0});
    time_design(&msw_design_saltelli, "owen",
                &(msw_saltelli_config){POINTS / (FACTORS + 2), 0, MSW_SCRAMBLE_OWEN, 0, 0, 1});
    time_filter();
    return 0;
}
