/* SPDX-License-Identifier: MIT */
/* Adds detail rows of the quality of service, as MoCA and AuRORA measure it (README.md, "Service").
 */
#include "mech/camdn/model.h"

#include "memsweep/base/math.h"
#include "memsweep/base/sort.h"

#include <math.h>

static double progress_of(const camdn_served *n)
{
    return n->alone * n->tasks / n->cycles;
}

camdn_service camdn_service_of(const camdn_served *networks, uint32_t count)
{
    camdn_service s = {0};
    double least = INFINITY, most = 0, logs = 0, met = 0;
    for (uint32_t i = 0; i < count; i++) {
        const camdn_served *n = &networks[i];
        if (n->tasks == 0)
            continue;
        double progress = progress_of(n);
        s.networks++;
        s.stp += progress;
        least = fmin(least, progress);
        most = fmax(most, progress);
        s.targeted += n->targeted;
        s.in_time += n->in_time;
        s.unmet += n->targeted > 0 && n->in_time == 0;
        met += n->targeted > 0;
        logs += n->in_time > 0 ? msw_math_log(n->in_time / n->targeted) : 0;
    }
    s.fairness = most > 0 ? least / most : NAN;
    s.sla = s.targeted > 0 ? s.in_time / s.targeted : NAN;
    s.sla_geomean = met == 0 ? NAN : s.unmet > 0 ? 0 : msw_math_exp(logs / met);
    return s;
}

/* Detail rows of networks and of all. */
static int add_served(const msw_task *task, const camdn_served *networks, uint32_t count,
                      double p99, msw_err *err)
{
    camdn_service s = camdn_service_of(networks, count);
    for (uint32_t i = 0; i < count; i++) {
        const camdn_served *n = &networks[i];
        double row[] = {i,      n->tasks, n->targeted,   n->in_time, n->cycles / n->tasks,
                        n->p99, n->alone, progress_of(n)};
        if (n->tasks > 0)
            MSW_TRY(msw_detail_add(task, CAMDN_DETAIL_SERVED, row, err));
    }
    double row[] = {0,     s.targeted, s.in_time, s.unmet, s.sla, s.sla_geomean,
                    s.stp, s.fairness, p99};
    return msw_detail_add(task, CAMDN_DETAIL_SERVICE, row, err);
}

/* The same rank as in the table of networks. */
static double p99_of(double *cycles, uint64_t count)
{
    msw_sort_f64(cycles, count);
    return count ? cycles[(uint64_t)(0.99 * (double)(count - 1))] : 0;
}

static void add_ended(camdn_served *n, const camdn_ended *task)
{
    n->tasks++;
    n->cycles += task->cycles;
    n->targeted += task->target > 0;
    n->in_time += task->target > 0 && task->cycles < task->target;
}

int camdn_service_tell(const msw_task *task, const camdn_ended *ended, uint64_t count, msw_err *err)
{
    const msw_graph_product *mix = task->product->data;
    camdn_served networks[MSW_GRAPH_NETWORKS_MAX] = {{0}};
    double alone[MSW_GRAPH_NETWORKS_MAX];
    double *cycles = msw_arena_take(task->arena, (count + 1) * sizeof *cycles);
    if (!cycles)
        return msw_fail_memory(err);
    camdn_alone(task, alone);
    for (uint32_t i = 0; i < mix->count; i++) {
        uint64_t own = 0;
        for (uint64_t u = 0; u < count; u++) {
            if (ended[u].network != i)
                continue;
            cycles[own++] = ended[u].cycles;
            add_ended(&networks[i], &ended[u]);
        }
        networks[i].alone = alone[i];
        networks[i].p99 = p99_of(cycles, own);
    }
    for (uint64_t u = 0; u < count; u++)
        cycles[u] = ended[u].cycles;
    return add_served(task, networks, mix->count, p99_of(cycles, count), err);
}
