/* SPDX-License-Identifier: MIT */
/* Profiles a workload in classes of launches that are alike (groups.c). One launch of each is run
 * without time: the CTAs of some cores as they would be there, their warps taking turns; counts are
 * those of count.c, open rows those of the order of the turns. */
#include "mech/mpu/closed/profile.h"

#include "mech/mpu/model.h"

#include "memsweep/base/bits.h"
#include "memsweep/workload/simt/past.h"

#include <math.h>
#include <string.h>

enum { OWNERS_ASKED = 4096, BEFORE_ACCESS = 4096 };

/* Counts the most CTAs that a core gets: dealt out in turn, or, with dispatch: owner, counted over
 * some at equal distances. */
static int count_most_ctas(const mpu_config *config, const mpu_map *map, const msw_simt_code *code,
                           msw_arena *arena, double *most, msw_err *err)
{
    uint64_t ctas = msw_simt_cta_count(code);
    uint64_t cores = (uint64_t)mpu_core_count(config), every = msw_div_up(ctas, OWNERS_ASKED);
    *most = (double)msw_div_up(ctas, cores);
    if (config->dispatch != MPU_DISPATCH_OWNER)
        return 0;
    void *block = msw_arena_take(arena, msw_simt_cta_bytes(code));
    uint32_t *counts = msw_arena_zero(arena, cores, sizeof *counts), owner, fullest = 0;
    if (!block || !counts)
        return msw_fail_memory(err);
    for (uint64_t i = 0; i < ctas; i += every) {
        if (mpu_owner_of(map, code, i, BEFORE_ACCESS, block, &owner, err))
            return -1;
        fullest = msw_max_u32(fullest, ++counts[owner]);
    }
    *most = fmax(*most, (double)fullest * (double)every);
    return 0;
}

enum { CORES_RUN = 2, WAVES_RUN = 2, SLOTS_MOST = 64 };

/* CTAs of a core one after the other in its slots: their chains and instructions. */
typedef struct replay_ways {
    mpu_path *ends, *ways;          /* [CTA in the order of starts]; [slot] one after the other */
    double *own, *lengths, *passed; /* [slot] of its CTA; [CTA]; [slot] one after the other */
    double longest;                 /* of the way with the longest chain, for each wave */
} replay_ways;

typedef struct replay {
    const mpu_config *config;
    const mpu_kernel *kernel;
    const msw_simt_code *code;
    const msw_simt_product *product;
    mpu_steer *steer;
    mpu_map map;
    mpu_rows rows;
    uint32_t core, warps, slots;
    mpu_chain *chains; /* [slot * warps + warp] */
    mpu_track *tracks;
    uint8_t *waits;
    mpu_path *barriers; /* [slot] */
    uint32_t *homes;    /* [slot] the core of the CTA */
    bool *homeless;     /* [slot] dispatch: owner, and no access yet */
    mpu_path_weights weights;
    mpu_access access;
    mpu_profile_class *out;
    replay_ways at;
    uint32_t *order; /* [slot] number of its CTA among the starts */
    uint32_t started;
    double ctas, *units;           /* instructions by sub-core */
    double most, cores;            /* instructions of the core with the most; cores that were run */
    double most_ctas, before_ctas; /* CTAs of that core; those of the cores before */
} replay;

static uint32_t index_of(const replay *r, const mpu_walk_at *at)
{
    return at->slot * r->warps + at->warp;
}

static uint32_t unit_of(const replay *r, const mpu_walk_at *at)
{
    return index_of(r, at) % (uint32_t)r->config->subcores;
}

static int start_warp(void *self, const mpu_walk_at *at, msw_err *err)
{
    replay *r = self;
    (void)err;
    mpu_chain_start(&r->chains[index_of(r, at)], r->kernel->kernel->reg_count + 1);
    mpu_track_start(r->kernel->kernel, &r->tracks[index_of(r, at)]);
    r->waits[index_of(r, at)] = 0;
    if (at->warp)
        return 0;
    r->barriers[at->slot] = (mpu_path){0};
    r->order[at->slot] = r->started++;
    r->homes[at->slot] = r->core;
    r->at.own[at->slot] = 0;
    r->homeless[at->slot] = r->config->dispatch == MPU_DISPATCH_OWNER;
    return 0;
}

