/* SPDX-License-Identifier: MIT */
/* The data TSVs of a core. */
#include "mech/mpu/machine/tsv.h"

#include "memsweep/base/bits.h"

#include <string.h>

void mpu_tsv_init(mpu_tsv *tsv, const mpu_config *c)
{
    memset(tsv, 0, sizeof *tsv);
    tsv->duplex = c->tsv_duplex != 0;
    tsv->slot_bytes = (uint32_t)msw_max_i64(c->tsv_bits / c->cores / 8, 1);
    tsv->slots_per_cycle = c->tsv_ghz / c->core_ghz;
    if (c->tsv_bits / c->cores < 8) /* less than a byte a beat */
        tsv->slots_per_cycle *= (double)c->tsv_bits / (double)c->cores / 8;
    tsv->delay = (uint64_t)c->tsv_cycles;
    uint32_t whole = tsv->slots_per_cycle < 1024 ? (uint32_t)tsv->slots_per_cycle : 0;
    tsv->whole = (double)whole == tsv->slots_per_cycle ? whole : 0;
    bool power = !(tsv->slot_bytes & (tsv->slot_bytes - 1));
    tsv->shift = power ? msw_bits_lowest(tsv->slot_bytes) : 64;
}

static uint64_t slot_at(const mpu_tsv *tsv, uint64_t time)
{
    if (tsv->whole)
        return time * tsv->whole;
    double exact = (double)time * tsv->slots_per_cycle;
    uint64_t slot = (uint64_t)exact;
    return slot + ((double)slot < exact);
}

static uint64_t time_of(const mpu_tsv *tsv, uint64_t slot)
{
    if (tsv->whole == 2)
        return (slot + 1) / 2;
    if (tsv->whole)
        return msw_div_up(slot, tsv->whole);
    double exact = (double)slot / tsv->slots_per_cycle;
    uint64_t time = (uint64_t)exact;
    return time + ((double)time < exact);
}

/* A word that comes into the ring: what was sent behind the ring's end has taken slots of it. */
static uint64_t fresh(const mpu_tsv_way *way, uint64_t word)
{
    if (way->full <= word * 64)
        return 0;
    uint64_t taken = way->full - word * 64;
    return taken < 64 ? ((uint64_t)1 << taken) - 1 : UINT64_MAX;
}

void mpu_tsv_pass(mpu_tsv *tsv, uint64_t now)
{
    uint64_t word = (uint64_t)((double)now * tsv->slots_per_cycle) / 64;
    for (int w = 0; w < (tsv->duplex ? 2 : 1); w++) {
        mpu_tsv_way *way = &tsv->ways[w];
        if (word > way->first + MPU_TSV_WORDS)
            way->first = word - MPU_TSV_WORDS;
        for (; way->first < word; way->first++)
            way->taken[way->first % MPU_TSV_WORDS] = fresh(way, way->first + MPU_TSV_WORDS);
    }
}

/* Takes up to `count` free slots of a word from bit `from` on. Returns how many; `last` is the last
 * of them. */
static uint64_t take_from(uint64_t *taken, unsigned from, uint64_t count, unsigned *last)
{
    uint64_t free_slots = ~*taken & ~(uint64_t)0 << from, got = 0;
    for (; free_slots && got < count; got++) {
        unsigned bit = msw_bits_lowest(free_slots);
        free_slots &= free_slots - 1;
        *taken |= (uint64_t)1 << bit;
        *last = bit;
    }
    return got;
}

static uint64_t take(mpu_tsv_way *way, uint64_t slot, uint64_t count)
{
    uint64_t word = slot / 64, end = slot + 1;
    unsigned from = slot % 64;
    uint64_t *first = &way->taken[word % MPU_TSV_WORDS];
    if (count == 1 && !(*first >> from & 1) && word < way->first + MPU_TSV_WORDS) {
        *first |= (uint64_t)1 << from;
        return end;
    }
    for (; count && word < way->first + MPU_TSV_WORDS; word++, from = 0) {
        unsigned last = 0;
        uint64_t got = take_from(&way->taken[word % MPU_TSV_WORDS], from, count, &last);
        end = got ? word * 64 + last + 1 : end;
        count -= got;
    }
    if (count) {
        way->full = msw_max_u64(way->full, word * 64) + count;
        end = way->full;
    }
    return end;
}

uint64_t mpu_tsv_send(mpu_tsv *tsv, int way, uint64_t time, uint64_t bytes)
{
    if (!bytes)
        return time + tsv->delay;
    uint64_t slots = tsv->shift < 64 ? (bytes + tsv->slot_bytes - 1) >> tsv->shift
                                     : msw_div_up(bytes, tsv->slot_bytes);
    tsv->slots += slots;
    mpu_tsv_way *own = &tsv->ways[tsv->duplex ? way : 0];
    return time_of(tsv, take(own, slot_at(tsv, time), slots)) + tsv->delay;
}
