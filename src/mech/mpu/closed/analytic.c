/* The closed form: for each class of launches the times of the resources of a core and the chain of
 * its CTAs, put together (README.md, "Closed form"). */
#include "mech/mpu/closed/profile.h"
#include "mech/mpu/closed/queues.h"
#include "mech/mpu/closed/tsv.h"
#include "mech/mpu/model.h"
#include "memsweep/base/bits.h"

#include <math.h>

/* What takes time in a core, in the order of the causes they are told under. */
enum {
    BY_ISSUE,
    BY_ALU,
    BY_DRAM,
    BY_TSV,
    BY_SHARED,
    BY_UNIT,
    BY_TABLE,
    BY_OWNER,
    BY_LINKS,
    RESOURCES
};

/* What one CTA of a class takes in a core. */
typedef struct load {
    mpu_station stations[RESOURCES]; /* by one warp of it */
    double chain, chain_by[MPU_ON_PATH_KINDS];
    double mean_ctas, most_ctas; /* of a core */
    double issue;                /* mean over sub-cores, all CTAs */
    double used;                 /* share of sub-cores that have warps, in the mean */
    double waits;                /* of the chain, at barriers */
    double ask;                  /* share of warps that ask other cores */
    double tail, tail_used; /* cycles behind the rest; share of sub-cores that then have warps */
    double cycles, residence[RESOURCES + 1]; /* of the fullest core; last: the chain's own */
} load;

/* ---- DRAM ---- */

static double burst(const mpu_config *c)
{
    return (double)msw_min_i64(c->t_ccd, c->t_ccd_short);
}

/* From the last read of a line to the first that may follow its write. */
static double update_cycles(const mpu_config *c)
{
    return (double)(c->t_cl + c->t_cwl + c->t_wtr) + 2 * burst(c) + 1;
}

/* Which of the blocks written are read first and merged. */
static double updated(const mpu_config *c, const mpu_profile_class *k)
{
    double stores = k->totals[MPU_STORES], atomics = k->totals[MPU_ATOMICS];
    if (c->store_update)
        return 1;
    return stores + atomics > 0 ? atomics / (stores + atomics) : 0;
}

/* Cycles for which a unit's bus turns round for one CTA: behind each line that is updated; else a
 * warp reads between two of its writes, and half of a unit's warps are taken to write together. */
static double turn_rounds(const mpu_config *c, const mpu_profile_class *k)
{
    double lines = k->totals[MPU_WRITES] / (double)c->banks / (double)c->subcores;
    double together = (double)(k->slots * k->warps) / (double)c->subcores / 2;
    double merged = updated(c, k), plain = 0;
    if (k->totals[MPU_READS] > 0)
        plain = ((double)(c->t_cl + c->t_wtr) + 2 * burst(c)) / fmax(together, 1);
    return lines * (merged * update_cycles(c) + (1 - merged) * plain);
}

/* Cycles of a near-bank unit: data of its banks one after the other, and the rows that its banks
 * open while nothing else can be read. All banks of a unit open their rows together. */
