/* From measured units to metrics with intervals. Every interval is that of a linear combination of
 * unit values: a total itself, a linearised ratio, or a derived metric's gradient. */
#include "evaluate.h"

#include <math.h>
#include <string.h>

/* Scratch columns for one stratum at a time. */
typedef struct columns {
    double *x, *y;
    msw_stratum_sample *samples;
} columns;

static int columns_init(const msw_task *task, const msw_unit_set *set, columns *c, msw_err *err)
{
    uint64_t most = 1;
    for (size_t h = 0; h < set->stratum_count; h++)
        most = set->strata[h].measured > most ? set->strata[h].measured : most;
    c->x = msw_arena_take(task->arena, most * sizeof *c->x);
    c->y = msw_arena_take(task->arena, most * sizeof *c->y);
    c->samples = msw_arena_take(task->arena, (set->stratum_count + 1) * sizeof *c->samples);
    return c->x && c->y && c->samples ? 0 : msw_fail_memory(err);
}

/* Values of one metric in unit order; from a reference when `reference` is given. */
static void gather(const msw_unit_set *set, const msw_reference_units *reference, size_t h,
                   int metric, double *out)
{
    const msw_stratum_set *s = &set->strata[h];
    const double *values = reference ? reference->values[h] : s->values;
    size_t width = set->layout->metric_count;
    for (uint64_t i = 0; i < s->measured; i++)
        out[i] = values[s->order[i] * width + (size_t)metric];
}

static void sample_total(const msw_unit_set *set, const msw_reference_units *reference, int metric,
                         columns *c)
{
    for (size_t h = 0; h < set->stratum_count; h++) {
        gather(set, reference, h, metric, c->x);
        c->samples[h].population = set->strata[h].units;
        msw_sample_moments(c->x, NULL, 0, set->strata[h].measured, 1, &c->samples[h]);
    }
}

/* Samples of the residual num - ratio * den. */
static void sample_residual(const msw_unit_set *set, const msw_reference_units *reference, int num,
                            int den, double ratio, columns *c)
{
    for (size_t h = 0; h < set->stratum_count; h++) {
        gather(set, NULL, h, num, c->x);
        gather(set, reference, h, den, c->y);
        c->samples[h].population = set->strata[h].units;
        msw_sample_moments(c->x, c->y, ratio, set->strata[h].measured, 1, &c->samples[h]);
    }
}

static double total_of(const msw_unit_set *set, const msw_reference_units *reference, int metric,
                       columns *c)
{
    sample_total(set, reference, metric, c);
    return msw_sample_total(c->samples, set->stratum_count);
}

static const msw_reference_units *reference_of(const msw_unit_set *set,
                                               const msw_references *references, int metric)
{
    int r = set->layout->entries[metric].reference;
    return r < 0 ? NULL : references->units[r];
}

static msw_stratum_sample *copy_samples(const msw_task *task, const msw_unit_set *set,
                                        const columns *c)
{
    size_t bytes = set->stratum_count * sizeof *c->samples;
    msw_stratum_sample *copy = msw_arena_take(task->arena, bytes + 1);
    return copy ? memcpy(copy, c->samples, bytes) : NULL;
}

int msw_estimate_primary(const msw_task *task, const msw_unit_set *set,
                         const msw_references *references, msw_primary *primary, msw_err *err)
{
    columns c;
    if (columns_init(task, set, &c, err))
        return -1;
    int metric = set->layout->primary;
    bool ratio = task->mech->metrics[metric].kind != MSW_TOTAL;
    int num = ratio ? set->layout->entries[metric].num : metric;
    double x = total_of(set, NULL, num, &c);
    primary->half_width = task->sampling.target * fabs(x);
    primary->total = primary->residual = copy_samples(task, set, &c);
    if (ratio) {
        const msw_reference_units *reference = reference_of(set, references, metric);
        int den = set->layout->entries[metric].den;
        double y = total_of(set, reference, den, &c);
        sample_residual(set, reference, num, den, y != 0 ? x / y : 0, &c);
        primary->residual = copy_samples(task, set, &c);
    }
    return primary->total && primary->residual ? 0 : msw_fail_memory(err);
}

static double half_width(const msw_task *task, const msw_unit_set *set, const columns *c)
{
    return msw_sample_half_width(c->samples, set->stratum_count, task->sampling.confidence);
}

static void estimate_totals(const msw_task *task, const msw_unit_set *set, columns *c,
                            msw_answer *answer)
{
    for (size_t i = 0; i < set->layout->metric_count; i++) {
        if (task->mech->metrics[i].kind == MSW_TOTAL) {
            answer->metrics[i] = total_of(set, NULL, (int)i, c);
            answer->half_widths[i] = half_width(task, set, c);
        }
    }
}

