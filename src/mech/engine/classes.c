/* Classes: parts of strata that are fixed before the first unit is measured.
 *
 * Units that a prediction is uncertain of form a class of their own, measured whole. The others are
 * cut by the size of what the reference's prediction says, which all candidates share: a class
 * holds sizes within a factor of two. A unit is drawn when its permanent random number is among the
 * smallest of its class, so samples of configs whose classes differ overlap. */
#include "mech/engine/evaluate.h"

#include "memsweep/base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLASS_LEAST = 16 }; /* a class of fewer units is not worth its own pilot */

typedef struct class_unit {
    double size;
    uint64_t number; /* permanent random number */
    uint64_t unit;
} class_unit;

static int compare_sizes(const void *a, const void *b)
{
    const class_unit *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return (x->unit > y->unit) - (x->unit < y->unit);
}

static int compare_numbers(const void *a, const void *b)
{
    const class_unit *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->unit > y->unit) - (x->unit < y->unit);
}

static uint64_t permanent_number(uint64_t key, size_t h, uint64_t unit)
{
    uint32_t out[4];
    const uint32_t counter[4] = {(uint32_t)unit, (uint32_t)(unit >> 32), (uint32_t)h, 0};
    msw_philox(counter, (const uint32_t[]){(uint32_t)key, (uint32_t)(key >> 32)}, out);
    return (uint64_t)out[0] << 32 | out[1];
}

/* What decides the size of a unit: the denominator of the primary metric. */
static size_t size_mark(const msw_metric_map *map)
{
    int den = map->entries[map->primary].den;
    return den >= 0 && map->mark_of[den] >= 0 ? (size_t)map->mark_of[den] : 0;
}

static bool is_uncertain(const msw_predictions *own, const msw_shared_predictions *shared, size_t h,
                         uint64_t unit)
{
    bool uncertain = own && own->uncertain[h] && own->uncertain[h][unit];
    for (size_t r = 0; r < shared->count && !uncertain; r++)
        uncertain = shared->all[r]->uncertain[h] && shared->all[r]->uncertain[h][unit];
    return uncertain;
}

bool *msw_classes_by_unit(const msw_task *task, const msw_unit_set *strata,
                          const msw_predictions *shape, const msw_shared_predictions *shared)
{
    size_t marks = task->map->mark_count, mark = size_mark(task->map);
    bool *by_unit = msw_arena_zero(task->arena, strata->stratum_count + 1, sizeof *by_unit);
    for (size_t h = 0; by_unit && h < strata->stratum_count; h++) {
        double least = INFINITY, most = 0;
        for (uint64_t u = 0; shape && u < strata->strata[h].units; u++) {
            least = fmin(least, fabs(shape->units[h][u * marks + mark]));
            most = fmax(most, fabs(shape->units[h][u * marks + mark]));
        }
        by_unit[h] = shape && most > 2 * least;
        for (size_t r = 0; r < shared->count; r++)
            by_unit[h] |= shared->all[r]->uncertain[h] != NULL;
    }
    return by_unit;
}

/* Classes as they come to be. */
typedef struct class_maker {
    const msw_task *task;
    uint64_t key;
    msw_unit_set *classes;
    bool *whole;
    size_t capacity;
} class_maker;

static int grow(class_maker *m, msw_err *err)
{
    size_t count = m->classes->stratum_count, wanted = m->capacity ? 2 * m->capacity : 16;
    if (count < m->capacity)
        return 0;
    msw_stratum_set *strata = msw_arena_take(m->task->arena, wanted * sizeof *strata);
    bool *whole = msw_arena_take(m->task->arena, wanted * sizeof *whole);
    if (!strata || !whole)
        return msw_fail_memory(err);
    if (count) {
        memcpy(strata, m->classes->strata, count * sizeof *strata);
        memcpy(whole, m->whole, count * sizeof *whole);
    }
    m->classes->strata = strata;
    m->whole = whole;
    m->capacity = wanted;
    return 0;
}

static int add_class(class_maker *m, const msw_stratum_set *stratum, class_unit *units,
                     uint64_t count, bool whole, msw_err *err)
{
    uint64_t *members = msw_arena_take(m->task->arena, count * sizeof *members + 1);
    if (!members || grow(m, err))
        return msw_fail_memory(err);
    qsort(units, count, sizeof *units, compare_numbers);
    for (uint64_t k = 0; k < count; k++)
        members[k] = units[k].unit;
    size_t c = m->classes->stratum_count++;
    m->classes->strata[c] = (msw_stratum_set){
        .stratum = stratum->stratum, .units = count, .cost = stratum->cost, .members = members};
    m->whole[c] = whole;
    return 0;
}

/* The end of the class that starts at `first` of units in order of their size. */
static uint64_t end_of_class(const class_unit *units, uint64_t first, uint64_t count)
{
    uint64_t end = first;
    while (end < count && (end - first < CLASS_LEAST || units[end].size <= 2 * units[first].size))
        end++;
    return count - end < CLASS_LEAST ? count : end;
}

static int cut_stratum(class_maker *m, const msw_stratum_set *stratum, class_unit *units,
                       uint64_t count, msw_err *err)
{
    qsort(units, count, sizeof *units, compare_sizes);
    for (uint64_t first = 0, end; first < count; first = end) {
        end = end_of_class(units, first, count);
        if (add_class(m, stratum, units + first, end - first, false, err))
            return -1;
    }
    return 0;
}

/* Fills `units` from the front with those to be drawn from, from the back with uncertain ones.
 * Returns the number of the former. */
static uint64_t part_units(const class_maker *m, size_t h, uint64_t count,
                           const msw_predictions *shape, const msw_predictions *own,
                           const msw_shared_predictions *shared, class_unit *units)
{
    size_t marks = m->task->map->mark_count, mark = size_mark(m->task->map);
    uint64_t front = 0, back = count;
    for (uint64_t u = 0; u < count; u++) {
        class_unit one = {.unit = u, .number = permanent_number(m->key, h, u)};
        if (shape)
            one.size = fabs(shape->units[h][u * marks + mark]);
        if (is_uncertain(own, shared, h, u))
            units[--back] = one;
        else
            units[front++] = one;
    }
    return front;
}

int msw_classes_make(const msw_task *task, const msw_unit_set *strata, const msw_predictions *shape,
                     const msw_predictions *own, const msw_shared_predictions *shared,
                     msw_unit_set *classes, bool **whole, msw_err *err)
{
    class_maker m = {.task = task, .key = msw_units_key(task), .classes = classes};
    *classes = *strata;
    classes->stratum_count = 0;
    for (size_t h = 0; h < strata->stratum_count; h++) {
        const msw_stratum_set *stratum = &strata->strata[h];
        class_unit *units = msw_arena_take(task->arena, stratum->units * sizeof *units + 1);
        if (!units)
            return msw_fail_memory(err);
        uint64_t certain = part_units(&m, h, stratum->units, shape, own, shared, units);
        if (cut_stratum(&m, stratum, units, certain, err) ||
            (certain < stratum->units &&
             add_class(&m, stratum, units + certain, stratum->units - certain, true, err)))
            return -1;
    }
    *whole = m.whole;
    return 0;
}
