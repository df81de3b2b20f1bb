/* SPDX-License-Identifier: MIT */
/* Progress without time: between two stretches of detail all resident warps go on by the slice,
 * each core by its share of the CTAs, its slots alike. How they come back to time: land.c.
 */
#include "mech/mpu/machine/land.h"

#include "memsweep/base/bits.h"

/* ---- refreshes ---- */

/* All banks are refreshed at the same time, so of short stretches of time some hold a refresh and
 * most none. Where cores go on by themselves each may as well be refreshed at its own time: then
 * every stretch holds as much of it as any other. Parts of the golden ratio are spread evenly. */
static void spread_refreshes(mpu_machine *m)
{
    const double GOLDEN = 0.6180339887498949;
    for (uint32_t i = 0; i < m->core_count && !m->apart; i++) {
        double turns = i * GOLDEN, part = turns - (double)(uint64_t)turns;
        for (int64_t s = 0; s < m->config->subcores; s++)
            msw_dram_lines_put_off(m->cores[i].subs[s].lines,
                                   (uint64_t)(part * (double)m->config->t_refi));
    }
    m->apart = true;
}

/* ---- all cores ---- */

/* Instructions of all simulated cores in this launch, and their CTAs. */
typedef struct progress {
    double issued, ctas;
} progress;

static uint64_t issued_by(const mpu_core *core)
{
    return core->issued + core->jumped;
}

static progress progress_of(const mpu_machine *m)
{
    progress sum = {0};
    for (uint32_t i = 0; i < m->simulated; i++) {
        sum.issued += (double)issued_by(&m->cores[i]);
        sum.ctas += (double)m->cores[i].share;
    }
    return sum;
}

/* Instructions that a core is to go on by, of so many of all: to where it is as far as it has CTAs,
 * so that what cores are apart by chance in a short stretch does not add up over many jumps. */
static double part_of(const mpu_core *core, const progress *sum, double wanted)
{
    double end = (double)core->share / sum->ctas * (sum->issued + wanted);
    return end - (double)issued_by(core);
}

static void jump_core(mpu_machine *m, mpu_core *core, double wanted)
{
    if (wanted <= 0 || !core->ctas)
        return;
    uint64_t gone = mpu_core_jump(m, core, wanted);
    core->jumped += gone;
    m->issued += gone;
    m->jumped += gone;
    m->due[core->index] = m->now;
}

static int make_landings(mpu_machine *m, msw_err *err)
{
    size_t positions = (size_t)(m->config->subcores * m->config->warps); /* of a core */
    if (!m->landings)
        m->landings = msw_arena_take(m->task->arena, positions * sizeof *m->landings);
    return m->landings ? 0 : msw_fail_memory(err);
}

int mpu_machine_jump(mpu_machine *m, uint64_t issued, msw_err *err)
{
    double wanted = issued > m->issued ? (double)(issued - m->issued) : 0;
    progress sum = progress_of(m);
    m->err = err;
    if (make_landings(m, err))
        return -1;
    mpu_settle(m, m->now);
    spread_refreshes(m);
    for (uint32_t i = 0; i < m->simulated && !m->failed; i++)
        jump_core(m, &m->cores[i], part_of(&m->cores[i], &sum, wanted));
    return m->failed ? -1 : 0;
}
