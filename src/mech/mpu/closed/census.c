/* Who works and who is asked, over all cores: CTAs run one at a time, for what they issue and where
 * their accesses go. */
#include "mech/mpu/closed/links.h"
#include "mech/mpu/closed/replay.h"
#include "memsweep/base/bits.h"

#include <math.h>

/* Warp-instructions that are run; of larger launches CTAs at equal distances. */
#define CENSUS_INSNS 1e6

typedef struct census {
    const mpu_config *config;
    const mpu_kernel *kernel;
    const mpu_map *map;
    uint32_t home, cores;
    bool homeless;              /* dispatch: owner, and no access yet */
    double own;                 /* instructions of the CTA that runs */
    double since;               /* its stores to other cores since anybody of it loaded */
    double stores, last_stores; /* to other cores; those that no load follows */
    double *work;               /* [core] instructions */
    mpu_asked *asked;           /* [core * subcores + unit] by other cores */
    mpu_links links;
    double messages, out, back, hops; /* messages to other cores; their bytes and links */
    mpu_access access;
} census;

static int starts(void *self, const mpu_walk_at *at, msw_err *err)
{
    census *s = self;
    (void)err;
    if (at->warp)
        return 0;
    s->home = (uint32_t)(at->cta % s->cores);
    s->homeless = s->config->dispatch == MPU_DISPATCH_OWNER;
    s->own = s->since = 0;
    return 0;
}

static double with_heads(const mpu_config *c, double bytes)
{
    return bytes + fmax(ceil(bytes / (double)c->packet_bytes), 1) * (double)c->header_bytes;
}

/* A request to another core and its answer: their sizes are those of the cycle model. */
static void send(census *s, const msw_simt_insn *insn, uint32_t core, double blocks)
{
    const mpu_config *c = s->config;
    double data = blocks * (double)c->bank_io_bytes;
    bool sends = insn->is_store || insn->is_atomic;
    bool loads = insn->def_count && (!insn->is_store || insn->is_atomic);
    double out = with_heads(c, 4 * blocks + (sends ? data : 0));
    double back = with_heads(c, loads ? data : 0);
    s->messages++;
    s->out += out;
    s->back += back;
    s->hops += mpu_links_add(&s->links, c, s->home, core, out);
    mpu_links_add(&s->links, c, core, s->home, back);
}

/* A message to each core that has blocks. */
static void send_all(census *s, const msw_simt_insn *insn)
{
    for (uint32_t b = 0, to = 0; b < s->access.count; b = to) {
        uint32_t core = s->access.blocks[b].at.core;
        for (to = b; to < s->access.count && s->access.blocks[to].at.core == core;)
            to++;
        if (core != s->home)
            send(s, insn, core, to - b);
    }
}

/* Blocks are in the order of addresses: a message for each core, a line for each unit. */
static void ask(census *s, bool writes)
{
    const mpu_location *before = NULL;
    for (uint32_t b = 0; b < s->access.count; b++) {
        const mpu_location *at = &s->access.blocks[b].at;
        uint64_t line = s->access.blocks[b].address / MPU_LINE_BYTES;
        bool same_line = b && line == s->access.blocks[b - 1].address / MPU_LINE_BYTES;
        if (at->core != s->home) {
            mpu_asked *of =
                &s->asked[(uint64_t)at->core * (uint64_t)s->config->subcores + at->unit];
            of->messages += !before || before->core != at->core;
            of->lines[writes] += !same_line || before->unit != at->unit;
            of->blocks[writes]++;
        }
        before = at;
    }
}

static int sees(void *self, const mpu_walk_at *at, const msw_simt_step *step, msw_err *err)
{
    census *s = self;
    (void)at;
    (void)err;
    s->own += step->count;
    if (step->event != MSW_SIMT_EVENT_ACCESS || step->space != MSW_SIMT_GLOBAL || !step->line_count)
        return 0;
    if (s->homeless)
        s->home = mpu_locate(s->map, step->lines[0].address).core;
    s->homeless = false;
    mpu_access_of(s->map, step, s->home, 0, &s->access);
    const msw_simt_insn *insn = &s->kernel->kernel->insns[step->first + step->count - 1];
    if (!insn->is_store)
        s->since = 0;
    if (s->access.remote_blocks) {
        s->stores += insn->is_store;
        s->since += insn->is_store;
        ask(s, insn->is_store);
        send_all(s, insn);
    }
    return 0;
}