/* Links between an issue and its result. */
static mpu_link link_of(const mpu_insn *own, const mpu_issue *issue, bool local)
{
    mpu_link link = {.count = 0};
    for (uint32_t m = 0; m < issue->move_count && m < 2; m++)
        link.kind[link.count++] = MPU_ON_PATH_MOVE;
    if (issue->offloaded)
        link.kind[link.count++] = MPU_ON_PATH_OFFLOAD;
    link.kind[link.count++] = own->unit == MPU_UNIT_SHARED  ? MPU_ON_PATH_SHARED
                              : own->unit == MPU_UNIT_CONST ? MPU_ON_PATH_CONST
                              : own->unit != MPU_UNIT_LSU   ? own->latency
                              : local                       ? MPU_ON_PATH_LOCAL
                                                            : MPU_ON_PATH_REMOTE;
    return link;
}

/* TSV messages by cause, for the rounding to beats. */
static void count_messages(replay *r, const mpu_issue *issue)
{
    double *messages = r->out->traffic.messages;
    messages[0] += issue->offloaded;
    messages[MPU_TSV_MOVE - MPU_TSV_OFFLOAD] += issue->move_count;
    messages[MPU_TSV_COMMIT - MPU_TSV_OFFLOAD] += issue->offloaded;
}

static void issue_one(replay *r, const mpu_walk_at *at, uint32_t insn, bool local)
{
    const mpu_insn *own = &r->kernel->insns[insn];
    mpu_issue issue;
    mpu_track_issue(r->config, r->kernel, insn, &r->tracks[index_of(r, at)], &issue);
    mpu_count_insn(r->config, r->kernel, insn, &issue, r->out->totals);
    count_messages(r, &issue);
    r->units[unit_of(r, at)]++;
    r->out->alu[own->energy] += mpu_runs_twice(own) ? 2 : 1;
    r->out->sfu += own->unit == MPU_UNIT_SFU;
    r->out->latency[own->latency] += own->unit == MPU_UNIT_ALU || own->unit == MPU_UNIT_SFU;
    mpu_link link = link_of(own, &issue, local);
    mpu_chain *chain = &r->chains[index_of(r, at)];
    mpu_chain_issue(chain, &r->kernel->kernel->insns[insn], &link, &r->weights);
    if (own->unit != MPU_UNIT_CONTROL)
        return;
    chain->now.of[MPU_ON_PATH_CONTROL]++;
    chain->now.length += r->weights.of[MPU_ON_PATH_CONTROL];
}

/* Returns whether an access stays in the core. */
static bool see_access(replay *r, const mpu_walk_at *at, const msw_simt_step *step)
{
    uint32_t insn = step->first + step->count - 1;
    if (r->homeless[at->slot] && step->line_count) {
        r->homes[at->slot] = mpu_locate(&r->map, step->lines[0].address).core;
        r->homeless[at->slot] = false;
    }
    mpu_steer_see(r->steer, r->product, step);
    mpu_access_of(&r->map, step, r->homes[at->slot], unit_of(r, at), &r->access);
    for (uint32_t b = 0; b < r->access.count; b++) {
        mpu_rows_use(&r->rows, &r->access.blocks[b].at, r->out->totals);
        r->out->totals[MPU_ROW_HITS] += r->kernel->kernel->insns[insn].is_atomic;
    }
    return r->access.remote_blocks == 0;
}

static int see_step(void *self, const mpu_walk_at *at, const msw_simt_step *step, msw_err *err)
{
    replay *r = self;
    bool global = step->event == MSW_SIMT_EVENT_ACCESS && step->space != MSW_SIMT_SHARED;
    bool local = true;
    (void)err;
    r->at.own[at->slot] += step->count;
    for (uint32_t i = 0; i < step->count; i++) {
        if (global && i == step->count - 1)
            local = see_access(r, at, step);
        issue_one(r, at, step->first + i, local);
    }
    if (step->event == MSW_SIMT_EVENT_ACCESS && step->space == MSW_SIMT_SHARED)
        r->out->shared += mpu_shared_cycles(
            step, r->kernel->kernel->insns[step->first + step->count - 1].is_atomic);
    if (step->event == MSW_SIMT_EVENT_EXIT) /* a warp leaves when its accesses have ended */
        mpu_path_join(&r->chains[index_of(r, at)].now, &r->chains[index_of(r, at)].last);
    if (step->event == MSW_SIMT_EVENT_BARRIER || step->event == MSW_SIMT_EVENT_EXIT)
        mpu_path_join(&r->barriers[at->slot], &r->chains[index_of(r, at)].now);
    if (step->event == MSW_SIMT_EVENT_BARRIER)
        r->waits[index_of(r, at)] = 1;
    return 0;
}

/* Adds the time that the warps of a CTA wait at a barrier, in the mean. */
static void add_wait(replay *r, const mpu_path *last, const mpu_path *own)
{
    for (int k = 0; k < MPU_ON_PATH_KINDS; k++)
        r->out->waits[k] += ((double)last->of[k] - (double)own->of[k]) / r->warps;
}

