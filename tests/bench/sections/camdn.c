/* SPDX-License-Identifier: MIT */
/* How many lines do NPUs ask a shared cache for in a second, with tags and with pages, and how long
 * does a closed form take? Processor time of one thread. */
#include "section.h"

#include "direct.h"

typedef struct setting {
    const char *name, *param, *value;
    double tenants;
} setting;

static const setting SETTINGS[] = {
    {"tags, LRU", "cache_control", "tags", 16},    {"tags, LRU, alone", "cache_control", "tags", 1},
    {"tags, DRRIP", "replacement", "drrip", 16},   {"pages", "cache_control", "pages", 16},
    {"pages, alone", "cache_control", "pages", 1}, {"pages, bursts of 16", "burst", "16", 16},
    {"tags, banks", "memory_model", "banks", 16},  {"pages, banks", "memory_model", "banks", 16},
    {"tags, AuRORA", "npu_policy", "aurora", 16},  {"pages, AuRORA", "npu_policy", "aurora", 16},
};

/* The open loop, in which tasks have several NPUs; without a closed form of it. */
static void open_loop(direct *d)
{
    direct_set(d, "arrivals", 1);
    direct_set(d, "load", 0.6);
    direct_set(d, "npu_policy", 3);
    direct_set(d, "throttle", 1);
    direct_set(d, "rate_policy", 3);
    direct_set(d, "scheduler", 2);
}

static void measure(bench *b, const setting *s)
{
    direct d;
    msw_err err = {0};
    bench_check(b, direct_open(&d, msw_mech_find("camdn"), "mix:mobilenet_v2+resnet50", &err),
                &err);
    direct_set(&d, "tenants", bench_quick(b) ? (s->tenants + 3) / 4 : s->tenants);
    direct_set(&d, "tasks", 1);
    direct_set(&d, "first_tasks", 0);
    direct_set(&d, "bypass", 1);
    if (!strncmp(s->name, "pages", 5))
        direct_set(&d, "cache_control", 1);
    if (!strcmp(s->param, "burst"))
        direct_set(&d, "burst", 16);
    if (!strcmp(s->param, "replacement"))
        direct_set(&d, "replacement", 1);
    if (!strcmp(s->param, "memory_model"))
        direct_set(&d, "memory_model", 1);
    direct_run(&d, MSW_ANALYTIC, 1); /* tables and plans */
    double start = bench_seconds();
    direct_run(&d, MSW_ANALYTIC, 1);
    double closed = bench_seconds() - start;
    if (!strcmp(s->param, "npu_policy"))
        open_loop(&d);
    start = bench_seconds();
    direct_run(&d, MSW_FULL, 1);
    double seconds = bench_seconds() - start;
    bench_rate(b, (double)d.answer.events, seconds, "%s", s->name);
    bench_time(b, closed, "%s, closed form", s->name);
    direct_close(&d);
}

void section_camdn(bench *b)
{
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; i += bench_quick(b) ? 3 : 1)
        measure(b, &SETTINGS[i]);
}
