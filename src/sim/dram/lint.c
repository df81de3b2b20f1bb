/* SPDX-License-Identifier: MIT */
/* dram_lint: one function per rule. A rule writes its finding, or nothing. Equations:
 * docs/models/dram-presets.md. */
#include "memsweep/sim/dram_lint.h"

#include "memsweep/base/arena.h"
#include "memsweep/base/bits.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct lint_rule {
    const char *name;
    void (*look)(const msw_dram_config *config, msw_dram_finding *finding);
} lint_rule;

static void say(msw_dram_finding *finding, const char *fmt, ...) MSW_PRINTF(2, 3);

static void say(msw_dram_finding *finding, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(finding->text, sizeof finding->text, fmt, args);
    va_end(args);
}

static void row_cycle(const msw_dram_config *c, msw_dram_finding *finding)
{
    const msw_dram_timing *t = &c->t;
    if (t->rc < t->ras + t->rp)
        say(finding, "rc %u is less than ras %u + rp %u = %u: it never binds", t->rc, t->ras, t->rp,
            t->ras + t->rp);
}

static void row_open(const msw_dram_config *c, msw_dram_finding *finding)
{
    const msw_dram_timing *t = &c->t;
    if (t->ras < t->rcd + t->rtp)
        say(finding,
            "ras %u is less than rcd %u + rtp %u = %u: a row that is read stays open longer",
            t->ras, t->rcd, t->rtp, t->rcd + t->rtp);
}

static void four_activates(const msw_dram_config *c, msw_dram_finding *finding)
{
    const msw_dram_timing *t = &c->t;
    if (t->faw < 4 * t->rrd_s)
        say(finding, "faw %u is less than 4 rrd_s = %u: it never binds", t->faw, 4 * t->rrd_s);
}

static void write_latency(const msw_dram_config *c, msw_dram_finding *finding)
{
    if (c->t.cwl > c->t.cl)
        say(finding, "cwl %u is more than cl %u: no standard writes later than it reads", c->t.cwl,
            c->t.cl);
}

static void one_group(const msw_dram_config *c, msw_dram_finding *finding)
{
    const msw_dram_timing *t = &c->t;
    if (c->groups == 1 && t->ccd_l > t->ccd_s && t->ccd_l > t->bl)
        say(finding,
            "ccd_s %u is for other bank groups and there is one: bursts come every ccd_l %u",
            t->ccd_s, t->ccd_l);
}

static void data_bus(const msw_dram_config *c, msw_dram_finding *finding)
{
    if (c->t.bl > c->t.ccd_l)
        say(finding, "a burst holds the data bus bl %u cycles and a bank gives one every ccd_l %u",
            c->t.bl, c->t.ccd_l);
}

/* Cycles between bursts that all open a row, as far as banks and data bus go. */
static double miss_period(const msw_dram_config *c)
{
    const msw_dram_timing *t = &c->t;
    double banks = (double)c->ranks * c->groups * c->banks;
    double period = msw_max_u64(t->bl, t->ccd_s), act = t->rrd_s;
    act = t->faw / 4.0 > act ? t->faw / 4.0 : act;
    period = act / c->ranks > period ? act / c->ranks : period;
    return t->rc / banks > period ? t->rc / banks : period;
}

static void command_bus(const msw_dram_config *c, msw_dram_finding *finding)
{
    double commands = c->command_buses == 1 ? 3 : 2, period = miss_period(c);
    if (period < commands)
        say(finding,
            "the banks can open a row every %.3g cycles, and the command bus carries its ACT%s and "
            "PRE in %g",
            period, c->command_buses == 1 ? ", RD" : "", commands);
}

static void refresh_share(const msw_dram_config *c, msw_dram_finding *finding)
{
    const msw_dram_timing *t = &c->t;
    uint32_t lost = t->rfc + t->rp + t->rtp + t->rcd;
    if (t->refi && 5 * (uint64_t)lost > t->refi)
        say(finding,
            "refresh takes (rfc %u + rp %u + rtp %u + rcd %u) / refi %u = %.0f %% of the time",
            t->rfc, t->rp, t->rtp, t->rcd, t->refi, 100.0 * lost / t->refi);
}