static int release_barrier(void *self, const mpu_walk_at *at, msw_err *err)
{
    replay *r = self;
    (void)err;
    for (uint32_t w = at->slot * r->warps; w < (at->slot + 1) * r->warps; w++)
        if (r->waits[w]) {
            r->waits[w] = 0;
            add_wait(r, &r->barriers[at->slot], &r->chains[w].now);
            mpu_path_join(&r->chains[w].now, &r->barriers[at->slot]);
        }
    return 0;
}

static int end_cta(void *self, const mpu_walk_at *at, msw_err *err)
{
    replay *r = self;
    (void)err;
    r->ctas++;
    r->at.ends[r->order[at->slot]] = r->barriers[at->slot];
    r->at.lengths[r->order[at->slot]] = r->at.own[at->slot];
    return 0;
}

/* ---- set-up ---- */

/* Nominal weights, so that the chain does not depend on latencies: those of the defaults. */
static void set_weights(mpu_path_weights *w)
{
    static const float LATENCIES[MPU_LATENCIES] = {6, 8, 10, 122, 202, 160, 61, 32, 23, 12};
    for (int k = 0; k < MPU_LATENCIES; k++)
        w->of[k] = LATENCIES[k];
    w->of[MPU_ON_PATH_ISSUE] = 1;
    w->of[MPU_ON_PATH_CONST] = 6;
    w->of[MPU_ON_PATH_SHARED] = 10;
    w->of[MPU_ON_PATH_LOCAL] = 50;
    w->of[MPU_ON_PATH_REMOTE] = 120;
    w->of[MPU_ON_PATH_MOVE] = 12;
    w->of[MPU_ON_PATH_OFFLOAD] = 3;
    w->of[MPU_ON_PATH_CONTROL] = 7;
}

static int allocate_warps(replay *r, msw_arena *arena, msw_err *err)
{
    uint32_t count = r->slots * r->warps, regs = r->kernel->kernel->reg_count + 1;
    uint32_t words = mpu_track_words(r->kernel->kernel);
    mpu_path *paths = msw_arena_take(arena, (size_t)count * regs * sizeof *paths);
    uint64_t *valid = msw_arena_take(arena, (size_t)count * words * 2 * sizeof *valid);
    if (!paths || !valid)
        return msw_fail_memory(err);
    for (uint32_t w = 0; w < count; w++) {
        r->chains[w].regs = paths + (size_t)w * regs;
        r->tracks[w] =
            (mpu_track){valid + (size_t)w * 2 * words, valid + ((size_t)w * 2 + 1) * words};
    }
    return 0;
}

static int allocate_replay(replay *r, msw_arena *arena, msw_err *err)
{
    uint32_t count = r->slots * r->warps;
    r->chains = msw_arena_zero(arena, count, sizeof *r->chains);
    r->tracks = msw_arena_zero(arena, count, sizeof *r->tracks);
    r->waits = msw_arena_zero(arena, count, 1);
    r->barriers = msw_arena_zero(arena, r->slots, sizeof *r->barriers);
    r->homes = msw_arena_zero(arena, r->slots, sizeof *r->homes);
    r->homeless = msw_arena_zero(arena, r->slots, sizeof *r->homeless);
    r->units = msw_arena_zero(arena, (size_t)r->config->subcores, sizeof *r->units);
    r->order = msw_arena_zero(arena, r->slots, sizeof *r->order);
    r->at.ways = msw_arena_zero(arena, r->slots, sizeof *r->at.ways);
    r->at.ends = msw_arena_zero(arena, (size_t)r->slots * WAVES_RUN, sizeof *r->at.ends);
    r->at.own = msw_arena_zero(arena, r->slots, sizeof *r->at.own);
    r->at.passed = msw_arena_zero(arena, r->slots, sizeof *r->at.passed);
    r->at.lengths = msw_arena_zero(arena, (size_t)r->slots * WAVES_RUN, sizeof *r->at.lengths);
    if (!r->at.own || !r->at.passed || !r->at.lengths || !r->order || !r->at.ways || !r->at.ends ||
        !r->chains || !r->tracks || !r->waits || !r->barriers || !r->homes || !r->homeless ||
        !r->units)
        return msw_fail_memory(err);
    return allocate_warps(r, arena, err);
}

static void append_path(mpu_path *way, const mpu_path *next)
{
    way->length += next->length;
    for (int k = 0; k < MPU_ON_PATH_KINDS; k++)
        way->of[k] += next->of[k];
}

