/* SPDX-License-Identifier: MIT */
/* From a step of the interpreter to what an access asks of memory. */
#include "mech/mpu/machine/machine.h"

#include "memsweep/base/bits.h"

enum { SHARED_BANKS = 32, WORD = 4 };

/* Blocks of the same row and column of a unit's banks are one request. */
static uint32_t gather(const mpu_access *access, mpu_part *parts)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < access->count; i++) {
        const mpu_location *at = &access->blocks[i].at;
        mpu_part *p = count ? &parts[count - 1] : NULL;
        if (!p || p->core != at->core || p->unit != at->unit || p->row != at->row ||
            p->column != at->column || p->banks >> at->bank & 1) {
            p = &parts[count++];
            *p = (mpu_part){.row = at->row,
                            .column = at->column,
                            .core = (uint16_t)at->core,
                            .unit = (uint8_t)at->unit};
        }
        p->banks |= (uint16_t)(1U << at->bank);
        p->blocks++;
    }
    return count;
}

void mpu_access_take(mpu_machine *m, mpu_core *core, mpu_warp *w, uint32_t insn)
{
    uint32_t unit = (uint32_t)(w - core->warps) / m->positions;
    mpu_access_of(&m->map, &m->step, core->index, unit, &m->access);
    w->whole = m->access.whole && m->kernel->insns[insn].is_load_whole &&
               m->config->pipeline != MPU_PIPELINE_BASE;
    w->part_count = (uint16_t)gather(&m->access, w->parts);
    mpu_count_access(m->config, m->kernel, insn, &m->access, core->index, m->totals);
}

static uint32_t banks_of(const msw_simt_step *step)
{
    uint32_t banks = 0;
    for (uint32_t left = step->lanes; left; left &= left - 1)
        banks |= 1U << step->addresses[msw_bits_lowest(left)] / WORD % SHARED_BANKS;
    return banks;
}

/* Lanes that want different words of a bank wait for each other; with atomics those that want the
 * same word, too. */
static uint32_t fullest_bank(const msw_simt_step *step, bool atomic)
{
    uint8_t count[SHARED_BANKS] = {0};
    uint64_t words[SHARED_BANKS];
    uint32_t most = 1;
    for (uint32_t left = step->lanes; left; left &= left - 1) {
        uint64_t word = step->addresses[msw_bits_lowest(left)] / WORD;
        uint32_t bank = word % SHARED_BANKS;
        if (count[bank] && words[bank] == word && !atomic)
            continue;
        words[bank] = word;
        count[bank]++;
        most = msw_max_u32(most, count[bank]);
    }
    return most;
}

uint32_t mpu_shared_conflicts(const msw_simt_step *step, bool atomic)
{
    uint32_t words_each = step->bytes > WORD ? step->bytes / WORD : 1, most = 1;
    if (msw_bits_count(banks_of(step)) < msw_bits_count(step->lanes))
        most = fullest_bank(step, atomic);
    return msw_min_u64(most * words_each, UINT8_MAX) & UINT8_MAX;
}
