/* SPDX-License-Identifier: MIT */
/* Turns an index into a point: its config, its key and its random stream. Says whether two points
 * of a plan can have the same key, and what the first points are. */
#include "sweep/loader.h"

#include "memsweep/design/slots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A front end parameter that a workload's name sets, and nothing else does. */
typedef struct overlay {
    size_t index;
    double value;
} overlay;

struct msw_pointer {
    const msw_plan *plan;
    msw_cursor *cursor;
    double *coords;
    void *block;
    size_t *first; /* of each workload in `overlays`; one more at the end */
    overlay *overlays;
    uint64_t stream, stream_of[2]; /* of the last workload and replicate; workload + 1 */
};

/* Lists what workload `w` sets beyond the base block. Returns how many. */
static size_t list_overlays(const msw_plan *plan, size_t w, overlay *out)
{
    const msw_schema *schema = &plan->schema;
    size_t part = plan->workload_frontend[w] + 1, count = 0;
    for (size_t i = schema->part_first[part]; i < schema->part_first[part + 1]; i++) {
        double value = msw_param_get(schema->params[i], plan->workloads[w].config);
        if (value == msw_schema_get(schema, i, plan->space.base) || msw_space_sets(&plan->space, i))
            continue;
        if (out)
            out[count] = (overlay){i, value};
        count++;
    }
    return count;
}

static int fill_overlays(msw_pointer *p, msw_err *err)
{
    size_t total = 0;
    for (size_t w = 0; w < p->plan->workload_count; w++)
        total += list_overlays(p->plan, w, NULL);
    p->overlays = calloc(total + 1, sizeof *p->overlays);
    p->first = calloc(p->plan->workload_count + 1, sizeof *p->first);
    if (!p->overlays || !p->first)
        return msw_fail_memory(err);
    for (size_t w = 0; w < p->plan->workload_count; w++)
        p->first[w + 1] = p->first[w] + list_overlays(p->plan, w, p->overlays + p->first[w]);
    return 0;
}

int msw_pointer_new(const msw_plan *plan, msw_pointer **pointer, msw_err *err)
{
    msw_pointer *p = calloc(1, sizeof *p);
    if (!p)
        return msw_fail_memory(err);
    p->plan = plan;
    p->coords = calloc(plan->space.factor_count + 1, sizeof *p->coords);
    p->block = calloc(1, plan->schema.size + 8);
    int rc = p->coords && p->block ? fill_overlays(p, err) : msw_fail_memory(err);
    if (rc == 0)
        rc = msw_cursor_new(&plan->space, &p->cursor, err);
    if (rc) {
        msw_pointer_free(p);
        return -1;
    }
    *pointer = p;
    return 0;
}

void msw_pointer_free(msw_pointer *pointer)
{
    if (!pointer)
        return;
    msw_cursor_free(pointer->cursor);
    free(pointer->coords);
    free(pointer->block);
    free(pointer->first);
    free(pointer->overlays);
    free(pointer);
}

/* Words of a key being written. */
typedef struct key_words {
    size_t count;
    uint64_t list[2 * MSW_PARAMS_MAX + 32];
} key_words;

static uint64_t stream_of(const msw_plan *plan, size_t workload, uint64_t replicate)
{
    const msw_digest *content = &plan->workloads[workload].digest;
    uint64_t words[4] = {plan->seed, content->hi, content->lo, replicate};
    return msw_hash_bytes(words, sizeof words).lo;
}

static void lay_over(msw_pointer *p, size_t workload)
{
    for (size_t i = p->first[workload]; i < p->first[workload + 1]; i++)
        msw_schema_set(&p->plan->schema, p->overlays[i].index, p->block, p->overlays[i].value);
}

int msw_pointer_look(msw_pointer *p, const double *coords, size_t workload, msw_point *point,
                     msw_err *err)
{
    int belongs =
        msw_cursor_accepts(p->cursor, p->plan->design.kind->coords, coords, p->block, err);
    if (belongs <= 0)
        return 0;
    lay_over(p, workload);
    *point = (msw_point){.workload = workload, .block = p->block};
    return 1;
}

int msw_pointer_at(msw_pointer *pointer, uint64_t index, bool with_key, msw_point *point,
                   msw_err *err)
{
    const msw_plan *plan = pointer->plan;
    if (index >= plan->points)
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "no point %llu in a plan of %llu",
                             (unsigned long long)index, (unsigned long long)plan->points);
    uint64_t designed = index / plan->replicates;
    point->index = index;
    point->replicate = index % plan->replicates;
    point->workload = designed / plan->design.state.count;
    point->design = designed % plan->design.state.count;
    point->block = pointer->block;
    if (pointer->stream_of[0] != point->workload + 1 || pointer->stream_of[1] != point->replicate) {
        pointer->stream = stream_of(plan, point->workload, point->replicate);
        pointer->stream_of[0] = point->workload + 1;
        pointer->stream_of[1] = point->replicate;
    }
    point->stream = pointer->stream;
    if (with_key && plan->design.kind->searches &&
        point->design >= msw_slots_of(&plan->design.state)->count)
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "point %llu is not chosen yet",
                             (unsigned long long)index);
    msw_design_point(plan->design.kind, &plan->design.input, &plan->design.state, point->design,
                     pointer->coords);
    if (msw_cursor_config(pointer->cursor, plan->design.kind->coords, pointer->coords,
                          pointer->block, err))
        return -1;
    lay_over(pointer, point->workload);
    if (with_key)
        point->key = msw_point_key(plan, point->workload, point->replicate, pointer->block);
    return 0;
}

const double *msw_pointer_coords(const msw_pointer *pointer)
{
    return pointer->coords;
}

