/* SPDX-License-Identifier: MIT */
/* Runs the launches of a workload on the reference. Its constants are frozen; none comes from the
 * paper that this mechanism follows. Some SMs are run, all where there are few, with their share of
 * the L2; what they do represents all. */
#include "mech/mpu/model.h"

#include "mech/mpu/count/count.h"
#include "mech/mpu/kernel/kernel.h"
#include "memsweep/base/bits.h"
#include "memsweep/base/hash.h"
#include "memsweep/workload/simt/past.h"

#include <math.h>
#include <string.h>

/* ---- its constants ---- */

#define WHITEPAPER "NVIDIA Tesla V100 GPU architecture, WP-08608"
#define GUIDE      "OLCF Summit user guide, NVIDIA V100 GPUs"
#define JIA        "Jia et al., Dissecting the NVIDIA Volta GPU architecture via microbenchmarking, 2018"
#define RELEASED   "GD06/mpu-sim_distribution, after Arafa et al. 2019"
#define FEATURES   "table of GPU features in PMC10448217"

const mpu_v100_constant mpu_v100_constants[V100_CONSTANTS] = {
    [V100_SMS] = {"sms", "", 80, GUIDE},
    [V100_SCHEDULERS] = {"schedulers", "per SM, a warp-instruction a cycle each", 4, WHITEPAPER},
    [V100_CLOCK] = {"clock", "GHz", 1.53, GUIDE},
    [V100_LANES] = {"lanes", "f32 of an SM", 64, GUIDE},
    [V100_DRAM_PEAK] = {"dram_peak", "GB/s", 900, GUIDE},
    [V100_DRAM_SHARE] = {"dram_share", "of the peak that can be reached", 0.833, JIA},
    [V100_L2_BANDWIDTH] = {"l2_bandwidth", "GB/s", 3133, FEATURES},
    [V100_L1_BYTES] = {"l1_bytes", "L1 and shared memory of an SM", 131072, GUIDE},
    [V100_L2_BYTES] = {"l2_bytes", "", 6291456, GUIDE},
    [V100_WARPS] = {"warps", "of an SM", 64, WHITEPAPER},
    [V100_CTAS] = {"ctas", "of an SM", 32, WHITEPAPER},
    [V100_SHARED_BYTES] = {"shared_bytes", "of an SM, at most", 98304, WHITEPAPER},
    [V100_REGISTERS] = {"registers", "32-bit, of an SM", 65536, WHITEPAPER},
    [V100_ALU_CYCLES] = {"alu_cycles", "dependent issue", 4, JIA},
    [V100_SPECIAL_CYCLES] = {"special_cycles", "division, roots: a sequence of instructions", 40,
                             "unknown, 19 to 200: the latencies of single operations in " RELEASED
                             "; none of the twelve kernels' verdicts uses it"},
    [V100_SHARED_CYCLES] = {"shared_cycles", "", 20, FEATURES},
    [V100_L1_CYCLES] = {"l1_cycles", "", 28, JIA},
    [V100_L2_CYCLES] = {"l2_cycles", "", 200, FEATURES},
    [V100_DRAM_CYCLES] = {"dram_cycles", "", 400, FEATURES},
    [V100_POWER] = {"power", "W, board", 300,
                    "Dell EMC Ready Solutions reference guide, V100 SXM2"},
    [V100_IDLE_POWER] =
        {"idle_power", "W, board", 40,
         "unknown, 38 to 57: public listings of idle V100 SXM2 boards show 44 W (NVML, "
         "2019) and 56 to 57 W (nvidia-smi, 2020)"},
};

/* ---- its caches: the distance of a line in the stack of its set decides ---- */

enum { LINE = 128, WAYS = 16 };

/* Lines of 128 bytes with sectors of 32, 16 ways, least recently used. */
typedef struct v100_cache {
    uint64_t *lines;       /* [set * WAYS] number + 1 by recency; 0: empty */
    uint8_t *held, *dirty; /* sectors */
    uint32_t sets;
} v100_cache;

