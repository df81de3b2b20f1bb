/* SPDX-License-Identifier: MIT */
/* Classes: parts of all units, whatever their stratum, fixed before the first unit is measured.
 *
 * Units that a prediction is uncertain of form a class of their own, measured whole. The others are
 * cut by how far off the prediction of the primary metric may be, as stated for the candidate and
 * its reference: what may be unseen in a class is then its sum and not its largest times its
 * number. A unit is drawn when its permanent random number is among the smallest of its class, so
 * samples of configs whose classes differ overlap. */
#include "mech/engine/evaluate.h"

#include "memsweep/base/rng.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One of the totals in the metric: its stated error counts `weight` times. */
typedef struct msw_margin {
    const msw_predictions *of;
    double weight;
    size_t mark, marks;
} msw_margin;

/* Numerator, or total, and denominator. */
typedef struct msw_margins {
    msw_margin num, den;
} msw_margins;

static msw_margin margin_of(const msw_task *task, const msw_predictions *of, int metric)
{
    int mark = metric < 0 ? -1 : task->map->mark_of[metric];
    msw_margin d = {.of = of, .marks = task->map->mark_count};
    if (mark < 0)
        return d;
    d.mark = (size_t)mark;
    d.weight = task->mech->metrics[metric].predicted.largest;
    return d;
}

static double sum_of(const msw_margin *d, size_t strata)
{
    double sum = 0;
    for (size_t h = 0; h < strata; h++)
        sum += d->of->sums[h * d->marks + d->mark];
    return sum;
}

/* Those of the candidate and of what it is compared with. */
static msw_margins msw_margins_of_primary(const msw_task *task, size_t strata,
                                          const msw_predictions *own,
                                          const msw_shared_predictions *shared)
{
    size_t primary = (size_t)task->map->primary;
    msw_metric_kind kind = task->mech->metrics[primary].kind;
    if (kind != MSW_RATIO && kind != MSW_PAIRED)
        return (msw_margins){.num = margin_of(task, own, (int)primary)};
    int r = task->map->entries[primary].reference;
    const msw_predictions *other = r < 0 ? own : shared->all[r];
    msw_margins d = {.num = margin_of(task, own, task->map->entries[primary].num),
                     .den = margin_of(task, other, task->map->entries[primary].den)};
    /* The residual is x - R y, with the R that the predictions give. */
    double y = d.den.weight > 0 ? sum_of(&d.den, strata) : 0;
    d.den.weight *= d.num.weight > 0 && y != 0 ? fabs(sum_of(&d.num, strata) / y) : 1;
    return d;
}

/* Whether anything is stated. */
static bool msw_margins_any(const msw_margins *margins)
{
    return margins->num.weight > 0 || margins->den.weight > 0;
}

static double margin_at(const msw_margin *d, size_t h, uint64_t unit, bool whole)
{
    if (!(d->weight > 0))
        return 0;
    if (whole || !d->of->units[h])
        return d->weight * d->of->scale[h * d->marks + d->mark];
    return d->weight * d->of->scales[h][unit * d->marks + d->mark];
}

/* The largest residual that unit may have; of its stratum with `whole`. */
static double msw_margins_of(const msw_margins *margins, size_t stratum, uint64_t unit, bool whole)
{
    return margin_at(&margins->num, stratum, unit, whole) +
           margin_at(&margins->den, stratum, unit, whole);
}

/* Units that together hold so small a part of all stated errors are one class; the others reach
 * over such a factor. */
enum { BOTTOM_PART = 50 };
static const double CLASS_SPAN = 1.4;