static void estimate_maxima(const msw_task *task, const msw_unit_set *set, bool exact,
                            msw_answer *answer)
{
    size_t width = set->layout->metric_count;
    for (size_t i = 0; i < width; i++) {
        if (task->mech->metrics[i].kind != MSW_MAXIMUM)
            continue;
        double largest = 0;
        for (size_t h = 0; h < set->stratum_count; h++)
            for (uint64_t k = 0; k < set->strata[h].measured; k++)
                largest = fmax(largest, set->strata[h].values[k * width + i]);
        answer->metrics[i] = largest;
        answer->half_widths[i] = exact ? 0 : NAN;
    }
}

static void estimate_ratios(const msw_task *task, const msw_unit_set *set,
                            const msw_references *references, columns *c, msw_answer *answer)
{
    for (size_t i = 0; i < set->layout->metric_count; i++) {
        msw_metric_kind kind = task->mech->metrics[i].kind;
        if (kind != MSW_RATIO && kind != MSW_PAIRED)
            continue;
        int num = set->layout->entries[i].num, den = set->layout->entries[i].den;
        const msw_reference_units *reference = reference_of(set, references, (int)i);
        double below = total_of(set, reference, den, c);
        if (below == 0)
            continue;
        answer->metrics[i] = answer->metrics[num] / below;
        sample_residual(set, reference, num, den, answer->metrics[i], c);
        answer->half_widths[i] = half_width(task, set, c) / fabs(below);
    }
}

/* ---- derived metrics: the delta method with numeric gradients ---- */

/* Everything derived metrics depend on: own totals, then each reference's totals. */
typedef struct inputs {
    size_t width, count; /* metrics; vectors (1 + references) */
    double *totals;      /* count x width */
    const double **reference_totals;
    double *work; /* one metric vector */
} inputs;

static int inputs_init(const msw_task *task, const msw_unit_set *set,
                       const msw_references *references, columns *c, const double *maxima,
                       inputs *in, msw_err *err)
{
    in->width = set->layout->metric_count;
    in->count = 1 + references->count;
    in->totals = msw_arena_zero(task->arena, in->count * in->width, sizeof *in->totals);
    in->reference_totals = msw_arena_zero(task->arena, in->count, sizeof *in->reference_totals);
    in->work = msw_arena_take(task->arena, in->width * sizeof *in->work);
    if (!in->totals || !in->reference_totals || !in->work)
        return msw_fail_memory(err);
    memcpy(in->totals, maxima, in->width * sizeof *maxima);
    for (size_t r = 0; r < references->count; r++) {
        in->reference_totals[r] = in->totals + (r + 1) * in->width;
        for (size_t t = 0; t < set->layout->total_count; t++) {
            int m = set->layout->totals[t];
            in->totals[(r + 1) * in->width + (size_t)m] = total_of(set, references->units[r], m, c);
        }
    }
    return 0;
}

static const double *derive(const msw_task *task, inputs *in)
{
    memcpy(in->work, in->totals, in->width * sizeof *in->work);
    msw_finish_metrics(task, in->reference_totals, in->work);
    return in->work;
}

/* Central difference of metric `m` in input `j`. */
static double gradient(const msw_task *task, inputs *in, size_t m, size_t j)
{
    double old = in->totals[j], step = fabs(old) * 1e-5;
    if (step == 0)
        return 0;
    in->totals[j] = old + step;
    double up = derive(task, in)[m];
    in->totals[j] = old - step;
    double down = derive(task, in)[m];
    in->totals[j] = old;
    double slope = (up - down) / (2 * step);
    return isfinite(slope) ? slope : 0;
}

static void add_scaled(const msw_unit_set *set, const msw_reference_units *reference, size_t h,
                       int metric, double factor, columns *c)
{
    gather(set, reference, h, metric, c->y);
    for (uint64_t i = 0; i < set->strata[h].measured; i++)
        c->x[i] += factor * c->y[i];
}

static int derived_half_width(const msw_task *task, const msw_unit_set *set,
                              const msw_references *references, columns *c, inputs *in, size_t m,
                              double *out, msw_err *err)
{
    size_t totals = set->layout->total_count;
    double *slopes = msw_arena_take(task->arena, (in->count * totals + 1) * sizeof *slopes);
    if (!slopes)
        return msw_fail_memory(err);
    for (size_t v = 0; v < in->count; v++)
        for (size_t t = 0; t < totals; t++)
            slopes[v * totals + t] =
                gradient(task, in, m, v * in->width + (size_t)set->layout->totals[t]);
    for (size_t h = 0; h < set->stratum_count; h++) {
        memset(c->x, 0, set->strata[h].measured * sizeof *c->x);
        for (size_t v = 0; v < in->count; v++)
            for (size_t t = 0; t < totals; t++)
                if (slopes[v * totals + t] != 0)
                    add_scaled(set, v ? references->units[v - 1] : NULL, h, set->layout->totals[t],
                               slopes[v * totals + t], c);
        c->samples[h].population = set->strata[h].units;
        msw_sample_moments(c->x, NULL, 0, set->strata[h].measured, 1, &c->samples[h]);
    }
    *out = half_width(task, set, c);
    return 0;
}

