#include "memsweep/event.h"

size_t msw_event_bytes(size_t capacity)
{
    return capacity * sizeof(msw_event);
}

void msw_event_init(msw_event_queue *queue, size_t capacity, void *memory)
{
    *queue = (msw_event_queue){.heap = memory, .capacity = capacity};
}

static bool before(const msw_event *a, const msw_event *b)
{
    return a->time < b->time || (a->time == b->time && a->order < b->order);
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

static size_t earliest_child(const msw_event_queue *queue, size_t first)
{
    size_t end = first + 4 < queue->count ? first + 4 : queue->count, best = first;
    for (size_t child = first + 1; child < end; child++)
        if (before(&queue->heap[child], &queue->heap[best]))
            best = child;
    return best;
}

bool msw_event_pop(msw_event_queue *queue, msw_event *event)
{
    if (queue->count == 0)
        return false;
    *event = queue->heap[0];
    msw_event last = queue->heap[--queue->count];
    size_t hole = 0;
    for (size_t first = 1; first < queue->count; first = 4 * hole + 1) {
        size_t child = earliest_child(queue, first);
        if (!before(&queue->heap[child], &last))
            break;
        queue->heap[hole] = queue->heap[child];
        hole = child;
    }
    queue->heap[hole] = last;
    return true;
}
