/* SPDX-License-Identifier: MIT */
/* Runs all cores, window after window. */
#include "mech/mpu/machine/machine.h"

#include "memsweep/base/bits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- a machine that is stuck ---- */

/* The number of those that wait, and where the first of them is. */
typedef struct waiting {
    uint64_t count;
    uint32_t core, subcore;
} waiting;

static void add_waiting(waiting *w, uint64_t count, uint32_t core, uint32_t subcore)
{
    if (!w->count && count) {
        w->core = core;
        w->subcore = subcore;
    }
    w->count += count;
}

static void add_warps(const mpu_machine *m, uint32_t core, uint32_t subcore, waiting *at_barriers,
                      waiting *others)
{
    const mpu_warp *w = &m->cores[core].warps[(size_t)subcore * m->positions];
    for (uint32_t i = 0; i < m->positions; i++)
        if (w[i].state != MPU_WARP_EMPTY)
            add_waiting(w[i].state == MPU_WARP_AT_BARRIER ? at_barriers : others, 1, core, subcore);
}

static void describe_waiting(const waiting *w, const char *what, char *text, size_t bytes)
{
    if (w->count)
        snprintf(text, bytes, "%llu %s, the first in sub-core %u of core %u; ",
                 (unsigned long long)w->count, what, w->subcore, w->core);
}

/* Fails as nothing can happen any more although warps have not left. Returns -1. */
static int fail_stuck(const mpu_machine *m, msw_err *err)
{
    waiting at_barriers = {0}, others = {0}, requests = {0};
    char barriers_text[128] = "", others_text[128] = "", requests_text[128] = "";
    for (uint32_t i = 0; i < m->core_count; i++)
        for (uint32_t s = 0; s < (uint32_t)m->config->subcores; s++) {
            add_warps(m, i, s, &at_barriers, &others);
            add_waiting(&requests, msw_dram_lines_waiting(m->cores[i].subs[s].lines), i, s);
        }
    describe_waiting(&at_barriers, "at barriers", barriers_text, sizeof barriers_text);
    describe_waiting(&others, "for values or accesses", others_text, sizeof others_text);
    describe_waiting(&requests, "requests in memory controllers", requests_text,
                     sizeof requests_text);
    return msw_fail(err, "kernel %s: all warps wait for each other: %s%s%smessages under way: %u",
                    m->launch.kernel->kernel->name, barriers_text, others_text, requests_text,
                    m->network.under_way);
}

/* ---- windows ---- */

enum { NARROW = 16, WIDE = 256 };
enum { LOOK_EVERY = 16 }; /* windows between looks at the clock and the event budget */

/* A message that arrives in this window is put into its core's inbox. */
static void deliver_messages(mpu_machine *m, uint64_t until)
{
    msw_event event;
    while (msw_event_next(&m->network.arrivals) < until) {
        msw_event_pop(&m->network.arrivals, &event);
        uint32_t number = (uint32_t)event.data;
        mpu_message *message = &m->network.messages[number];
        mpu_inbox_put(&m->network, &m->cores[message->to].inbox, number);
        m->due[message->to] = msw_min_u64(m->due[message->to], message->time);
    }
}

/* Messages that reach nodes before anything else happens go on. */
static uint64_t first_due(mpu_machine *m)
{
    mpu_network *n = &m->network;
    uint64_t first = MPU_NEVER;
    for (uint32_t i = 0; i < m->core_count; i++)
        first = msw_min_u64(first, m->due[i]);
    while (msw_event_next(&n->hops) < msw_min_u64(first, msw_event_next(&n->arrivals)))
        mpu_network_move(n, msw_event_next(&n->hops) + 1, 0);
    return msw_min_u64(first, msw_event_next(&n->arrivals));
}

/* A unit ends with a window: near its end windows are as short as its last instructions take. */
static uint64_t widest_window(const mpu_machine *m, uint64_t issued)
{
    uint64_t left = issued > m->counts.issued ? issued - m->counts.issued : 0;
    uint64_t fastest = (uint64_t)(m->config->subcores * m->config->issue_width) * m->simulated;
    return msw_min_u64(msw_max_u64(left / fastest, NARROW), WIDE);
}

/* While no message is under way, cores go through long windows. The first message may then come up
 * to a window late. */
static void run_window(mpu_machine *m, uint64_t from, uint64_t issued)
{
    mpu_network *n = &m->network;
    bool quiet = !n->under_way && from > n->last_active + WIDE;
    uint64_t until = from + (quiet ? msw_max_u64(widest_window(m, issued), n->least) : n->least);
    deliver_messages(m, until);
    for (uint32_t i = 0; i < m->core_count && !m->failed; i++)
        if (m->due[i] < until)
            m->due[i] = mpu_core_run(m, &m->cores[i], until);
    mpu_network_move(n, until, until);
    if (n->under_way)
        n->last_active = until;
    m->now = until;
}

