/* SPDX-License-Identifier: MIT */
/* Counts accesses over all cores: which cores work, which are sent messages, and which rows are
 * open. CTAs of all cores are run together, warps taking turns. An access finds its row open, or
 * opens it, without time. */
#include "mech/mpu/closed/profile.h"
#include "mech/mpu/count/count.h"

#include "memsweep/base/bits.h"

#include <math.h>
#include <string.h>

void mpu_class_scale(mpu_profile_class *out, double by)
{
    for (int m = 0; m < MPU_METRICS; m++)
        out->totals[m] *= by;
    for (int k = 0; k < MPU_ENERGIES; k++)
        out->alu[k] *= by;
    for (int k = 0; k < MPU_LATENCIES; k++)
        out->latency[k] *= by;
    for (size_t k = 0; k < sizeof out->traffic.messages / sizeof *out->traffic.messages; k++)
        out->traffic.messages[k] *= by;
    out->sfu *= by;
    out->shared *= by;
}

/* Warp-instructions that are run; up to so many more as a wave, or else one CTA of each core,
 * takes. Launches that may take so many more are not tried whole. */
#define CENSUS_INSNS 2e6
#define CENSUS_MOST  16e6
/* Bytes of CTAs that are run together. */
#define CENSUS_BYTES ((uint64_t)32 << 20)

/* A CTA that runs. */
typedef struct resident {
    uint32_t home;
    uint64_t number; /* among those that started */
    bool homeless;   /* dispatch: owner, and no access yet */
    double own;      /* its instructions */
    double since;    /* its stores to other cores since it loaded */
    uint64_t waits;  /* bit per warp that waits for data of other cores */
} resident;

typedef struct census_sums {
    double accesses, went_out;        /* of warps */
    double waiting;                   /* instructions of warps that wait */
    double stores, last_stores;       /* to other cores; those that no load follows */
    double messages, out, back, hops; /* messages to other cores; their bytes and links */
} census_sums;

typedef struct census {
    const mpu_config *config;
    const mpu_kernel *kernel;
    const mpu_map *map;
    uint32_t cores, warps;   /* of the machine; of a CTA */
    bool all;                /* no CTA is left out */
    double issued, most;     /* instructions; more end it */
    resident *residents;     /* [slot] */
    uint64_t started, slots; /* CTAs */
    uint64_t last;           /* warp that ran before, of all slots */
    bool went;               /* a warp sent to another core in this turn */
    double *work, *ctas;     /* [core] instructions; CTAs that ended */
    float *lengths;          /* [CTA of those that are run, as they start] instructions */
    uint32_t *homes;         /* [likewise] its core */
    double *sent, *crossed;  /* [core] messages; their links */
    mpu_hot hot;
    mpu_links links;
    mpu_rows rows;
    mpu_remote_caches caches;
    uint64_t answered; /* bit per block of the access: by the cache of the core that holds it */
    census_sums sums;
    double *totals; /* by metric */
    double tsv_messages[MPU_TSV_CAUSES];
    mpu_access access;
} census;

static int start_cta(void *self, const mpu_walk_at *at, msw_err *err)
{
    census *s = self;
    (void)err;
    if (at->warp)
        return 0;
    if (s->started && s->started % s->slots == 0)
        mpu_hot_end_wave(&s->hot);
    s->residents[at->slot] = (resident){.home = (uint32_t)(at->cta % s->cores),
                                        .number = s->started++,
                                        .homeless = s->config->dispatch == MPU_DISPATCH_OWNER};
    return 0;
}

static double with_heads(const mpu_config *c, double bytes)
{
    return bytes + fmax(ceil(bytes / (double)c->packet_bytes), 1) * (double)c->header_bytes;
}

