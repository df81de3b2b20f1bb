/* SPDX-License-Identifier: MIT */
/* How fast is a sweep understood, and how many points can one thread make from indices, with and
 * without keys? */
#include "section.h"

#include "memsweep/base/text.h"
#include "memsweep/sweep/sweep.h"

#include <string.h>

static const char TEXT[] =
    "sweep: bench\nmechanism: null\nworkloads: synth/*\ndesign: {kind: sobol, points: 1000000}\n"
    "vary: {x1: {from: 0, to: 1}, x2: {from: 0, to: 1}, x3: {from: 0, to: 1},\n"
    "  x4: {from: 0, to: 1}, x5: {from: 0, to: 1}, x6: {from: 0, to: 1}, x7: {from: 0, to: 1},\n"
    "  x8: {from: 0, to: 1}, x9: {from: 0, to: 1}, gain: [1, 2, 4, 8]}\n";

static msw_plan *parse(bench *b, const char *text)
{
    static const msw_plan_options OPTIONS = {.seed = -1};
    msw_messages messages = {0};
    msw_plan *plan;
    if (msw_plan_parse("bench.yaml", text, strlen(text), &OPTIONS, &plan, &messages))
        bench_fail(b, "%s", msw_text_str(&messages.text));
    msw_text_free(&messages.text);
    return plan;
}

static double load(bench *b, void *context, size_t n)
{
    double start = bench_seconds();
    for (size_t i = 0; i < n; i++)
        msw_plan_free(parse(b, context));
    return bench_seconds() - start;
}

/* A list of n points in the sweep's text. */
static double load_list(bench *b, void *context, size_t n)
{
    msw_text text = MSW_TEXT_EMPTY;
    (void)context;
    msw_text_add(&text,
                 "sweep: bench\nmechanism: null\nworkloads: synth/small\ndesign: {kind: grid}\n"
                 "vary:\n  x1: [0");
    for (size_t i = 1; i < n; i++)
        msw_text_add(&text, ", %.17g", (double)i / (double)n);
    msw_text_add(&text, "]\n");
    double start = bench_seconds();
    msw_plan_free(parse(b, msw_text_str(&text)));
    double spent = bench_seconds() - start;
    msw_text_free(&text);
    return spent;
}

typedef struct making {
    msw_plan *plan;
    msw_pointer *pointer;
    bool with_key;
} making;

static double make(bench *b, void *context, size_t n)
{
    const making *m = context;
    msw_point point;
    msw_err err;
    double start = bench_seconds();
    for (uint64_t i = 0; i < n; i++)
        bench_check(b, msw_pointer_at(m->pointer, i, m->with_key, &point, &err), &err);
    return bench_seconds() - start;
}

static double make_key(bench *b, void *context, size_t n)
{
    const making *m = context;
    msw_point point;
    msw_err err;
    bench_check(b, msw_pointer_at(m->pointer, 0, false, &point, &err), &err);
    uint64_t sum = 0;
    double start = bench_seconds();
    for (uint64_t i = 0; i < n; i++)
        sum += msw_point_key(m->plan, 0, i, point.block).lo;
    double spent = bench_seconds() - start;
    if (!sum)
        bench_fail(b, "no keys");
    return spent;
}

void section_sweep(bench *b)
{
    msw_err err;
    size_t points = (size_t)bench_set(b, "points");
    making m = {.plan = parse(b, TEXT)};
    char text[sizeof TEXT];
    memcpy(text, TEXT, sizeof TEXT);
    bench_check(b, msw_pointer_new(m.plan, &m.pointer, &err), &err);
    bench_time(b, bench_mean(b, load, text, 1), "load");
    bench_growth(b, 200, load_list, NULL, "levels loaded");
    bench_time(b, bench_mean(b, make, &m, points) / (double)points, "a point");
    m.with_key = true;
    bench_growth(b, points / 10, make, &m, "points with keys");
    bench_time(b, bench_mean(b, make_key, &m, points) / (double)points, "a key alone");
    msw_pointer_free(m.pointer);
    msw_plan_free(m.plan);
}
