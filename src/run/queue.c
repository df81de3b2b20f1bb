/* SPDX-License-Identifier: MIT */
#include "memsweep/run/queue.h"

#include "run/worker_pool.h"

#include "memsweep/base/rng.h"

#include <math.h>
#include <stdlib.h>

/* Expected cost of a workload's first point, where the mechanism can estimate it. */
static double block_cost(const msw_plan *plan, msw_pointer *pointer, size_t workload)
{
    msw_point point;
    msw_task task = {0};
    uint64_t block = plan->points / plan->workload_count;
    if (!plan->mech->cost || msw_pointer_at(pointer, workload * block, false, &point, NULL))
        return 0;
    msw_point_task(plan, &point, &task);
    return plan->mech->cost(&task);
}

/* Most expensive first: what is started late should be short. Equal costs keep file order. */
static void sort_blocks(const msw_plan *plan, msw_pointer *pointer, size_t *blocks)
{
    for (size_t w = 0; w < plan->workload_count; w++) {
        double cost = block_cost(plan, pointer, w);
        size_t at = w;
        for (; at > 0 && block_cost(plan, pointer, blocks[at - 1]) < cost; at--)
            blocks[at] = blocks[at - 1];
        blocks[at] = w;
    }
}

int msw_schedule_make(const msw_plan *plan, bool shuffled, msw_schedule *order, size_t **blocks,
                      msw_err *err)
{
    size_t count = plan->workload_count;
    msw_pointer *pointer = NULL;
    *blocks = calloc(count, sizeof **blocks);
    if (!*blocks)
        return msw_fail_memory(err);
    if (msw_pointer_new(plan, &pointer, err))
        return -1;
    sort_blocks(plan, pointer, *blocks);
    msw_pointer_free(pointer);
    *order = (msw_schedule){.points = plan->points,
                            .block = plan->points / count,
                            .block_count = count,
                            .blocks = *blocks,
                            .shuffle = shuffled ? plan->seed | 1 : 0};
    return 0;
}

/* A shuffled order is a permutation that is computed point by point, so no list of all points is
 * kept. Otherwise the points form blocks of one workload each, taken in the order of their cost. */
uint64_t msw_schedule_index(const msw_schedule *order, uint64_t position)
{
    if (order->shuffle)
        return msw_permute(position, order->points, order->shuffle);
    if (order->block_count < 2)
        return position;
    return order->blocks[position / order->block] * order->block + position % order->block;
}

void msw_queue_init(msw_queue *queue, const msw_schedule *order, const uint64_t *bitmap,
                    uint64_t wanted)
{
    *queue = (msw_queue){.order = order, .bitmap = bitmap, .left = wanted};
}

void msw_queue_load(msw_queue *queue, const msw_range *range)
{
    queue->position = range->first;
    queue->left = range->wanted;
}

bool msw_queue_wants(const msw_queue *queue, uint64_t index)
{
    return !queue->bitmap || (queue->bitmap[index / 64] >> (index % 64) & 1);
}

/* In file order, whole words of points already answered are skipped at once. */
static uint64_t skip_answered(const msw_queue *queue, uint64_t position)
{
    const msw_schedule *order = queue->order;
    if (!queue->bitmap || order->shuffle || order->block_count > 1)
        return position;
    while (position % 64 == 0 && position + 64 <= order->points &&
           queue->bitmap[position / 64] == 0)
        position += 64;
    return position;
}

/* A range is in positions of the order and may contain points that are answered already; only the
 * wanted ones are counted. So a range is three numbers whatever the points are. */
bool msw_queue_take(msw_queue *queue, uint64_t count, msw_range *range)
{
    if (!queue->left)
        return false;
    if (count > queue->left)
        count = queue->left;
    range->wanted = 0;
    uint64_t position = queue->position;
    if (!queue->bitmap) {
        *range = (msw_range){position, position + count, count};
    } else {
        while (range->wanted < count) {
            position = skip_answered(queue, position);
            if (msw_queue_wants(queue, msw_schedule_index(queue->order, position)) &&
                range->wanted++ == 0)
                range->first = position;
            position++;
        }
        range->end = position;
    }
    queue->position = range->end;
    queue->left -= count;
    return true;
}

/* At most a quarter of an even share: batches shrink towards single points at the end, so that all
 * takers end at about the same time. */
uint64_t msw_queue_share(uint64_t left, int takers, double seconds_per_point, double seconds,
                         uint64_t most)
{
    uint64_t fair = left / (4 * (uint64_t)takers);
    double affordable = seconds_per_point > 0 ? seconds / seconds_per_point : (double)most;
    uint64_t share = affordable < (double)most ? (uint64_t)affordable : most;
    share = share < fair ? share : fair;
    return share ? share : 1;
}

/* Slower is believed at once: a range that is too long holds back others, one that is too short
 * costs next to nothing. */
void msw_pace_add(msw_pace *pace, double seconds, uint64_t points)
{
    double latest = points ? seconds / (double)points : 0;
    if (points)
        pace->seconds = fmax(latest, (pace->seconds + latest) / 2);
    pace->known = pace->known || points;
}

void msw_pace_at_least(msw_pace *pace, double seconds)
{
    pace->seconds = fmax(pace->seconds, seconds);
    pace->known = pace->known || seconds > 0;
}

double msw_pace_read(const msw_pace *pace, double unknown)
{
    return pace->known ? pace->seconds : unknown;
}

enum { GRANT_MOST = 1 << 22 };

/* The same for a whole rank: at most a quarter of its even share of what is left, and no more than
 * its workers do in `seconds`. */
uint64_t msw_grant_size(uint64_t left, int all_workers, int workers, double seconds_per_point,
                        double seconds)
{
    double fair = (double)left / 4 * workers / all_workers;
    double affordable = seconds_per_point > 0 ? workers * seconds / seconds_per_point : workers;
    double size = fair < affordable ? fair : affordable;
    return size < 1 ? 1 : size < GRANT_MOST ? (uint64_t)size : GRANT_MOST;
}