/* A request to another core and its answer: their sizes are those of the cycle model. */
static void send_message(census *s, const msw_simt_insn *insn, uint32_t home, uint32_t core,
                         double blocks)
{
    const mpu_config *c = s->config;
    double data = blocks * (double)c->bank_io_bytes;
    bool sends = insn->is_store || insn->is_atomic;
    bool loads = insn->def_count && (!insn->is_store || insn->is_atomic);
    double out = with_heads(c, 4 * blocks + (sends ? data : 0));
    double back = with_heads(c, loads ? data : 0);
    s->sums.messages++;
    s->sums.out += out;
    s->sums.back += back;
    uint32_t hops = mpu_links_add(&s->links, c, home, core, out, insn->def_count > 0);
    s->sums.hops += hops;
    s->sent[home]++;
    s->crossed[home] += hops;
    mpu_links_add(&s->links, c, core, home, back, insn->def_count > 0);
}

/* A message to each core that has blocks. */
static void send_messages(census *s, const msw_simt_insn *insn, uint32_t home)
{
    for (uint32_t b = 0, to = 0; b < s->access.count; b = to) {
        uint32_t core = s->access.blocks[b].at.core;
        for (to = b; to < s->access.count && s->access.blocks[to].at.core == core;)
            to++;
        if (core != home)
            send_message(s, insn, home, core, to - b);
    }
}

/* TSV messages of an access, for the rounding to beats. */
static void count_messages(census *s, uint32_t insn)
{
    bool whole = s->config->pipeline == MPU_PIPELINE_HYBRID && s->access.whole &&
                 s->kernel->insns[insn].is_load_whole;
    if (whole)
        s->tsv_messages[MPU_TSV_ACCESS - MPU_TSV_OFFLOAD]++;
    else
        s->tsv_messages[MPU_TSV_DATA - MPU_TSV_OFFLOAD] +=
            s->access.local_blocks + s->access.remote_blocks;
    if (whole || mpu_writes_back(s->kernel, insn))
        s->tsv_messages[MPU_TSV_COMMIT - MPU_TSV_OFFLOAD]++;
}

/* Opens rows. Returns a bit per block that did. */
static uint64_t open_rows(census *s, bool atomic)
{
    uint64_t misses = 0;
    for (uint32_t b = 0; b < s->access.count; b++) {
        if (s->answered >> (b & 63) & 1)
            continue;
        bool hit = mpu_rows_use(&s->rows, &s->access.blocks[b].at, s->totals);
        misses |= (uint64_t)!hit << (b & 63);
        s->totals[MPU_ROW_HITS] += atomic; /* read, then written */
    }
    return misses;
}

/* Whether a cache answers a block that `home` reads of another core, or, of a store, drops it. One
 * at LSU-Remote saves the memory, but not the message: it stays. */
static bool is_cached(census *s, const msw_simt_insn *insn, uint32_t home, const mpu_location *at,
                      uint32_t number)
{
    uint64_t block = mpu_block_number(s->config, at);
    if (at->core == home)
        return false;
    if (insn->is_store || insn->is_atomic) {
        mpu_cache_drop(&s->caches, home, MPU_CACHE_READER, block);
        mpu_cache_drop(&s->caches, at->core, MPU_CACHE_OWNER, block);
        return false;
    }
    if (mpu_cache_find(&s->caches, home, MPU_CACHE_READER, block)) {
        mpu_uncount_blocks(s->config, home, at->core, 1, s->totals);
        return true;
    }
    mpu_cache_insert(&s->caches, home, MPU_CACHE_READER, block);
    if (!mpu_cache_find(&s->caches, at->core, MPU_CACHE_OWNER, block)) {
        mpu_cache_insert(&s->caches, at->core, MPU_CACHE_OWNER, block);
        return false;
    }
    mpu_uncount_blocks(s->config, home, home, 1, s->totals);
    s->answered |= (uint64_t)1 << (number & 63);
    return false;
}

