/* SPDX-License-Identifier: MIT */
/* queue: which point is evaluated next. Pure logic: no threads, no ranks, no clock. */
#ifndef MEMSWEEP_RUN_QUEUE_H
#define MEMSWEEP_RUN_QUEUE_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The order is a permutation of all points made of blocks (one per workload), so that a position
 * becomes an index without a table. */
typedef struct msw_schedule {
    uint64_t points, block; /* block: points of one workload */
    size_t block_count;
    const size_t *blocks; /* workload of each block in turn, most expensive first */
    uint64_t shuffle;     /* key of a random order over all points; 0: none */
} msw_schedule;

/* Index of the point at a position of the order. */
uint64_t msw_schedule_index(const msw_schedule *order, uint64_t position);

typedef struct msw_queue {
    const msw_schedule *order;
    const uint64_t *bitmap; /* bit i: point i is wanted; NULL: every point is */
    uint64_t position;      /* next position to look at */
    uint64_t left;          /* wanted points not handed out */
} msw_queue;

/* A range of positions; points in it that are not wanted are passed over by whoever walks it. */
typedef struct msw_range {
    uint64_t first, end;
    uint64_t wanted;
} msw_range;

/* Starts at the beginning with `wanted` points to hand out. */
void msw_queue_init(msw_queue *queue, const msw_schedule *order, const uint64_t *bitmap,
                    uint64_t wanted);

/* Takes up to `count` wanted points. Returns false when none is left. */
bool msw_queue_take(msw_queue *queue, uint64_t count, msw_range *range);

/* Starts over on a range of positions that another queue of the same order gave out. */
void msw_queue_load(msw_queue *queue, const msw_range *range);

/* Whether a point is wanted. */
bool msw_queue_wants(const msw_queue *queue, uint64_t index);

/* How many points to take at once: about `seconds` of work, never more than a fair share of what is
 * left, so that nobody waits long for the last. */
uint64_t msw_queue_share(uint64_t left, int takers, double seconds_per_point, double seconds,
                         uint64_t most);

/* Seconds a point takes lately. Slower points count at once, cheaper ones by halves, batch by
 * batch. Start from zero. */
typedef struct msw_pace {
    double seconds;
    bool known;
} msw_pace;

void msw_pace_add(msw_pace *pace, double seconds, uint64_t points);

/* The same for a point that has taken so long and is not done. */
void msw_pace_at_least(msw_pace *pace, double seconds);

/* Returns the seconds per point, or `unknown` before the first batch. */
double msw_pace_read(const msw_pace *pace, double unknown);

/* How many points a rank gets at once: about `seconds` of work for its workers at its own pace (0:
 * not known yet, one point each), small at the end. Returns at least 1. */
uint64_t msw_grant_size(uint64_t left, int all_workers, int workers, double seconds_per_point,
                        double seconds);

#endif
