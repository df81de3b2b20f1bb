/* SPDX-License-Identifier: MIT */
/* Groups launches: first those that are equal, then, where there are many that differ in arguments
 * alone, neighbours among these; and whether the flow of a program depends on what it computes. */
#include "mech/mpu/count/count.h"
#include "memsweep/base/bits.h"
#include "memsweep/base/hash.h"
#include "memsweep/base/map.h"
#include "memsweep/base/search.h"
#include "memsweep/workload/simt/flow.h"

#include <string.h>

int mpu_steer_start(mpu_steer *steer, const msw_simt_kernel *kernel, msw_arena *arena, msw_err *err)
{
    *steer = (mpu_steer){.kernel = kernel};
    steer->slice = msw_simt_slice_of(kernel, NULL, arena, err);
    return steer->slice ? 0 : -1;
}

static uint64_t bit_of(const msw_simt_product *product, uint64_t address)
{
    size_t after;
    MSW_SEARCH(after, 0, product->array_count, product->arrays[after].address <= address);
    return after ? UINT64_C(1) << (after - 1) % MPU_STEER_ARRAYS : 0;
}

void mpu_steer_see(mpu_steer *steer, const msw_simt_product *product, const msw_simt_step *step)
{
    uint32_t number = step->first + step->count - 1;
    const msw_simt_insn *insn = &steer->kernel->insns[number];
    bool reads = insn->def_count && steer->slice[number];
    if (step->space != MSW_SIMT_GLOBAL || (!reads && !insn->is_store))
        return;
    for (uint32_t i = 0; i < step->line_count; i++) {
        uint64_t bit = bit_of(product, step->lines[i].address);
        steer->read |= reads ? bit : 0;
        steer->written |= insn->is_store ? bit : 0;
    }
}

/* A launch that is alone in its group ran on all that others wrote before it. */
static bool is_unseen(const mpu_groups *groups, uint32_t of, uint32_t by)
{
    return of == by || groups->list[by].launches > 1;
}

mpu_steered mpu_steer_find(const msw_simt_product *product, const mpu_groups *groups,
                           const mpu_steer *steers)
{
    for (uint32_t by = 0; by < groups->count; by++)
        for (uint32_t of = 0; of < groups->count; of++) {
            uint64_t both = steers[by].read & steers[of].written;
            if (both && is_unseen(groups, of, by))
                return (mpu_steered){steers[by].kernel, steers[of].kernel,
                                     &product->arrays[msw_bits_lowest(both)]};
        }
    return (mpu_steered){0};
}

/* A launch without its arguments, then with them. */
typedef struct shape {
    const msw_simt_kernel *kernel;
    uint32_t grid[3], block[3], shared, zero;
} shape;

typedef struct alike {
    mpu_group group;
    uint32_t shape;
    uint32_t in_shape; /* which of its shape's groups */
} alike;

typedef struct grouping {
    alike *all;
    uint32_t *of_shape; /* [shape] groups */
    uint32_t *of_stage; /* [stage] its group, then what speaks for it */
    uint32_t count, shape_count;
    msw_map shapes, groups; /* by digest */
} grouping;

static uint64_t shape_key(const msw_simt_stage *stage)
{
    shape s = {.kernel = stage->kernel, .shared = stage->dynamic_shared_bytes};
    memcpy(s.grid, stage->grid, sizeof s.grid);
    memcpy(s.block, stage->block, sizeof s.block);
    return msw_hash_bytes(&s, sizeof s).lo;
}

static uint64_t group_key(uint64_t of_shape, const msw_simt_stage *stage)
{
    msw_digest args = msw_hash_bytes(stage->params, stage->kernel->param_bytes);
    return msw_hash_pair((msw_digest){0, of_shape}, args).lo;
}

static int add_launch(grouping *g, const msw_simt_stage *stage, uint32_t number, msw_err *err)
{
    uint64_t key = shape_key(stage), *of_shape, *group;
    if (msw_map_add(&g->shapes, key, &of_shape, err))
        return -1;
    if (!*of_shape)
        *of_shape = ++g->shape_count;
    uint32_t own = (uint32_t)*of_shape - 1;
    if (msw_map_add(&g->groups, group_key(key, stage), &group, err))
        return -1;
    if (!*group) {
        *group = ++g->count;
        g->all[*group - 1] =
            (alike){.group = {.stage = number}, .shape = own, .in_shape = g->of_shape[own]++};
    }
    g->all[*group - 1].group.launches++;
    g->of_stage[number] = (uint32_t)*group - 1;
    return 0;
}

