/* The cycle model as units: windows of warp-instructions over the whole machine, forward.
 *
 * How many a launch has is estimated from some of its CTAs (plan); its last unit goes to its end,
 * and one that the launch ended before is empty. */
#include "mech/mpu/machine/units.h"

#include "mech/mpu/machine/machine.h"
#include "mech/mpu/model.h"
#include "memsweep/base/bits.h"
#include "memsweep/workload/simt/estimate.h"

#include <string.h>

/* ---- plan ---- */

static double instructions_of(const msw_simt_estimate *estimate, const msw_simt_stage *stage)
{
    for (size_t k = 0; k < estimate->kernel_count; k++)
        if (estimate->kernels[k].kernel == stage->kernel)
            return estimate->kernels[k].instructions /
                   (double)msw_max_u64(estimate->kernels[k].launches, 1);
    return 0;
}

int mpu_build_units(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                    msw_err *err)
{
    (void)extra;
    const msw_simt_product *product = task->product->data;
    const mpu_config *config = task->config;
    msw_simt_estimate estimate;
    mpu_units *out = msw_arena_zero(arena, 1, sizeof *out);
    uint64_t *first = msw_arena_zero(arena, product->stage_count + 1, sizeof *first);
    if (!out || !first)
        return msw_fail_memory(err);
    if (msw_simt_estimate_of(product, arena, &estimate, err))
        return -1;
    for (size_t s = 0; s < product->stage_count; s++) {
        const msw_simt_stage *stage = &product->stages[s];
        first[s + 1] = first[s];
        if (stage->kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        double windows = instructions_of(&estimate, stage) / (double)config->window;
        first[s + 1] += msw_max_u64((uint64_t)windows, 1);
    }
    *out = (mpu_units){.first = first, .stages = product->stage_count};
    *root = out;
    return 0;
}

static const mpu_units *units_of(const msw_task *task)
{
    return task->artifacts[MPU_ARTIFACT_UNITS];
}

/* ---- units ---- */

typedef struct state {
    mpu_machine machine;
    const mpu_units *units;
    uint64_t unit;   /* next to be run */
    uint64_t before; /* issued before the launch */
    uint64_t seen;   /* events reported */
    double *then;    /* totals at the start of the unit */
    double stack[MPU_CAUSES];
    uint64_t cycles;
} state;

size_t mpu_state_bytes(const msw_task *task)
{
    (void)task;
    return sizeof(state);
}

int mpu_begin(const msw_task *task, void *memory, msw_err *err)
{
    state *s = memory;
    memset(s, 0, sizeof *s);
    s->units = units_of(task);
    s->then = msw_arena_zero(task->arena, MPU_METRICS, sizeof *s->then);
    if (!s->then)
        return msw_fail_memory(err);
    return mpu_machine_init(&s->machine, task, mpu_program_of(task), err);
}

int mpu_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err)
{
    (void)err;
    const mpu_units *units = units_of(task);
    *count = 1;
    strata[0] = (msw_stratum){.units = units->first[units->stages], .cost = 1};
    return 0;
}

static size_t stage_of(const mpu_units *units, uint64_t unit)
{
    size_t stage = 0;
    while (units->first[stage + 1] <= unit)
        stage++;
    return stage;
}

static int run_unit(state *s, msw_err *err)
{
    mpu_machine *m = &s->machine;
    size_t stage = stage_of(s->units, s->unit);
    uint64_t index = s->unit - s->units->first[stage];
    bool last = s->unit + 1 == s->units->first[stage + 1];
    if (index == 0) {
        s->before = m->issued;
        if (mpu_launch_start(m, stage, err))
            return -1;
    }
    uint64_t until = s->before + (index + 1) * (uint64_t)m->config->window;
    s->unit++;
    if (m->active && mpu_machine_run(m, last ? UINT64_MAX : until, err))
        return -1;
    mpu_settle(m, m->now);
    return 0;
}

static void remember(state *s)
{
    mpu_machine *m = &s->machine;
    mpu_machine_totals(m);
    memcpy(s->then, m->totals, MPU_METRICS * sizeof *s->then);
    memcpy(s->stack, m->stack, sizeof s->stack);
    s->cycles = m->now;
}

static void report(state *s, double *totals)
{
    mpu_machine *m = &s->machine;
    double subcores = (double)m->simulated * (double)m->config->subcores;
    mpu_machine_totals(m);
    for (int i = 0; i < MPU_METRICS; i++)
        totals[i] = (m->totals[i] - s->then[i]) * (i == MPU_TSV_BUSY ? 1 : m->scale);
    totals[MPU_CYCLES] = 0;
    for (int c = 0; c < MPU_CAUSES; c++) {
        totals[MPU_ISSUE + c] = (m->stack[c] - s->stack[c]) / subcores;
        totals[MPU_CYCLES] += totals[MPU_ISSUE + c];
    }
    mpu_count_sums(totals);
    mpu_energy(m->config, totals);
}

/* What lies between two measured units runs in detail, uncounted. */
int mpu_advance(const msw_task *task, void *memory, size_t stratum, uint64_t unit, msw_err *err)
{
    (void)task, (void)stratum;
    state *s = memory;
    while (s->unit < unit)
        if (run_unit(s, err))
            return -1;
    return 0;
}

int mpu_measure(const msw_task *task, void *memory, size_t stratum, uint64_t unit,
                msw_unit_out *out, msw_err *err)
{
    (void)task, (void)stratum, (void)unit;
    state *s = memory;
    remember(s);
    if (run_unit(s, err))
        return -1;
    report(s, out->totals);
    uint64_t events = s->machine.issued + s->machine.events;
    out->events = events - s->seen;
    s->seen = events;
    return 0;
}
