/* SPDX-License-Identifier: MIT */
/* Finds volumes of small lists of boxes: one and two dimensions directly, three by a sweep with a
 * sorted staircase, more by slicing: sorted by one dimension, each box adds (what it adds to the
 * union of those before it in the other dimensions) x (its reach in that one), and what it adds is
 * its own volume less that of the parts it shares (While, Bradstreet and Barone 2012 limit a list
 * this way). Several unions are measured side by side, each by itself: the bits are the same on any
 * number of threads. */
#include "analysis/hypervolume/boxes.h"

#include "memsweep/base/vec.h"
#include "memsweep/run/tasks.h"

#include <stdlib.h>
#include <string.h>

/* A box that covers one corner often covers the next too: it moves to the front of the list. */
bool boxes_cover(boxes *list, const double *corner)
{
    unsigned m = list->m;
    for (size_t i = 0; i < list->n; i++) {
        double *box = list->corner + i * m;
        if (!box_covers(box, corner, m))
            continue;
        for (unsigned j = 0; i > 0 && j < m; j++) {
            double swap = box[j];
            box[j] = list->corner[j];
            list->corner[j] = swap;
        }
        return true;
    }
    return false;
}

int boxes_add(boxes *list, const double *corner)
{
    unsigned m = list->m;
    size_t kept = 0;
    MSW_TRY(msw_vec_reserve(&list->corner, &list->capacity, list->n + 1, m * sizeof *corner, NULL));
    for (size_t i = 0; i < list->n; i++) {
        double *box = list->corner + i * m;
        if (box_covers(corner, box, m))
            continue;
        if (kept < i)
            memcpy(list->corner + kept * m, box, m * sizeof *box);
        kept++;
    }
    memcpy(list->corner + kept * m, corner, m * sizeof *corner);
    list->n = kept + 1;
    return 0;
}

void boxes_free(boxes *list)
{
    free(list->corner);
    *list = (boxes){0};
}

/* Sorts by falling last number: the dimension that is swept. */
static void sort_by_last(boxes *list)
{
    unsigned m = list->m;
    double hold[32];
    for (size_t i = 1; i < list->n; i++) {
        memcpy(hold, list->corner + i * m, m * sizeof *hold);
        size_t j = i;
        for (; j > 0 && list->corner[j * m - 1] < hold[m - 1]; j--)
            memcpy(list->corner + j * m, list->corner + (j - 1) * m, m * sizeof *hold);
        memcpy(list->corner + j * m, hold, m * sizeof *hold);
    }
}

static double longest(const boxes *list)
{
    double reach = 0;
    for (size_t i = 0; i < list->n; i++)
        reach = list->corner[i] > reach ? list->corner[i] : reach;
    return reach;
}

/* From the highest box down, each adds the part that reaches further than all before it. */
static double area(boxes *list)
{
    double sum = 0, high = 0;
    sort_by_last(list);
    for (size_t i = 0; i < list->n; i++) {
        const double *box = list->corner + 2 * i;
        if (box[0] > high) {
            sum += (box[0] - high) * box[1];
            high = box[0];
        }
    }
    return sum;
}

/* Steps of a staircase: x rises, y falls. */
typedef struct stairs {
    double *x, *y;
    size_t n;
} stairs;

/* Adds a step and takes out those it hides. Returns the area it adds. */
static double stairs_add(stairs *steps, double x, double y)
{
    size_t end = 0;
    while (end < steps->n && steps->x[end] <= x)
        end++;
    double floor_y = end < steps->n ? steps->y[end] : 0;
    if (floor_y >= y)
        return 0;
    size_t start = end;
    double sum = 0, right = x, bottom = floor_y;
    for (; start > 0 && steps->y[start - 1] <= y; start--) {
        sum += (right - steps->x[start - 1]) * (y - bottom);
        right = steps->x[start - 1];
        bottom = steps->y[start - 1];
    }
    sum += (right - (start ? steps->x[start - 1] : 0)) * (y - bottom);
    memmove(steps->x + start + 1, steps->x + end, (steps->n - end) * sizeof *steps->x);
    memmove(steps->y + start + 1, steps->y + end, (steps->n - end) * sizeof *steps->y);
    steps->x[start] = x;
    steps->y[start] = y;
    steps->n = steps->n - (end - start) + 1;
    return sum;
}

/* Boxes from the highest down: what a box adds to the staircase of those above it reaches from its
 * own height to the ground. */
static double volume_of_three(boxes *list, msw_arena *arena)
{
    msw_arena_mark mark = msw_arena_now(arena);
    stairs steps = {.x = msw_arena_take(arena, (list->n + 1) * sizeof(double)),
                    .y = msw_arena_take(arena, (list->n + 1) * sizeof(double))};
    if (!steps.x || !steps.y)
        return -1;
    double sum = 0;
    sort_by_last(list);
    for (size_t i = 0; i < list->n; i++) {
        const double *box = list->corner + 3 * i;
        sum += stairs_add(&steps, box[0], box[1]) * box[2];
    }
    msw_arena_release(arena, mark);
    return sum;
}

/* Computes the volume of the union; the list is reordered. Returns it, or -1 without memory. */
static double boxes_volume(boxes *list, msw_arena *arena);

/* The volume that box i adds to the boxes before it, the last dimension left away; -1 without
 * memory. */
static double slice(const boxes *list, size_t i, boxes *shared, msw_arena *arena)
{
    const double *self = list->corner + i * list->m;
    double clipped[32];
    shared->n = 0;
    for (size_t j = 0; j < i; j++) {
        box_clip(list->corner + j * list->m, self, shared->m, clipped);
        if (!boxes_cover(shared, clipped) && boxes_add(shared, clipped))
            return -1;
    }
    double common = boxes_volume(shared, arena);
    return common < 0 ? -1 : box_volume(self, shared->m) - common;
}

static double sliced_volume(boxes *list, msw_arena *arena)
{
    boxes shared = {.m = list->m - 1};
    double sum = 0;
    sort_by_last(list);
    for (size_t i = 0; i < list->n && sum >= 0; i++) {
        double added = slice(list, i, &shared, arena);
        sum = added < 0 ? -1 : sum + added * list->corner[(i + 1) * list->m - 1];
    }
    boxes_free(&shared);
    return sum;
}

static double boxes_volume(boxes *list, msw_arena *arena)
{
    if (list->n == 0)
        return 0;
    if (list->n == 1)
        return box_volume(list->corner, list->m);
    switch (list->m) {
    case 1:
        return longest(list);
    case 2:
        return area(list);
    case 3:
        return volume_of_three(list, arena);
    default:
        return sliced_volume(list, arena);
    }
}

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
