/* SPDX-License-Identifier: MIT */
#include "mech/neummu/ledger.h"

#include "mech/neummu/model.h"

#include <string.h>

/* Columns of the table `layers` behind layer and tiles. */
static const int COLUMNS[] = {
    NEUMMU_CYCLES,       NEUMMU_LAYER_START, NEUMMU_FILL,       NEUMMU_TRANSLATION,
    NEUMMU_MEMORY,       NEUMMU_COMPUTE,     NEUMMU_WRITE_BACK, NEUMMU_STORE_TRANSLATION,
    NEUMMU_TRANSLATIONS, NEUMMU_TLB_MISSES,  NEUMMU_WALKS,      NEUMMU_WALK_ACCESSES};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof *COLUMNS };

static const neummu_stream *stream_of(const neummu_ledger *ledger)
{
    return ledger->task->artifacts[0];
}

int neummu_ledger_open(neummu_ledger *l, const msw_task *task, msw_err *err)
{
    const neummu_config *config = task->config;
    const neummu_stream *stream = task->artifacts[0];
    *l = (neummu_ledger){0};
    if (!task->details || !config->profile_layers || stream->step_count == 0)
        return 0;
    l->task = task;
    l->layer_count = stream->steps[stream->step_count - 1].layer + 1;
    l->layers = msw_arena_zero(task->arena, l->layer_count * NEUMMU_METRICS, sizeof *l->layers);
    l->strata =
        msw_arena_zero(task->arena, stream->stratum_count * NEUMMU_METRICS, sizeof *l->strata);
    l->latency = msw_arena_zero(task->arena, stream->stratum_count * MSW_HISTOGRAM_BUCKETS,
                                sizeof *l->latency);
    l->measured = msw_arena_zero(task->arena, stream->stratum_count, sizeof *l->measured);
    return l->layers && l->strata && l->latency && l->measured ? 0 : msw_fail_memory(err);
}

void neummu_ledger_add(neummu_ledger *l, uint64_t stratum, uint64_t step, const double *totals)
{
    if (!l->task)
        return;
    double *layer = &l->layers[stream_of(l)->steps[step].layer * NEUMMU_METRICS];
    for (int i = 0; i < NEUMMU_SRAM; i++) {
        layer[i] += totals[i];
        l->strata[stratum * NEUMMU_METRICS + (uint64_t)i] += totals[i];
    }
    l->measured[stratum]++;
    l->all++;
}

void neummu_ledger_walks(neummu_ledger *l, uint64_t stratum, double cycles, double count)
{
    if (l->task && count > 0)
        l->latency[stratum * MSW_HISTOGRAM_BUCKETS + (uint64_t)msw_histogram_bucket(cycles)] +=
            count;
}

/* Layers as their strata give them: each step is as the mean of those measured. */
static void estimate_layers(neummu_ledger *l)
{
    const neummu_stream *stream = stream_of(l);
    memset(l->layers, 0, l->layer_count * NEUMMU_METRICS * sizeof *l->layers);
    for (uint64_t h = 0; h < stream->stratum_count; h++) {
        const double *sums = &l->strata[h * NEUMMU_METRICS];
        for (uint64_t u = 0; l->measured[h] && u < stream->strata[h].count; u++) {
            uint32_t layer = stream->steps[stream->strata[h].steps[u]].layer;
            for (int i = 0; i < NEUMMU_SRAM; i++)
                l->layers[(uint64_t)layer * NEUMMU_METRICS + (uint64_t)i] +=
                    sums[i] / (double)l->measured[h];
        }
    }
}

static int write_layers(const neummu_ledger *l, msw_err *err)
{
    double row[COLUMN_COUNT + 2];
    for (uint64_t layer = 0; layer < l->layer_count; layer++) {
        const double *metrics = &l->layers[layer * NEUMMU_METRICS];
        row[0] = (double)layer;
        row[1] = metrics[NEUMMU_TILES];
        for (int c = 0; c < COLUMN_COUNT; c++)
            row[c + 2] = metrics[COLUMNS[c]];
        if (msw_detail_add(l->task, NEUMMU_TABLE_LAYERS, row, err))
            return -1;
    }
    return 0;
}

/* Walks of a bucket, all strata together. */
static double walks_in(const neummu_ledger *l, int bucket)
{
    const neummu_stream *stream = stream_of(l);
    double walks = 0;
    for (uint64_t h = 0; h < stream->stratum_count; h++) {
        double count = l->latency[h * MSW_HISTOGRAM_BUCKETS + (uint64_t)bucket];
        if (count > 0)
            walks += l->all == stream->step_count || l->measured[h] == 0
                         ? count
                         : count * (double)stream->strata[h].count / (double)l->measured[h];
    }
    return walks;
}

int neummu_ledger_write(neummu_ledger *l, msw_err *err)
{
    if (!l->task)
        return 0;
    if (l->all < stream_of(l)->step_count)
        estimate_layers(l);
    if (write_layers(l, err))
        return -1;
    for (int bucket = 0; bucket < MSW_HISTOGRAM_BUCKETS; bucket++) {
        double walks = walks_in(l, bucket);
        double row[] = {msw_histogram_edge(bucket), msw_histogram_edge(bucket + 1), walks};
        if (walks > 0 && msw_detail_add(l->task, NEUMMU_TABLE_LATENCY, row, err))
            return -1;
    }
    return 0;
}
