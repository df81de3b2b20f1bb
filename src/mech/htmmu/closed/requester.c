/* SPDX-License-Identifier: MIT */
/* Derives the cycles of the requester from the machine's answer rate: README.md, "Closed form".
 *
 *   closed loop   mean wait = W (cycles - (cycles - f) (W - 1) / (2 (requests - 1))) / requests
 *   open loop     cycles = max(service, (bursts - 1) burst / rate + last burst)
 *
 *   W  requests under way, min(outstanding, requests)     f  cycle of the first answer
 *
 * The closed loop follows Little's law (J. D. C. Little, Operations Research 9 (1961) 383-387).
 * Known value: a single request waits for all its cycles. */
#include "mech/htmmu/closed/closed.h"

#include <math.h>

/* A request is made when the one `window` before it is answered, the first of them at once: all
 * waits together are the times of the last `window` answers. Answers come evenly from the first on,
 * which begins a stream that nothing is known of with a miss. */
static void wait_closed(const htmmu_config *c, htmmu_service *a)
{
    double window = fmin((double)c->window, a->requests);
    double first = fmin(a->first, a->cycles);
    double apart = a->requests > 1 ? (a->cycles - first) / (a->requests - 1) : 0;
    a->wait = window * (a->cycles - apart * (window - 1) / 2);
}

/* Requests come in bursts of `burst`, burst / rate apart. One that is answered before the next
 * comes waits within itself, and the last ends it all; a backlog that grows waits for half of what
 * it comes to. */
static void wait_open(const htmmu_config *c, htmmu_service *a)
{
    double requests = a->requests, burst = fmin((double)c->burst, requests);
    double bursts = ceil(requests / burst), last = requests - (bursts - 1) * burst;
    double service = a->cycles, each = service / requests, alone = a->alone;
    double apart = (double)c->burst / c->rate, step = fmax(each, 1 / c->peak_rate);
    double made = (bursts - 1) * apart + last / c->peak_rate;
    double within = fmax(each - 1 / c->peak_rate, 0) * burst / 2;
    if (service > (bursts - 1) * apart + last * step) {
        double behind = fmax(service - (bursts - 1) * apart - last * step, 0);
        a->idle = 0;
        a->wait = requests * (alone + within + behind / 2);
        return;
    }
    double busy = fmin(service / made, 1);
    within += burst < 2 ? each * busy / (2 * fmax(1 - busy, 1e-3)) : 0;
    a->cycles = (bursts - 1) * apart + last * step + alone;
    a->idle = fmax(a->cycles - service, 0);
    a->wait = requests * (alone + within);
}

static uint32_t first_access(const htmmu_stream *stream, uint64_t unit)
{
    return stream->visits[stream->units[unit]].first;
}

static uint32_t last_access(const htmmu_stream *stream)
{
    const htmmu_visit *visit = &stream->visits[stream->visit_count - 1];
    return visit->first + visit->requests - 1;
}

/* Unit by unit: what comes in from its first request to that of the next, against what can be
 * answered meanwhile. The backlog changes evenly within a unit. */
static void wait_timed(htmmu_service *a, const htmmu_stream *stream, const uint64_t *times)
{
    double each = a->cycles / a->requests, backlog = 0, wait = 0, idle = 0, now = 0;
    for (uint64_t unit = 0; unit < stream->unit_count; unit++) {
        bool last = unit + 1 == stream->unit_count;
        double begin = (double)times[first_access(stream, unit)];
        double end = (double)times[last ? last_access(stream) : first_access(stream, unit + 1)];
        double left = a->requests - (double)unit * (double)stream->unit_requests;
        double count = last ? left : (double)stream->unit_requests;
        double after = backlog + count * each - (end - begin);
        idle += after < 0 ? -after : 0;
        idle += unit ? 0 : begin;
        after = fmax(after, 0);
        wait += count * (backlog + after) / 2;
        backlog = after;
        now = end;
    }
    a->cycles = now + fmax(backlog, a->alone);
    a->idle = idle;
    a->wait = wait + a->requests * a->alone;
}

int htmmu_serve(const msw_task *task, htmmu_service *a, msw_err *err)
{
    const htmmu_config *c = task->config;
    const uint64_t *times = ((const msw_accesses *)task->product->data)->cycles;
    if (c->requester == HTMMU_TIMED && !times)
        return msw_fail(err, "requester = timed: the workload has no times");
    if (c->requester == HTMMU_CLOSED)
        wait_closed(c, a);
    else if (c->requester == HTMMU_OPEN)
        wait_open(c, a);
    else
        wait_timed(a, task->artifacts[HTMMU_ARTIFACT_STREAM], times);
    return 0;
}
