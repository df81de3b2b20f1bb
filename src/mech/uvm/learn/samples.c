/* SPDX-License-Identifier: MIT */
/* Cuts a trace into samples and makes the rows of a trace from walks. */
#include "mech/uvm/learn/samples.h"

#include "mech/uvm/pages/predict.h"
#include "mech/uvm/stream/records.h"

#include "memsweep/base/hash.h"
#include "memsweep/base/map.h"
#include "memsweep/base/rng.h"

#include <string.h>

enum { PCS = 64 }; /* of a kernel */

int uvm_rows_add(uvm_rows *rows, uvm_trace_row row, msw_arena *arena)
{
    void *list = rows->list;
    if (uvm_grow(&list, rows->count, &rows->room, 1, sizeof *rows->list, arena))
        return -1;
    rows->list = list;
    row.first = !rows->met[row.page];
    rows->met[row.page] = 1;
    rows->list[rows->count++] = row;
    return 0;
}

uvm_trace_row uvm_trace_row_of(const uvm_layout *layout, const uvm_event *e)
{
    return (uvm_trace_row){.page = (uint32_t)e->page,
                           .cta = (uint32_t)e->cta,
                           .at = e->at,
                           .chunk = layout->chunk_of[e->page],
                           .launch = e->launch,
                           .pc = (uint16_t)(e->kernel * PCS + e->pc % PCS),
                           .sm = (uint8_t)e->sm,
                           .warp = (uint8_t)e->warp,
                           .hit = e->hit};
}

unsigned uvm_features_of(const uvm_learner *p)
{
    switch (p->features) {
    case UVM_F_ALL:
        return (1u << UVM_FEATURES) - 1;
    case UVM_F_DELTA_PC:
        return 1u << UVM_F_DELTA | 1u << UVM_F_PC;
    case UVM_F_DELTA_PC_PAGE:
        return 1u << UVM_F_DELTA | 1u << UVM_F_PC | 1u << UVM_F_PAGE;
    default:
        return 1u << p->features;
    }
}

/* ---- clusters ---- */

uint64_t uvm_cluster_key(const uvm_trace_row *row, int64_t cluster)
{
    switch (cluster) {
    case UVM_CLUSTER_SM:
        return row->sm;
    case UVM_CLUSTER_SM_WARP:
        return (uint64_t)row->sm << 8 | row->warp;
    case UVM_CLUSTER_PC:
        return row->pc;
    case UVM_CLUSTER_KERNEL:
        return row->launch;
    case UVM_CLUSTER_CTA:
        return row->cta;
    default:
        return row->warp;
    }
}

/* The last row of each cluster. */
typedef struct tails {
    msw_set clusters;
    uint32_t *rows; /* by their slots */
} tails;

static uint32_t *tail_of(tails *t, uint64_t key)
{
    size_t at = msw_set_slot(&t->clusters, key);
    t->clusters.slots[at] = key + 1;
    return &t->rows[at];
}

static void link_rows(uvm_samples *s, tails *t)
{
    for (size_t i = 0; i < s->trace->count; i++) {
        const uvm_trace_row *row = &s->trace->rows[i];
        uint32_t *tail =
            tail_of(t, (uint64_t)row->program << 40 | uvm_cluster_key(row, s->how->cluster));
        s->before[i] = *tail;
        s->after[i] = 0;
        if (*tail && s->how->repeats == UVM_REPEATS_DROPPED &&
            s->trace->rows[*tail - 1].page == row->page) {
            s->after[i] = UINT32_MAX;
            continue;
        }
        if (*tail)
            s->after[*tail - 1] = (uint32_t)i + 1;
        *tail = (uint32_t)i + 1;
    }
}

static uint32_t row_ahead(const uvm_samples *s, size_t row, int64_t distance)
{
    uint32_t at = (uint32_t)row + 1;
    while (distance-- > 0 && at)
        at = s->after[at - 1];
    return at;
}

/* ---- who is learned from, who is asked ---- */

/* The thousands of instructions at which learning ends. */
static uint32_t last_learned(const uvm_samples *s)
{
    const uvm_learner *p = s->how;
    uint64_t wanted = (uint64_t)p->train_instructions >> 10;
    if (p->protocol == UVM_P2)
        return (uint32_t)(2 * wanted < s->trace->end ? wanted : s->trace->end / 2);
    return s->trace->end;
}

static bool is_learned(const uvm_samples *s, size_t sample, uint32_t end)
{
    const uvm_learner *p = s->how;
    size_t share = (size_t)(p->train_share * (double)s->count);
    if (p->protocol == UVM_P1_PRINTED)
        return msw_permute(sample, s->count, s->seed) < share;
    if (p->protocol == UVM_P1_HONEST)
        return sample < share;
    return p->protocol == UVM_P3 || s->trace->rows[s->rows[sample]].at < end;
}

