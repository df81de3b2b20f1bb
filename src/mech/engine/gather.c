/* SPDX-License-Identifier: MIT */
/* Gathers a reference's answers for the units of a candidate's classes. Where units may be measured in any
 * order a reference does not measure classes, of which every candidate has its own, but blocks that
 * all candidates share (blocks.c). */
#include "mech/engine/evaluate.h"

#include "memsweep/base/sort.h"

#include <stdlib.h>
#include <string.h>

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

static wish *list_wishes(const msw_task *task, const msw_selection *selection,
                         const msw_predictions *from, uint64_t *count)
{
    const msw_unit_set *classes = selection->classes;
    uint64_t next = 0;
    *count = 0;
    for (size_t c = 0; c < classes->stratum_count; c++)
        *count += selection->wanted[c];
    wish *wishes = msw_arena_take(task->arena, (*count + 1) * sizeof *wishes);
    for (size_t c = 0; wishes && c < classes->stratum_count; c++)
        for (uint64_t k = 0; k < selection->wanted[c]; k++) {
            uint64_t g = classes->strata[c].members[k];
            size_t h = classes->frame->stratum[g];
            uint64_t unit = g - classes->frame->first[h];
            wishes[next++] = (wish){h, msw_block_of(task, from, h, unit), unit, k, c};
        }
    if (wishes)
        msw_sort(wishes, *count, sizeof *wishes, compare_wishes);
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

static int allocate_units(const msw_task *task, const msw_selection *selection,
                          msw_reference_units *out)
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
            msw_predictions_slots(task, classes->frame, s, selection->wanted[c], from, task->arena,
                                  &out->predicted[c], err))
            return -1;
    }
    return 0;
}

static int copy_blocks(const msw_task *task, int reference, const msw_block_index *blocks,
                       const wish *wishes, uint64_t count, msw_reference_units *out, msw_err *err)
{
    for (uint64_t first = 0, end; first < count; first = end) {
        const msw_reference_block *block;
        void *handle;
        for (end = first + 1; end < count && wishes[end].stratum == wishes[first].stratum &&
                              wishes[end].block == wishes[first].block;)
            end++;
        if (msw_reference_block_get(task, reference, blocks, wishes[first].stratum,
                                    wishes[first].block, &block, &handle, err))
            return -1;
        copy_block(block, wishes + first, end - first, task->map->metric_count, out);
        task->source->put(task->source->context, handle);
    }
    return 0;
}

static int gather_blocks(const msw_task *task, int reference, const msw_selection *selection,
                         const msw_predictions *from, const msw_reference_units **units,
                         msw_err *err)
{
    uint64_t count;
    const msw_block_index *blocks;
    void *handle;
    wish *wishes = list_wishes(task, selection, from, &count);
    msw_reference_units *out = msw_arena_zero(task->arena, 1, sizeof *out);
    if (!wishes || !out || allocate_units(task, selection, out))
        return msw_fail_memory(err);
    if (msw_reference_index_get(task, reference, from, &blocks, &handle, err))
        return -1;
    int rc = copy_blocks(task, reference, blocks, wishes, count, out, err);
    task->source->put(task->source->context, handle);
    *units = out;
    return rc ? rc : predict_classes(task, selection, from, out, err);
}

int msw_references_select(const msw_task *task, const msw_selection *selection,
                          const msw_shared_predictions *shared, msw_references *all, msw_err *err)
{
    if (msw_references_start(task, all, err))
        return -1;
    for (; all->count < task->map->reference_count; all->count++) {
        int index = (int)all->count;
        const msw_predictions *from = shared->all[index];
        const msw_reference_units **units = &all->units[index];
        /* A forward pass gives what it gives to the units that are measured with it. */
        if (task->mech->order == MSW_UNITS_FORWARD
                ? msw_reference_pass(task, index, selection, from, units, &all->handles[index], err)
                : gather_blocks(task, index, selection, from, units, err)) {
            msw_references_put(task, all);
            return -1;
        }
    }
    return 0;
}
