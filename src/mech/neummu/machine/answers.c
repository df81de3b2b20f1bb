/* SPDX-License-Identifier: MIT */
/* Answers in order of time. They come almost so: those of a page after those of the page before,
 * hits among walks. Each lane is in order; an answer joins the first lane whose last one is not
 * later, and is sorted into the last lane where there is none. */
#include "mech/neummu/machine/machine.h"

#include "memsweep/base/bits.h"

size_t neummu_answers_bytes(size_t capacity)
{
    return NEUMMU_LANES * msw_max_u64(64, msw_bits_power(capacity)) * sizeof(neummu_batch);
}

void neummu_answers_init(neummu_answers *answers, size_t capacity, void *memory)
{
    *answers = (neummu_answers){.mask = (uint32_t)msw_max_u64(64, msw_bits_power(capacity)) - 1};
    for (int l = 0; l < NEUMMU_LANES; l++)
        answers->lanes[l].ring = (neummu_batch *)memory + (size_t)l * (answers->mask + 1);
}

static neummu_batch *at(const neummu_answers *answers, const neummu_lane *lane, uint32_t position)
{
    return &lane->ring[position & answers->mask];
}

static bool follows(const neummu_answers *answers, const neummu_lane *lane, uint64_t time)
{
    return lane->head == lane->tail || at(answers, lane, lane->tail - 1)->first <= time;
}

bool neummu_answers_put(neummu_answers *answers, const neummu_batch *batch)
{
    int l = 0;
    while (l + 1 < NEUMMU_LANES && !follows(answers, &answers->lanes[l], batch->first))
        l++;
    neummu_lane *lane = &answers->lanes[l];
    if (lane->tail - lane->head > answers->mask)
        return false;
    uint32_t position = lane->tail++;
    for (; position != lane->head && at(answers, lane, position - 1)->first > batch->first;
         position--)
        *at(answers, lane, position) = *at(answers, lane, position - 1);
    *at(answers, lane, position) = *batch;
    return true;
}

bool neummu_answers_take(neummu_answers *answers, uint64_t now, neummu_batch *batch)
{
    neummu_lane *best = NULL;
    uint64_t time = now;
    for (int l = 0; l < NEUMMU_LANES; l++) {
        neummu_lane *lane = &answers->lanes[l];
        if (lane->head == lane->tail || at(answers, lane, lane->head)->first > time)
            continue;
        if (best && at(answers, lane, lane->head)->first == time)
            continue;
        best = lane;
        time = at(answers, lane, lane->head)->first;
    }
    if (best)
        *batch = *at(answers, best, best->head++);
    return best;
}