/* 8192 refreshes in 64 ms, the longest that JEDEC's standards allow at normal temperature. */
static void refresh_rare(const msw_dram_config *c, msw_dram_finding *finding)
{
    double us = c->t.refi * (double)c->clock_ps / 1e6;
    if (us > 7.82)
        say(finding, "refi %u is %.3g us; no standard allows more than 7.8", c->t.refi, us);
}

static void drain(const msw_dram_config *c, msw_dram_finding *finding)
{
    if (c->write_high - c->write_low < 2)
        say(finding, "write_high %u and write_low %u: the bus turns round for every write",
            c->write_high, c->write_low);
}

static void queue_window(const msw_dram_config *c, msw_dram_finding *finding)
{
    uint32_t deepest = (uint32_t)msw_max_u64(c->read_depth, c->write_depth);
    if (c->window > deepest)
        say(finding, "window %u is more than the queues hold, %u", c->window, deepest);
}

enum { STREAM_BURSTS = 4096 };

static uint64_t read_in_order(const msw_dram_config *c, void *memory, uint64_t *address,
                              size_t count)
{
    msw_err err;
    msw_dram *dram = msw_dram_init(memory, c, &err);
    msw_dram_stream stream = {.address = address,
                              .count = count,
                              .bytes = c->burst_bytes,
                              .window = c->read_depth * c->channels};
    for (size_t i = 0; i < count; i++)
        address[i] = i * c->burst_bytes;
    return dram ? msw_dram_replay(dram, &stream, 0) : 0;
}

/* Share of the peak that reads one after the other reach, by the model itself; negative where it
 * cannot be computed. One channel represents all where the map allows. */
static double sequential_share(const msw_dram_config *config)
{
    msw_dram_config c = *config;
    msw_dram_map map;
    msw_err err;
    c.channels = 1;
    c.t.refi = 0;
    if (msw_dram_map_init(&map, &c, &err))
        c.channels = config->channels;
    size_t count = (size_t)STREAM_BURSTS * c.channels;
    msw_arena scratch = {0};
    uint64_t *address = msw_arena_zero(&scratch, count, sizeof *address), end = 0;
    void *memory = msw_arena_take(&scratch, msw_dram_bytes(&c));
    if (memory && address)
        end = read_in_order(&c, memory, address, count);
    msw_arena_free(&scratch);
    return end ? (double)STREAM_BURSTS * c.t.bl / (double)end : -1;
}

static void sequential(const msw_dram_config *c, msw_dram_finding *finding)
{
    double share = sequential_share(c);
    /* The start and the changes of rows of a stream at exactly half are no fault of the settings.
     */
    if (share >= 0 && share < 0.495)
        say(finding,
            "sequential reads reach %.0f %% of the peak, less than half: bl %u, ccd_l %u, rc %u, "
            "%u banks, map \"%s\"",
            100 * share, c->t.bl, c->t.ccd_l, c->t.rc, c->ranks * c->groups * c->banks, c->map);
}

static const lint_rule RULES[] = {
    {"row_cycle", row_cycle},           {"row_open", row_open},
    {"four_activates", four_activates}, {"write_latency", write_latency},
    {"one_group", one_group},           {"data_bus", data_bus},
    {"command_bus", command_bus},       {"refresh_share", refresh_share},
    {"refresh_rare", refresh_rare},     {"drain", drain},
    {"queue_window", queue_window},     {"sequential", sequential},
};

enum { RULE_COUNT = sizeof RULES / sizeof *RULES };

const char *msw_dram_lint_rule(size_t index)
{
    return index < RULE_COUNT ? RULES[index].name : NULL;
}

size_t msw_dram_lint(const msw_dram_config *config, msw_dram_finding *findings, size_t capacity)
{
    size_t count = 0;
    for (size_t i = 0; i < RULE_COUNT; i++) {
        msw_dram_finding finding = {.rule = RULES[i].name};
        RULES[i].look(config, &finding);
        if (finding.text[0] == 0)
            continue;
        if (count < capacity)
            findings[count] = finding;
        count++;
    }
    return count;
}
