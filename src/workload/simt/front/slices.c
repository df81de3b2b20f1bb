/* SPDX-License-Identifier: MIT */
/* The slice of a program: what its kernels must compute so that every access of every launch has
 * its address and every branch its predicate.
 *
 * A load is wanted when an address or a predicate of its kernel depends on it. An array is wanted
 * until the last launch with a wanted load that may read it. A store is wanted when it may write an
 * array that is wanted in its first launch or later; what it stores is then wanted in turn, in its
 * own kernel, which may want more loads: to the fixed point.
 *
 * Where an access may go follows from the arguments of the launches (reach.h): an argument of 8
 * bytes that lies in an array, or just behind its end, means that array. */
#include "workload/simt/front/parts.h"

#include "workload/simt/reach.h"

#include "memsweep/base/search.h"
#include "memsweep/workload/simt/flow.h"

#include <string.h>

/* Numbers from here on that lie in no array may be pointers that lead out of one. */
#define LEAST_POINTER (MSW_SIMT_BASE_ADDRESS / 2)

enum { TARGETS_MOST = 16 }; /* arrays of one source before it means all of them */

/* An array that a source means in launches from stage `first` to stage `last`. */
typedef struct target {
    uint32_t array, first, last;
} target;

typedef struct targets {
    target list[TARGETS_MOST];
    uint32_t count;
    bool all;
} targets;

typedef struct user {
    const msw_simt_kernel *kernel;
    uint32_t first, last; /* stages */
    simt_reach reach;
    targets *sources;
    const uint8_t *needed;
    uint8_t *stores;
    bool *building; /* [source]: wanted stores go there */
    bool builds_anywhere;
} user;

typedef struct slicing {
    const msw_simt_product *product;
    msw_simt_array *arrays;
    msw_simt_stage *stages;
    user *users;
    uint32_t count;
    uint32_t *wanted; /* [array]: one more than the last stage that wants it; 0: none */
    msw_arena *arena; /* of what stays */
    msw_err *err;
} slicing;

static user *find_user(const slicing *s, const msw_simt_kernel *kernel)
{
    uint32_t k = 0;
    while (k < s->count && s->users[k].kernel != kernel)
        k++;
    return &s->users[k];
}

static int list_users(slicing *s, msw_arena *scratch)
{
    s->users = msw_arena_zero(scratch, s->product->program->kernel_count + 1, sizeof *s->users);
    s->wanted = msw_arena_zero(scratch, s->product->array_count + 1, sizeof *s->wanted);
    if (!s->users || !s->wanted)
        return msw_fail_memory(s->err);
    for (size_t i = 0; i < s->product->stage_count; i++) {
        if (s->stages[i].kind != MSW_SIMT_STAGE_LAUNCH || s->stages[i].kernel->fault)
            continue;
        user *u = find_user(s, s->stages[i].kernel);
        if (!u->kernel) {
            *u = (user){.kernel = s->stages[i].kernel, .first = (uint32_t)i};
            s->count++;
        }
        u->last = (uint32_t)i;
    }
    return 0;
}

static void add_target(targets *t, uint32_t array, uint32_t stage)
{
    uint32_t i = 0;
    while (i < t->count && t->list[i].array != array)
        i++;
    if (i == TARGETS_MOST) {
        t->all = true;
        return;
    }
    if (i == t->count)
        t->list[t->count++] = (target){array, stage, stage};
    t->list[i].last = stage;
}

/* The arrays that a number means: at most two, where one ends and the next one begins. Returns how
 * many, or -1: all. */
static int arrays_at(const slicing *s, uint64_t value, uint32_t found[2])
{
    size_t after;
    int count = 0;
    MSW_SEARCH(after, 0, s->product->array_count, s->arrays[after].address <= value);
    for (size_t i = after; i-- > 0 && i + 2 >= after;)
        if (value - s->arrays[i].address <= s->arrays[i].bytes)
            found[count++] = (uint32_t)i;
    return count || value < LEAST_POINTER || value >= MSW_SIMT_END_ADDRESS ? count : -1;
}

