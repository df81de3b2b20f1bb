/* SPDX-License-Identifier: MIT */
/* The walks of a step: how long each takes from where its miss is accepted, and how many walkers
 * are busy in each window of time. Walks that wait in the queue keep no walker: of those under way
 * as many are served as there are walkers. */
#include "mech/neummu/machine/walklog.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/vec.h"

#include <stdlib.h>
#include <string.h>

void neummu_walk_log_start(neummu_walk_log *log, const msw_task *task, uint64_t origin,
                           uint32_t step)
{
    log->task = task;
    log->origin = origin;
    log->step = step;
    log->count = 0;
}

static int next_walk(neummu_walk_log *log)
{
    msw_arena *arena = log->task->arena;
    size_t room = log->room, wanted = log->count + 1;
    MSW_TRY(msw_vec_reserve_in(arena, &log->begin, &room, wanted, sizeof *log->begin, &log->err));
    return msw_vec_reserve_in(arena, &log->end, &log->room, wanted, sizeof *log->end, &log->err);
}

void neummu_walk_log_add(neummu_walk_log *log, uint64_t asked, uint64_t lookup, uint64_t done)
{
    log->failed = log->failed || next_walk(log);
    if (log->failed)
        return;
    log->begin[log->count] = asked + lookup > log->origin ? asked + lookup - log->origin : 0;
    log->end[log->count++] = done > log->origin ? done - log->origin : 0;
}

static int write_window(const neummu_walk_log *log, const neummu_config *config, uint64_t window,
                        uint64_t busy, msw_err *err)
{
    const neummu_stream *stream = log->task->artifacts[0];
    double length = (double)(config->profile_window * config->issue_width);
    double row[] = {log->step, stream->steps[log->step].layer, (double)window,
                    (double)busy / length};
    return busy ? msw_detail_add(log->task, NEUMMU_TABLE_WALKERS, row, err) : 0;
}

/* Goes through begins and ends in order of time and sums the busy walkers by window. */
static int write_windows(const neummu_walk_log *log, msw_err *err)
{
    const neummu_config *config = log->task->config;
    uint64_t length = (uint64_t)(config->profile_window * config->issue_width);
    uint64_t now = 0, window = 0, busy = 0, b = 0, e = 0;
    while (e < log->count) {
        bool begins = b < log->count && log->begin[b] <= log->end[e];
        uint64_t next = begins ? log->begin[b] : log->end[e], serving = b - e;
        serving = msw_min_u64(serving, (uint64_t)config->ptw_count);
        while (now < next) {
            uint64_t stop = msw_min_u64(next, (window + 1) * length);
            busy += serving * (stop - now);
            now = stop;
            if (now == (window + 1) * length) {
                if (write_window(log, config, window, busy, err))
                    return -1;
                window = serving || next <= now ? window + 1 : next / length;
                now = serving ? now : msw_max_u64(now, window * length);
                busy = 0;
            }
        }
        *(begins ? &b : &e) += 1;
    }
    return write_window(log, config, window, busy, err);
}

int neummu_walk_log_flush(neummu_walk_log *log, neummu_ledger *ledger, uint64_t stratum,
                          msw_err *err)
{
    const neummu_config *config = log->task->config;
    const neummu_stream *stream = log->task->artifacts[0];
    double times = (double)stream->steps[log->step].executions;
    if (log->failed)
        return msw_fail(err, "%s", log->err.text);
    for (uint64_t i = 0; i < log->count; i++)
        neummu_ledger_walks(ledger, stratum,
                            (double)(log->end[i] - log->begin[i]) / (double)config->issue_width,
                            times);
    msw_sort_u64(log->begin, log->count);
    msw_sort_u64(log->end, log->count);
    return config->profile_window ? write_windows(log, err) : 0;
}
