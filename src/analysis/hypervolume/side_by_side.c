/* SPDX-License-Identifier: MIT */
/* Volumes of several unions, each by itself: the bits are the same on any number of threads. */
#include "analysis/hypervolume/boxes.h"
#include "memsweep/run/tasks.h"

enum { WORTH = 200 }; /* boxes in all: below, threads wait longer than they work */

typedef struct volumes {
    boxes *lists;
    double *volume;
} volumes;

static void measure_list(void *context, size_t number)
{
    volumes *v = context;
    msw_arena arena = {0};
    v->volume[number] = boxes_volume(&v->lists[number], &arena);
    msw_arena_free(&arena);
}

int boxes_volumes(boxes *lists, size_t count, double *volume)
{
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += lists[i].n;
    msw_tasks_if(all >= WORTH, count, measure_list, &(volumes){lists, volume});
    for (size_t i = 0; i < count; i++)
        if (volume[i] < 0)
            return -1;
    return 0;
}
