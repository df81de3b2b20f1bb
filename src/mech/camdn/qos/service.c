/* SPDX-License-Identifier: MIT */
/* Quality of service, as MoCA and AuRORA measure it. */
#include "mech/camdn/qos/service.h"

#include "mech/camdn/machine/system.h"
#include "memsweep/base/math.h"

#include <math.h>
#include <stdlib.h>

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

int camdn_add_served(const msw_task *task, const camdn_served *networks, uint32_t count, double p99,
                     msw_err *err)
{
    camdn_service s = camdn_service_of(networks, count);
    int rc = 0;
    for (uint32_t i = 0; rc == 0 && i < count; i++) {
        const camdn_served *n = &networks[i];
        double row[] = {i,      n->tasks, n->targeted,   n->in_time, n->cycles / n->tasks,
                        n->p99, n->alone, progress_of(n)};
        rc = n->tasks > 0 ? msw_detail_add(task, CAMDN_DETAIL_SERVED, row, err) : 0;
    }
    double row[] = {0,     s.targeted, s.in_time, s.unmet, s.sla, s.sla_geomean,
                    s.stp, s.fairness, p99};
    return rc ? rc : msw_detail_add(task, CAMDN_DETAIL_SERVICE, row, err);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The same rank as in the table of networks. */
static double p99_of(double *cycles, uint64_t count)
{
    qsort(cycles, count, sizeof *cycles, compare);
    return count ? cycles[(uint64_t)(0.99 * (double)(count - 1))] : 0;
}

int camdn_add_service(const msw_task *task, const camdn_system *s, msw_err *err)
{
    const msw_graph_product *mix = task->product->data;
    camdn_served networks[MSW_GRAPH_NETWORKS_MAX] = {{0}};
    double alone[MSW_GRAPH_NETWORKS_MAX];
    double *cycles = msw_arena_take(task->arena, (s->counted + 1) * sizeof *cycles);
    if (!cycles)
        return msw_fail_memory(err);
    camdn_alone(task, alone);
    for (uint32_t i = 0; i <= mix->count; i++) { /* the last time: all */
        camdn_served *n = i < mix->count ? &networks[i] : NULL;
        uint64_t count = 0;
        for (uint64_t u = 0; u < s->counted; u++) {
            const camdn_result *r = &s->results[u];
            if (!r->done || (n && r->network != i))
                continue;
            cycles[count++] = (double)r->cycles;
            if (!n)
                continue;
            n->tasks++;
            n->cycles += (double)r->cycles;
            n->targeted += r->target > 0;
            n->in_time += r->target > 0 && r->cycles < r->target;
        }
        double p99 = p99_of(cycles, count);
        if (!n)
            return camdn_add_served(task, networks, mix->count, p99, err);
        n->alone = alone[i];
        n->p99 = p99;
    }
    return 0;
}