/* Leaves the blocks that no cache of the reader answers. */
static void use_caches(census *s, const msw_simt_insn *insn, uint32_t home)
{
    uint32_t left = 0;
    s->answered = 0;
    for (uint32_t b = 0; b < s->access.count && s->caches.of; b++)
        if (is_cached(s, insn, home, &s->access.blocks[b].at, left))
            s->access.remote_blocks--;
        else
            s->access.blocks[left++] = s->access.blocks[b];
    s->access.count = s->caches.of ? left : s->access.count;
}

static void count_access(census *s, const mpu_walk_at *at, const msw_simt_step *step)
{
    resident *of = &s->residents[at->slot];
    uint32_t number = step->first + step->count - 1;
    const msw_simt_insn *insn = &s->kernel->kernel->insns[number];
    if (of->homeless && step->line_count) {
        of->home = mpu_locate(s->map, step->lines[0].address).core;
        of->homeless = false;
    }
    uint64_t before = at->cta / s->cores * s->warps; /* warps that its core has had */
    uint32_t unit = (uint32_t)((before + at->warp) % (uint64_t)s->config->subcores);
    mpu_access_of(s->map, step, of->home, unit, &s->access);
    mpu_count_access(s->config, s->kernel, number, &s->access, of->home, s->totals);
    count_messages(s, number);
    use_caches(s, insn, of->home);
    mpu_hot_add(&s->hot, &s->access, of->home, insn->is_store || insn->is_atomic,
                insn->def_count > 0, open_rows(s, insn->is_atomic));
    if (!insn->is_store)
        of->since = 0;
    s->sums.accesses++;
    if (!s->access.remote_blocks)
        return;
    s->sums.went_out++;
    if (insn->def_count)
        of->waits |= (uint64_t)1 << (at->warp & 63);
    s->went = true;
    s->sums.stores += insn->is_store;
    of->since += insn->is_store;
    send_messages(s, insn, of->home);
}

/* A turn of all warps has ended when one runs that comes before the one that ran last. */
static void end_turn(census *s, const mpu_walk_at *at)
{
    uint64_t now = (uint64_t)at->slot * s->warps + at->warp;
    if (now <= s->last && s->went) {
        mpu_hot_end_turn(&s->hot);
        mpu_links_end_turn(&s->links);
        s->went = false;
    }
    s->last = now;
}

static int count_step(void *self, const mpu_walk_at *at, const msw_simt_step *step, msw_err *err)
{
    census *s = self;
    (void)err;
    s->residents[at->slot].own += step->count;
    s->issued += step->count;
    if (s->issued > s->most)
        return 1;
    end_turn(s, at);
    if (step->event == MSW_SIMT_EVENT_ACCESS && step->space != MSW_SIMT_SHARED)
        count_access(s, at, step);
    return 0;
}

static int end_cta(void *self, const mpu_walk_at *at, msw_err *err)
{
    census *s = self;
    const resident *of = &s->residents[at->slot];
    (void)err;
    s->work[of->home] += of->own;
    s->ctas[of->home]++;
    s->lengths[of->number] = (float)of->own;
    s->homes[of->number] = of->home;
    s->sums.last_stores += of->since;
    s->sums.waiting += of->own * msw_bits_count(of->waits) / s->warps;
    return 0;
}

static const int OF_ACCESSES[] = {
    MPU_LOADS,        MPU_STORES,        MPU_ATOMICS,       MPU_WHOLE_LOADS, MPU_WHOLE_STORES,
    MPU_LOCAL_LINES,  MPU_REMOTE_LINES,  MPU_TSV_ACCESS,    MPU_TSV_DATA,    MPU_TSV_REQUEST,
    MPU_TSV_VALUE,    MPU_TSV_WRITEBACK, MPU_READS,         MPU_WRITES,      MPU_DRAM_BYTES,
    MPU_LSU_ACCESSES, MPU_ON_CHIP_BYTES, MPU_OFF_CHIP_BYTES};
static const int ROWS[] = {MPU_ROW_HITS, MPU_ROW_CLOSED, MPU_ROW_CONFLICTS};

