/* SPDX-License-Identifier: MIT */
/* Adds detail rows: networks, operators, pages, channels, the counted tasks one by one.
 *
 * Batches show how sure the means of tasks are of the long run. Units, which stand in the order of
 * their numbers over all tenants, are cut into B = 10 batches of equal size; what is left over at
 * the end counts in the last. With m_b the mean of batch b and m the mean of those:
 *
 *   half-width    t(0.975, B - 1) sqrt(sum (m_b - m)^2 / (B - 1) / B)
 *   lag-1         sum (m_b - m)(m_b+1 - m) / sum (m_b - m)^2        large: batches are too short */
#include "mech/camdn/machine/system.h"

#include "memsweep/base/math.h"
#include "memsweep/base/sort.h"

#include <math.h>

enum { LEAST_TASKS = 40 };

static double quantity_of(const camdn_system *s, uint64_t unit, int quantity)
{
    const camdn_result *r = &s->results[unit];
    return quantity ? (double)((r->reads + r->writes) * (uint64_t)s->config->line)
                    : (double)r->cycles;
}

void camdn_batch_add(camdn_batches *b, uint64_t number, uint64_t count, double value)
{
    uint64_t batch = msw_min_u64(number / (count / CAMDN_BATCHES), CAMDN_BATCHES - 1);
    b->sums[batch] += value;
    b->counts[batch]++;
}

camdn_sureness camdn_batch_close(const camdn_batches *b)
{
    double means[CAMDN_BATCHES], squares = 0, products = 0;
    camdn_sureness is = {0};
    for (int i = 0; i < CAMDN_BATCHES; i++)
        is.mean += (means[i] = b->sums[i] / (double)b->counts[i]) / CAMDN_BATCHES;
    for (int i = 0; i < CAMDN_BATCHES; i++) {
        squares += (means[i] - is.mean) * (means[i] - is.mean);
        products += i ? (means[i] - is.mean) * (means[i - 1] - is.mean) : 0;
    }
    double t = msw_math_student_quantile(0.975, CAMDN_BATCHES - 1);
    is.half_width = t * sqrt(squares / (CAMDN_BATCHES - 1) / CAMDN_BATCHES);
    is.lag1 = squares > 0 ? products / squares : 0;
    return is;
}

static int add_batches(const msw_task *task, const camdn_system *s, int quantity, msw_err *err)
{
    camdn_batches batches = {0};
    for (uint64_t u = 0; u < s->counted; u++)
        camdn_batch_add(&batches, u, s->counted, quantity_of(s, u, quantity));
    camdn_sureness is = camdn_batch_close(&batches);
    double row[] = {quantity, CAMDN_BATCHES, (double)s->counted, is.mean, is.half_width, is.lag1};
    return msw_detail_add(task, CAMDN_DETAIL_BATCHES, row, err);
}

static bool all_done(const camdn_system *s)
{
    uint64_t done = 0;
    for (uint64_t u = 0; u < s->counted; u++)
        done += s->results[u].done;
    return done == s->counted;
}

/* Detail rows of the counted tasks, and of their batches. */
static int add_tasks(const msw_task *task, const camdn_system *s, msw_err *err)
{
    for (uint64_t u = 0; u < s->counted; u++) {
        const camdn_result *r = &s->results[u];
        double row[] = {(double)u, r->network, quantity_of(s, u, 0), quantity_of(s, u, 1)};
        if (r->done)
            MSW_TRY(msw_detail_add(task, CAMDN_DETAIL_TASKS, row, err));
    }
    for (int q = 0; q < 2 && s->counted >= LEAST_TASKS && all_done(s); q++)
        MSW_TRY(add_batches(task, s, q, err));
    return 0;
}

/* Detail rows of the quality of service. */
static int add_service(const msw_task *task, const camdn_system *s, msw_err *err)
{
    uint64_t count = 0;
    camdn_ended *ended = msw_arena_take(task->arena, (s->counted + 1) * sizeof *ended);
    if (!ended)
        return msw_fail_memory(err);
    for (uint64_t u = 0; u < s->counted; u++) {
        const camdn_result *r = &s->results[u];
        if (r->done)
            ended[count++] = (camdn_ended){r->network, (double)r->cycles, (double)r->target};
    }
    return camdn_service_tell(task, ended, count, err);
}

void camdn_log_op(camdn_system *s, const camdn_npu *n)
{
    uint32_t network = n->task.now.network;
    camdn_layer_log *l = &s->log.layers[s->log.first[network] + n->task.op];
    l->runs++;
    l->cycles += n->time - n->task.op_started;
    l->reads += n->task.now.reads - n->task.before.reads;
    l->writes += n->task.now.writes - n->task.before.writes;
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
        log->spans[at] +=
            (double)(s->plans->pages - s->pool.idle_count) * (double)(end - log->since);
        log->since = end;
    }
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
    msw_sort_f64(cycles, count);
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

/* Detail row of what a tenant's tasks were translated. */
static int add_translated(const msw_task *task, const camdn_system *s, uint32_t tenant,
                          msw_err *err)
{
    double tasks = 0;
    camdn_result sum = {0};
    for (uint64_t u = 0; u < s->counted; u++) {
        const camdn_result *r = &s->results[u];
        if (!r->done || r->tenant != tenant)
            continue;
        tasks++;
        sum.translations += r->translations, sum.walk_accesses += r->walk_accesses;
        sum.tlb_hits += r->tlb_hits, sum.tlb_misses += r->tlb_misses;
        sum.walks += r->walks, sum.merged += r->merged;
        sum.wait_translation += r->wait_translation;
    }
    double row[] = {tenant,
                    tasks,
                    (double)sum.translations,
                    (double)sum.tlb_hits,
                    (double)sum.tlb_misses,
                    (double)sum.walks,
                    (double)sum.merged,
                    (double)sum.walk_accesses,
                    (double)sum.wait_translation};
    return tasks > 0 ? msw_detail_add(task, CAMDN_DETAIL_TRANSLATED, row, err) : 0;
}

int camdn_finish(const msw_task *task, void *state, msw_err *err)
{
    camdn_system *s = state;
    const msw_graph_product *mix = task->product->data;
    size_t tasks = s->counted;
    double *cycles = msw_arena_take(task->arena, tasks * sizeof *cycles);
    if (!cycles)
        return msw_fail_memory(err);
    if (s->plans)
        camdn_log_pages(s, s->now);
    for (uint32_t i = 0; i < mix->count; i++) {
        MSW_TRY(add_network(task, s, i, cycles, err));
        for (uint32_t o = 0; o < mix->networks[i].op_count; o++)
            MSW_TRY(add_layer(task, s, i, o, err));
    }
    for (uint64_t i = 0; s->plans && i < CAMDN_SPANS; i++)
        MSW_TRY(add_span(task, &s->log, i, err));
    for (uint32_t i = 0; s->banks.dram && i < s->servers.channel_count; i++)
        MSW_TRY(add_banks(task, s, i, err));
    for (uint32_t i = 0; s->translate.on && i < s->count; i++)
        MSW_TRY(add_translated(task, s, i, err));
    MSW_TRY(add_service(task, s, err));
    return add_tasks(task, s, err);
}
