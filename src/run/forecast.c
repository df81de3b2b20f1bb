/* SPDX-License-Identifier: MIT */
/* How long a run takes on many ranks, and what it asks of rank 0. docs/scaling.md has the rates. */
#include "memsweep/run/estimate.h"

#include <math.h>

/* Messages rank 0 answers over a network, and how many each rank sends per second: a request, rows
 * five times, half an acknowledgement. */
#define ANSWERED_PER_SECOND 50000.0
#define SENT_PER_RANK       6.5
/* Below this many seconds nobody minds. */
#define WORTH_SHARDS 60.0

msw_run_forecast msw_run_forecast_make(const msw_plan *plan, const msw_run_estimate *e,
                                       const msw_run_size *size)
{
    msw_run_forecast f = {.shards = 1};
    double turns = ceil((double)plan->points / size->ranks / size->threads);
    double compute = e->point_seconds * turns;
    /* A rank whose points take longer than its turn sends less often. */
    double per_rank = size->threads / (e->point_seconds > 0 ? e->point_seconds : 1e-9);
    f.messages_per_second = (size->ranks - 1) * fmin(SENT_PER_RANK, 2.5 * per_rank);
    f.answering = f.messages_per_second / ANSWERED_PER_SECOND;
    double busy = e->write_seconds / fmax(1 - f.answering, 0.05);
    f.seconds = fmax(compute, busy);
    f.writing = f.seconds > 0 ? e->write_seconds / f.seconds : 0;
    if (size->ranks > 1 && busy > fmax(compute, WORTH_SHARDS) && compute > 0)
        f.shards = (int)fmin(ceil(busy / compute), size->ranks);
    return f;
}
