/* SPDX-License-Identifier: MIT */
/* Runs the cycle model as units: windows of warp-instructions over the whole machine, forward.
 *
 * The number of units of a launch is estimated from some of its CTAs (plan); its last unit goes to
 * its end, and one that the launch ended before is empty. Strata of a long launch are its start,
 * what is between, and its end; short launches that follow each other are one. The detail tables
 * of `full` are filled here; a sample that passed over anything has none. */
#include "mech/mpu/machine/machine.h"

#include "memsweep/base/bits.h"
#include "memsweep/workload/simt/estimate.h"

#include <string.h>

/* ---- detail tables ---- */

enum { TABLE_LAUNCHES, TABLE_BANKS, TABLE_KINDS, TABLE_LINES };

/* Totals at the end of the launch before. */
typedef struct launch_note {
    uint64_t cycles;
    double totals[8];
} launch_note;

/* Columns of `launches`, in their order behind the number and the cycles. */
static const int COLUMNS[] = {MPU_INSNS,      MPU_INSNS_NEAR,    MPU_DRAM_BYTES, MPU_ROW_HITS,
                              MPU_ROW_CLOSED, MPU_ROW_CONFLICTS, MPU_MOVES_NEAR, MPU_MOVES_FAR};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof *COLUMNS };

/* Adds the row of a launch that has ended. */
static int note_launch(mpu_machine *m, launch_note *note, uint64_t number, msw_err *err)
{
    double row[COLUMN_COUNT + 2] = {(double)number, (double)(m->now - note->cycles)};
    double scale = m->launch.scale;
    if (!m->task->details || m->counts.jumped)
        return 0;
    mpu_machine_totals(m);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        row[i + 2] = (m->counts.totals[COLUMNS[i]] - note->totals[i]) * scale;
        note->totals[i] = m->counts.totals[COLUMNS[i]];
    }
    note->cycles = m->now;
    return msw_detail_add(m->task, TABLE_LAUNCHES, row, err);
}

static int add_unit(const mpu_machine *m, uint32_t core, uint32_t unit, msw_err *err)
{
    const msw_dram_lines_stats *s = msw_dram_lines_totals(m->cores[core].subs[unit].lines);
    double row[] = {core,
                    unit,
                    (double)s->lines,
                    (double)s->reads,
                    (double)s->writes,
                    (double)s->hits,
                    (double)s->closed,
                    (double)s->conflicts,
                    (double)s->wait_cycles,
                    (double)s->data_cycles};
    return msw_detail_add(m->task, TABLE_BANKS, row, err);
}

static int add_kind(const mpu_machine *m, int kind, msw_err *err)
{
    double row[] = {kind, (double)m->counts.kinds[kind][1], (double)m->counts.kinds[kind][0]};
    return msw_detail_add(m->task, TABLE_KINDS, row, err);
}

/* Adds the rows of near-bank units, of kinds of instructions and of lines. */
static int add_details(mpu_machine *m, msw_err *err)
{
    if (m->counts.jumped)
        return 0;
    mpu_machine_totals(m);
    for (uint32_t c = 0; c < m->simulated; c++)
        for (uint32_t u = 0; u < (uint32_t)m->config->subcores; u++)
            if (add_unit(m, c, u, err))
                return -1;
    for (int kind = 0; kind < MPU_UNITS; kind++)
        if (add_kind(m, kind, err))
            return -1;
    return mpu_lines_tell(m, TABLE_LINES, err);
}

/* ---- plan ---- */

static double instructions_of(const msw_simt_estimate *estimate, const msw_simt_stage *stage)
{
    for (size_t k = 0; k < estimate->kernel_count; k++)
        if (estimate->kernels[k].kernel == stage->kernel)
            return estimate->kernels[k].instructions /
                   (double)msw_max_u64(estimate->kernels[k].launches, 1);
    return 0;
}

/* ---- strata ---- */

enum { LONG = 32, EDGE = 4 }; /* units of a launch that is split; of its start and its end */

static bool has_room(const mpu_units *units)
{
    return units->strata + 4 < MPU_STRATA_MOST;
}

static void end_stratum(mpu_units *units, uint64_t end)
{
    if (end > units->stratum[units->strata])
        units->stratum[++units->strata] = end;
}

