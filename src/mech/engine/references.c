/* SPDX-License-Identifier: MIT */
/* Evaluates references, ordinary points that others are compared with, once, and shares them.
 *
 * Blocks of units that a reference measures together: those of a stratum whose sizes, as
 * predicted of the reference, lie within a factor of the root of two, and whose permanent random
 * numbers lie in [2^-(b+1), 2^-b), in units of the largest. What candidates draw of such units
 * they draw at about one rate, so of most blocks they need most units. An index per reference and
 * choice of units knows the units of each block, so that a block costs what it measures. */
#include "mech/engine/evaluate.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/search.h"
#include "memsweep/base/sort.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 32, EXPONENTS = 1100 };

/* Two for every power of two. */
static unsigned size_class(double size)
{
    int exponent;
    double part = frexp(size, &exponent);
    return size > 0 ? 2 * (unsigned)(exponent + EXPONENTS) + (part * part >= 0.5) : 0;
}

static unsigned size_of(const msw_task *task, const msw_predictions *from, size_t h, uint64_t unit)
{
    size_t mark = msw_size_mark(task->map);
    return size_class(fabs(from->units[h][unit * task->map->mark_count + mark]));
}

/* The level is the number of leading zeros: each level holds half as many units as the one before.
 * */
static unsigned level_of(const msw_task *task, size_t h, uint64_t unit)
{
    uint64_t number = msw_permanent_number(msw_units_key(task), h, unit);
    unsigned level = number ? 63 - msw_bits_highest(number) : LEVELS - 1;
    return (unsigned)msw_min_u64(level, LEVELS - 1);
}

unsigned msw_block_of(const msw_task *task, const msw_predictions *from, size_t h, uint64_t unit)
{
    return size_of(task, from, h, unit) * LEVELS + level_of(task, h, unit);
}

/* ---- which units a block has ---- */

static int compare_entries(const void *a, const void *b)
{
    const msw_block_entry *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return (x->unit > y->unit) - (x->unit < y->unit);
}

static int msw_block_index_make(const msw_task *task, const msw_predictions *from, msw_arena *arena,
                                msw_block_index *out, msw_err *err)
{
    msw_unit_set set;
    if (msw_units_init(task, &set, err))
        return -1;
    out->counts = msw_arena_take(arena, (set.stratum_count + 1) * sizeof *out->counts);
    out->entries = msw_arena_take(arena, (set.stratum_count + 1) * sizeof *out->entries);
    if (!out->counts || !out->entries)
        return msw_fail_memory(err);
    for (size_t h = 0; h < set.stratum_count; h++) {
        uint64_t units = out->counts[h] = set.strata[h].units;
        msw_block_entry *entries = msw_arena_take(arena, units * sizeof *entries + 1);
        if (!entries)
            return msw_fail_memory(err);
        for (uint64_t u = 0; u < units; u++)
            entries[u] = (msw_block_entry){u, msw_block_of(task, from, h, u)};
        msw_sort(entries, units, sizeof *entries, compare_entries);
        out->entries[h] = entries;
    }
    return 0;
}

/* The first entry of a block, or of the next. */
static uint64_t find_block(const msw_block_entry *entries, uint64_t count, unsigned block)
{
    uint64_t at;
    MSW_SEARCH(at, 0, count, entries[at].block < block);
    return at;
}

/* Lists the units of a block in order. Returns them, or NULL without memory. */
static uint64_t *list_units(const msw_block_index *index, size_t h, unsigned block,
                            msw_arena *arena, uint64_t *count)
{
    const msw_block_entry *entries = index->entries[h];
    uint64_t first = find_block(entries, index->counts[h], block), end = first;
    while (end < index->counts[h] && entries[end].block == block)
        end++;
    *count = end - first;
    uint64_t *units = msw_arena_take(arena, *count * sizeof *units + 1);
    for (uint64_t i = 0; units && i < *count; i++)
        units[i] = entries[first + i].unit;
    return units;
}

/* ---- what it gives ---- */

/* Lists the units of all blocks; measures a block of a stratum: both in the task of a reference.
 * Return 0 or -1. */
