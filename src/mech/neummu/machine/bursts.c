/* SPDX-License-Identifier: MIT */
/* The detail table `bursts`: how many translations are asked for in each window of time, and for
 * which addresses, from the moment the loads of a step may begin. */
#include "mech/neummu/machine/machine.h"

#include "memsweep/base/bits.h"

void neummu_bursts_start(neummu_bursts *b, const msw_task *task, uint64_t origin, uint32_t step)
{
    const neummu_config *config = task->config;
    const neummu_stream *stream = task->artifacts[0];
    *b = (neummu_bursts){
        .task = task,
        .origin = origin,
        .length = (uint64_t)(config->profile_window * config->issue_width),
        .step = step,
        .layer = stream->steps[step].layer,
    };
}

int neummu_bursts_flush(neummu_bursts *b, msw_err *err)
{
    double row[] = {b->step,        b->layer,       (double)b->window, (double)b->requests,
                    (double)b->low, (double)b->high};
    if (b->requests == 0)
        return 0;
    b->requests = 0;
    return msw_detail_add(b->task, 0, row, err);
}

static void add(neummu_bursts *b, uint64_t count, const msw_page *page)
{
    uint64_t end = page->address + ((uint64_t)1 << page->shift);
    if (b->requests == 0) {
        b->low = page->address;
        b->high = end;
    }
    b->low = msw_min_u64(page->address, b->low);
    b->high = msw_max_u64(end, b->high);
    b->requests += count;
}

void neummu_bursts_count(neummu_bursts *b, uint64_t time, uint64_t count, const msw_page *page)
{
    time = time > b->origin ? time - b->origin : 0;
    while (count && !b->failed) {
        uint64_t window = time / b->length, left = (window + 1) * b->length - time;
        uint64_t part = msw_min_u64(count, left);
        if (window != b->window)
            b->failed = neummu_bursts_flush(b, &b->err) != 0;
        b->window = window;
        add(b, part, page);
        time += part;
        count -= part;
    }
}