static double unit_dram(const mpu_config *c, const mpu_profile_class *k, double ctas)
{
    const double *t = k->totals;
    double units = (double)c->subcores, banks = (double)c->banks;
    double commands = t[MPU_ROW_HITS] + t[MPU_ROW_CLOSED] + t[MPU_ROW_CONFLICTS];
    double misses = t[MPU_ROW_CLOSED] + t[MPU_ROW_CONFLICTS];
    double writes = commands > 0 ? t[MPU_WRITES] / commands : 0;
    double bus = commands * (double)c->t_ccd / units;
    bus /= c->bank_buses == MPU_BUSES_OWN ? banks : 1;
    double open = misses / units / banks;
    double per_visit = open > 0 ? bus / open : 0;
    double row = (double)(c->t_rp + c->t_rcd) + (1 - writes) * (double)c->t_rtp +
                 writes * (double)(c->t_cwl + c->t_wr);
    double cycle = fmax(per_visit + row, (double)(c->t_ras + c->t_rp));
    double hidden = (cycle - per_visit) * (1 - 1 / (double)c->row_buffers);
    double busy = bus + open * (cycle - per_visit - hidden) + turn_rounds(c, k);
    double lost = c->t_refi ? (double)(c->t_rfc + c->t_rp) / (double)c->t_refi : 0;
    return ctas * busy / (1 - lost);
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

/* A request and its answer: routers, and once the slowest link that lies on ways. */
static double network_cycles(const mpu_config *c, const mpu_profile_class *k)
{
    double router = fmax(ceil((double)c->router_cycles * c->core_ghz / c->router_ghz), 1);
    double width = link_width(c, 0);
    if (k->link_bytes[1] > 0)
        width = fmin(width, link_width(c, 1));
    return 2 * k->hops * router + ceil(k->out_bytes / width) + ceil(k->back_bytes / width);
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

/* Cycles of the near-bank unit that other cores ask most. */
static double asked_unit(const mpu_config *c, const mpu_profile_class *k)
{
    const mpu_asked *a = &k->hot_unit;
    double columns = (double)c->t_ccd, lost = c->t_refi ? (double)(c->t_rfc + c->t_rp) : 0;
    double busy = (a->blocks[0] + a->blocks[1]) * columns;
    if (c->bank_buses == MPU_BUSES_OWN)
        busy = (a->lines[0] + a->lines[1]) * columns;
    busy += a->lines[1] * updated(c, k) * update_cycles(c);
    return busy / (1 - (c->t_refi ? lost / (double)c->t_refi : 0));
}

/* Cycles of a launch that the core which is asked most takes for others: its TSVs, the table of its
 * LSU-Remote, a near-bank unit. */
static double owner_cycles(const mpu_config *c, const mpu_profile_class *k)
{
    const mpu_asked *a = &k->hot_core;
    if (a->messages <= 0)
        return 0;
    double beats = asked_beats(c, a), tsv = beats * mpu_beat_cycles(c);
    double written = a->blocks[1] / (a->blocks[0] + a->blocks[1]);
    double held = 2 + (1 - written) * (double)c->t_cl +
                  written * (updated(c, k) * update_cycles(c) + (double)c->t_cwl) +
                  tsv / a->messages;
    if (c->pipeline != MPU_PIPELINE_DRAM)
        held += (double)(c->tsv_command_cycles + 2 * c->tsv_cycles);
    double table = a->messages * held / (double)c->pending;
    return fmax(fmax(tsv, table), asked_unit(c, k));
}

/* Cycles of a launch that the fullest link takes; it is held for whole cycles. */
static double link_cycles(const mpu_config *c, const mpu_profile_class *k)
{
    double most = 0;
    for (int off = 0; off < 2; off++)
        if (k->link_messages[off] > 0) {
            double one = ceil(k->link_bytes[off] / k->link_messages[off] / link_width(c, off));
            most = fmax(most, one * k->link_messages[off]);
        }
    return most;
}

/* Cycles in which the near-bank unit asked most takes the stores with which the CTAs of the last
 * wave end: nothing that other cores do then takes time beside them. */
static double tail_cycles(const mpu_config *c, const mpu_profile_class *k, double waves)
{
    mpu_profile_class writes = *k;
    writes.hot_unit.lines[0] = writes.hot_unit.blocks[0] = 0;
    return k->last_share * asked_unit(c, &writes) / ceil(waves);
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
    l->stations[r] = (mpu_station){k->uneven * cycles * fmax(copies, 1) / (double)k->warps, copies};
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
    set_station(l, BY_DRAM, unit_dram(c, k, 1), subs, k);
    set_station(l, BY_TSV, mpu_tsv_time(c, k), 1, k);
    set_station(l, BY_SHARED, t[MPU_SHARED_ACCESSES], 1, k);
    double accesses = t[MPU_LOADS] + t[MPU_STORES] + t[MPU_ATOMICS];
    set_station(l, BY_UNIT, busy * accesses / (double)c->lsus, subs, k);
    fill_weights(c, k, weights);
    double under_way =
        k->totals[MPU_REMOTE_LINES] > 0 ? weights[MPU_ON_PATH_REMOTE] : weights[MPU_ON_PATH_LOCAL];
    set_station(l, BY_TABLE, busy * accesses * under_way / (double)c->pending, subs, k);
    /* all cores' warps come to these */
    double waves = k->most_ctas / fmin((double)k->slots, k->most_ctas);
    l->tail = tail_cycles(c, k, waves);
    double asked = fmax(owner_cycles(c, k) - l->tail, 0);
    set_station(l, BY_OWNER, asked / k->ctas, 1 / k->working, k);
    l->tail_used = fmin(k->last_stores / ceil(waves) / (double)mpu_unit_count(c), 1) / 2;
    set_station(l, BY_LINKS, link_cycles(c, k) / k->ctas, 1 / k->working, k);
    for (int i = 0; i < MPU_ON_PATH_KINDS; i++) {
        l->chain_by[i] = k->path[i] * weights[i];
        l->chain += l->chain_by[i];
        l->waits += k->waits[i] * weights[i];
    }
    l->waits = l->chain > 0 ? fmin(fmax(l->waits / l->chain, 0), 1) : 0;
    l->ask = fmin(t[MPU_REMOTE_LINES] / (double)k->warps, 1);
}

/* `times` waves of so many CTAs. */
static void add_waves(const mpu_profile_class *k, double ctas, double times, load *l)
{
    double residence[RESOURCES], cycles, at_stations = 0;
    if (ctas <= 0 || times <= 0)
        return;
    cycles = mpu_queues(l->stations, RESOURCES, ctas * (double)k->warps, l->chain, residence);
    for (int r = 0; r < RESOURCES; r++) {
        l->residence[r] += times * residence[r];
        at_stations += residence[r];
    }
    double own = 0, most = -1, rest = fmax(cycles - at_stations, 0);
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

/* What is neither issue nor idle is dealt out in proportion to where a warp of the fullest core
 * spends its time. */
static void deal_out(const load *l, double launches, double *m)
{
    static const int CAUSES[RESOURCES] = {
        [BY_ISSUE] = MPU_STALL_UNIT, [BY_ALU] = MPU_STALL_ALU,       [BY_DRAM] = MPU_STALL_DRAM,
        [BY_TSV] = MPU_STALL_TSV,    [BY_SHARED] = MPU_STALL_SHARED, [BY_UNIT] = MPU_STALL_UNIT,
        [BY_TABLE] = MPU_STALL_DRAM, [BY_OWNER] = MPU_STALL_NETWORK, [BY_LINKS] = MPU_STALL_NETWORK,
    };
    double idle = (l->cycles - l->tail) * (1 - l->used) + l->tail * (1 - l->tail_used);
    double issue = l->issue;
    issue = issue < l->cycles - idle ? issue : l->cycles - idle;
    double rest = l->cycles - idle - issue, share[MPU_METRICS] = {0}, sum = 0;
    for (int r = 0; r < RESOURCES; r++)
        share[CAUSES[r]] += l->residence[r];
    /* those that do not ask wait for those that do */
    double others = (1 - l->ask) * (l->residence[BY_OWNER] + l->residence[BY_LINKS]);
    share[MPU_STALL_NETWORK] -= others;
    share[l->waits > 0 ? MPU_STALL_BARRIER : MPU_IDLE] += others;
    double chain = l->residence[RESOURCES];
    for (int i = 0; i < MPU_ON_PATH_KINDS && l->chain > 0; i++)
        share[cause_of(i)] += (1 - l->waits) * chain * l->chain_by[i] / l->chain;
    share[MPU_STALL_BARRIER] += l->waits * chain;
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