uint64_t mpu_machine_events(const mpu_machine *m)
{
    return m->counts.issued - m->counts.jumped + m->counts.events;
}

/* A launch that is one unit may take minutes, so limits hold within it, too. Windows count as
 * events here: a machine that waits goes through many, and each looks at all cores. */
static int check_limits(mpu_machine *m)
{
    uint64_t budget = m->task->event_budget;
    if (++m->counts.windows % LOOK_EVERY)
        return 0;
    if (m->task->done && m->expected > 0)
        atomic_store(m->task->done,
                     (unsigned)fmin(1000 * (double)m->counts.issued / m->expected, 999));
    if (budget && mpu_machine_events(m) + m->counts.windows > budget)
        return msw_fail(m->err, "event budget of %llu spent", (unsigned long long)budget);
    return msw_task_expired(m->task) ? msw_fail(m->err, "out of time") : 0;
}

/* Accesses that no warp waits for end before the next launch begins: they name instructions. */
static int drain_accesses(mpu_machine *m)
{
    uint64_t from = first_due(m);
    for (; from != MPU_NEVER && !m->failed; from = first_due(m)) {
        run_window(m, from, UINT64_MAX);
        if (check_limits(m))
            return -1;
    }
    m->orphans = false;
    return m->failed ? -1 : 0;
}

static int end_launch(mpu_machine *m)
{
    if (m->orphans && drain_accesses(m))
        return -1;
    m->now = m->launch.end;
    mpu_settle(m, m->now);
    m->launch.active = false;
    return 0;
}

int mpu_machine_run(mpu_machine *m, uint64_t issued, msw_err *err)
{
    m->err = err;
    while (m->launch.cta_count && m->counts.issued < issued && !m->failed) {
        if (m->counts.windows_most && m->counts.windows >= m->counts.windows_most)
            return 0;
        uint64_t from = first_due(m);
        if (from == MPU_NEVER)
            return fail_stuck(m, err);
        run_window(m, from, issued);
        if (check_limits(m))
            return -1;
    }
    if (m->failed)
        return -1;
    return m->launch.cta_count ? 0 : end_launch(m);
}

/* ---- totals ---- */

static void add_lines(const msw_dram_lines_stats *lines, double *totals)
{
    totals[MPU_ROW_HITS] += (double)lines->hits;
    totals[MPU_ROW_CLOSED] += (double)lines->closed;
    totals[MPU_ROW_CONFLICTS] += (double)lines->conflicts;
    totals[MPU_ROW_MISSES] += (double)(lines->closed + lines->conflicts);
    totals[MPU_ACTIVATES] += (double)lines->acts;
    totals[MPU_PRECHARGES] += (double)lines->pres;
    totals[MPU_REFRESHES] += (double)lines->refreshes;
}

void mpu_machine_fold(mpu_machine *m)
{
    double *one = m->counts.scratch;
    for (uint32_t i = 0; i < 2 * m->launch.kernel->kernel->insn_count; i++) {
        if (!m->launch.issues[i])
            continue;
        mpu_issue issue = {.side = i % 2 ? MPU_NEAR : MPU_FAR};
        issue.offloaded = i % 2 && m->config->pipeline == MPU_PIPELINE_HYBRID;
        m->counts.kinds[m->launch.ops[i / 2].unit][i % 2] += m->launch.issues[i];
        memset(one, 0, MPU_METRICS * sizeof *one);
        mpu_count_insn(m->config, m->launch.kernel, i / 2, &issue, one);
        for (int k = 0; k < MPU_METRICS; k++)
            m->counts.totals[k] += (double)m->launch.issues[i] * one[k];
        m->launch.issues[i] = 0;
    }
}

void mpu_machine_totals(mpu_machine *m)
{
    double slots = 0;
    if (m->launch.kernel)
        mpu_machine_fold(m);
    for (int metric = MPU_ROW_HITS; metric <= MPU_REFRESHES; metric++)
        if (metric != MPU_ROW_MISS_RATE)
            m->counts.totals[metric] = 0;
    for (uint32_t i = 0; i < m->core_count; i++) {
        const mpu_core *core = &m->cores[i];
        slots += (double)core->tsv.slots / core->tsv.slots_per_cycle;
        for (int64_t s = 0; s < m->config->subcores; s++)
            add_lines(msw_dram_lines_totals(core->subs[s].lines), m->counts.totals);
    }
    m->counts.totals[MPU_TSV_BUSY] = slots / m->simulated;
}