static bool is_asked(const uvm_samples *s, size_t sample, bool learned, uint32_t end)
{
    const uvm_learner *p = s->how;
    if (p->protocol == UVM_P2)
        return !learned && s->trace->rows[s->rows[sample]].at < 2 * (uint64_t)end;
    return !learned || p->protocol == UVM_P1_PRINTED || p->protocol == UVM_P3;
}

static void part(uvm_samples *s)
{
    uint32_t end = last_learned(s);
    size_t most = (size_t)s->how->tested, kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        bool learned = is_learned(s, i, end);
        if (learned)
            s->learned[s->learned_count++] = (uint32_t)i;
        if (is_asked(s, i, learned, end))
            s->asked[s->asked_count++] = (uint32_t)i;
    }
    if (s->asked_count <= most)
        return;
    for (; kept < most; kept++) /* evenly */
        s->asked[kept] = s->asked[kept * s->asked_count / most];
    s->asked_count = most;
}

static int take_memory(uvm_samples *s, tails *t, msw_arena *arena)
{
    size_t rows = s->trace->count + 1, room = msw_set_slots(rows);
    uint32_t **vectors[] = {&s->before, &s->after, &s->rows, &s->labels, &s->learned, &s->asked};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (!(*vectors[i] = msw_arena_take(arena, rows * sizeof **vectors[i])))
            return -1;
    uint64_t *slots = msw_arena_take(arena, room * sizeof *slots);
    t->rows = msw_arena_zero(arena, room, sizeof *t->rows);
    if (!slots || !t->rows)
        return -1;
    msw_set_init(&t->clusters, slots, rows);
    return 0;
}

uvm_samples *uvm_samples_of(const uvm_learner *how, const uvm_trace *trace, uint64_t seed,
                            msw_arena *arena, msw_err *err)
{
    uvm_samples *s = msw_arena_zero(arena, 1, sizeof *s);
    tails t;
    if (s)
        *s = (uvm_samples){
            .how = how, .features = uvm_features_of(how), .trace = trace, .seed = seed};
    if (!s || take_memory(s, &t, arena)) {
        msw_fail_memory(err);
        return NULL;
    }
    link_rows(s, &t);
    for (size_t i = 0; i < trace->count; i++)
        if (s->after[i] != UINT32_MAX && s->before[i] && row_ahead(s, i, how->distance))
            s->rows[s->count++] = (uint32_t)i;
    part(s);
    return s;
}

/* ---- features ---- */

int64_t uvm_sample_delta(const uvm_samples *s, size_t sample)
{
    const uvm_trace_row *rows = s->trace->rows;
    uint32_t ahead = row_ahead(s, s->rows[sample], s->how->distance);
    return (int64_t)rows[ahead - 1].page - (int64_t)rows[s->rows[sample]].page;
}

enum { BLOCK_PAGES = 16, ROOT_PAGES = 512 };

static int64_t difference(const uvm_samples *s, size_t row, int64_t unit)
{
    const uvm_trace_row *rows = s->trace->rows;
    return (int64_t)rows[row].page / unit - (int64_t)rows[s->before[row] - 1].page / unit;
}

int64_t uvm_feature(const uvm_samples *s, size_t row, int feature)
{
    const uvm_trace_row *r = &s->trace->rows[row];
    switch (feature) {
    case UVM_F_DELTA:
        return difference(s, row, 1);
    case UVM_F_DELTA_BLOCK:
        return difference(s, row, BLOCK_PAGES);
    case UVM_F_DELTA_ROOT:
        return difference(s, row, ROOT_PAGES);
    case UVM_F_PC:
        return r->pc;
    case UVM_F_HIT:
        return r->hit;
    case UVM_F_WARP:
        return r->warp;
    case UVM_F_SM:
        return r->sm;
    case UVM_F_TPC:
        return r->sm / 2;
    case UVM_F_CTA:
        return r->cta;
    case UVM_F_BLOCK:
        return r->page / BLOCK_PAGES;
    case UVM_F_ROOT:
        return r->page / ROOT_PAGES;
    case UVM_F_ARRAY:
        return r->chunk;
    default:
        return r->page;
    }
}

/* The rows that learning sees: those of its samples. */
static size_t gather(const uvm_samples *s, int feature, int64_t *values)
{
    for (size_t i = 0; i < s->learned_count; i++)
        values[i] = feature < 0 ? uvm_sample_delta(s, s->learned[i])
                                : uvm_feature(s, s->rows[s->learned[i]], feature);
    return s->learned_count;
}