static uint64_t value_of(const slicing *s, const msw_simt_stage *stage, const simt_source *source)
{
    uint64_t value = 0, size = stage->kernel->param_bytes;
    if (source->is_variable)
        return s->product->variable_addresses[source->at];
    if (source->at < size)
        memcpy(&value, stage->params + source->at, size - source->at < 8 ? size - source->at : 8);
    return value;
}

static void aim(const slicing *s, user *u, uint32_t stage)
{
    for (uint32_t k = 0; k < u->reach.count; k++) {
        uint32_t found[2];
        int count = arrays_at(s, value_of(s, &s->stages[stage], &u->reach.sources[k]), found);
        u->sources[k].all = u->sources[k].all || count < 0;
        for (int i = 0; i < count; i++)
            add_target(&u->sources[k], found[i], stage);
    }
}

static int find_targets(slicing *s, msw_arena *scratch)
{
    for (uint32_t k = 0; k < s->count; k++) {
        user *u = &s->users[k];
        MSW_TRY(simt_reach_find(u->kernel, &u->reach, scratch, s->err));
        u->sources = msw_arena_zero(scratch, u->reach.count + 1u, sizeof *u->sources);
        u->stores = msw_arena_zero(scratch, u->kernel->insn_count + 1u, 1);
        u->building = msw_arena_zero(scratch, u->reach.count + 1u, sizeof *u->building);
        if (!u->sources || !u->stores || !u->building)
            return msw_fail_memory(s->err);
    }
    for (size_t i = 0; i < s->product->stage_count; i++)
        if (s->stages[i].kind == MSW_SIMT_STAGE_LAUNCH && !s->stages[i].kernel->fault)
            aim(s, find_user(s, s->stages[i].kernel), (uint32_t)i);
    return 0;
}

static bool is_global(const msw_simt_insn *insn)
{
    return insn->space == MSW_SIMT_GLOBAL || insn->space == MSW_SIMT_GENERIC;
}

/* Where an access may go, one array after the other: `*at` starts at 0. Returns false at the end.
 */
static bool next_target(const slicing *s, const user *u, uint32_t insn, uint64_t *at, target *out)
{
    bool any = simt_reach_has(&u->reach, insn, SIMT_REACH_ANYWHERE), found = any;
    for (uint32_t k = 0; k < u->reach.count; k++) {
        if (!simt_reach_has(&u->reach, insn, SIMT_REACH_SOURCES + k))
            continue;
        any = any || u->sources[k].all;
        found = found || u->sources[k].count;
    }
    if (any || !found) {
        *out = (target){(uint32_t)*at, u->first, u->last};
        return (*at)++ < s->product->array_count;
    }
    uint64_t skip = (*at)++;
    for (uint32_t k = 0; k < u->reach.count; k++) {
        if (!simt_reach_has(&u->reach, insn, SIMT_REACH_SOURCES + k))
            continue;
        if (skip < u->sources[k].count) {
            *out = u->sources[k].list[skip];
            return true;
        }
        skip -= u->sources[k].count;
    }
    return false;
}

/* Stores that have become wanted. */
static bool mark_stores(const slicing *s, user *u)
{
    bool changed = false;
    for (uint32_t i = 0; i < u->kernel->insn_count; i++) {
        const msw_simt_insn *insn = &u->kernel->insns[i];
        target to;
        if (!insn->is_store || !is_global(insn) || u->stores[i])
            continue;
        for (uint64_t at = 0; !u->stores[i] && next_target(s, u, i, &at, &to);)
            u->stores[i] = s->wanted[to.array] > to.first;
        changed = changed || u->stores[i];
    }
    return changed;
}