/* The CTAs of a core one after the other, in as many places as it has: the next one starts where
 * one has ended, or with cta_refill: batch when all have. Returns the longest way and its
 * instructions. */
static mpu_path longest_way(replay *r, double *insns)
{
    mpu_path longest = {0};
    memset(r->at.ways, 0, r->slots * sizeof *r->at.ways);
    memset(r->at.passed, 0, r->slots * sizeof *r->at.passed);
    *insns = 0;
    for (uint32_t i = 0; i < r->started; i++) {
        uint32_t best = 0;
        for (uint32_t s = 1; s < r->slots; s++)
            best = r->at.ways[s].length < r->at.ways[best].length ? s : best;
        bool batch = r->config->cta_refill == MPU_REFILL_BATCH && i && i % r->slots == 0;
        for (uint32_t s = 0; s < r->slots && batch; s++) {
            r->at.ways[s] = longest;
            r->at.passed[s] = *insns;
        }
        append_path(&r->at.ways[best], &r->at.ends[i]);
        r->at.passed[best] += r->at.lengths[i];
        *insns = r->at.ways[best].length > longest.length ? r->at.passed[best] : *insns;
        mpu_path_join(&longest, &r->at.ways[best]);
    }
    return longest;
}

/* Of the core with the most to do the chain counts: of a wave of CTAs. */
static void end_core(replay *r, double insns)
{
    double waves = ceil((double)r->started / r->slots);
    double passed;
    mpu_path way = longest_way(r, &passed);
    for (int k = 0; k < MPU_ON_PATH_KINDS && insns > r->most; k++)
        r->out->path[k] = (double)way.of[k] / fmax(waves, 1);
    if (insns > r->most) {
        r->most_ctas = r->ctas - r->before_ctas;
        r->at.longest = passed / fmax(waves, 1);
    }
    r->most = fmax(r->most, insns);
    r->started = 0;
    r->before_ctas = r->ctas;
    r->cores++;
}

static int run_cores(replay *r, uint64_t ctas, msw_arena *arena, msw_err *err)
{
    const mpu_walk_listener listener = {r, start_warp, see_step, release_barrier, end_cta};
    uint64_t cores = (uint64_t)mpu_core_count(r->config), busy = ctas < cores ? ctas : cores;
    uint64_t run = busy < CORES_RUN ? busy : CORES_RUN;
    if (allocate_replay(r, arena, err) || mpu_rows_init(&r->rows, &r->map, arena, err))
        return -1;
    for (uint64_t i = 0; i < run; i++) {
        r->core = (uint32_t)(i * busy / run);
        r->core |= r->core + 1 < busy && i; /* not a power of two apart */
        uint64_t count = msw_div_up(ctas - r->core, cores);
        uint64_t most = (uint64_t)r->slots * WAVES_RUN, every = msw_div_up(count, most);
        mpu_walk_ctas own = {.first = r->core,
                             .stride = cores * every,
                             .count = msw_div_up(count, every),
                             .slots = r->slots};
        double before = r->out->totals[MPU_INSNS];
        if (mpu_walk(r->code, &own, &listener, arena, err))
            return -1;
        end_core(r, r->out->totals[MPU_INSNS] - before);
    }
    return 0;
}

static void finish_class(replay *r)
{
    mpu_profile_class *out = r->out;
    double insns = out->totals[MPU_INSNS];
    out->buffers = mpu_rows_buffers(&r->rows);
    out->uneven = insns > 0 ? r->most * r->cores / insns : 1;
    double all = 0, most = 0;
    mpu_class_scale(out, 1 / r->ctas);
    for (int k = 0; k < MPU_ON_PATH_KINDS; k++)
        out->waits[k] /= r->ctas;
    for (int64_t u = 0; u < r->config->subcores; u++) {
        all += r->units[u];
        most = r->units[u] > most ? r->units[u] : most;
    }
    out->busy_share = all > 0 ? most / all : 1;
}

/* The CTAs that were run in turns represent all: the chain goes by the instructions on the longest
 * way of the busiest core, or, where not all CTAs were run, by what that core issues. */
static void scale_to_all(replay *r, double run)
{
    mpu_profile_class *out = r->out;
    double all = out->insns_of_cta, of_core = r->most_ctas > 0 ? r->most / r->most_ctas : 0;
    if (run <= 0 || all <= 0)
        return;
    bool known = out->way > 0 && r->at.longest > 0;
    double by = known ? out->way / r->at.longest : of_core > 0 ? out->uneven * all / of_core : 1;
    for (int k = 0; k < MPU_ON_PATH_KINDS; k++)
        out->path[k] *= by;
    for (int k = 0; k < MPU_ON_PATH_KINDS; k++)
        out->waits[k] *= out->uneven * all / run;
}

