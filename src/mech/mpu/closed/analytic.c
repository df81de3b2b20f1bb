/* SPDX-License-Identifier: MIT */
/* The closed form: for each class of launches the times of the resources of a core and the chain of
 * its CTAs, put together (README.md, "Closed form").
 *
 *   T = cycles of the full waves of CTAs of the fullest core, and of what is left
 *   cycles of a launch = sum of T + tail
 *   Z = max(C - sum D, 0)          C  chain of a warp; D  cycles that a warp takes of each station
 *
 * How N warps share the stations is queues.c. Known value: one warp takes its chain. */
#include "mech/mpu/closed/dram.h"
#include "mech/mpu/closed/profile.h"
#include "mech/mpu/closed/queues.h"
#include "mech/mpu/closed/tsv.h"
#include "mech/mpu/model.h"
#include "memsweep/base/bits.h"

#include <math.h>

/* What takes time in a core, in the order of the causes they are reported under. */
enum {
    BY_ISSUE,
    BY_ALU,
    BY_DRAM,
    BY_TSV,
    BY_SHARED,
    BY_UNIT,
    BY_TABLE,
    BY_MOVES,
    BY_COLLECTORS,
    BY_OWNER,
    BY_LINKS,
    RESOURCES
};

/* What one CTA of a class takes in a core. */
typedef struct load {
    mpu_station stations[RESOURCES]; /* by one warp of it */
    double chain, chain_by[MPU_ON_PATH_KINDS];
    double mean_ctas, most_ctas;     /* of a core */
    double issue;                    /* mean over sub-cores, all CTAs */
    double used;                     /* share of sub-cores that have warps, in the mean */
    double waits;                    /* of the chain, at barriers */
    double early;                    /* of the chain, by which the mean core ends before the last */
    double ask;                      /* share of warps that ask other cores */
    double together;                 /* warps of a sub-core that end one by one */
    double met_core, met_link;       /* by a message, over the fullest */
    double out_share, out_stores;    /* of accesses that do; of these, stores */
    double tsv_accesses, tsv_shared; /* of the TSVs' time: accesses; shared memory */
    double tail, tail_used; /* cycles behind the rest; share of sub-cores that then have warps */
    double late;            /* by which the last warps of bursts end behind the first */
    double cycles, residence[RESOURCES + 1]; /* of the fullest core; last: the chain's own */
} load;

/* ---- DRAM ---- */

/* A warp reads between two of its writes, and half of a unit's warps are taken to write together.
 */
static double unit_dram(const mpu_config *c, const mpu_profile_class *k)
{
    mpu_asked mean = mpu_unit_mean(c, k);
    double together = (double)(k->slots * k->warps) / (double)c->subcores / 2;
    return mpu_unit_cycles(c, &mean, mpu_merged_share(c, k), together);
}

static double miss_rate(const mpu_profile_class *k)
{
    double misses = k->totals[MPU_ROW_CLOSED] + k->totals[MPU_ROW_CONFLICTS];
    double all = k->totals[MPU_ROW_HITS] + misses;
    return all > 0 ? misses / all : 0;
}

/* ---- chains ---- */

static double link_width(const mpu_config *c, int off)
{
    double bits = (double)(off ? c->off_chip_bits : c->on_chip_bits);
    return bits / 8 * (off ? c->off_chip_ghz : c->on_chip_ghz) / c->core_ghz;
}

static double hop_cycles(const mpu_config *c)
{
    return fmax(ceil((double)c->router_cycles * c->core_ghz / c->router_ghz), 1);
}

/* A request of the core that is farthest from its data, and its answer: routers, and once the
 * slowest link that lies on ways. */
static double network_cycles(const mpu_config *c, const mpu_profile_class *k)
{
    double width = link_width(c, 0);
    if (k->link_bytes[1] > 0)
        width = fmin(width, link_width(c, 1));
    return 2 * k->far_hops * hop_cycles(c) + ceil(k->out_bytes / width) +
           ceil(k->back_bytes / width);
}