static int cache_init(v100_cache *cache, double bytes, msw_arena *arena, msw_err *err)
{
    double sets = bytes / (LINE * WAYS);
    cache->sets = sets < 1 ? 1 : (uint32_t)sets;
    size_t count = (size_t)cache->sets * WAYS;
    cache->lines = msw_arena_zero(arena, count, sizeof *cache->lines);
    cache->held = msw_arena_zero(arena, count, 1);
    cache->dirty = msw_arena_zero(arena, count, 1);
    return cache->lines && cache->held && cache->dirty ? 0 : msw_fail_memory(err);
}

/* Moves way `way` of a set to the front. */
static void move_to_front(v100_cache *c, size_t base, uint32_t way, uint64_t line, uint8_t held,
                          uint8_t dirty)
{
    memmove(c->lines + base + 1, c->lines + base, way * sizeof *c->lines);
    memmove(c->held + base + 1, c->held + base, way);
    memmove(c->dirty + base + 1, c->dirty + base, way);
    c->lines[base] = line;
    c->held[base] = held;
    c->dirty[base] = dirty;
}

/* Sets are chosen by a hash: arrays a power of two apart do not meet in one. */
static size_t set_of(const v100_cache *c, uint64_t number)
{
    uint64_t mixed = number * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 32) % c->sets * WAYS;
}

/* Reads or writes sectors of a line. Returns the sectors that were missing (of a read);
 * `written_back` gets the dirty sectors of a line that had to leave. */
static uint32_t cache_use(v100_cache *c, uint64_t line, uint32_t sectors, bool write,
                          uint32_t *written_back)
{
    uint64_t number = line / LINE;
    size_t base = set_of(c, number);
    uint32_t way = 0;
    while (way < WAYS && c->lines[base + way] != number + 1)
        way++;
    bool found = way < WAYS;
    uint32_t last = found ? way : WAYS - 1;
    uint8_t held = found ? c->held[base + way] : 0, dirty = found ? c->dirty[base + way] : 0;
    *written_back = found ? 0 : c->dirty[base + last];
    uint32_t missing = write ? 0 : sectors & ~(uint32_t)held;
    move_to_front(c, base, last, number + 1, (uint8_t)(held | sectors),
                  (uint8_t)(dirty | (write ? sectors : 0)));
    return missing;
}

/* Returns how many sectors are dirty, and makes them clean. */
static uint64_t cache_flush(v100_cache *c)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < (size_t)c->sets * WAYS; i++) {
        sum += msw_bits_count(c->dirty[i]);
        c->dirty[i] = 0;
    }
    return sum;
}

/* ---- its SMs ---- */

#define CONSTANT(which) mpu_v100_constants[V100_##which].value

enum { SMS_RUN = 4, CTA_SLOTS = 32 };
#define MEMORY_MOST ((uint64_t)1 << 30)

typedef struct bench {
    const msw_simt_product *product;
    const mpu_kernel *kernel;
    const msw_simt_code *code;
    mpu_steer *steer;
    uint32_t warps, sms_run;
    v100_cache l1, l2;
    mpu_chain *chains;  /* [slot * warps + warp] */
    mpu_path *barriers; /* [slot] */
    uint8_t *waits;
    mpu_path_weights weights;
    /* sums over the CTAs that were run */
    double instructions, shared, flops, l1_sectors, l2_sectors, dram_sectors, path_cycles, ctas;
    double l1_missed;
} bench;

/* ---- listening ---- */

static mpu_chain *chain_of(bench *b, const mpu_walk_at *at)
{
    return &b->chains[at->slot * b->warps + at->warp];
}

static int start_warp(void *self, const mpu_walk_at *at, msw_err *err)
{
    bench *b = self;
    (void)err;
    mpu_chain_start(chain_of(b, at), b->kernel->kernel->reg_count + 1);
    b->waits[at->slot * b->warps + at->warp] = 0;
    if (at->warp == 0)
        b->barriers[at->slot] = (mpu_path){0};
    return 0;
}

static double flops_of(const msw_simt_insn *insn, const mpu_insn *own)
{
    bool computes = insn->kind == MSW_SIMT_CLASS_FLOAT;
    bool fused = computes && own->energy == MPU_ENERGY_FLOAT && insn->text[0] == 'f';
    return computes ? (fused ? 2 : 1) * MPU_LANES : 0;
}

