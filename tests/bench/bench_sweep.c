/* How many points per second can one thread make from indices, with and without keys? */
#include "memsweep/sweep/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char TEXT[] =
    "sweep: bench\nmechanism: null\nworkloads: synth/*\ndesign: {kind: sobol, points: 1000000}\n"
    "vary: {x1: {from: 0, to: 1}, x2: {from: 0, to: 1}, x3: {from: 0, to: 1},\n"
    "  x4: {from: 0, to: 1}, x5: {from: 0, to: 1}, x6: {from: 0, to: 1}, x7: {from: 0, to: 1},\n"
    "  x8: {from: 0, to: 1}, x9: {from: 0, to: 1}, gain: [1, 2, 4, 8]}\n";

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* processor time: other work does not count */
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double measure(msw_pointer *pointer, uint64_t count, bool with_key)
{
    msw_point point;
    msw_err err;
    double start = now();
    for (uint64_t i = 0; i < count; i++)
        if (msw_pointer_at(pointer, i, with_key, &point, &err))
            exit(1);
    return (now() - start) / (double)count * 1e9;
}

static double measure_key(const msw_plan *plan, msw_pointer *pointer, uint64_t count)
{
    msw_point point;
    msw_err err;
    if (msw_pointer_at(pointer, 0, false, &point, &err))
        exit(1);
    uint64_t sum = 0;
    double start = now();
    for (uint64_t i = 0; i < count; i++)
        sum += msw_point_key(plan, 0, i, point.block).lo;
    double spent = now() - start;
    return sum ? spent / (double)count * 1e9 : 0;
}

int main(void)
{
    static const msw_plan_options OPTIONS = {.seed = -1};
    enum { COUNT = 1000000 };
    msw_messages messages = {0};
    msw_plan *plan;
    msw_pointer *pointer;
    msw_err err;
    double start = now();
    if (msw_plan_parse("bench.yaml", TEXT, strlen(TEXT), &OPTIONS, &plan, &messages) ||
        msw_pointer_new(plan, &pointer, &err)) {
        fputs(msw_text_str(&messages.text), stderr);
        return 1;
    }
    printf("load %.2f ms\n", (now() - start) * 1e3);
    printf("parameters %zu, factors %zu\n", plan->schema.count, plan->space.factor_count);
    printf("point %.0f ns\n", measure(pointer, COUNT, false));
    printf("point with key %.0f ns\n", measure(pointer, COUNT, true));
    printf("key alone %.0f ns\n", measure_key(plan, pointer, COUNT));
    msw_pointer_free(pointer);
    msw_plan_free(plan);
    msw_text_free(&messages.text);
    return 0;
}
