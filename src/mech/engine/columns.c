/* Values of one metric in measured units, and the samples made from them. */
#include "mech/engine/evaluate.h"

#include "memsweep/base/bits.h"

int msw_columns_init(const msw_task *task, const msw_unit_set *set, msw_columns *c, msw_err *err)
{
    uint64_t most = 1;
    for (size_t h = 0; h < set->stratum_count; h++)
        most = msw_max_u64(most, set->strata[h].measured);
    c->x = msw_arena_take(task->arena, most * sizeof *c->x);
    c->y = msw_arena_take(task->arena, most * sizeof *c->y);
    c->samples = msw_arena_take(task->arena, (set->stratum_count + 1) * sizeof *c->samples);
    return c->x && c->y && c->samples ? 0 : msw_fail_memory(err);
}

void msw_columns_gather(const msw_unit_set *set, const msw_reference_units *reference, size_t h,
                        int metric, double *out)
{
    const msw_stratum_set *s = &set->strata[h];
    const double *values = reference ? reference->values[h] : s->values;
    size_t width = set->map->metric_count;
    for (uint64_t i = 0; i < s->measured; i++)
        out[i] = values[s->order[i] * width + (size_t)metric];
}

static void sample_total(const msw_unit_set *set, const msw_reference_units *reference, int metric,
                         msw_columns *c)
{
    for (size_t h = 0; h < set->stratum_count; h++) {
        msw_columns_gather(set, reference, h, metric, c->x);
        c->samples[h].population = set->strata[h].units;
        msw_sample_moments(c->x, NULL, 0, set->strata[h].measured, 1, &c->samples[h]);
    }
}

void msw_columns_residual(const msw_unit_set *set, const msw_reference_units *reference, int num,
                          int den, double ratio, msw_columns *c)
{
    for (size_t h = 0; h < set->stratum_count; h++) {
        msw_columns_gather(set, NULL, h, num, c->x);
        msw_columns_gather(set, reference, h, den, c->y);
        c->samples[h].population = set->strata[h].units;
        msw_sample_moments(c->x, c->y, ratio, set->strata[h].measured, 1, &c->samples[h]);
    }
}

double msw_columns_total(const msw_unit_set *set, const msw_reference_units *reference, int metric,
                         msw_columns *c)
{
    sample_total(set, reference, metric, c);
    return msw_sample_total(c->samples, set->stratum_count);
}

double msw_columns_half_width(const msw_task *task, const msw_unit_set *set, const msw_columns *c)
{
    return msw_sample_half_width(c->samples, set->stratum_count, task->sampling.confidence);
}