static void make_strata(mpu_units *units)
{
    for (size_t s = 0; s < units->stages; s++) {
        uint64_t first = units->first[s], end = units->first[s + 1];
        if (end - first < LONG || !has_room(units))
            continue;
        end_stratum(units, first);
        end_stratum(units, first + EDGE);
        end_stratum(units, end - EDGE);
        end_stratum(units, end);
    }
    end_stratum(units, units->first[units->stages]);
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
    out->insns = msw_arena_zero(arena, product->stage_count + 1, sizeof *out->insns);
    if (!out->insns)
        return msw_fail_memory(err);
    if (msw_simt_estimate_of(product, arena, &estimate, err))
        return -1;
    for (size_t s = 0; s < product->stage_count; s++) {
        const msw_simt_stage *stage = &product->stages[s];
        first[s + 1] = first[s];
        if (stage->kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        out->insns[s] = instructions_of(&estimate, stage);
        first[s + 1] += msw_max_u64((uint64_t)(out->insns[s] / (double)config->window), 1);
    }
    out->first = first;
    out->stages = product->stage_count;
    make_strata(out);
    *root = out;
    return mpu_launches_sort(product, arena, out, err);
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
    uint64_t beyond; /* by which the last jump went too far: all up to the next one is later */
    size_t entered;  /* launch that was started last, and 1 */
    bool launches;   /* units are launches */
    uint64_t seen;   /* events reported */
    double *then;    /* totals at the start of the unit */
    double stack[MPU_CAUSES];
    uint64_t cycles;
    launch_note note;
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
    s->launches = mpu_samples_launches(task, s->units);
    s->then = msw_arena_zero(task->arena, MPU_METRICS, sizeof *s->then);
    if (!s->then)
        return msw_fail_memory(err);
    if (mpu_machine_init(&s->machine, task, mpu_program_of(task), s->launches, err))
        return -1;
    for (size_t k = 0; k < s->units->stages && task->fidelity == MSW_FULL; k++)
        s->machine.expected += s->units->insns[k];
    return 0;
}

int mpu_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err)
{
    (void)err;
    const mpu_units *units = units_of(task);
    bool launches = mpu_samples_launches(task, units);
    *count = launches ? units->launch_strata : units->strata;
    if (launches) {
        msw_task_doubt(task, "a sample of launches, whose intervals of 95 %% held in 86 of 100 "
                             "programs tried");
        mpu_launch_strata(units, strata);
        return 0;
    }
    for (size_t h = 0; h < units->strata; h++)
        strata[h] = (msw_stratum){.units = units->stratum[h + 1] - units->stratum[h], .cost = 1};
    return 0;
}

static size_t stage_of(const mpu_units *units, uint64_t unit)
{
    size_t stage = 0;
    while (units->first[stage + 1] <= unit)
        stage++;
    return stage;
}

/* Starts the launch whose first unit is next. */
static int start_stage(state *s, size_t stage, msw_err *err)
{
    if (s->unit != s->units->first[stage] || s->entered == stage + 1)
        return 0;
    s->before = s->machine.counts.issued;
    s->beyond = 0;
    s->entered = stage + 1;
    return mpu_launch_start(&s->machine, stage, err);
}

/* Instructions issued at the end of a unit, but the last of a launch. */
static uint64_t end_of(const state *s, size_t stage, uint64_t unit)
{
    uint64_t index = unit - s->units->first[stage];
    return s->before + s->beyond + (index + 1) * (uint64_t)s->machine.config->window;
}

static int run_unit(state *s, msw_err *err)
{
    mpu_machine *m = &s->machine;
    size_t stage = stage_of(s->units, s->unit);
    bool last = s->unit + 1 == s->units->first[stage + 1];
    if (start_stage(s, stage, err))
        return -1;
    uint64_t until = last ? UINT64_MAX : end_of(s, stage, s->unit);
    s->unit++;
    if (m->launch.active && mpu_machine_run(m, until, err))
        return -1;
    mpu_settle(m, m->now);
    return last ? note_launch(m, &s->note, stage, err) : 0;
}

/* Goes on without time to the start of a unit of the launch, or, if it is none of it, to its end.
 */
static int jump_to(state *s, size_t stage, uint64_t unit, msw_err *err)
{
    mpu_machine *m = &s->machine;
    bool ends = unit >= s->units->first[stage + 1];
    if (start_stage(s, stage, err))
        return -1;
    s->unit = unit;
    s->beyond = 0;
    if (!m->launch.active)
        return 0;
    uint64_t start = ends ? MPU_NEVER : end_of(s, stage, unit - 1);
    if (mpu_machine_jump(m, start, err))
        return -1;
    if (!m->launch.cta_count)
        return mpu_machine_run(m, m->counts.issued, err); /* the launch ends */
    s->beyond = m->counts.issued > start ? m->counts.issued - start : 0;
    return 0;
}

static uint64_t lead_units(const mpu_config *c)
{
    return msw_div_up(mpu_lead_insns(c), (uint64_t)c->window);
}

/* The units of the end are those that they are, however far a jump goes. */
static uint64_t lead_of_end(const mpu_config *c)
{
    uint64_t beyond = MPU_LANDING * (uint64_t)c->warps * mpu_simulated_subcores(c);
    return lead_units(c) + msw_div_up(beyond, (uint64_t)c->window);
}

/* Whether what was seen in detail stays in its core, but for a hundredth: what cores do to each
 * other builds up over more than a lead, so nothing is passed over where they do. */