/* Whether values are added later, for which half of the labels are left free. */
static bool words_come(const uvm_learner *p)
{
    return uvm_is_tuned(p) && p->tune_words == UVM_WORDS_ADDED;
}

int uvm_vocabularies_of(const uvm_samples *s, msw_arena *arena, uvm_vocabularies *vocabulary,
                        size_t *dominant, msw_err *err)
{
    int64_t *values = msw_arena_take(arena, (s->learned_count + 1) * sizeof *values);
    size_t most = (size_t)s->how->classes - 1, ignored;
    *vocabulary = (uvm_vocabularies){0};
    if (!values)
        return msw_fail_memory(err);
    most = words_come(s->how) ? most / 2 : most;
    for (int f = 0; f < UVM_FEATURES; f++)
        if (s->features >> f & 1 &&
            uvm_vocabulary_make(values, gather(s, f, values), UVM_MOST_CLASSES, arena,
                                &vocabulary->of[f], &ignored))
            return msw_fail_memory(err);
    if (uvm_vocabulary_make(values, gather(s, -1, values), most, arena, &vocabulary->labels,
                            dominant))
        return msw_fail_memory(err);
    return 0;
}

size_t uvm_vocabulary_room(const uvm_learner *p, const uvm_vocabulary *vocabulary)
{
    return words_come(p) && vocabulary->count < (size_t)p->classes - 1 ? (size_t)p->classes - 1
                                                                       : vocabulary->count;
}

int uvm_vocabularies_grow(const uvm_samples *s, const uvm_vocabularies *old, msw_arena *arena,
                          uvm_vocabularies *vocabulary, msw_err *err)
{
    int64_t *values = msw_arena_take(arena, (s->learned_count + 1) * sizeof *values);
    *vocabulary = *old;
    if (!values)
        return msw_fail_memory(err);
    for (int f = -1; f < UVM_FEATURES; f++) {
        const uvm_vocabulary *from = f < 0 ? &old->labels : &old->of[f];
        uvm_vocabulary *to = f < 0 ? &vocabulary->labels : &vocabulary->of[f];
        if (f >= 0 && !(s->features >> f & 1))
            continue;
        if (uvm_vocabulary_add(from, values, gather(s, f, values),
                               uvm_vocabulary_room(s->how, from), arena, to))
            return msw_fail_memory(err);
    }
    return 0;
}

void uvm_samples_between(uvm_samples *s, uint32_t first, uint32_t end)
{
    const uvm_trace_row *rows = s->trace->rows;
    s->learned_count = 0;
    for (size_t i = 0; i < s->count; i++) {
        uint32_t ahead = row_ahead(s, s->rows[i], s->how->distance);
        if (rows[s->rows[i]].at >= first && ahead && rows[ahead - 1].at < end)
            s->learned[s->learned_count++] = (uint32_t)i;
    }
}

int uvm_samples_express(uvm_samples *s, const uvm_vocabularies *vocabulary, msw_arena *arena,
                        msw_err *err)
{
    s->feature_count = msw_bits_count(s->features);
    s->values = msw_arena_zero(arena, (s->trace->count + 1) * s->feature_count, sizeof *s->values);
    if (!s->values)
        return msw_fail_memory(err);
    for (size_t i = 0; i < s->trace->count; i++) {
        uint32_t *value = s->values + i * s->feature_count;
        if (s->after[i] == UINT32_MAX || !s->before[i])
            continue;
        for (int f = 0; f < UVM_FEATURES; f++)
            if (s->features >> f & 1)
                *value++ = uvm_vocabulary_number(&vocabulary->of[f], uvm_feature(s, i, f));
    }
    for (size_t i = 0; i < s->count; i++)
        s->labels[i] = row_ahead(s, s->rows[i], s->how->distance)
                           ? uvm_vocabulary_number(&vocabulary->labels, uvm_sample_delta(s, i))
                           : 0;
    return 0;
}

uint32_t uvm_sample_fetch(const void *samples, uint64_t sample, uint32_t *tokens)
{
    const uvm_samples *s = samples;
    size_t size = s->feature_count;
    uint32_t row = s->rows[sample] + 1;
    memset(tokens, 0, UVM_TOKENS * size * sizeof *tokens);
    for (uint64_t t = UVM_TOKENS; t-- > 0 && row; row = s->before[row - 1]) {
        uint64_t at =
            s->how->shuffle == UVM_SHUFFLED ? msw_permute(t, UVM_TOKENS, s->seed + 1 + sample) : t;
        memcpy(tokens + at * size, s->values + (row - 1) * size, size * sizeof *tokens);
    }
    return s->labels[sample];
}