static double access_cycles(const mpu_config *c, const mpu_profile_class *k)
{
    const double *t = k->totals;
    double accesses = t[MPU_LOADS] + t[MPU_STORES] + t[MPU_ATOMICS];
    double blocks = accesses > 0 ? (t[MPU_READS] + t[MPU_WRITES]) / accesses : 0;
    double whole = accesses > 0 ? (t[MPU_WHOLE_LOADS] + t[MPU_WHOLE_STORES]) / accesses : 0;
    double split =
        blocks * mpu_beats_of(c, (double)c->bank_io_bytes) + mpu_beats_of(c, MPU_REG_BYTES);
    double dram = (double)c->t_cl + miss_rate(k) * (double)(c->t_rp + c->t_rcd);
    double tsv = mpu_beat_cycles(c) * (whole + (1 - whole) * split),
           wires = 2 * (double)c->tsv_cycles;
    if (c->pipeline == MPU_PIPELINE_DRAM)
        tsv = wires = 0;
    /* blocks cross while the next ones are read */
    dram += wires + fmax(tsv, blocks * (double)c->t_ccd);
    return (double)(c->collect_cycles + c->lsu_cycles + c->writeback_cycles) + dram;
}

/* ---- other cores ---- */

/* Beats of a core's TSVs for what other cores ask of it. Data read come down; addresses and data
 * written go up. */
static double asked_beats(const mpu_config *c, const mpu_asked *a)
{
    double io = (double)c->bank_io_bytes, request = (double)c->request_bytes;
    double down = a->blocks[0] * mpu_beats_of(c, io), up = 0;
    for (int w = 0; w < 2; w++)
        if (a->lines[w] > 0)
            up += a->lines[w] *
                  mpu_beats_of(c, a->blocks[w] / a->lines[w] * (request + (w ? io : 0)));
    if (c->pipeline == MPU_PIPELINE_DRAM)
        return 0;
    return c->tsv_duplex ? fmax(up, down) : up + down;
}

/* Cycles of the fullest near-bank unit of those that other cores ask. */
static double asked_unit(const mpu_config *c, const mpu_profile_class *k, const mpu_asked *a)
{
    double together = (double)(k->slots * k->warps) / (double)c->subcores / 2;
    return mpu_unit_cycles(c, a, mpu_merged_share(c, k), together);
}

/* For which a request holds an entry of the table of LSU-Remote: TSVs of the core, then a unit. */
static double held_cycles(const mpu_config *c, const mpu_profile_class *k, double misses)
{
    const mpu_asked *a = &k->hot_core;
    double written = a->blocks[1] / (a->blocks[0] + a->blocks[1]);
    double held = 2 + misses * (double)(c->t_rp + c->t_rcd);
    held += (1 - written) * (double)c->t_cl;
    held += written * (mpu_merged_share(c, k) * mpu_update_cycles(c) + (double)c->t_cwl);
    held += asked_beats(c, a) * mpu_beat_cycles(c) / a->messages;
    if (c->pipeline != MPU_PIPELINE_DRAM)
        held += (double)(c->tsv_command_cycles + 2 * c->tsv_cycles);
    return held;
}

/* Cycles of a launch that TSVs and table of the core take which is asked most. */
static double asked_core(const mpu_config *c, const mpu_profile_class *k, double misses)
{
    const mpu_asked *a = &k->hot_core;
    if (a->messages <= 0)
        return 0;
    double tsv = asked_beats(c, a) * mpu_beat_cycles(c);
    return fmax(tsv, a->messages * held_cycles(c, k, misses) / (double)c->pending);
}

static double owner_cycles(const mpu_config *c, const mpu_profile_class *k)
{
    return fmax(asked_core(c, k, miss_rate(k)), asked_unit(c, k, &k->hot_unit));
}

/* Cycles that the owner takes for one request when many come together. */
static double one_request(const mpu_config *c, const mpu_profile_class *k)
{
    mpu_asked one = k->hot_core;
    double messages = one.messages;
    if (messages <= 0)
        return 0;
    one.misses = 0; /* what comes together lies in few rows */
    return fmax(asked_core(c, k, 0), asked_unit(c, k, &one) / (double)c->subcores) / messages;
}