static bool may_jump(const state *s)
{
    const double *t = s->machine.counts.totals;
    double all = t[MPU_LOCAL_LINES] + t[MPU_REMOTE_LINES];
    return all > 0 && t[MPU_REMOTE_LINES] * 100 <= all;
}

/* Whether all CTAs of the launch are there at once. Where some come later, a jump changes which run
 * beside each other, and how far cores are apart. */
static bool is_one_wave(const mpu_machine *m)
{
    for (uint32_t i = 0; i < m->simulated; i++)
        if (m->cores[i].share > m->launch.slots_per_core)
            return false;
    return true;
}

double mpu_lead(const msw_task *task, const void *memory)
{
    const state *s = memory;
    uint64_t all = s->units->first[s->units->stages];
    if (s->launches)
        return mpu_launch_lead(task, s->units);
    bool jumps = may_jump(s) && is_one_wave(&s->machine);
    return (double)(jumps ? lead_units(task->config) : all);
}

/* The launches before the one to be measured that leave rows open, but those that have just run. */
static int run_lead(const msw_task *task, state *s, size_t stratum, uint64_t unit, msw_err *err)
{
    size_t stage = s->units->launches[stratum].stages[unit];
    size_t first = mpu_launch_lead_from(task, s->units, s->entered, stage);
    for (size_t k = first; k < stage; k++)
        if (s->machine.product->stages[k].kind == MSW_SIMT_STAGE_LAUNCH &&
            mpu_launch_whole(&s->machine, k, err))
            return -1;
    return 0;
}

/* Of what lies between two measured units the last ones run in detail, uncounted; launches that
 * hold none are run without time. */
int mpu_advance(const msw_task *task, void *memory, size_t stratum, uint64_t unit, msw_err *err)
{
    state *s = memory;
    if (s->launches)
        return run_lead(task, s, stratum, unit, err);
    uint64_t lead = lead_units(task->config), wanted = s->units->stratum[stratum] + unit;
    size_t stage = stage_of(s->units, wanted);
    while (may_jump(s) && s->unit < s->units->first[stage]) {
        size_t now = stage_of(s->units, s->unit);
        if (jump_to(s, now, s->units->first[now + 1], err))
            return -1;
    }
    uint64_t end = s->units->first[stage + 1];
    bool split = end - s->units->first[stage] >= LONG;
    if (wanted + EDGE >= end)
        lead = lead_of_end(task->config);
    if (split && may_jump(s) && is_one_wave(&s->machine) && s->unit >= s->units->first[stage] &&
        wanted > s->unit + lead && jump_to(s, stage, wanted - lead, err))
        return -1;
    if (wanted + EDGE >= end)
        s->beyond = 0;
    while (s->unit < wanted)
        if (run_unit(s, err))
            return -1;
    return 0;
}

int mpu_finish(const msw_task *task, void *memory, msw_err *err)
{
    (void)task;
    state *s = memory;
    return s->launches ? 0 : add_details(&s->machine, err);
}

static void save_totals(state *s)
{
    mpu_machine *m = &s->machine;
    mpu_machine_totals(m);
    memcpy(s->then, m->counts.totals, MPU_METRICS * sizeof *s->then);
    memcpy(s->stack, m->counts.stack, sizeof s->stack);
    s->cycles = m->now;
}

static void fill_totals(state *s, double *totals)
{
    mpu_machine *m = &s->machine;
    double subcores = (double)m->simulated * (double)m->config->subcores;
    mpu_machine_totals(m);
    for (int i = 0; i < MPU_METRICS; i++)
        totals[i] = (m->counts.totals[i] - s->then[i]) * (i == MPU_TSV_BUSY ? 1 : m->launch.scale);
    totals[MPU_CYCLES] = 0;
    for (int c = 0; c < MPU_CAUSES; c++) {
        totals[MPU_ISSUE + c] = (m->counts.stack[c] - s->stack[c]) / subcores;
        totals[MPU_CYCLES] += totals[MPU_ISSUE + c];
    }
    mpu_count_sums(totals);
    mpu_energy(m->config, totals);
}

static int run_launch(state *s, size_t stage, msw_err *err)
{
    s->entered = stage + 1;
    return mpu_launch_whole(&s->machine, stage, err);
}

int mpu_measure(const msw_task *task, void *memory, size_t stratum, uint64_t unit,
                msw_unit_out *out, msw_err *err)
{
    (void)task;
    state *s = memory;
    save_totals(s);
    if (s->launches ? run_launch(s, s->units->launches[stratum].stages[unit], err)
                    : run_unit(s, err))
        return -1;
    fill_totals(s, out->totals);
    uint64_t events = mpu_machine_events(&s->machine);
    out->events = events - s->seen;
    s->seen = events;
    return 0;
}
