/* SPDX-License-Identifier: MIT */
#include "memsweep/sim/event.h"

size_t msw_event_bytes(size_t capacity)
{
    return capacity * sizeof(msw_event);
}

void msw_event_init(msw_event_queue *queue, size_t capacity, void *memory)
{
    *queue = (msw_event_queue){.heap = memory, .capacity = capacity};
}

/* Without short cuts: the order of two events is unpredictable, a branch on it costs more. */
static inline bool before(const msw_event *a, const msw_event *b)
{
    return (a->time < b->time) | ((a->time == b->time) & (a->order < b->order));
}

bool msw_event_push(msw_event_queue *queue, uint64_t time, uint64_t data)
{
    if (queue->count == queue->capacity)
        return false;
    size_t hole = queue->count++;
    /* The newest event is after all others of its time: comparing times is enough. */
    while (hole && time < queue->heap[(hole - 1) / 4].time) {
        queue->heap[hole] = queue->heap[(hole - 1) / 4];
        hole = (hole - 1) / 4;
    }
    queue->heap[hole] = (msw_event){time, queue->pushed++, data};
    return true;
}

static inline size_t earlier(const msw_event *heap, size_t a, size_t b)
{
    return before(&heap[b], &heap[a]) ? b : a;
}

/* The earliest of up to four children from `first`, which exists. */
static inline size_t earliest_child(const msw_event *heap, size_t first, size_t count)
{
    if (first + 4 <= count)
        return earlier(heap, earlier(heap, first, first + 1), earlier(heap, first + 2, first + 3));
    size_t best = first;
    for (size_t child = first + 1; child < count; child++)
        best = earlier(heap, best, child);
    return best;
}

/* The hole left by the earliest sinks to the bottom, then the last event rises from there: it came
 * from the bottom and seldom rises far. */
bool msw_event_pop(msw_event_queue *queue, msw_event *event)
{
    msw_event *heap = queue->heap;
    if (queue->count == 0)
        return false;
    *event = heap[0];
    size_t count = --queue->count, hole = 0;
    for (size_t first = 1; first < count; first = 4 * hole + 1) {
        size_t child = earliest_child(heap, first, count);
        heap[hole] = heap[child];
        hole = child;
    }
    while (hole && before(&heap[count], &heap[(hole - 1) / 4])) {
        heap[hole] = heap[(hole - 1) / 4];
        hole = (hole - 1) / 4;
    }
    heap[hole] = heap[count];
    return true;
}