/* Cycles of a launch that the fullest link takes; it is held for whole cycles. */
static double link_cycles(const mpu_config *c, const mpu_profile_class *k, double *burst)
{
    double most = 0;
    *burst = 0;
    for (int off = 0; off < 2; off++)
        if (k->link_messages[off] > 0) {
            double one = ceil(k->link_bytes[off] / k->link_messages[off] / link_width(c, off));
            most = fmax(most, one * k->link_messages[off]);
            *burst = fmax(*burst, one * (k->peak_link[off] - 1));
        }
    return most;
}

/* Cycles in which the core asked most, or its unit, takes the stores with which the CTAs of the
 * last wave end: nothing that other cores do then adds to their time. */
static double tail_cycles(const mpu_config *c, const mpu_profile_class *k, double waves)
{
    mpu_asked writes = k->hot_unit;
    writes.lines[0] = writes.blocks[0] = 0;
    double unit = asked_unit(c, k, &writes), core = k->out_stores * asked_core(c, k, miss_rate(k));
    return k->last_share * fmax(unit, core) / ceil(waves);
}

/* For which a register move holds its engine. */
static double move_cycles(const mpu_config *c)
{
    return 2 + (double)(c->tsv_cycles + c->tsv_command_cycles) +
           mpu_beat_cycles(c) * mpu_beats_of(c, MPU_REG_BYTES);
}

static void fill_weights(const mpu_config *c, const mpu_profile_class *k, double *w)
{
    double around = (double)(c->collect_cycles + c->writeback_cycles);
    double crossing = mpu_beat_cycles(c) * mpu_beats_of(c, (double)c->offload_bytes);
    for (unsigned latency = 0; latency < MPU_LATENCIES; latency++)
        w[latency] = around + (double)mpu_latency(c, latency);
    w[MPU_ON_PATH_ISSUE] = 1;
    w[MPU_ON_PATH_CONST] = around + 1;
    w[MPU_ON_PATH_SHARED] = around + (double)c->shared_cycles;
    w[MPU_ON_PATH_LOCAL] = access_cycles(c, k);
    w[MPU_ON_PATH_REMOTE] = w[MPU_ON_PATH_LOCAL] + network_cycles(c, k);
    w[MPU_ON_PATH_MOVE] = around + (double)(2 * c->tsv_cycles + c->tsv_command_cycles) +
                          mpu_beat_cycles(c) * mpu_beats_of(c, MPU_REG_BYTES);
    w[MPU_ON_PATH_OFFLOAD] = crossing + 2 * (double)c->tsv_cycles;
    w[MPU_ON_PATH_CONTROL] = (double)(c->collect_cycles + 1 + c->front_cycles);
}

/* ---- a class ---- */

/* A CTA's cycles of a resource are spread over its warps, and over the sub-cores where each has its
 * own. */
static void set_station(load *l, int r, double cycles, double copies, const mpu_profile_class *k)
{
    l->stations[r] = (mpu_station){
        .demand = k->uneven * cycles * fmax(copies, 1) / (double)k->warps, .copies = copies};
}

