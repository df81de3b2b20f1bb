/* SPDX-License-Identifier: MIT */
/* dram: the closed form plays parts of the stream (README.md, "Closed form"):
 *
 *   total = (N / n) y        N, n  bursts of the stream, of them counted     y  what they count
 *
 * The first bursts of a part find the rows of another one open; they are played and not counted.
 * Known value: where all bursts are played the totals are those of `full`. */
#include "mech/dram/dram.h"

#include "memsweep/base/bits.h"

#include <math.h>

enum { PLAYED = 1 << 17, PARTS_LEAST = 32 };

/* Bursts after which a stream of one address after the other has gone through a row of every
 * channel and group: rows are opened once in such a sweep. */
static uint64_t sweep_of(const msw_dram_config *m)
{
    return (uint64_t)m->channels * m->groups * m->columns;
}

/* What changes along a stream, and is counted in parts of it. */
static const int COUNTED[] = {DRAM_CYCLES,  DRAM_HITS, DRAM_CLOSED,    DRAM_CONFLICTS,
                              DRAM_COLUMNS, DRAM_ACTS, DRAM_REFRESHES, DRAM_WAITED};
enum { COUNTS = sizeof COUNTED / sizeof *COUNTED };

/* Bursts of a request from its first one on. */
static uint64_t bursts_of(const dram_request *r, uint64_t burst)
{
    return msw_div_up(r->address + r->bytes, burst) - r->address / burst;
}

/* What is played: in each `stride` bursts a part, in two sweeps, of which the first is not counted.
 */
typedef struct parts {
    const msw_dram_config *memory;
    msw_dram_player player;
    uint64_t bursts, stride, sweep, counted; /* sweep: 0: all is played */
    uint64_t last;                           /* when the last request comes */
    double sums[COUNTS];
} parts;

/* The first burst of a part: parts that lie evenly may meet the same layer of each block of a
 * network. */
static uint64_t start_of(const parts *p, uint64_t number)
{
    uint64_t spread = UINT64_C(0x9e3779b97f4a7c15) * number >> 32;
    return number * p->stride + (spread * (p->stride - 2 * p->sweep) >> 32);
}

/* Counts bursts, and lays parts along them. */
static void lay_parts(const msw_task *task, parts *p, double *t)
{
    uint64_t sweep = sweep_of(p->memory), number = msw_max_u64(PLAYED / (2 * sweep), PARTS_LEAST);
    dram_stream s = dram_start(task, NULL);
    while (dram_take(&s, t)) {
        uint64_t count = bursts_of(&s.request, p->memory->burst_bytes);
        t[s.request.is_write ? DRAM_WRITES : DRAM_READS] += (double)count;
        p->bursts += count;
        p->last = s.request.time;
    }
    if (p->bursts <= 2 * sweep * number)
        return;
    p->sweep = sweep;
    p->stride = p->bursts / number;
}

/* Adds what there is until now; where a part begins to count it is subtracted. */
static void count(parts *p, double sign, uint64_t now)
{
    double t[DRAM_METRICS];
    dram_fill_stats(&p->player, p->memory, now, t);
    for (size_t i = 0; i < COUNTS; i++)
        p->sums[i] += sign * t[COUNTED[i]];
}

/* Plays the bursts of a request that lie in parts; `at`: the bursts before it. */
static void play_parts(parts *p, const dram_request *r, uint64_t at)
{
    uint64_t burst = p->memory->burst_bytes, first = at, end = at + bursts_of(r, burst);
    while (first < end) {
        uint64_t start = start_of(p, first / p->stride), mark = start + p->sweep;
        uint64_t stop = mark + p->sweep, next = first < mark ? mark : stop;
        if (first < start || first >= stop) {
            first = first < start ? start : (first / p->stride + 1) * p->stride;
            continue;
        }
        if (first == mark)
            count(p, -1, p->player.now);
        next = msw_min_u64(next, end);
        msw_dram_play(&p->player, (r->address / burst + first - at) * burst, (next - first) * burst,
                      r->is_write);
        p->counted += first < mark ? 0 : next - first;
        if (next == stop)
            count(p, 1, p->player.now);
        first = next;
    }
}

/* Whether a stream that is played in parts has times of its own, and is slower by them. */
static void keep_times(const msw_task *task, const parts *p, const msw_dram_config *m, double *t)
{
    double least = (double)(p->last + m->controller + m->t.rcd + m->t.cl + m->t.bl);
    if (!dram_is_timed(task) || !p->sweep || t[DRAM_CYCLES] >= least)
        return;
    t[DRAM_CYCLES] = least;
    msw_task_doubt(task, "requests come at their own times, and parts of them were played as fast "
                         "as the memory takes them: latencies are too long");
}

int dram_analytic(const msw_task *task, double *t, msw_err *err)
{
    msw_dram_config m = dram_memory_of(task->config);
    parts p = {.memory = &m};
    MSW_TRY(dram_player_start(task, &m, &p.player, err));
    for (size_t i = 0; i < DRAM_METRICS; i++)
        t[i] = 0;
    lay_parts(task, &p, t);
    double reads = t[DRAM_READS], writes = t[DRAM_WRITES], asked[DRAM_METRICS] = {0};
    p.player.timed = p.player.timed && !p.sweep;
    dram_stream s = dram_start(task, &p.player);
    for (uint64_t at = 0; dram_take(&s, asked); at += bursts_of(&s.request, m.burst_bytes))
        if (p.sweep)
            play_parts(&p, &s.request, at);
        else
            msw_dram_play(&p.player, s.request.address, s.request.bytes, s.request.is_write);
    dram_fill_stats(&p.player, &m, msw_dram_play_end(&p.player), t);
    for (size_t i = 0; i < COUNTS && p.sweep; i++)
        t[COUNTED[i]] = p.sums[i] * (double)p.bursts / (double)p.counted;
    t[DRAM_READS] = reads;
    t[DRAM_WRITES] = writes;
    keep_times(task, &p, &m, t);
    if (p.sweep) /* few in the time that is played */
        t[DRAM_REFRESHES] = m.t.refi ? floor(t[DRAM_CYCLES] / m.t.refi) * m.channels * m.ranks : 0;
    t[DRAM_LATENCY_50] = t[DRAM_LATENCY_99] = t[DRAM_LATENCY_MOST] = NAN;
    dram_fill(task->config, &m, t);
    return 0;
}