void msw_point_task(const msw_plan *plan, const msw_point *point, msw_task *task)
{
    const size_t *parts = plan->schema.part_offsets;
    const char *block = point->block;
    size_t frontend = plan->workload_frontend[point->workload];
    *task = (msw_task){.mech = plan->mech,
                       .config = block + parts[0],
                       .workload = &plan->workloads[point->workload],
                       .workload_config = block + parts[frontend + 1],
                       .fidelity = plan->fidelity,
                       .sampling = plan->sampling,
                       .stream = point->stream,
                       .seed = plan->seed,
                       .replicate = point->replicate,
                       .corpus_workloads = plan->corpus.workloads,
                       .corpus_count = plan->corpus.count,
                       .corpus_digest = plan->corpus.digest,
                       .event_budget = plan->event_budget};
}

static void add_word(key_words *w, uint64_t word)
{
    w->list[w->count++] = word;
}

static void add_real(key_words *w, double value)
{
    memcpy(&w->list[w->count++], &value, sizeof value);
}

static void add_digest(key_words *w, msw_digest digest)
{
    add_word(w, digest.hi);
    add_word(w, digest.lo);
}

/* The parameters of one part, with their number, so that two parts cannot run together. */
static void add_part(key_words *w, const msw_schema *schema, size_t part, const void *block)
{
    size_t count =
        msw_schema_canonical(schema, schema->part_first[part], schema->part_first[part + 1], block,
                             w->list + w->count + 1);
    w->list[w->count] = count;
    w->count += count + 1;
}

static void add_sampling(key_words *w, const msw_sampling *sampling)
{
    add_real(w, sampling->confidence);
    add_real(w, sampling->target);
    add_word(w, (uint64_t)sampling->pilot);
    if (!sampling->seed && !sampling->metrics[0] && !sampling->metrics[1])
        return;
    add_word(w, sampling->seed);
    add_word(w, sampling->metrics[0]);
    add_word(w, sampling->metrics[1]);
}

msw_digest msw_point_key(const msw_plan *plan, size_t workload, uint64_t replicate,
                         const void *block)
{
    const msw_workload *load = &plan->workloads[workload];
    const void *config = (const char *)block + plan->schema.part_offsets[0];
    bool sampled = plan->fidelity == MSW_SAMPLED;
    key_words w;
    w.count = 0;
    add_digest(&w, plan->model);
    add_part(&w, &plan->schema, 0, block);
    add_digest(&w, load->digest);
    add_word(&w, (uint64_t)load->frontend->version);
    add_part(&w, &plan->schema, plan->workload_frontend[workload] + 1, block);
    add_word(&w, (uint64_t)plan->fidelity);
    bool random = plan->mech->random || load->frontend->random || sampled;
    add_word(&w, random ? plan->seed : 0);
    add_word(&w, random ? replicate : 0);
    if (sampled)
        add_sampling(&w, &plan->sampling);
    if (plan->mech->budgeted && plan->fidelity != MSW_ANALYTIC)
        add_word(&w, plan->event_budget);
    if (plan->mech->revision && plan->mech->revision(config, plan->fidelity))
        add_word(&w, plan->mech->revision(config, plan->fidelity));
    if (plan->corpus.count && msw_mech_reads_corpus(plan->mech, plan->fidelity, config))
        add_digest(&w, plan->corpus.digest);
    return msw_hash_bytes(w.list, w.count * sizeof *w.list);
}

/* A factor that only one front end's workloads see does not vary the others. */
static bool is_shared(const msw_plan *plan, const msw_factor *factor)
{
    for (size_t t = 0; t < factor->target_count; t++)
        if (plan->frontend_count > 1 && factor->targets[t] >= plan->schema.part_first[1])
            return false;
    return true;
}

static bool factors_tell_apart(const msw_plan *plan)
{
    for (size_t f = 0; f < plan->space.factor_count; f++) {
        const msw_factor *factor = &plan->space.factors[f];
        if (!is_shared(plan, factor))
            return false;
        /* Off its levels, an inactive factor gives one config for many coordinates. */
        if (factor->when && plan->design.kind->coords != MSW_COORDS_LEVEL)
            return false;
    }
    return true;
}

static int key_at(msw_pointer *pointer, uint64_t index, msw_digest *key)
{
    msw_point point;
    msw_err err;
    if (msw_pointer_at(pointer, index, true, &point, &err))
        return -1;
    *key = point.key;
    return 0;
}

/* Workloads and replicates differ for all points or for none: the first point of each decides. */
static bool outer_keys_differ(msw_pointer *pointer, const msw_plan *plan)
{
    uint64_t per_workload = plan->design.state.count * plan->replicates;
    for (size_t a = 0; a < plan->workload_count; a++)
        for (size_t b = 0; b < a; b++) {
            msw_digest x, y;
            if (key_at(pointer, a * per_workload, &x) || key_at(pointer, b * per_workload, &y) ||
                msw_digest_equal(x, y))
                return false;
        }
    msw_digest first, second;
    for (size_t w = 0; plan->replicates > 1 && w < plan->workload_count; w++)
        if (key_at(pointer, w * per_workload, &first) ||
            key_at(pointer, w * per_workload + 1, &second) || msw_digest_equal(first, second))
            return false;
    return true;
}

void msw_step_distinct(msw_loader *l)
{
    msw_plan *plan = l->plan;
    if (l->diagnostics.count)
        return;
    msw_pointer *pointer = NULL;
    msw_err err = {0};
    if (msw_pointer_new(plan, &pointer, &err))
        msw_loader_fail(l, &err, l->root, "%s", err.text);
    else
        plan->distinct = plan->design.kind->distinct && factors_tell_apart(plan) &&
                         outer_keys_differ(pointer, plan);
    msw_pointer_free(pointer);
}