static void fill_load(const mpu_config *c, const mpu_profile_class *k, load *l)
{
    double subs = (double)c->subcores, weights[MPU_ON_PATH_KINDS], busy = k->busy_share;
    const double *t = k->totals;
    *l = (load){.mean_ctas = k->ctas / (double)mpu_core_count(c), .most_ctas = k->most_ctas};
    l->issue = l->mean_ctas * t[MPU_INSNS] / subs;
    double at_once = fmin((double)k->slots, k->most_ctas) * (double)k->warps;
    l->used = k->working / (double)mpu_core_count(c) * fmin(at_once / subs, 1);
    set_station(l, BY_ISSUE, busy * t[MPU_INSNS] / (double)c->issue_width, subs, k);
    if (c->pipeline != MPU_PIPELINE_BASE)
        set_station(l, BY_ALU, busy * t[MPU_INSNS_NEAR] / (double)c->near_alus, subs, k);
    else
        set_station(l, BY_ALU, 0, subs, k);
    set_station(l, BY_DRAM, unit_dram(c, k), subs, k);
    set_station(l, BY_TSV, mpu_tsv_time(c, k), 1, k);
    set_station(l, BY_SHARED, t[MPU_SHARED_ACCESSES], 1, k);
    double accesses = t[MPU_LOADS] + t[MPU_STORES] + t[MPU_ATOMICS];
    set_station(l, BY_UNIT, busy * accesses / (double)c->lsus, subs, k);
    fill_weights(c, k, weights);
    double under_way = k->out_share * weights[MPU_ON_PATH_REMOTE] +
                       (1 - k->out_share) * weights[MPU_ON_PATH_LOCAL];
    set_station(l, BY_TABLE, busy * accesses * under_way / (double)c->pending, subs, k);
    double moves = t[MPU_MOVES_NEAR] + t[MPU_MOVES_FAR];
    set_station(l, BY_MOVES, busy * moves * move_cycles(c) / (double)c->move_engines, subs, k);
    double near = t[MPU_INSNS_OFFLOADED] - t[MPU_WHOLE_LOADS] - t[MPU_WHOLE_STORES];
    set_station(l, BY_COLLECTORS,
                busy * near * (double)c->collect_cycles / (double)c->near_collectors, subs, k);
    /* all cores' warps come to these */
    double waves = k->most_ctas / fmin((double)k->slots, k->most_ctas);
    l->tail = tail_cycles(c, k, waves);
    double asked = fmax(owner_cycles(c, k) - l->tail, 0), burst;
    set_station(l, BY_OWNER, asked / k->ctas, 1 / k->working, k);
    l->tail_used = fmin(k->last_stores / ceil(waves) / (double)mpu_unit_count(c), 1) / 2;
    set_station(l, BY_LINKS, link_cycles(c, k, &burst) / k->ctas, 1 / k->working, k);
    l->stations[BY_LINKS].burst = burst;
    l->stations[BY_OWNER].burst = one_request(c, k) * fmax(k->peak_core - 1, 0);
    for (int i = 0; i < MPU_ON_PATH_KINDS; i++) {
        l->chain_by[i] = k->path[i] * weights[i];
        l->chain += l->chain_by[i];
        l->waits += k->waits[i] * weights[i];
    }
    l->early = k->path[MPU_ON_PATH_REMOTE] * 2 * (k->far_hops - k->hops) * hop_cycles(c);
    l->early = l->chain > 0 ? l->early / l->chain : 0;
    l->waits = l->chain > 0 ? fmin(fmax(l->waits / l->chain, 0), 1) : 0;
    l->out_share = k->out_share;
    mpu_tsv_shares(c, k, &l->tsv_accesses, &l->tsv_shared);
    l->ask = k->asking;
    l->out_stores = k->out_stores;
    l->together = at_once / (l->waits > 0 ? (double)k->warps : subs);
    l->together = fmax(l->together, 1);
    l->met_core = k->met_core;
    l->met_link = k->met_link;
}

/* `times` waves of this many CTAs. */
static void add_waves(const mpu_profile_class *k, double ctas, double times, load *l)
{
    double residence[RESOURCES], cycles, late, at_stations = 0;
    if (ctas <= 0 || times <= 0)
        return;
    cycles =
        mpu_queues(l->stations, RESOURCES, ctas * (double)k->warps, l->chain, residence, &late);
    for (int r = 0; r < RESOURCES; r++) {
        l->residence[r] += times * residence[r];
        at_stations += residence[r];
    }
    double own = 0, most = -1, rest = fmax(cycles - late - at_stations, 0);
    int slowest = 0;
    for (int r = 0; r < RESOURCES; r++) {
        own += l->stations[r].demand;
        double bound = l->stations[r].demand / l->stations[r].copies;
        slowest = bound > most ? r : slowest;
        most = fmax(bound, most);
    }
    double think = fmin(fmax(l->chain - own, 0), rest);
    l->residence[RESOURCES] += times * think;
    l->residence[slowest] += times * (rest - think); /* it works all the time */
    l->late += times * late;
    l->cycles += times * cycles;
}

/* The CTAs of the fullest core: full waves, and what is left of them. */
static void put_together(const mpu_profile_class *k, load *l)
{
    double slots = k->slots < l->most_ctas ? k->slots : l->most_ctas;
    double waves = floor(l->most_ctas / slots);
    add_waves(k, slots, waves, l);
    add_waves(k, l->most_ctas - waves * slots, 1, l);
    l->cycles = fmax(l->cycles + l->tail, 1);
}