static int ends(void *self, const mpu_walk_at *at, msw_err *err)
{
    census *s = self;
    (void)at;
    (void)err;
    s->work[s->home] += s->own;
    s->last_stores += s->since;
    return 0;
}

static void add(mpu_asked *to, const mpu_asked *from, double times)
{
    to->messages += times * from->messages;
    for (int w = 0; w < 2; w++) {
        to->lines[w] += times * from->lines[w];
        to->blocks[w] += times * from->blocks[w];
    }
}

/* What is asked of the core, and of its unit, that have most to do. A write is told as four reads:
 * the bus turns round. */
static void find_hottest(const census *s, double times, mpu_profile_class *out)
{
    uint32_t units = (uint32_t)s->config->subcores;
    double most = 0, most_unit = 0;
    for (uint32_t core = 0; core < s->cores; core++) {
        mpu_asked sum = {0};
        for (uint32_t u = 0; u < units; u++) {
            const mpu_asked *unit = &s->asked[(size_t)core * units + u];
            double load = unit->lines[0] + 4 * unit->lines[1];
            add(&sum, unit, 1);
            if (load <= most_unit)
                continue;
            most_unit = load;
            out->hot_unit = (mpu_asked){0};
            add(&out->hot_unit, unit, times);
        }
        double load = sum.messages + sum.blocks[0] + sum.blocks[1];
        if (load <= most)
            continue;
        most = load;
        out->hot_index = core;
        out->hot_core = (mpu_asked){0};
        add(&out->hot_core, &sum, times);
    }
}

static void tell(const census *s, double ctas, double run, mpu_profile_class *out)
{
    double sum = 0, most = 0, times = ctas / run;
    find_hottest(s, times, out);
    for (uint32_t core = 0; core < s->cores; core++) {
        sum += s->work[core];
        most = fmax(most, s->work[core]);
    }
    out->insns_of_cta = sum / run;
    out->last_stores = s->last_stores * times;
    out->last_share = s->stores > 0 ? s->last_stores / s->stores : 0;
    mpu_links_most(&s->links, times, out);
    if (s->messages > 0) {
        out->out_bytes = s->out / s->messages;
        out->back_bytes = s->back / s->messages;
        out->hops = s->hops / s->messages;
    }
    if (run < ctas || sum <= 0)
        return;
    double per_core = fmax(most / out->most_ctas, 1);
    out->uneven = per_core / out->insns_of_cta;
    out->working = sum / most;
}

int mpu_census(const mpu_config *config, const mpu_kernel *kernel, const mpu_map *map,
               const msw_simt_code *code, msw_arena *arena, mpu_profile_class *out, msw_err *err)
{
    const mpu_walk_listener listener = {.starts = starts, .step = sees, .ends = ends};
    uint64_t ctas = msw_simt_cta_count(code), cores = (uint64_t)mpu_core_count(config);
    double of_one = fmax(out->totals[MPU_INSNS], 1);
    uint64_t run = (uint64_t)fmax(fmin((double)ctas, CENSUS_INSNS / of_one), 2);
    uint64_t every = msw_div_up(ctas, run) | (ctas > run); /* odd: all cores have their turn */
    census s = {.config = config, .kernel = kernel, .map = map, .cores = (uint32_t)cores};
    s.work = msw_arena_zero(arena, cores, sizeof *s.work);
    s.asked = msw_arena_zero(arena, cores * (uint64_t)config->subcores, sizeof *s.asked);
    if (!s.work || !s.asked || mpu_links_init(&s.links, config, arena))
        return msw_fail_memory(err);
    mpu_walk_ctas all = {0, every, msw_div_up(ctas, every), 1};
    mpu_walk_listener mine = listener;
    mine.self = &s;
    if (mpu_walk(code, &all, &mine, arena, err))
        return -1;
    tell(&s, (double)ctas, (double)all.count, out);
    return 0;
}