typedef struct class_unit {
    double size;
    uint64_t number; /* permanent random number */
    uint64_t unit;   /* over all strata */
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

/* A counter-based generator: the number of a unit depends on key, stratum and unit alone, whatever
 * was drawn before. */
uint64_t msw_permanent_number(uint64_t key, size_t h, uint64_t unit)
{
    uint32_t out[4];
    const uint32_t counter[4] = {(uint32_t)unit, (uint32_t)(unit >> 32), (uint32_t)h, 0};
    msw_philox(counter, (const uint32_t[]){(uint32_t)key, (uint32_t)(key >> 32)}, out);
    return (uint64_t)out[0] << 32 | out[1];
}

/* ---- numbers over all strata ---- */

static msw_frame *make_frame(const msw_task *task, const msw_unit_set *strata)
{
    msw_frame *frame = msw_arena_take(task->arena, sizeof *frame);
    if (!frame)
        return NULL;
    frame->first = msw_arena_take(task->arena, (strata->stratum_count + 1) * sizeof(uint64_t));
    frame->stratum = msw_arena_take(task->arena, (strata->units + 1) * sizeof(uint32_t));
    if (!frame->first || !frame->stratum)
        return NULL;
    uint64_t next = 0;
    for (size_t h = 0; h < strata->stratum_count; h++) {
        frame->first[h] = next;
        for (uint64_t u = 0; u < strata->strata[h].units; u++)
            frame->stratum[next++] = (uint32_t)h;
    }
    return frame;
}

/* ---- units ---- */

static bool is_uncertain(const msw_predictions *own, const msw_shared_predictions *shared, size_t h,
                         uint64_t unit)
{
    bool uncertain = own->uncertain[h] && own->uncertain[h][unit];
    for (size_t r = 0; r < shared->count && !uncertain; r++)
        uncertain = shared->all[r]->uncertain[h] && shared->all[r]->uncertain[h][unit];
    return uncertain;
}

size_t msw_size_mark(const msw_metric_map *map)
{
    int den = map->entries[map->primary].den;
    return den >= 0 && map->mark_of[den] >= 0 ? (size_t)map->mark_of[den] : 0;
}

/* A stratum whose units all have about the same predicted size stays as it is; only where sizes
 * differ by more than a factor of two does looking at each unit pay. */
bool *msw_classes_by_unit(const msw_task *task, const msw_unit_set *strata,
                          const msw_predictions *shape, const msw_shared_predictions *shared)
{
    size_t marks = task->map->mark_count, mark = msw_size_mark(task->map);
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

/* ---- classes as they come to be ---- */

typedef struct class_maker {
    const msw_task *task;
    const msw_unit_set *strata;
    const msw_frame *frame;
    msw_unit_set *classes;
    bool *whole;
    size_t room;
} class_maker;

static int next_class(class_maker *m, msw_err *err)
{
    size_t room = m->room, wanted = m->classes->stratum_count + 1;
    MSW_TRY(msw_vec_reserve_in(m->task->arena, &m->classes->strata, &room, wanted,
                               sizeof *m->classes->strata, err));
    return msw_vec_reserve_in(m->task->arena, &m->whole, &m->room, wanted, sizeof *m->whole, err);
}

static int add_class(class_maker *m, class_unit *units, uint64_t count, bool whole, msw_err *err)
{
    uint64_t *members = msw_arena_take(m->task->arena, count * sizeof *members + 1);
    double cost = 0;
    if (!members)
        return msw_fail_memory(err);
    MSW_TRY(next_class(m, err));
    msw_sort(units, count, sizeof *units, compare_numbers);
    for (uint64_t k = 0; k < count; k++) {
        members[k] = units[k].unit;
        cost += m->strata->strata[m->frame->stratum[units[k].unit]].cost;
    }
    size_t c = m->classes->stratum_count++;
    m->classes->strata[c] =
        (msw_stratum_set){.units = count, .cost = cost / (double)count, .members = members};
    m->whole[c] = whole;
    return 0;
}

/* The units at the bottom that together hold next to nothing. */
static uint64_t bottom_of(const class_unit *units, uint64_t count)
{
    double all = 0;
    uint64_t end = 0;
    for (uint64_t k = 0; k < count; k++)
        all += units[k].size;
    while (end < count && (double)(end + 1) * units[end].size <= all / BOTTOM_PART)
        end++;
    return end;
}

/* The end of the class that starts at `first` of units in order of their size. */
static uint64_t end_of_class(const class_unit *units, uint64_t first, uint64_t count)
{
    uint64_t end = first ? first : bottom_of(units, count);
    if (end > first)
        return end;
    while (end < count && units[end].size <= CLASS_SPAN * units[first].size)
        end++;
    return end;
}

static int cut_units(class_maker *m, class_unit *units, uint64_t count, msw_err *err)
{
    msw_sort(units, count, sizeof *units, compare_sizes);
    for (uint64_t first = 0, end; first < count; first = end) {
        end = end_of_class(units, first, count);
        if (add_class(m, units + first, end - first, false, err))
            return -1;
    }
    return 0;
}

/* What is known of the units before any is measured. */
typedef struct known {
    const msw_predictions *shape, *own;
    const msw_shared_predictions *shared;
    msw_margins margins; /* where there are none the sizes of `shape` cut */
} known;

static double size_of(const class_maker *m, const known *k, size_t h, uint64_t unit)
{
    bool whole = !k->own->units[h];
    if (msw_margins_any(&k->margins))
        return msw_margins_of(&k->margins, h, unit, whole);
    size_t marks = m->task->map->mark_count, mark = msw_size_mark(m->task->map);
    return k->shape && !whole ? fabs(k->shape->units[h][unit * marks + mark]) : 0;
}

/* Fills `units` from the front with those to be drawn from, from the back with uncertain ones.
 * Returns the number of the former. */
static uint64_t part_units(const class_maker *m, const known *k, class_unit *units)
{
    uint64_t front = 0, back = m->strata->units, key = msw_units_key(m->task);
    for (uint64_t g = 0; g < m->strata->units; g++) {
        size_t h = m->frame->stratum[g];
        uint64_t unit = g - m->frame->first[h];
        class_unit one = {.unit = g, .number = msw_permanent_number(key, h, unit)};
        one.size = size_of(m, k, h, unit);
        if (is_uncertain(k->own, k->shared, h, unit))
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
    class_maker m = {.task = task, .strata = strata, .classes = classes};
    known k = {.shape = shape, .own = own, .shared = shared};
    class_unit *units = msw_arena_take(task->arena, strata->units * sizeof *units + 1);
    m.frame = make_frame(task, strata);
    if (!units || !m.frame)
        return msw_fail_memory(err);
    *classes = *strata;
    classes->stratum_count = 0;
    classes->frame = m.frame;
    k.margins = msw_margins_of_primary(task, strata->stratum_count, own, shared);
    uint64_t certain = part_units(&m, &k, units);
    if (cut_units(&m, units, certain, err) ||
        (certain < strata->units &&
         add_class(&m, units + certain, strata->units - certain, true, err)))
        return -1;
    *whole = m.whole;
    return 0;
}