static int estimate_derived(const msw_task *task, const msw_unit_set *set,
                            const msw_references *references, columns *c, bool exact,
                            msw_answer *answer, msw_err *err)
{
    inputs in;
    if (!set->layout->derived)
        return 0;
    if (inputs_init(task, set, references, c, answer->metrics, &in, err))
        return -1;
    const double *metrics = derive(task, &in);
    for (size_t m = 0; m < in.width; m++)
        if (task->mech->metrics[m].kind == MSW_DERIVED) {
            answer->metrics[m] = metrics[m];
            answer->half_widths[m] = exact ? 0 : NAN;
        }
    for (size_t m = 0; m < in.width && !exact; m++)
        if (task->mech->metrics[m].kind == MSW_DERIVED &&
            derived_half_width(task, set, references, c, &in, m, &answer->half_widths[m], err))
            return -1;
    return 0;
}

/* ---- quantiles: Woodruff's interval ---- */

/* Adds up the units' histograms, each unit for those it stands for. */
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
static double unit_excess(const msw_sparse *sparse, uint32_t first, double position, double level)
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
                       double level, const double *counts, columns *c)
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
    double half = half_width(task, set, c) / all;
    double middle = msw_histogram_quantile(counts, level);
    double low = msw_histogram_quantile(counts, fmax(level - half, 0));
    double high = msw_histogram_quantile(counts, fmin(level + half, 1));
    return fmax(high - middle, middle - low);
}

static int estimate_quantiles(const msw_task *task, const msw_unit_set *set, bool exact, columns *c,
                              msw_answer *answer, msw_err *err)
{
    if (!set->layout->histogram_count)
        return 0;
    double *counts = msw_arena_take(task->arena, MSW_HISTOGRAM_BUCKETS * sizeof *counts);
    if (!counts)
        return msw_fail_memory(err);
    for (size_t m = 0; m < set->layout->metric_count; m++) {
        const msw_metric *metric = &task->mech->metrics[m];
        if (metric->kind != MSW_QUANTILE)
            continue;
        size_t histogram = (size_t)set->layout->entries[m].num;
        add_histograms(set, histogram, counts);
        answer->metrics[m] = msw_histogram_quantile(counts, metric->level);
        answer->half_widths[m] =
            exact ? 0 : woodruff(task, set, histogram, metric->level, counts, c);
    }
    return 0;
}

int msw_estimate(const msw_task *task, const msw_unit_set *set, const msw_references *references,
                 msw_answer *answer, msw_err *err)
{
    columns c;
    if (columns_init(task, set, &c, err))
        return -1;
    answer->measured = 0;
    for (size_t h = 0; h < set->stratum_count; h++)
        answer->measured += set->strata[h].measured;
    bool exact = answer->measured == set->units;
    estimate_totals(task, set, &c, answer);
    estimate_maxima(task, set, exact, answer);
    estimate_ratios(task, set, references, &c, answer);
    if (estimate_quantiles(task, set, exact, &c, answer, err))
        return -1;
    return estimate_derived(task, set, references, &c, exact, answer, err);
}

/* ---- exact totals ---- */

double msw_histogram_position(const double *counts, double level)
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

double msw_histogram_quantile(const double *counts, double level)
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
    for (size_t m = 0; m < task->layout->metric_count; m++)
        if (task->mech->metrics[m].kind == MSW_QUANTILE)
            metrics[m] = msw_histogram_quantile(histograms + (size_t)task->layout->entries[m].num *
                                                                 MSW_HISTOGRAM_BUCKETS,
                                                task->mech->metrics[m].level);
}

void msw_finish_metrics(const msw_task *task, const double *const *reference_totals,
                        double *metrics)
{
    const msw_layout *layout = task->layout;
    for (size_t m = 0; m < layout->metric_count; m++) {
        msw_metric_kind kind = task->mech->metrics[m].kind;
        if (kind != MSW_RATIO && kind != MSW_PAIRED)
            continue;
        const double *below =
            kind == MSW_PAIRED ? reference_totals[layout->entries[m].reference] : metrics;
        double den = below[layout->entries[m].den];
        metrics[m] = den != 0 ? metrics[layout->entries[m].num] / den : NAN;
    }
    if (layout->derived)
        task->mech->derive(task, metrics);
}