static int cause_of(int kind)
{
    if (kind < MPU_LATENCIES || kind == MPU_ON_PATH_CONST || kind == MPU_ON_PATH_ISSUE ||
        kind == MPU_ON_PATH_CONTROL)
        return MPU_STALL_ALU;
    return kind == MPU_ON_PATH_SHARED   ? MPU_STALL_SHARED
           : kind == MPU_ON_PATH_LOCAL  ? MPU_STALL_DRAM
           : kind == MPU_ON_PATH_REMOTE ? MPU_STALL_NETWORK
                                        : MPU_STALL_TSV;
}

/* What a chain has in addition to its stations: of each cause what the stations of that cause leave
 * of it.
 */
static void deal_chain(const load *l, double *share)
{
    const mpu_station *s = l->stations;
    double part[MPU_METRICS] = {0}, taken[MPU_METRICS] = {0}, sum = 0;
    double tsv = s[BY_TSV].demand, chain = l->residence[RESOURCES], free = (1 - l->waits) * chain;
    for (int i = 0; i < MPU_ON_PATH_KINDS; i++)
        part[cause_of(i)] += l->chain_by[i];
    double early = l->early * l->chain;
    part[MPU_STALL_NETWORK] -= early;
    part[MPU_IDLE] += early;
    double of_access = l->tsv_accesses * tsv + s[BY_DRAM].demand + s[BY_TABLE].demand;
    of_access += s[BY_UNIT].demand;
    taken[MPU_STALL_DRAM] = (1 - l->out_share) * of_access;
    taken[MPU_STALL_NETWORK] = l->out_share * of_access;
    taken[MPU_STALL_TSV] =
        (1 - l->tsv_accesses - l->tsv_shared) * tsv + s[BY_MOVES].demand + s[BY_COLLECTORS].demand;
    taken[MPU_STALL_SHARED] = l->tsv_shared * tsv + s[BY_SHARED].demand;
    taken[MPU_STALL_ALU] = s[BY_ALU].demand + s[BY_ISSUE].demand;
    for (int cause = MPU_STALL_ALU; cause <= MPU_IDLE; cause++) {
        part[cause] = fmax(part[cause] - taken[cause], 0);
        sum += part[cause];
    }
    for (int cause = MPU_STALL_ALU; cause <= MPU_IDLE && sum > 0; cause++)
        share[cause] += free * part[cause] / sum;
    share[MPU_STALL_BARRIER] += l->waits * chain;
}

/* Who asks others waits for those that he meets; the last to end met the fullest. Of a burst a
 * sub-core ends with the last of its warps: of n in any order at n / (n + 1) of the time. */
static void deal_others(const load *l, double *share)
{
    double owner = l->residence[BY_OWNER], links = l->residence[BY_LINKS];
    double met = l->met_core * owner + l->met_link * links;
    double late = l->late * l->together / (l->together + 1) + met, ended = owner + links - met;
    double others = (1 - l->ask) * late;
    double wait = l->waits > 0 ? (1 - l->out_stores) * others : 0;
    share[MPU_STALL_NETWORK] += late - others;
    share[MPU_STALL_BARRIER] += wait;
    share[MPU_IDLE] += others - wait + ended;
}

/* What is neither issue nor idle is dealt out in proportion to where a warp of the fullest core
 * spends its time. */
static void deal_out(const load *l, double launches, double *m)
{
    double idle = (l->cycles - l->tail) * (1 - l->used) + l->tail * (1 - l->tail_used);
    idle += l->late / (l->together + 1) * l->used; /* warps end one after the other */
    double issue = l->issue;
    issue = issue < l->cycles - idle ? issue : l->cycles - idle;
    double rest = l->cycles - idle - issue, share[MPU_METRICS] = {0}, sum = 0;
    double tsv = l->residence[BY_TSV], of_access = l->tsv_accesses * tsv;
    of_access += l->residence[BY_DRAM] + l->residence[BY_TABLE] + l->residence[BY_UNIT];
    share[MPU_STALL_NETWORK] += l->out_share * of_access;
    share[MPU_STALL_DRAM] += (1 - l->out_share) * of_access;
    share[MPU_STALL_SHARED] += l->tsv_shared * tsv + l->residence[BY_SHARED];
    share[MPU_STALL_TSV] += (1 - l->tsv_accesses - l->tsv_shared) * tsv + l->residence[BY_MOVES] +
                            l->residence[BY_COLLECTORS];
    share[MPU_STALL_ALU] += l->residence[BY_ALU];
    deal_others(l, share);
    deal_chain(l, share);
    share[MPU_STALL_NETWORK] += l->tail * l->tail_used;
    for (int cause = MPU_ISSUE; cause <= MPU_IDLE; cause++)
        sum += share[cause];
    m[MPU_ISSUE] += launches * (sum > 0 ? issue : issue + rest);
    m[MPU_IDLE] += launches * idle;
    for (int cause = MPU_ISSUE; cause <= MPU_IDLE && sum > 0; cause++)
        m[cause] += launches * rest * share[cause] / sum;
}