/* Counts of accesses: of all, for one CTA. Rows only of whole waves, as CTAs next to each other use
 * the same rows; else those of the replay, in its proportions. */
static void fill_accesses(const census *s, double run, bool waves, mpu_profile_class *out)
{
    double rows = 0, seen = 0;
    if (waves)
        out->buffers = mpu_rows_buffers(&s->rows);
    for (size_t i = 0; i < sizeof OF_ACCESSES / sizeof *OF_ACCESSES; i++)
        out->totals[OF_ACCESSES[i]] = s->totals[OF_ACCESSES[i]] / run;
    /* of offloaded instructions there, of whole accesses here */
    out->totals[MPU_INSNS_OFFLOADED] += s->totals[MPU_INSNS_OFFLOADED] / run;
    out->totals[MPU_TSV_COMMIT] += s->totals[MPU_TSV_COMMIT] / run;
    for (int m = 0; m < MPU_TSV_CAUSES; m++)
        out->traffic.messages[m] += s->tsv_messages[m] / run;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        rows += out->totals[ROWS[i]];
        seen += s->totals[ROWS[i]] / run;
    }
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        out->totals[ROWS[i]] =
            waves || rows <= 0 ? s->totals[ROWS[i]] / run : out->totals[ROWS[i]] * seen / rows;
}

/* The CTAs of the busiest core. */
static void see_way(const census *s, double *passed, mpu_profile_class *out)
{
    uint32_t busiest = 0;
    mpu_core_work w = {.passed = passed};
    for (uint32_t core = 1; core < s->cores; core++)
        busiest = s->work[core] > s->work[busiest] ? core : busiest;
    for (uint64_t i = 0; i < s->started; i++)
        if (s->homes[i] == busiest)
            mpu_work_add(&w, s->config, out->slots, (double)s->lengths[i]);
    mpu_work_tell(&w, out);
}

enum { CTAS_ADDED = 1 << 16 };

/* Those of core 0, which gets most, where most were not run: by the lengths. */
static void expect_way(const census *s, const mpu_lengths *l, uint64_t ctas, double *passed,
                       mpu_profile_class *out)
{
    mpu_core_work w = {.passed = passed};
    uint64_t rows = msw_div_up(ctas, s->cores), every = msw_div_up(rows, CTAS_ADDED);
    for (uint64_t row = 0; row < rows; row += every)
        mpu_work_add(&w, s->config, out->slots, mpu_length_of(l, row * s->cores));
    mpu_work_tell(&w, out);
    out->uneven = fmax(w.sum / w.ctas / l->mean, 1);
    out->working = (double)ctas / (double)rows / out->uneven;
}

static void fill_class(census *s, double ctas, double run, mpu_profile_class *out)
{
    double sum = 0, most = 0, fullest = 1, times = ctas / run;
    uint32_t seen = 0;
    mpu_hot_end_turn(&s->hot);
    mpu_links_end_turn(&s->links);
    mpu_hot_end_wave(&s->hot);
    mpu_hot_tell(&s->hot, times, out);
    for (uint32_t core = 0; core < s->cores; core++) {
        sum += s->work[core];
        most = fmax(most, s->work[core]);
        seen += s->work[core] > 0;
        fullest = fmax(fullest, s->ctas[core]);
    }
    out->seen = (double)seen / fmin(s->cores, ctas);
    out->insns_of_cta = sum / run;
    out->traffic.out_share = s->sums.accesses > 0 ? s->sums.went_out / s->sums.accesses : 0;
    out->traffic.out_stores = s->sums.went_out > 0 ? s->sums.stores / s->sums.went_out : 0;
    out->traffic.waiting = sum > 0 ? s->sums.waiting / sum : 0;
    out->traffic.last_stores = s->sums.last_stores * times;
    out->traffic.last_share = s->sums.stores > 0 ? s->sums.last_stores / s->sums.stores : 0;
    mpu_links_most(&s->links, times, out);
    if (s->sums.messages > 0) {
        out->traffic.out_bytes = s->sums.out / s->sums.messages;
        out->traffic.back_bytes = s->sums.back / s->sums.messages;
        out->traffic.hops = s->sums.hops / s->sums.messages;
    }
    for (uint32_t core = 0; core < s->cores; core++)
        if (s->sent[core] > 0)
            out->traffic.far_hops = fmax(out->traffic.far_hops, s->crossed[core] / s->sent[core]);
    bool counted = s->all || (out->seen >= 1 && s->config->dispatch != MPU_DISPATCH_OWNER);
    if (!counted || sum <= 0)
        return;
    double per_core = fmax(most / (s->all ? out->most_ctas : fullest), 1);
    out->uneven = per_core / out->insns_of_cta;
    out->working = sum / most;
}

