/* SPDX-License-Identifier: MIT */
/* The detail tables of `full`: launches, near-bank units, kinds of instructions. A sample that
 * passed over anything has none. */
#include "mech/mpu/machine/details.h"

#include "mech/mpu/machine/machine.h"

/* What a row of `launches` holds, in its order behind the number. */
static const int TOLD[] = {MPU_INSNS,      MPU_INSNS_NEAR,    MPU_DRAM_BYTES, MPU_ROW_HITS,
                           MPU_ROW_CLOSED, MPU_ROW_CONFLICTS, MPU_MOVES_NEAR, MPU_MOVES_FAR};
enum { TELLS = sizeof TOLD / sizeof *TOLD };

int mpu_note_launch(mpu_machine *m, mpu_launch_note *note, uint64_t number, msw_err *err)
{
    double row[TELLS + 2] = {(double)number, (double)(m->now - note->cycles)};
    double scale = m->scale;
    if (!m->task->details || m->jumped)
        return 0;
    mpu_machine_totals(m);
    for (int i = 0; i < TELLS; i++) {
        row[i + 2] = (m->totals[TOLD[i]] - note->totals[i]) * scale;
        note->totals[i] = m->totals[TOLD[i]];
    }
    note->cycles = m->now;
    return msw_detail_add(m->task, MPU_TABLE_LAUNCHES, row, err);
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
    return msw_detail_add(m->task, MPU_TABLE_BANKS, row, err);
}

static int add_kind(const mpu_machine *m, int kind, msw_err *err)
{
    double row[] = {kind, (double)m->kinds[kind][1], (double)m->kinds[kind][0]};
    return msw_detail_add(m->task, MPU_TABLE_KINDS, row, err);
}

int mpu_add_details(mpu_machine *m, msw_err *err)
{
    if (m->jumped)
        return 0;
    mpu_machine_totals(m);
    for (uint32_t c = 0; c < m->simulated; c++)
        for (uint32_t u = 0; u < (uint32_t)m->config->subcores; u++)
            if (add_unit(m, c, u, err))
                return -1;
    for (int kind = 0; kind < MPU_UNITS; kind++)
        if (add_kind(m, kind, err))
            return -1;
    return 0;
}
