/* SPDX-License-Identifier: MIT */
/* Quantiles of unit histograms, with Woodruff's interval. */
#include "mech/engine/evaluate.h"

#include "memsweep/mech/mechanism.h"

#include <math.h>
#include <string.h>

/* Bucket 0 holds values below 1; above, 16 equal steps in each power of two, 63 powers. */
int msw_histogram_bucket(double value)
{
    if (!(value >= 1))
        return 0;
    int exponent;
    double mantissa = frexp(value, &exponent); /* value = mantissa * 2^exponent, [0.5, 1) */
    int bucket = 16 * exponent + (int)((mantissa - 0.5) * 32);
    return bucket < MSW_HISTOGRAM_BUCKETS ? bucket : MSW_HISTOGRAM_BUCKETS - 1;
}

/* Buckets 1 to 15 do not occur: bucket 0 reaches up to 1. */
double msw_histogram_edge(int bucket)
{
    if (bucket < 1)
        return 0;
    return bucket < 16 ? 1 : ldexp(0.5 + (bucket % 16) / 32.0, bucket / 16);
}

void msw_unit_record(msw_unit_out *out, int histogram, double value, double count)
{
    uint32_t slot = (uint32_t)(histogram * MSW_HISTOGRAM_BUCKETS + msw_histogram_bucket(value));
    if (out->touched && out->histograms[slot] == 0)
        out->touched[out->touched_count++] = slot;
    out->histograms[slot] += count;
}

/* Where a histogram crosses a level: bucket number plus the part of the bucket below it. Returns
 * NaN when it is empty. */
static double msw_histogram_position(const double *counts, double level)
{
    double all = 0, seen = 0;
    for (int b = 0; b < MSW_HISTOGRAM_BUCKETS; b++)
        all += counts[b];
    for (int b = 0; b < MSW_HISTOGRAM_BUCKETS; b++) {
        if (counts[b] > 0 && seen + counts[b] >= level * all)
            return b + (level * all - seen) / counts[b];
        seen += counts[b];
    }
    return NAN;
}

/* The level-quantile of a histogram, straight lines within buckets. Returns NaN when it is empty.
 */
static double msw_histogram_quantile(const double *counts, double level)
{
    double position = msw_histogram_position(counts, level);
    if (isnan(position))
        return NAN;
    double bucket = fmin(floor(position), MSW_HISTOGRAM_BUCKETS - 1);
    double low = msw_histogram_edge((int)bucket), high = msw_histogram_edge((int)bucket + 1);
    return low + (position - bucket) * (high - low);
}

void msw_finish_quantiles(const msw_task *task, const double *histograms, double *metrics)
{
    for (size_t m = 0; m < task->map->metric_count; m++)
        if (task->mech->metrics[m].kind == MSW_QUANTILE)
            metrics[m] = msw_histogram_quantile(histograms + (size_t)task->map->entries[m].num *
                                                                 MSW_HISTOGRAM_BUCKETS,
                                                task->mech->metrics[m].level);
}

/* Adds up the units' histograms, each unit weighted by the units it represents. */
static void add_histograms(const msw_unit_set *set, size_t histogram, double *out)
{
    memset(out, 0, MSW_HISTOGRAM_BUCKETS * sizeof *out);
    uint32_t first = (uint32_t)histogram * MSW_HISTOGRAM_BUCKETS;
    for (size_t h = 0; h < set->stratum_count; h++) {
        const msw_stratum_set *s = &set->strata[h];
        double weight = (double)s->units / (double)s->measured;
        for (uint64_t k = 0; k < s->measured; k++)
            for (uint32_t i = 0; i < s->sparse[k].count; i++)
                if (s->sparse[k].buckets[i] - first < MSW_HISTOGRAM_BUCKETS)
                    out[s->sparse[k].buckets[i] - first] += weight * s->sparse[k].counts[i];
    }
}

/* A unit's share in (values below the quantile) - level * (values). */
static double unit_excess(const msw_unit_histogram *sparse, uint32_t first, double position,
                          double level)
{
    double excess = 0;
    for (uint32_t i = 0; i < sparse->count; i++) {
        double bucket = (double)sparse->buckets[i] - (double)first;
        if (bucket < 0 || bucket >= MSW_HISTOGRAM_BUCKETS)
            continue;
        double below = fmin(fmax(position - bucket, 0), 1);
        excess += sparse->counts[i] * (below - level);
    }
    return excess;
}

/* Half-width of the share of values below the quantile, as that of a ratio of totals; the interval
 * of the quantile is where the histogram crosses the ends of that interval. */
static double woodruff(const msw_task *task, const msw_unit_set *set, size_t histogram,
                       double level, const double *counts, msw_columns *c)
{
    uint32_t first = (uint32_t)histogram * MSW_HISTOGRAM_BUCKETS;
    double position = msw_histogram_position(counts, level), all = 0;
    for (int b = 0; b < MSW_HISTOGRAM_BUCKETS; b++)
        all += counts[b];
    for (size_t h = 0; h < set->stratum_count; h++) {
        const msw_stratum_set *s = &set->strata[h];
        for (uint64_t i = 0; i < s->measured; i++)
            c->x[i] = unit_excess(&s->sparse[s->order[i]], first, position, level);
        c->samples[h].population = s->units;
        msw_sample_moments(c->x, NULL, 0, s->measured, 1, &c->samples[h]);
    }
    double half = msw_columns_half_width(task, set, c) / all;
    double middle = msw_histogram_quantile(counts, level);
    double low = msw_histogram_quantile(counts, fmax(level - half, 0));
    double high = msw_histogram_quantile(counts, fmin(level + half, 1));
    return fmax(high - middle, middle - low);
}

int msw_estimate_quantiles(const msw_task *task, const msw_unit_set *set, bool exact,
                           msw_columns *c, msw_answer *answer, msw_err *err)
{
    if (!set->map->histogram_count)
        return 0;
    double *counts = msw_arena_take(task->arena, MSW_HISTOGRAM_BUCKETS * sizeof *counts);
    if (!counts)
        return msw_fail_memory(err);
    for (size_t m = 0; m < set->map->metric_count; m++) {
        const msw_metric *metric = &task->mech->metrics[m];
        if (metric->kind != MSW_QUANTILE)
            continue;
        size_t histogram = (size_t)set->map->entries[m].num;
        add_histograms(set, histogram, counts);
        answer->metrics[m] = msw_histogram_quantile(counts, metric->level);
        answer->half_widths[m] =
            exact ? 0 : woodruff(task, set, histogram, metric->level, counts, c);
    }
    return 0;
}