/* As many CTAs at once as the cores hold, and memory. */
static uint64_t slots_of(const census *s, const msw_simt_code *code, const mpu_profile_class *out,
                         uint64_t count)
{
    uint64_t slots = s->cores * (uint64_t)out->slots;
    uint64_t fit = msw_max_u64(CENSUS_BYTES / msw_max_u64(msw_simt_cta_bytes(code), 1), 1);
    if (fit > s->cores) /* whole rows */
        fit -= fit % s->cores;
    return msw_min_u64(msw_min_u64(slots, fit), msw_max_u64(count, 1));
}

/* Of launches that take more: whole waves, or, where these are too many, whole rows of a CTA for
 * each core, at equal distances: so all cores are seen alike. Where a row is too much already, CTAs
 * at an odd distance: then most cores are not seen. */
static mpu_walk_ctas choose_ctas(const census *s, const mpu_profile_class *out, uint64_t ctas,
                                 double most)
{
    double of_row = fmax(out->totals[MPU_INSNS], 1) * (double)s->cores;
    uint64_t rows = msw_div_up(ctas, s->cores), wave = msw_min_u64(out->slots, rows);
    uint64_t run = (uint64_t)fmin(most / of_row, (double)rows);
    if (run < wave && of_row * (double)wave <= CENSUS_MOST)
        run = wave;
    if (!run && of_row <= CENSUS_MOST)
        run = 1;
    if (!run) {
        uint64_t every = msw_div_up(ctas, (uint64_t)fmax(most / of_row * s->cores, 2)) | 1;
        return (mpu_walk_ctas){.stride = every, .count = msw_div_up(ctas, every)};
    }
    uint64_t rows_each = run >= wave ? wave : 1, pieces = msw_div_up(rows, rows_each);
    uint64_t every = msw_div_up(pieces, run / rows_each), first = (every - 1) / 2;
    uint64_t together = rows_each * s->cores, last = (pieces - 1 - first) / every;
    uint64_t left = ctas - (first + last * every) * together;
    return (mpu_walk_ctas){.first = first * together,
                           .stride = 1,
                           .count = last * together + msw_min_u64(together, left),
                           .together = together,
                           .apart = every * together};
}

static int allocate_census(census *s, const msw_simt_code *code, uint64_t ctas, msw_arena *arena,
                           msw_err *err)
{
    s->warps = msw_simt_cta_warps(code);
    s->work = msw_arena_zero(arena, s->cores, sizeof *s->work);
    s->ctas = msw_arena_zero(arena, s->cores, sizeof *s->ctas);
    s->sent = msw_arena_zero(arena, s->cores, sizeof *s->sent);
    s->crossed = msw_arena_zero(arena, s->cores, sizeof *s->crossed);
    s->totals = msw_arena_zero(arena, MPU_METRICS, sizeof *s->totals);
    s->residents = msw_arena_zero(arena, s->slots, sizeof *s->residents);
    s->lengths = msw_arena_take(arena, ctas * sizeof *s->lengths);
    s->homes = msw_arena_take(arena, ctas * sizeof *s->homes);
    if (!s->lengths || !s->homes || !s->work || !s->ctas || !s->sent || !s->crossed || !s->totals ||
        !s->residents || mpu_hot_init(&s->hot, s->config, arena) ||
        mpu_links_init(&s->links, s->config, arena))
        return msw_fail_memory(err);
    if (mpu_rows_init(&s->rows, s->map, arena, err))
        return -1;
    return mpu_caches_init(&s->caches, s->config, arena, err);
}