/* Finds the run of its shape's groups that a group is in. Returns whether it stands for the run. */
static bool speaks(const grouping *g, const alike *one, uint32_t most, uint32_t *run)
{
    uint32_t every = most ? (uint32_t)msw_div_up(g->of_shape[one->shape], most) : 1;
    uint32_t first = one->in_shape / every * every;
    uint32_t end = (uint32_t)msw_min_u64(first + every, g->of_shape[one->shape]);
    *run = one->in_shape / every;
    return one->in_shape == first + (end - first - 1) / 2;
}

static uint64_t run_key(const grouping *g, const alike *one, uint32_t most, bool *stands)
{
    uint32_t run;
    *stands = speaks(g, one, most, &run);
    return (uint64_t)one->shape << 32 | run;
}

/* Gives the launches of groups that are left out to the one that speaks for them. */
static int merge_runs(const grouping *g, const msw_simt_product *p, uint32_t most, mpu_group *list,
                      mpu_groups *out, msw_err *err)
{
    msw_map sums = {0};
    uint64_t *launches;
    bool stands;
    int rc = 0;
    for (uint32_t i = 0; i < g->count && !rc; i++) {
        rc = msw_map_add(&sums, run_key(g, &g->all[i], most, &stands), &launches, err);
        if (!rc)
            *launches += (uint64_t)g->all[i].group.launches;
    }
    for (uint32_t i = 0; i < g->count && !rc; i++) {
        launches = msw_map_find(&sums, run_key(g, &g->all[i], most, &stands));
        if (!stands)
            continue;
        list[out->count] = (mpu_group){g->all[i].group.stage, (double)*launches};
        *launches = out->count++; /* from here on its number */
    }
    for (uint32_t s = 0; s < p->stage_count && !rc; s++)
        if (p->stages[s].kind == MSW_SIMT_STAGE_LAUNCH)
            g->of_stage[s] =
                (uint32_t) *
                (uint64_t *)msw_map_find(&sums, run_key(g, &g->all[g->of_stage[s]], most, &stands));
    out->merged = out->count < g->count;
    out->of_stage = g->of_stage;
    msw_map_free(&sums);
    return rc;
}

int mpu_groups_of(const msw_simt_product *p, uint32_t most, msw_arena *arena, mpu_groups *out,
                  msw_err *err)
{
    grouping g = {0};
    mpu_group *list = msw_arena_zero(arena, p->launch_count + 1, sizeof *list);
    int rc = 0;
    g.all = msw_arena_zero(arena, p->launch_count + 1, sizeof *g.all);
    g.of_shape = msw_arena_zero(arena, p->launch_count + 1, sizeof *g.of_shape);
    g.of_stage = msw_arena_zero(arena, p->stage_count + 1, sizeof *g.of_stage);
    if (!list || !g.all || !g.of_shape || !g.of_stage)
        return msw_fail_memory(err);
    *out = (mpu_groups){.list = list};
    for (uint32_t s = 0; s < p->stage_count && !rc; s++)
        if (p->stages[s].kind == MSW_SIMT_STAGE_LAUNCH)
            rc = add_launch(&g, &p->stages[s], s, err);
    if (!rc)
        rc = merge_runs(&g, p, most, list, out, err);
    msw_map_free(&g.shapes);
    msw_map_free(&g.groups);
    return rc;
}

int mpu_groups_each(const msw_simt_product *p, msw_arena *arena, mpu_groups *out, msw_err *err)
{
    mpu_group *list = msw_arena_zero(arena, p->launch_count + 1, sizeof *list);
    if (!list)
        return msw_fail_memory(err);
    *out = (mpu_groups){.list = list};
    for (uint32_t s = 0; s < p->stage_count; s++)
        if (p->stages[s].kind == MSW_SIMT_STAGE_LAUNCH)
            list[out->count++] = (mpu_group){.stage = s, .launches = 1};
    return 0;
}
