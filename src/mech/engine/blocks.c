/* What references give for the units of a candidate's classes, where units may be measured in any
 * order. Every candidate has classes of its own, so a reference does not measure classes but blocks
 * that all candidates share: the units of a stratum whose permanent random numbers lie in
 * [2^-(b+1), 2^-b). A class draws the smallest numbers, so it needs the last blocks, and of each of
 * them most of its units. */
#include "mech/engine/evaluate.h"

#include "memsweep/base/bits.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_LAST = 24 };

static unsigned block_of(uint64_t number)
{
    unsigned zeros = number ? 63 - msw_bits_highest(number) : BLOCK_LAST;
    return zeros < BLOCK_LAST ? zeros : BLOCK_LAST;
}

/* ---- what is built once ---- */

int msw_block_measure(const msw_task *task, size_t h, unsigned block, msw_arena *arena,
                      msw_reference_block *out, msw_err *err)
{
    msw_unit_set set;
    uint64_t key = msw_units_key(task), count = 0;
    if (msw_units_init(task, &set, err))
        return -1;
    msw_stratum_set one = set.strata[h];
    one.members = msw_arena_take(arena, one.units * sizeof *one.members + 1);
    if (!one.members)
        return msw_fail_memory(err);
    for (uint64_t u = 0; u < one.units; u++)
        if (block_of(msw_permanent_number(key, h, u)) == block)
            one.members[count++] = u;
    one.units = count;
    set.stratum_count = 1;
    set.strata = &one;
    if (msw_units_measure(task, &set, &count, err))
        return -1;
    size_t bytes = count * set.map->metric_count * sizeof(double);
    *out = (msw_reference_block){.count = count, .units = one.members};
    out->values = msw_arena_take(arena, bytes + 1);
    if (!out->values)
        return msw_fail_memory(err);
    if (count)
        memcpy(out->values, one.values, bytes);
    return 0;
}

/* ---- what a candidate takes of it ---- */

/* A unit of a class, where it is found and where it goes. */
typedef struct wish {
    size_t stratum;
    unsigned block;
    uint64_t unit, slot;
    size_t class;
} wish;

static int compare_wishes(const void *a, const void *b)
{
    const wish *x = a, *y = b;
    if (x->stratum != y->stratum)
        return x->stratum < y->stratum ? -1 : 1;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return (x->unit > y->unit) - (x->unit < y->unit);
}

static wish *list_wishes(const msw_task *task, const msw_selection *selection, uint64_t *count)
{
    const msw_unit_set *classes = selection->classes;
    uint64_t key = msw_units_key(task), next = 0;
    *count = 0;
    for (size_t c = 0; c < classes->stratum_count; c++)
        *count += selection->wanted[c];
    wish *wishes = msw_arena_take(task->arena, (*count + 1) * sizeof *wishes);
    for (size_t c = 0; wishes && c < classes->stratum_count; c++)
        for (uint64_t k = 0; k < selection->wanted[c]; k++) {
            uint64_t g = classes->strata[c].members[k];
            size_t h = classes->frame->stratum[g];
            uint64_t unit = g - classes->frame->first[h];
            wishes[next++] =
                (wish){h, block_of(msw_permanent_number(key, h, unit)), unit, k, c};
        }
    if (wishes)
        qsort(wishes, *count, sizeof *wishes, compare_wishes);
    return wishes;
}

/* Copies what was wished for of one block: both are in the order of units. */
static void copy_block(const msw_reference_block *block, const wish *wishes, uint64_t count,
                       size_t width, msw_reference_units *out)
{
    for (uint64_t i = 0, at = 0; i < count; i++) {
        while (block->units[at] < wishes[i].unit)
            at++;
        memcpy(out->values[wishes[i].class] + wishes[i].slot * width, block->values + at * width,
               width * sizeof(double));
    }
}

static int make_room(const msw_task *task, const msw_selection *selection, msw_reference_units *out)
{
    size_t count = selection->classes->stratum_count, width = task->map->metric_count;
    out->stratum_count = count;
    out->values = msw_arena_take(task->arena, (count + 1) * sizeof *out->values);
    out->measured = msw_arena_take(task->arena, (count + 1) * sizeof *out->measured);
    out->predicted = msw_arena_take(task->arena, (count + 1) * sizeof *out->predicted);
    out->sums = msw_arena_take(task->arena, (count + 1) * sizeof *out->sums);
    out->scale = msw_arena_take(task->arena, (count + 1) * sizeof *out->scale);
    bool room = out->values && out->measured && out->predicted && out->sums && out->scale;
    for (size_t c = 0; room && c < count; c++) {
        out->measured[c] = selection->wanted[c];
        out->values[c] =
            msw_arena_take(task->arena, selection->wanted[c] * width * sizeof(double) + 1);
        room = out->values[c] != NULL;
    }
    return room ? 0 : -1;
}

static int predict_classes(const msw_task *task, const msw_selection *selection,
                           const msw_predictions *from, msw_reference_units *out, msw_err *err)
{
    const msw_unit_set *classes = selection->classes;
    for (size_t c = 0; c < classes->stratum_count; c++) {
        const msw_stratum_set *s = &classes->strata[c];
        if (msw_predictions_sum(task, classes->frame, s, from, task->arena, &out->sums[c],
                                &out->scale[c], err) ||
            msw_predictions_slots(task, classes->frame, s, selection->wanted[c], from,
                                  task->arena, &out->predicted[c], err))
            return -1;
    }
    return 0;
}

int msw_blocks_gather(const msw_task *task, int reference, const msw_selection *selection,
                      const msw_predictions *from, const msw_reference_units **units, msw_err *err)
{
    uint64_t count;
    wish *wishes = list_wishes(task, selection, &count);
    msw_reference_units *out = msw_arena_zero(task->arena, 1, sizeof *out);
    if (!wishes || !out || make_room(task, selection, out))
        return msw_fail_memory(err);
    for (uint64_t first = 0, end; first < count; first = end) {
        const msw_reference_block *block;
        void *handle;
        for (end = first + 1; end < count && wishes[end].stratum == wishes[first].stratum &&
                              wishes[end].block == wishes[first].block;)
            end++;
        if (msw_reference_block_get(task, reference, wishes[first].stratum, wishes[first].block,
                                    &block, &handle, err))
            return -1;
        copy_block(block, wishes + first, end - first, task->map->metric_count, out);
        task->source->put(task->source->context, handle);
    }
    *units = out;
    return predict_classes(task, selection, from, out, err);
}