static mpu_link link_of(const mpu_insn *own)
{
    switch ((mpu_unit)own->unit) {
    case MPU_UNIT_SHARED:
        return (mpu_link){{MPU_ON_PATH_SHARED}, 1};
    case MPU_UNIT_LSU:
        return (mpu_link){{MPU_ON_PATH_LOCAL}, 1};
    case MPU_UNIT_CONST:
        return (mpu_link){{MPU_ON_PATH_CONST}, 1};
    default:
        return (mpu_link){{own->latency}, 1};
    }
}

static void see_lines(bench *b, const msw_simt_insn *insn, const msw_simt_step *step)
{
    for (uint32_t i = 0; i < step->line_count; i++) {
        uint32_t left, sectors = step->lines[i].sectors;
        b->l1_sectors += msw_bits_count(sectors);
        if (!insn->is_store)
            sectors = cache_use(&b->l1, step->lines[i].address, sectors, false, &left);
        if (!sectors)
            continue;
        b->l2_sectors += msw_bits_count(sectors);
        bool reads = !insn->is_store || insn->is_atomic;
        if (reads)
            b->dram_sectors +=
                msw_bits_count(cache_use(&b->l2, step->lines[i].address, sectors, false, &left));
        b->dram_sectors += reads ? msw_bits_count(left) : 0;
        if (!insn->is_store)
            continue;
        cache_use(&b->l2, step->lines[i].address, sectors, true, &left);
        b->dram_sectors += msw_bits_count(left);
    }
}

static int see_step(void *self, const mpu_walk_at *at, const msw_simt_step *step, msw_err *err)
{
    bench *b = self;
    mpu_chain *chain = chain_of(b, at);
    (void)err;
    for (uint32_t i = step->first; i < step->first + step->count; i++) {
        const msw_simt_insn *insn = &b->kernel->kernel->insns[i];
        const mpu_insn *own = &b->kernel->insns[i];
        mpu_link link = link_of(own);
        b->instructions++;
        b->flops += flops_of(insn, own);
        b->shared += own->unit == MPU_UNIT_SHARED;
        mpu_chain_issue(chain, insn, &link, &b->weights);
    }
    if (step->event == MSW_SIMT_EVENT_ACCESS) {
        mpu_steer_see(b->steer, b->product, step);
        see_lines(b, &b->kernel->kernel->insns[step->first + step->count - 1], step);
    }
    if (step->event == MSW_SIMT_EVENT_BARRIER || step->event == MSW_SIMT_EVENT_EXIT)
        mpu_path_join(&b->barriers[at->slot], &chain->now);
    if (step->event == MSW_SIMT_EVENT_BARRIER)
        b->waits[at->slot * b->warps + at->warp] = 1;
    return 0;
}

static int release_barrier(void *self, const mpu_walk_at *at, msw_err *err)
{
    bench *b = self;
    (void)err;
    for (uint32_t w = 0; w < b->warps; w++)
        if (b->waits[at->slot * b->warps + w]) {
            b->waits[at->slot * b->warps + w] = 0;
            mpu_path_join(&b->chains[at->slot * b->warps + w].now, &b->barriers[at->slot]);
        }
    return 0;
}

static int end_cta(void *self, const mpu_walk_at *at, msw_err *err)
{
    bench *b = self;
    (void)err;
    b->ctas++;
    b->path_cycles += (double)b->barriers[at->slot].length;
    return 0;
}

/* ---- one launch ---- */

static void set_weights(mpu_path_weights *w)
{
    for (int k = 0; k < MPU_ON_PATH_KINDS; k++)
        w->of[k] = (float)CONSTANT(ALU_CYCLES);
    for (int k = MPU_LATENCY_INT_DIV; k <= MPU_LATENCY_SIN; k++)
        w->of[k] = (float)CONSTANT(SPECIAL_CYCLES);
    w->of[MPU_ON_PATH_ISSUE] = 1;
    w->of[MPU_ON_PATH_CONST] = (float)CONSTANT(L1_CYCLES);
    w->of[MPU_ON_PATH_SHARED] = (float)CONSTANT(SHARED_CYCLES);
    w->of[MPU_ON_PATH_LOCAL] = w->of[MPU_ON_PATH_REMOTE] = (float)CONSTANT(DRAM_CYCLES);
}