static int msw_block_measure(const msw_task *task, const msw_block_index *index, size_t h,
                             unsigned block, msw_arena *arena, msw_reference_block *out,
                             msw_err *err)
{
    msw_unit_set set;
    uint64_t count;
    if (msw_units_init(task, &set, err))
        return -1;
    msw_stratum_set one = set.strata[h];
    one.members = list_units(index, h, block, arena, &count);
    if (!one.members)
        return msw_fail_memory(err);
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

typedef struct reference_request {
    int index;
    unsigned level;
    const void *config;
    const msw_selection *selection; /* NULL: the units of the level */
    const msw_predictions *predictions;
    const msw_block_index *blocks; /* of the block asked for */
    size_t stratum;
    unsigned block;
    msw_reference_block *out;   /* of a block; else NULL */
    msw_block_index *out_index; /* of the index; else NULL */
    msw_arena *arena;           /* of the artifact */
    msw_reference_units *units;
} reference_request;

static int copy_units(const msw_unit_set *set, reference_request *request, msw_err *err)
{
    msw_reference_units *out = request->units;
    size_t width = set->map->metric_count;
    out->stratum_count = set->stratum_count;
    out->values = msw_arena_zero(request->arena, set->stratum_count + 1, sizeof *out->values);
    out->measured = msw_arena_zero(request->arena, set->stratum_count + 1, sizeof *out->measured);
    if (!out->values || !out->measured)
        return msw_fail_memory(err);
    for (size_t h = 0; h < set->stratum_count; h++) {
        size_t bytes = set->strata[h].measured * width * sizeof(double);
        out->measured[h] = set->strata[h].measured;
        out->values[h] = msw_arena_take(request->arena, bytes + 1);
        if (!out->values[h])
            return msw_fail_memory(err);
        if (bytes)
            memcpy(out->values[h], set->strata[h].values, bytes);
    }
    return 0;
}

/* A class of the reference: the same units, nothing measured yet. */
static int copy_classes(const msw_task *task, const msw_selection *selection, msw_unit_set *set,
                        msw_err *err)
{
    size_t count = selection->classes->stratum_count;
    set->stratum_count = count;
    set->frame = selection->classes->frame;
    set->strata = msw_arena_zero(task->arena, count + 1, sizeof *set->strata);
    if (!set->strata)
        return msw_fail_memory(err);
    for (size_t c = 0; c < count; c++) {
        const msw_stratum_set *from = &selection->classes->strata[c];
        set->strata[c] =
            (msw_stratum_set){.units = from->units, .cost = from->cost, .members = from->members};
    }
    return 0;
}

static int predict_classes(const msw_task *task, const msw_unit_set *set,
                           reference_request *request, msw_err *err)
{
    msw_reference_units *out = request->units;
    size_t bytes = (set->stratum_count + 1) * sizeof(double *);
    out->predicted = msw_arena_take(request->arena, bytes);
    out->sums = msw_arena_take(request->arena, bytes);
    out->scale = msw_arena_take(request->arena, bytes);
    if (!out->predicted || !out->sums || !out->scale)
        return msw_fail_memory(err);
    for (size_t c = 0; c < set->stratum_count; c++) {
        const msw_stratum_set *s = &set->strata[c];
        if (msw_predictions_sum(task, set->frame, s, request->predictions, request->arena,
                                &out->sums[c], &out->scale[c], err) ||
            msw_predictions_slots(task, set->frame, s, s->measured, request->predictions,
                                  request->arena, &out->predicted[c], err))
            return -1;
    }
    return 0;
}

static int measure_selection(const msw_task *task, reference_request *request, msw_err *err)
{
    msw_unit_set set;
    size_t bytes = request->selection->classes->stratum_count * sizeof(uint64_t);
    uint64_t *wanted = msw_arena_take(task->arena, bytes + 1);
    if (!wanted)
        return msw_fail_memory(err);
    if (bytes)
        memcpy(wanted, request->selection->wanted, bytes);
    if (msw_units_init(task, &set, err) || copy_classes(task, request->selection, &set, err) ||
        msw_units_measure(task, &set, wanted, err) || copy_units(&set, request, err))
        return -1;
    return predict_classes(task, &set, request, err);
}

static int measure_reference(const msw_task *task, reference_request *request, msw_err *err)
{
    msw_unit_set set;
    if (msw_units_init(task, &set, err))
        return -1;
    uint64_t *wanted = msw_arena_take(task->arena, (set.stratum_count + 1) * sizeof *wanted);
    if (!wanted)
        return msw_fail_memory(err);
    for (size_t h = 0; h < set.stratum_count; h++)
        wanted[h] = msw_units_at_level(task, &set, h, request->level);
    if (msw_units_measure(task, &set, wanted, err))
        return -1;
    return copy_units(&set, request, err);
}

static int total_units(const msw_task *task, double *totals, msw_err *err)
{
    msw_unit_set set;
    msw_totals sums = {0};
    if (msw_units_init(task, &set, err) || msw_units_full(task, &set, &sums, err))
        return -1;
    memcpy(totals, sums.totals, task->map->metric_count * sizeof *totals);
    return 0;
}

/* The answer that the totals alone give: what is compared with references, and (of units)
 * quantiles are not known here. */
static int check_totals(const msw_task *task, const double *totals, msw_err *err)
{
    size_t width = task->map->metric_count;
    const double *none[MSW_METRICS_MAX];
    msw_answer own = {.metrics = msw_arena_take(task->arena, width * sizeof(double)),
                      .half_widths = msw_arena_zero(task->arena, width, sizeof(double))};
    if (!own.metrics || !own.half_widths)
        return msw_fail_memory(err);
    for (size_t m = 0; m < width; m++) {
        msw_metric_kind kind = task->mech->metrics[m].kind;
        own.metrics[m] = kind == MSW_TOTAL || kind == MSW_MAXIMUM ? totals[m] : NAN;
        own.half_widths[m] = NAN;
    }
    for (size_t r = 0; r < task->map->reference_count; r++)
        none[r] = own.half_widths;
    msw_finish_metrics(task, none, own.metrics);
    return msw_self_check_answer(task, &own, err);
}

static int total_reference(msw_task *task, reference_request *request, msw_err *err)
{
    char *doubt = msw_arena_zero(request->arena, MSW_DOUBT_BYTES, 1);
    double *totals = msw_arena_zero(request->arena, task->map->metric_count, sizeof *totals);
    if (!totals || !doubt)
        return msw_fail_memory(err);
    request->units->totals = totals;
    request->units->doubt = task->doubt = doubt;
    if (task->fidelity == MSW_ANALYTIC)
        MSW_TRY(task->mech->analytic(task, totals, err));
    else
        MSW_TRY(total_units(task, totals, err));
    return check_totals(task, totals, err);
}

static int evaluate_reference(msw_task *task, void *context, msw_err *err)
{
    reference_request *request = context;
    if (request->out)
        return msw_block_measure(task, request->blocks, request->stratum, request->block,
                                 request->arena, request->out, err);
    if (request->out_index)
        return msw_block_index_make(task, request->predictions, request->arena, request->out_index,
                                    err);
    if (request->selection)
        return measure_selection(task, request, err);
    return task->fidelity == MSW_SAMPLED ? measure_reference(task, request, err)
                                         : total_reference(task, request, err);
}

/* What cannot exist says so and has no totals: what is compared with it is not defined. */
static int tell_unfit(const msw_task *task, int index, msw_arena *arena, msw_reference_units *out,
                      msw_err *err)
{
    size_t width = task->map->metric_count;
    char *why = msw_arena_take(arena, MSW_ERR_TEXT_BYTES + 64);
    out->totals = msw_arena_take(arena, width * sizeof *out->totals);
    if (!why || !out->totals)
        return msw_fail_memory(err);
    snprintf(why, MSW_ERR_TEXT_BYTES + 64, "reference %s: %s", task->mech->references[index].name,
             err->text);
    out->unfit = why;
    for (size_t m = 0; m < width; m++)
        out->totals[m] = NAN;
    msw_err_clear(err);
    return 0;
}

/* References are artifacts like any other: the first point that needs one builds it, the others
 * wait or find it. */
static int build_reference(const msw_task *task, const void *extra, msw_arena *arena,
                           const void **root, msw_err *err)
{
    reference_request request = *(const reference_request *)extra;
    request.arena = arena;
    request.units = msw_arena_zero(arena, 1, sizeof *request.units);
    int rc = request.units
                 ? msw_reference_task(task, request.config, evaluate_reference, &request, err)
                 : msw_fail_memory(err);
    if (rc && err->kind == MSW_ERR_UNFIT && !request.selection)
        rc = tell_unfit(task, request.index, arena, request.units, err);
    *root = request.units;
    return rc;
}

/* The words of the key lie in front of the changed config: one digest over both. */
enum { KEY_WORDS = 12 };

enum { BLOCK_LEVEL = 64, INDEX_LEVEL };

/* Everything that the answer depends on, and nothing else: points that differ only in parameters
 * which the reference changes share one evaluation. */
static msw_digest reference_key(const msw_task *task, const reference_request *request,
                                uint64_t *words)
{
    const uint64_t head[KEY_WORDS] = {
        task->product_key.hi,
        task->product_key.lo,
        task->map->id,
        (uint64_t)task->fidelity,
        request->level,
        (uint64_t)task->sampling.pilot,
        task->event_budget,
        task->mech->random || task->fidelity == MSW_SAMPLED ? task->stream : 0,
        (uint64_t)request->index,
        task->sampling.seed,
        request->selection ? request->selection->digest.hi : request->stratum,
        request->selection ? request->selection->digest.lo : request->block,
    };
    memcpy(words, head, sizeof head);
    return msw_memo_digest(task->memo, 1, words, sizeof head + task->mech->config_size);
}

static int get_artifact(const msw_task *task, reference_request *request, msw_build_fn build,
                        const void **root, void **handle, msw_err *err)
{
    uint64_t *words = msw_reference_config(task, request->index, KEY_WORDS);
    if (!words)
        return msw_fail_memory(err);
    request->config = words + KEY_WORDS;
    if (task->source->get(task->source->context, reference_key(task, request, words), build, task,
                          request, root, handle, err))
        return msw_fail_prefix(err, "reference %s: ", task->mech->references[request->index].name);
    return 0;
}

static int get_units(const msw_task *task, reference_request *request,
                     const msw_reference_units **units, void **handle, msw_err *err)
{
    const void *root;
    int rc = get_artifact(task, request, build_reference, &root, handle, err);
    *units = rc ? NULL : root;
    return rc;
}

/* Fetches reference `index` at a level (0 where the fidelity has no levels). */
static int msw_reference_get(const msw_task *task, int index, unsigned level,
                             const msw_reference_units **units, void **handle, msw_err *err)
{
    reference_request request = {.index = index, .level = level};
    return get_units(task, &request, units, handle, err);
}

static int build_block(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                       msw_err *err)
{
    reference_request request = *(const reference_request *)extra;
    request.arena = arena;
    request.out = msw_arena_zero(arena, 1, sizeof *request.out);
    *root = request.out;
    return request.out ? msw_reference_task(task, request.config, evaluate_reference, &request, err)
                       : msw_fail_memory(err);
}

static int build_index(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                       msw_err *err)
{
    reference_request request = *(const reference_request *)extra;
    request.arena = arena;
    request.out_index = msw_arena_zero(arena, 1, sizeof *request.out_index);
    *root = request.out_index;
    return request.out_index
               ? msw_reference_task(task, request.config, evaluate_reference, &request, err)
               : msw_fail_memory(err);
}

int msw_reference_index_get(const msw_task *task, int index, const msw_predictions *from,
                            const msw_block_index **out, void **handle, msw_err *err)
{
    reference_request request = {.index = index, .level = INDEX_LEVEL, .predictions = from};
    const void *root;
    int rc = get_artifact(task, &request, build_index, &root, handle, err);
    *out = rc ? NULL : root;
    return rc;
}

int msw_reference_block_get(const msw_task *task, int index, const msw_block_index *blocks,
                            size_t h, unsigned block, const msw_reference_block **out,
                            void **handle, msw_err *err)
{
    reference_request request = {
        .index = index, .level = BLOCK_LEVEL, .blocks = blocks, .stratum = h, .block = block};
    const void *root;
    int rc = get_artifact(task, &request, build_block, &root, handle, err);
    *out = rc ? NULL : root;
    return rc;
}

int msw_references_start(const msw_task *task, msw_references *all, msw_err *err)
{
    size_t count = task->map->reference_count;
    all->units = msw_arena_zero(task->arena, count + 1, sizeof *all->units);
    all->handles = msw_arena_zero(task->arena, count + 1, sizeof *all->handles);
    all->count = 0;
    return all->units && all->handles ? 0 : msw_fail_memory(err);
}

int msw_references_get(const msw_task *task, unsigned level, msw_references *all, msw_err *err)
{
    if (msw_references_start(task, all, err))
        return -1;
    for (; all->count < task->map->reference_count; all->count++)
        if (msw_reference_get(task, (int)all->count, level, &all->units[all->count],
                              &all->handles[all->count], err)) {
            msw_references_put(task, all);
            return -1;
        }
    return 0;
}

int msw_reference_pass(const msw_task *task, int index, const msw_selection *selection,
                       const msw_predictions *from, const msw_reference_units **units,
                       void **handle, msw_err *err)
{
    reference_request request = {.index = index, .selection = selection, .predictions = from};
    return get_units(task, &request, units, handle, err);
}

/* A row stands without a reference that cannot exist, and says so. */
void msw_references_tell_unfit(const msw_references *references, msw_answer *answer)
{
    for (size_t r = references->count; r-- > 0;)
        if (references->units[r]->unfit)
            msw_text_fit(answer->reason, sizeof answer->reason, references->units[r]->unfit);
}

void msw_references_put(const msw_task *task, msw_references *all)
{
    for (size_t r = 0; r < all->count; r++)
        if (all->handles[r]) /* else gathered of blocks */
            task->source->put(task->source->context, all->handles[r]);
    all->count = 0;
}
