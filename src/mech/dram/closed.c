/* SPDX-License-Identifier: MIT */
/* dram: the closed form plays parts of the stream (README.md, "Closed form"):
 *
 *   total = (N / n) y        N, n  bursts of the stream, of them played     y  what they count
 *
 * Known value: where all bursts are played the totals are those of `full`. */
#include "mech/dram/dram.h"

#include "memsweep/base/bits.h"

#include <math.h>

enum { PLAYED = 1 << 16, PARTS = 8 };

/* Bursts of a request from its first one on. */
static uint64_t bursts_of(const dram_request *r, uint64_t burst)
{
    return msw_div_up(r->address + r->bytes, burst) - r->address / burst;
}

/* What is played: in each `stride` bursts the first `length`. */
typedef struct parts {
    uint64_t burst, bursts, stride, length, played;
    uint64_t last; /* when the last request comes */
} parts;

/* Counts bursts, and lays parts evenly along them. */
static parts lay_parts(const msw_task *task, uint64_t burst, double *t)
{
    parts p = {.burst = burst};
    dram_reader reader = {.product = task->product};
    dram_request r;
    while (dram_take(task, &reader, &r, t)) {
        uint64_t count = bursts_of(&r, burst);
        t[r.is_write ? DRAM_WRITES : DRAM_READS] += (double)count;
        p.bursts += count;
        p.last = r.time;
    }
    p.stride = p.length = p.bursts;
    if (p.bursts > PLAYED) {
        p.stride = msw_div_up(p.bursts, PARTS);
        p.length = PLAYED / PARTS;
    }
    return p;
}

/* Plays the bursts of a request that lie in parts; `at`: the bursts before it. */
static void play_parts(msw_dram_player *player, parts *p, const dram_request *r, uint64_t at)
{
    uint64_t first = at, end = at + bursts_of(r, p->burst);
    while (first < end) {
        uint64_t start = first / p->stride * p->stride, stop = start + p->length;
        if (first < stop) {
            uint64_t count = msw_min_u64(end, stop) - first;
            uint64_t address = (r->address / p->burst + first - at) * p->burst;
            msw_dram_play(player, address, count * p->burst, r->is_write);
            p->played += count;
        }
        first = start + p->stride;
    }
}

/* Whether a stream that is played in parts has times of its own, and is slower by them. */
static void keep_times(const msw_task *task, const parts *p, const msw_dram_config *m, double *t)
{
    double least = (double)(p->last + m->controller + m->t.rcd + m->t.cl + m->t.bl);
    if (!dram_is_timed(task) || p->played == p->bursts || t[DRAM_CYCLES] >= least)
        return;
    t[DRAM_CYCLES] = least;
    msw_task_doubt(task, "requests come at their own times, and parts of them were played as fast "
                         "as the memory takes them: latencies are too long");
}

int dram_analytic(const msw_task *task, double *t, msw_err *err)
{
    static const int SCALED[] = {DRAM_CYCLES,  DRAM_HITS, DRAM_CLOSED,    DRAM_CONFLICTS,
                                 DRAM_COLUMNS, DRAM_ACTS, DRAM_REFRESHES, DRAM_WAITED};
    msw_dram_config m = dram_memory_of(task->config);
    msw_dram_player player;
    MSW_TRY(dram_player_start(task, &m, &player, err));
    for (size_t i = 0; i < DRAM_METRICS; i++)
        t[i] = 0;
    parts p = lay_parts(task, m.burst_bytes, t);
    double reads = t[DRAM_READS], writes = t[DRAM_WRITES], asked[DRAM_METRICS] = {0};
    player.timed = player.timed && p.length == p.bursts;
    dram_reader reader = {.product = task->product};
    dram_request r;
    for (uint64_t at = 0; dram_take(task, &reader, &r, asked); at += bursts_of(&r, p.burst)) {
        if (player.timed && r.time > player.now)
            player.now = r.time;
        play_parts(&player, &p, &r, at);
    }
    uint64_t end = msw_dram_play_end(&player);
    msw_dram_stats all = dram_stats_of(&player, &m);
    dram_fill_stats(&m, &all, end, t);
    double scale = p.played ? (double)p.bursts / (double)p.played : 1;
    for (size_t i = 0; i < sizeof SCALED / sizeof *SCALED; i++)
        t[SCALED[i]] *= scale;
    t[DRAM_READS] = reads;
    t[DRAM_WRITES] = writes;
    keep_times(task, &p, &m, t);
    if (p.played < p.bursts) /* few in the time that is played */
        t[DRAM_REFRESHES] = m.t.refi ? floor(t[DRAM_CYCLES] / m.t.refi) * m.channels * m.ranks : 0;
    t[DRAM_LATENCY_50] = t[DRAM_LATENCY_99] = t[DRAM_LATENCY_MOST] = NAN;
    dram_fill(task->config, &m, t);
    return 0;
}