/* Runs these CTAs. Returns 0, -1, or 1 when they take more than `most` warp-instructions. */
static int run_census(census *s, const msw_simt_code *code, mpu_walk_ctas run, double most,
                      msw_arena *arena, const mpu_profile_class *out, msw_err *err)
{
    mpu_walk_listener mine = {.self = s, .starts = start_cta, .step = count_step, .ends = end_cta};
    s->all = run.count == msw_simt_cta_count(code);
    s->most = most;
    s->slots = slots_of(s, code, out, run.count);
    run.slots = (uint32_t)s->slots;
    if (allocate_census(s, code, run.count, arena, err))
        return -1;
    s->hot.some = !s->all && !run.together;
    return mpu_walk(code, &run, &mine, arena, err);
}

static int keep_work(const census *s, msw_arena *kept, mpu_profile_class *out, msw_err *err)
{
    double *work = msw_arena_take(kept, s->cores * sizeof *work);
    if (!work)
        return msw_fail_memory(err);
    memcpy(work, s->work, s->cores * sizeof *work);
    out->work = work;
    return 0;
}

int mpu_census(const mpu_config *config, const mpu_kernel *kernel, const mpu_map *map,
               const msw_simt_code *code, double share, msw_arena *arena, msw_arena *kept,
               mpu_profile_class *out, msw_err *err)
{
    uint64_t ctas = msw_simt_cta_count(code);
    msw_arena_mark mark = msw_arena_now(arena);
    census s, empty = {.config = config, .kernel = kernel, .map = map};
    empty.cores = (uint32_t)mpu_core_count(config);
    mpu_walk_ctas run = {.stride = 1, .count = ctas};
    bool tried = out->totals[MPU_INSNS] * (double)ctas <= CENSUS_MOST;
    int rc = 1;
    s = empty;
    if (tried)
        rc = run_census(&s, code, run, CENSUS_INSNS * share, arena, out, err);
    if (rc > 0) {
        msw_arena_release(arena, mark);
        s = empty;
        run = choose_ctas(&s, out, ctas, CENSUS_INSNS * share);
        rc = run_census(&s, code, run, HUGE_VAL, arena, out, err);
    }
    if (rc)
        return -1;
    double seen = (double)run.count; /* in CTAs of the mean length */
    mpu_lengths lengths = {0};
    if (!s.all && run.together && mpu_lengths_run(code, s.issued / seen, arena, &lengths, err))
        return -1;
    bool unlike = fabs(lengths.mean - s.issued / seen) > 2 * lengths.error && lengths.count;
    if (unlike && lengths.mean > 0)
        seen = s.issued / lengths.mean;
    fill_class(&s, (double)ctas, seen, out);
    double *passed = msw_arena_zero(arena, out->slots, sizeof *passed);
    if (!passed)
        return msw_fail_memory(err);
    out->longest = 1;
    if (unlike && config->dispatch != MPU_DISPATCH_OWNER)
        expect_way(&s, &lengths, ctas, passed, out);
    else if (out->seen >= 1 && config->dispatch != MPU_DISPATCH_OWNER)
        see_way(&s, passed, out);
    if (s.all && keep_work(&s, kept, out, err))
        return -1;
    if (out->totals[MPU_INSNS] > 0)
        mpu_class_scale(out, out->insns_of_cta / out->totals[MPU_INSNS]);
    fill_accesses(&s, seen, s.all || run.together > s.cores, out);
    return 0;
}