static uint32_t resident_ctas(const bench *b, const msw_simt_stage *stage)
{
    double shared = (double)msw_simt_cta_shared(b->code);
    double regs = b->kernel->demand.all_regs ? b->kernel->demand.all_regs : 1;
    double most = CONSTANT(WARPS) / b->warps;
    (void)stage;
    most = fmin(most, CONSTANT(CTAS));
    most = fmin(most, shared > 0 ? CONSTANT(SHARED_BYTES) / shared : CTA_SLOTS);
    most = fmin(most, CONSTANT(REGISTERS) / (regs * MPU_LANES * b->warps));
    return most < 1 ? 1 : (uint32_t)most;
}

static int allocate_bench(bench *b, uint32_t slots, double l2_share, msw_arena *arena, msw_err *err)
{
    uint32_t warps = slots * b->warps, regs = b->kernel->kernel->reg_count + 1;
    b->chains = msw_arena_zero(arena, warps, sizeof *b->chains);
    mpu_path *paths = msw_arena_take(arena, (size_t)warps * regs * sizeof *paths);
    b->barriers = msw_arena_zero(arena, slots, sizeof *b->barriers);
    b->waits = msw_arena_zero(arena, warps, 1);
    if (!b->chains || !paths || !b->barriers || !b->waits)
        return msw_fail_memory(err);
    for (uint32_t w = 0; w < warps; w++)
        b->chains[w].regs = paths + (size_t)w * regs;
    return cache_init(&b->l2, CONSTANT(L2_BYTES) * l2_share, arena, err);
}

static int run_sms(bench *b, const msw_simt_stage *stage, uint64_t ctas, uint32_t slots,
                   msw_arena *arena, msw_err *err)
{
    const mpu_walk_listener listener = {b, start_warp, see_step, release_barrier, end_cta};
    uint64_t sms = (uint64_t)CONSTANT(SMS), busy = ctas < sms ? ctas : sms;
    uint64_t run = busy < b->sms_run ? busy : b->sms_run;
    double l1 = CONSTANT(L1_BYTES) - (double)(slots * msw_simt_cta_shared(b->code));
    (void)stage;
    if (allocate_bench(b, slots, (double)run / (double)busy, arena, err))
        return -1;
    for (uint64_t i = 0; i < run; i++) {
        msw_arena_mark mark = msw_arena_now(arena);
        uint64_t sm = i * busy / run;
        mpu_walk_ctas own = {
            .first = sm, .stride = sms, .count = msw_div_up(ctas - sm, sms), .slots = slots};
        if (cache_init(&b->l1, fmax(l1, 32768), arena, err) ||
            mpu_walk(b->code, &own, &listener, arena, err))
            return -1;
        msw_arena_release(arena, mark);
    }
    b->dram_sectors += (double)cache_flush(&b->l2);
    return 0;
}

static void time_launch(const bench *b, uint64_t ctas, uint32_t slots, double launches,
                        mpu_v100 *out)
{
    double sms = CONSTANT(SMS), hz = CONSTANT(CLOCK) * 1e9;
    double per_sm = ceil((double)ctas / sms), scale = (double)ctas / b->ctas;
    double waves = fmax(1, per_sm / slots);
    double times[5] = {
        per_sm * b->instructions / b->ctas / CONSTANT(SCHEDULERS) / hz,
        per_sm * b->shared / b->ctas / hz,
        scale * b->l2_sectors * 32 / (CONSTANT(L2_BANDWIDTH) * 1e9),
        scale * b->dram_sectors * 32 / (CONSTANT(DRAM_PEAK) * CONSTANT(DRAM_SHARE) * 1e9),
        waves * b->path_cycles / b->ctas / hz,
    };
    int most = 0;
    for (int i = 1; i < 5; i++)
        most = times[i] > times[most] ? i : most;
    out->seconds += launches * times[most];
    out->bound_seconds[most] += launches * times[most];
    out->dram_bytes += launches * scale * b->dram_sectors * 32;
    out->l2_bytes += launches * scale * b->l2_sectors * 32;
    out->instructions += launches * scale * b->instructions;
    out->flops += launches * scale * b->flops;
}