/* Arrays that the slice of a kernel reads. */
static bool mark_arrays(const slicing *s, const user *u)
{
    bool changed = false;
    for (uint32_t i = 0; i < u->kernel->insn_count; i++) {
        const msw_simt_insn *insn = &u->kernel->insns[i];
        target from;
        if (!u->needed[i] || !is_global(insn) || (insn->is_store && !insn->is_atomic))
            continue;
        for (uint64_t at = 0; next_target(s, u, i, &at, &from);)
            if (s->wanted[from.array] < from.last + 1) {
                s->wanted[from.array] = from.last + 1;
                changed = true;
            }
    }
    return changed;
}

static int find_slices(slicing *s)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 0; k < s->count; k++) {
            user *u = &s->users[k];
            if (!mark_stores(s, u) && u->needed)
                continue;
            u->needed = msw_simt_slice_of(u->kernel, u->stores, s->arena, s->err);
            if (!u->needed)
                return -1;
            changed = mark_arrays(s, u) || changed;
        }
    }
    return 0;
}

/* ---- what follows from it ---- */

/* Arrays that nobody wants and whose values are therefore not there. */
static void mark_dropped(const slicing *s, const user *u)
{
    for (uint32_t i = 0; i < u->kernel->insn_count; i++) {
        const msw_simt_insn *insn = &u->kernel->insns[i];
        target to;
        if (!insn->is_store || !is_global(insn) || u->needed[i])
            continue;
        for (uint64_t at = 0; next_target(s, u, i, &at, &to);)
            s->arrays[to.array].dropped = !s->wanted[to.array];
    }
}

/* Sources by which a kernel stores what is wanted. */
static void mark_building(user *u)
{
    for (uint32_t i = 0; i < u->kernel->insn_count; i++) {
        if (!u->stores[i])
            continue;
        bool found = false;
        for (uint32_t k = 0; k < u->reach.count; k++)
            if (simt_reach_has(&u->reach, i, SIMT_REACH_SOURCES + k)) {
                u->building[k] = true;
                found = found || u->sources[k].count;
            }
        u->builds_anywhere =
            u->builds_anywhere || !found || simt_reach_has(&u->reach, i, SIMT_REACH_ANYWHERE);
    }
}

static bool any_later(const slicing *s, uint32_t stage)
{
    for (size_t a = 0; a < s->product->array_count; a++)
        if (s->wanted[a] > stage + 1)
            return true;
    return false;
}

/* Does the launch store what a later one wants? */
static bool builds(const slicing *s, const user *u, uint32_t stage)
{
    bool all = u->builds_anywhere;
    for (uint32_t k = 0; k < u->reach.count && !all; k++) {
        uint32_t found[2];
        if (!u->building[k])
            continue;
        int count = arrays_at(s, value_of(s, &s->stages[stage], &u->reach.sources[k]), found);
        all = count < 0;
        for (int i = 0; i < count; i++)
            if (s->wanted[found[i]] > stage + 1)
                return true;
    }
    return all && any_later(s, stage);
}

int msw_simt_slice_program(msw_simt_product *product, msw_simt_array *arrays,
                           msw_simt_stage *stages, msw_arena *arena, msw_err *err)
{
    msw_arena scratch = {0};
    slicing s = {
        .product = product, .arrays = arrays, .stages = stages, .arena = arena, .err = err};
    int rc = -1;
    if (list_users(&s, &scratch) || find_targets(&s, &scratch) || find_slices(&s))
        goto done;
    for (uint32_t k = 0; k < s.count; k++) {
        mark_dropped(&s, &s.users[k]);
        mark_building(&s.users[k]);
    }
    for (size_t i = 0; i < product->stage_count; i++) {
        if (stages[i].kind != MSW_SIMT_STAGE_LAUNCH || stages[i].kernel->fault)
            continue;
        const user *u = find_user(&s, stages[i].kernel);
        stages[i].needed = u->needed;
        stages[i].builds = builds(&s, u, (uint32_t)i);
    }
    rc = 0;
done:
    msw_arena_free(&scratch);
    return rc;
}
