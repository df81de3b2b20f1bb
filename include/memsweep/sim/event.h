/* SPDX-License-Identifier: MIT */
/* event: a queue of things that will happen, earliest first, equal times in the order pushed.
 *
 * A 4-ary heap in caller memory with a fixed capacity. */
#ifndef MEMSWEEP_SIM_EVENT_H
#define MEMSWEEP_SIM_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct msw_event {
    uint64_t time;
    uint64_t order; /* set by the queue: number of the push */
    uint64_t data;  /* the caller's */
} msw_event;

typedef struct msw_event_queue {
    msw_event *heap;
    size_t count, capacity;
    uint64_t pushed;
} msw_event_queue;

/* Returns the bytes of memory a queue of `capacity` events needs. */
size_t msw_event_bytes(size_t capacity);

/* Starts an empty queue in `memory`. */
void msw_event_init(msw_event_queue *queue, size_t capacity, void *memory);

/* Adds an event. Returns false, and adds nothing, when the queue is full. */
bool msw_event_push(msw_event_queue *queue, uint64_t time, uint64_t data);

/* Removes the earliest event. Returns false when there is none. */
bool msw_event_pop(msw_event_queue *queue, msw_event *event);

/* Time of the earliest event. Returns UINT64_MAX when there is none. */
static inline uint64_t msw_event_next(const msw_event_queue *queue)
{
    return queue->count ? queue->heap[0].time : UINT64_MAX;
}

#endif
