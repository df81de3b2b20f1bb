/* SPDX-License-Identifier: MIT */
/* What detail tables tell. */
#include "mech/camdn/machine/system.h"

#include <stdlib.h>

void camdn_log_op(camdn_system *s, const camdn_npu *n)
{
    uint32_t network = n->now.network;
    camdn_layer_log *l = &s->log.layers[s->log.first[network] + n->op];
    l->runs++;
    l->cycles += n->time - n->op_started;
    l->reads += n->now.reads - n->before.reads;
    l->writes += n->now.writes - n->before.writes;
    l->pages += s->plans ? n->ptable.count : 0;
}

static void double_spans(camdn_log *log)
{
    for (size_t i = 0; i < CAMDN_SPANS; i++)
        log->spans[i] = 2 * i + 1 < CAMDN_SPANS ? log->spans[2 * i] + log->spans[2 * i + 1] : 0;
    log->span++;
}

void camdn_log_pages(camdn_system *s, uint64_t now)
{
    camdn_log *log = &s->log;
    now = msw_max_u64(now, log->since); /* the table is written a little later */
    while (now >> log->span >= CAMDN_SPANS)
        double_spans(log);
    while (log->since < now) {
        uint64_t at = log->since >> log->span, end = msw_min_u64(now, (at + 1) << log->span);
        log->spans[at] += (double)(s->plans->pages - s->idle_count) * (double)(end - log->since);
        log->since = end;
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int add_network(const msw_task *task, const camdn_system *s, uint32_t network,
                       double *cycles, msw_err *err)
{
    uint64_t all = s->counted, count = 0;
    double sum = 0, lines = 0, waits = 0;
    for (uint64_t i = 0; i < all; i++) {
        const camdn_result *r = &s->results[i];
        if (!r->done || r->network != network)
            continue;
        sum += cycles[count++] = (double)r->cycles;
        lines += (double)(r->reads + r->writes);
        waits += (double)r->wait_pages;
    }
    if (count == 0)
        return 0;
    qsort(cycles, count, sizeof *cycles, compare);
    double n = (double)count, line = (double)s->config->line;
    double row[] = {network,
                    n,
                    sum / n,
                    cycles[(count - 1) / 2],
                    cycles[(uint64_t)(0.99 * (n - 1))],
                    lines * line / n,
                    waits / n};
    return msw_detail_add(task, CAMDN_DETAIL_NETWORKS, row, err);
}

static int add_layer(const msw_task *task, const camdn_system *s, uint32_t network, uint32_t op,
                     msw_err *err)
{
    const camdn_layer_log *l = &s->log.layers[s->log.first[network] + op];
    double runs = (double)l->runs, line = (double)s->config->line;
    if (l->runs == 0)
        return 0;
    double row[] = {network,
                    op,
                    runs,
                    (double)l->cycles / runs,
                    (double)l->reads * line / runs,
                    (double)l->writes * line / runs,
                    (double)l->pages / runs};
    return msw_detail_add(task, CAMDN_DETAIL_LAYERS, row, err);
}

static int add_span(const msw_task *task, const camdn_log *log, uint64_t span, msw_err *err)
{
    uint64_t start = span << log->span, width = (uint64_t)1 << log->span;
    if (start >= log->since)
        return 0;
    width = msw_min_u64(width, log->since - start);
    double row[] = {(double)start, log->spans[span] / (double)width};
    return msw_detail_add(task, CAMDN_DETAIL_SPANS, row, err);
}

static int add_banks(const msw_task *task, const camdn_system *s, uint32_t channel, msw_err *err)
{
    const msw_dram_stats *d = msw_dram_channel_stats(s->banks.dram, channel);
    double row[] = {channel,           (double)d->reads,     (double)d->writes,     (double)d->hits,
                    (double)d->closed, (double)d->conflicts, (double)d->data_cycles};
    return msw_detail_add(task, CAMDN_DETAIL_BANKS, row, err);
}

int camdn_finish(const msw_task *task, void *state, msw_err *err)
{
    camdn_system *s = state;
    const msw_graph_product *mix = task->product->data;
    size_t tasks = s->counted;
    double *cycles = msw_arena_take(task->arena, tasks * sizeof *cycles);
    int rc = cycles ? 0 : msw_fail_memory(err);
    if (s->plans)
        camdn_log_pages(s, s->now);
    for (uint32_t i = 0; rc == 0 && i < mix->count; i++) {
        rc = add_network(task, s, i, cycles, err);
        for (uint32_t o = 0; rc == 0 && o < mix->networks[i].op_count; o++)
            rc = add_layer(task, s, i, o, err);
    }
    for (uint64_t i = 0; rc == 0 && s->plans && i < CAMDN_SPANS; i++)
        rc = add_span(task, &s->log, i, err);
    for (uint32_t i = 0; rc == 0 && s->banks.dram && i < s->config->channels; i++)
        rc = add_banks(task, s, i, err);
    rc = rc ? rc : camdn_add_service(task, s, err);
    return rc ? rc : camdn_add_tasks(task, s, err);
}
