/* SPDX-License-Identifier: MIT */
/* Counts by line of PTX, for those who ask for the detail table: where each instruction ran, which
 * registers moved for it, what it accessed, and how long sub-cores waited to issue it. */
#include "mech/mpu/machine/machine.h"

int mpu_lines_init(mpu_machine *m, msw_err *err)
{
    size_t count = 0;
    if (!m->task->details)
        return 0;
    for (uint32_t k = 0; k < m->program->count; k++)
        count += m->program->kernels[k].kernel->insn_count;
    m->lines = msw_arena_zero(m->task->arena, count + 1, sizeof *m->lines);
    return m->lines ? 0 : msw_fail_memory(err);
}

void mpu_lines_start(mpu_machine *m)
{
    size_t first = 0;
    for (const mpu_kernel *k = m->program->kernels; k != m->launch.kernel; k++)
        first += k->kernel->insn_count;
    m->launch.lines = m->lines ? m->lines + first : NULL;
}

static void add_access(const mpu_machine *m, const mpu_core *core, const mpu_warp *w,
                       mpu_line *line)
{
    bool hybrid = m->config->pipeline == MPU_PIPELINE_HYBRID;
    line->lanes += w->lanes * m->launch.scale;
    if (m->launch.ops[w->pc].unit == MPU_UNIT_SHARED) {
        line->accesses += w->conflicts * m->launch.scale;
        return;
    }
    line->whole += w->lanes && w->whole && hybrid ? m->launch.scale : 0;
    for (uint32_t p = 0; p < w->part_count && w->lanes; p++) {
        double blocks = w->parts[p].blocks * m->launch.scale;
        line->accesses += blocks;
        line->remote += w->parts[p].core != core->index ? blocks : 0;
    }
}

void mpu_line_issue(mpu_machine *m, const mpu_core *core, const mpu_warp *w, const mpu_issue *issue)
{
    mpu_line *line = &m->launch.lines[w->pc];
    unsigned unit = m->launch.ops[w->pc].unit;
    line->executions += m->launch.scale;
    line->near += issue->side == MPU_NEAR ? m->launch.scale : 0;
    for (uint32_t i = 0; i < issue->move_count; i++)
        *(issue->moves[i].to_near ? &line->moves_near : &line->moves_far) += m->launch.scale;
    if (unit == MPU_UNIT_LSU || unit == MPU_UNIT_SHARED)
        add_access(m, core, w, line);
}

/* A near and a far part of the executions, or each of them on both sides. An instruction that never
 * ran is where it would run, as far as that is known. */
static mpu_side side_of(const mpu_insn *insn, const mpu_line *line)
{
    if (mpu_runs_twice(insn))
        return MPU_BOTH;
    if (line->executions <= 0)
        return insn->decision == MPU_DECIDED ? (mpu_side)insn->side : MPU_UNKNOWN;
    if (line->near <= 0)
        return MPU_FAR;
    return line->near < line->executions ? MPU_BOTH : MPU_NEAR;
}

int mpu_lines_tell(const mpu_machine *m, int table, msw_err *err)
{
    const mpu_line *line = m->lines;
    double all = (double)m->now * (double)m->config->subcores * m->simulated;
    for (uint32_t k = 0; k < m->program->count && line; k++) {
        const mpu_kernel *kernel = &m->program->kernels[k];
        for (uint32_t i = 0; i < kernel->kernel->insn_count; i++, line++) {
            const double row[] = {k,
                                  kernel->kernel->insns[i].line,
                                  side_of(&kernel->insns[i], line),
                                  line->executions,
                                  line->near,
                                  line->whole,
                                  line->moves_near,
                                  line->moves_far,
                                  line->accesses,
                                  line->remote,
                                  line->lanes,
                                  all > 0 ? line->cycles / all : 0};
            if (msw_detail_add(m->task, table, row, err))
                return -1;
        }
    }
    return 0;
}
