/* SPDX-License-Identifier: MIT */
/* Blocks of other cores that caches answer: at the reader's network interface before a message is
 * sent, at LSU-Remote of the owner before a request goes to its memory. A look-up takes a cycle for
 * each block; blocks are there from their arrival on. */
#include "mech/mpu/machine/machine.h"

#include "memsweep/base/bits.h"

static uint64_t block_of(const mpu_machine *m, const mpu_part *part, uint32_t bank)
{
    mpu_location at = {.core = part->core,
                       .unit = part->unit,
                       .bank = bank,
                       .row = part->row,
                       .column = part->column};
    return mpu_block_number(m->config, &at);
}

/* Looks up the blocks of a part in a cache of core `in`; those found leave it. Returns how many. */
static uint32_t look_up(mpu_machine *m, uint32_t in, int which, mpu_part *part)
{
    uint32_t found = 0;
    for (uint32_t left = part->banks; left; left &= left - 1) {
        uint32_t bank = msw_bits_lowest(left);
        if (!mpu_cache_find(&m->caches, in, which, block_of(m, part, bank)))
            continue;
        part->banks = (uint16_t)(part->banks & ~(1U << bank));
        part->blocks--;
        found++;
    }
    return found;
}

static void drop(mpu_machine *m, uint32_t in, int which, const mpu_part *part)
{
    for (uint32_t left = part->banks; left; left &= left - 1)
        mpu_cache_drop(&m->caches, in, which, block_of(m, part, msw_bits_lowest(left)));
}

static bool reads(const mpu_flight *f)
{
    return !f->is_store && !f->is_atomic;
}

/* Returns the cycles of the look-ups of a part; `from` is the core that reads it. */
static uint32_t look_up_part(mpu_machine *m, const mpu_flight *f, uint32_t from, int which,
                             mpu_part *part)
{
    uint32_t in = which == MPU_CACHE_READER ? from : part->core, blocks = part->blocks;
    if (!reads(f)) {
        drop(m, in, which, part);
        return 0;
    }
    uint32_t found = look_up(m, in, which, part);
    uint32_t to = which == MPU_CACHE_READER ? part->core : from;
    mpu_uncount_blocks(m->config, from, to, found, m->counts.totals);
    return blocks;
}

uint64_t mpu_cache_look_up(mpu_machine *m, mpu_flight *f, uint32_t from, int which)
{
    uint64_t cycles = 0;
    uint32_t left = 0;
    if (!m->caches.of)
        return 0;
    for (uint32_t i = 0; i < f->part_count; i++) {
        if (which == MPU_CACHE_OWNER || f->parts[i].core != from)
            cycles += look_up_part(m, f, from, which, &f->parts[i]);
        if (f->parts[i].blocks)
            f->parts[left++] = f->parts[i];
    }
    f->part_count = (uint16_t)left;
    return cycles;
}

void mpu_cache_fill(mpu_machine *m, const mpu_flight *f, uint32_t from, uint32_t in, int which)
{
    if (!m->caches.of || !reads(f))
        return;
    for (uint32_t i = 0; i < f->part_count; i++)
        for (uint32_t left = f->parts[i].core == from ? f->parts[i].banks : 0; left;
             left &= left - 1)
            mpu_cache_insert(&m->caches, in, which,
                             block_of(m, &f->parts[i], msw_bits_lowest(left)));
}