/* Runs launch `stage` on some cores and fills means of one CTA into `out`. */
static int replay_launch(const mpu_config *config, const msw_simt_product *product,
                         const mpu_kernel *kernel, uint32_t stage, double share,
                         const msw_simt_memory *memory, mpu_steer *steer, msw_arena *kept,
                         mpu_profile_class *out, msw_err *err)
{
    const msw_simt_stage *launch_stage = &product->stages[stage];
    mpu_occupancy fits = mpu_occupancy_of(config, kernel, launch_stage);
    msw_arena scratch = {0};
    replay r = {.config = config, .kernel = kernel, .product = product, .steer = steer, .out = out};
    msw_simt_launch launch = msw_simt_stage_launch(product, launch_stage, memory, MSW_SIMT_SLICE);
    out->stage = stage;
    out->slots = fits.ctas ? fits.ctas : 1;
    out->warps = fits.warps;
    set_weights(&r.weights);
    mpu_map_init(&r.map, config, product);
    int rc = -1;
    double run;
    r.code = msw_simt_decode(&launch, &scratch, err);
    if (!r.code)
        goto done;
    uint64_t ctas = msw_simt_cta_count(r.code);
    uint64_t per_core = msw_div_up(ctas, (uint64_t)mpu_core_count(config));
    r.warps = out->warps;
    r.slots = per_core < out->slots ? (uint32_t)per_core : out->slots;
    r.slots = r.slots < SLOTS_MOST ? r.slots : SLOTS_MOST;
    out->ctas = (double)ctas;
    if (run_cores(&r, ctas, &scratch, err) ||
        count_most_ctas(config, &r.map, r.code, &scratch, &out->most_ctas, err))
        goto done;
    finish_class(&r);
    run = out->totals[MPU_INSNS];
    out->working = out->ctas / out->most_ctas;
    if (mpu_census(config, kernel, &r.map, r.code, share, &scratch, kept, out, err))
        goto done;
    scale_to_all(&r, run);
    rc = 0;
done:
    msw_arena_free(&scratch);
    return rc;
}

/* Classes of launches that differ in arguments alone; of all together a census takes no more than
 * of that many. */
enum { CLASSES_MOST = 16 };
#define MEMORY_MOST ((uint64_t)1 << 30)

static int replay_groups(const msw_task *task, const mpu_groups *groups, msw_simt_past *past,
                         mpu_profile_class *classes, mpu_steer *steers, msw_arena *arena,
                         msw_err *err)
{
    const msw_simt_product *p = task->product->data;
    const mpu_program *program = mpu_program_of(task);
    double share = fmin(1, (double)CLASSES_MOST / groups->count);
    for (uint32_t g = 0; g < groups->count; g++) {
        uint32_t stage = groups->list[g].stage;
        const mpu_kernel *kernel = &program->kernels[program->of_stage[stage]];
        classes[g].launches = groups->list[g].launches;
        const msw_simt_memory *memory = msw_simt_past_at(past, stage, err);
        if (!memory || mpu_steer_start(&steers[g], kernel->kernel, arena, err) ||
            replay_launch(task->config, p, kernel, stage, share, memory, &steers[g], arena,
                          &classes[g], err))
            return -1;
    }
    return 0;
}

int mpu_build_profile(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    const msw_simt_product *p = task->product->data;
    mpu_profile *profile = msw_arena_zero(arena, 1, sizeof *profile);
    mpu_groups groups;
    (void)extra;
    if (!profile)
        return msw_fail_memory(err);
    if (mpu_groups_of(p, CLASSES_MOST, arena, &groups, err))
        return -1;
    mpu_profile_class *classes = msw_arena_zero(arena, groups.count + 1, sizeof *classes);
    mpu_steer *steers = msw_arena_zero(arena, groups.count + 1, sizeof *steers);
    if (!classes || !steers)
        return msw_fail_memory(err);
    *profile = (mpu_profile){.classes = classes, .count = groups.count, .merged = groups.merged};
    msw_arena memory = {0};
    msw_simt_past *past = msw_simt_past_in(&memory, p, MEMORY_MOST, err);
    int rc = past ? replay_groups(task, &groups, past, classes, steers, arena, err) : -1;
    msw_arena_free(&memory);
    if (!rc)
        profile->steered = mpu_steer_find(p, &groups, steers);
    *root = profile;
    return rc;
}