/* A run of launches on the V100. */
typedef struct v100_run {
    const msw_simt_product *product;
    const mpu_program *program;
    const msw_simt_memory *memory;
    const mpu_groups *groups;
    mpu_steer *steers; /* [group] */
    uint32_t sms_run;
    mpu_v100 *out;
} v100_run;

static int run_launch(const v100_run *run, uint32_t group, msw_err *err)
{
    const msw_simt_product *product = run->product;
    uint32_t number = run->groups->list[group].stage;
    const msw_simt_stage *stage = &product->stages[number];
    msw_arena scratch = {0};
    bench b = {.product = product,
               .kernel = &run->program->kernels[run->program->of_stage[number]],
               .steer = &run->steers[group],
               .sms_run = run->sms_run};
    msw_simt_launch launch = msw_simt_stage_launch(product, stage, run->memory, MSW_SIMT_SLICE);
    b.code = msw_simt_decode(&launch, &scratch, err);
    int rc = b.code ? 0 : -1;
    if (!rc) {
        uint64_t ctas = msw_simt_cta_count(b.code);
        b.warps = msw_simt_cta_warps(b.code);
        set_weights(&b.weights);
        uint32_t slots = resident_ctas(&b, stage);
        uint64_t per_sm = msw_div_up(ctas, (uint64_t)CONSTANT(SMS));
        slots = per_sm < slots ? (uint32_t)per_sm : slots;
        rc = run_sms(&b, stage, ctas, slots, &scratch, err);
        if (!rc)
            time_launch(&b, ctas, slots, run->groups->list[group].launches, run->out);
    }
    msw_arena_free(&scratch);
    return rc;
}

/* Runs one launch of each group. Returns 0, or -1. */
static int run_groups(v100_run *run, msw_arena *arena, msw_err *err)
{
    const msw_simt_product *p = run->product;
    *run->out = (mpu_v100){0};
    run->steers = msw_arena_zero(arena, run->groups->count + 1, sizeof *run->steers);
    if (!run->steers)
        return msw_fail_memory(err);
    msw_arena memory = {0};
    msw_simt_past *past = msw_simt_past_in(&memory, p, MEMORY_MOST, err);
    int rc = past ? 0 : -1;
    for (uint32_t g = 0; g < run->groups->count && !rc; g++) {
        const msw_simt_stage *stage = &p->stages[run->groups->list[g].stage];
        run->memory = msw_simt_past_at(past, run->groups->list[g].stage, err);
        rc = run->memory ? mpu_steer_start(&run->steers[g], stage->kernel, arena, err) : -1;
        rc = rc ? rc : run_launch(run, g, err);
    }
    msw_arena_free(&memory);
    return rc;
}

/* One launch of each group, on some SMs: what is reported is exact in launches. Where the flow
 * depends on what launches write, all of them, on all SMs. */
int mpu_v100_run(const msw_simt_product *product, msw_arena *arena, mpu_v100 *out, msw_err *err)
{
    mpu_config config;
    mpu_program program;
    mpu_groups groups;
    v100_run run = {.product = product, .program = &program, .groups = &groups, .out = out};
    msw_params_defaults(mpu_params, &config);
    run.sms_run = SMS_RUN;
    if (mpu_program_make(product, &config, arena, &program, err) ||
        mpu_groups_of(product, 0, arena, &groups, err) || run_groups(&run, arena, err))
        return -1;
    if (!mpu_steer_find(product, &groups, run.steers).reader)
        return 0;
    run.sms_run = (uint32_t)CONSTANT(SMS);
    if (mpu_groups_each(product, arena, &groups, err))
        return -1;
    return run_groups(&run, arena, err);
}