/* What counting does not give: commands, and the ALUs' energy under these parameters. */
static void fill_rest(const mpu_config *c, const mpu_profile_class *k, double cycles, double n,
                      double *m)
{
    double misses = n * (k->totals[MPU_ROW_CLOSED] + k->totals[MPU_ROW_CONFLICTS]);
    double banks = (double)mpu_bank_count(c);
    double refreshes = c->t_refi ? k->launches * cycles / (double)c->t_refi * banks : 0;
    double hits = n * k->totals[MPU_ROW_HITS];
    double closed = refreshes < hits ? refreshes : hits; /* a refresh closes a row in use */
    m[MPU_ROW_HITS] -= closed;
    m[MPU_ROW_CLOSED] += closed;
    m[MPU_ROW_MISSES] += misses + closed;
    m[MPU_ACTIVATES] += misses + closed;
    m[MPU_PRECHARGES] += n * k->totals[MPU_ROW_CONFLICTS] + closed;
    m[MPU_REFRESHES] += refreshes;
    for (unsigned e = 0; e < MPU_ENERGIES; e++)
        m[MPU_ENERGY_ALU] += n * k->alu[e] * mpu_alu_energy(c, e);
    double cores = (double)mpu_core_count(c);
    mpu_ways beats = mpu_tsv_beats(c, k);
    m[MPU_TSV_BUSY] += n * (beats.up + beats.down) * mpu_beat_cycles(c) / cores;
}

static void add_class(const mpu_config *c, const mpu_profile_class *k, double *m)
{
    load l;
    fill_load(c, k, &l);
    put_together(k, &l);
    double n = k->launches * k->ctas;
    m[MPU_CYCLES] += k->launches * l.cycles;
    deal_out(&l, k->launches, m);
    for (int slot = MPU_INSNS; slot < MPU_ENERGY; slot++)
        m[slot] += n * k->totals[slot];
    fill_rest(c, k, l.cycles, n, m);
}

int mpu_check_fit(const msw_task *task, msw_err *err)
{
    static const char *const LIMITS[MPU_LIMITS] = {"warps", "ctas", "shared_bytes", "near_rf_bytes",
                                                   "far_rf_bytes"};
    const msw_simt_product *p = task->product->data;
    const mpu_program *program = mpu_program_of(task);
    for (size_t s = 0; s < p->stage_count; s++) {
        if (p->stages[s].kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        const mpu_kernel *kernel = &program->kernels[program->of_stage[s]];
        mpu_occupancy fits = mpu_occupancy_of(task->config, kernel, &p->stages[s]);
        if (!fits.ctas)
            return msw_fail(err, "kernel %s: a CTA of %u warps does not fit a core: more %s",
                            kernel->kernel->name, fits.warps, LIMITS[fits.limit]);
    }
    return 0;
}

int mpu_analytic(const msw_task *task, double *m, msw_err *err)
{
    const mpu_profile *profile = task->artifacts[MPU_ARTIFACT_PROFILE];
    if (mpu_check_fit(task, err))
        return -1;
    for (int slot = 0; slot < MPU_METRICS; slot++)
        m[slot] = 0;
    for (uint32_t k = 0; k < profile->count; k++)
        add_class(task->config, &profile->classes[k], m);
    mpu_count_sums(m);
    mpu_energy(task->config, m);
    return 0;
}
