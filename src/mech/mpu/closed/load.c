/* SPDX-License-Identifier: MIT */
/* Fills the load of a class: the cycles that a CTA takes of each station of its core, and its chain
 * (README.md, "Closed form"). Near-bank units are taken without order:
 *
 *   bus  = blocks (t_ccd / groups + t_ccd_short (1 - 1 / groups))    cycles of the data bus
 *   open = misses / banks (max(v + row, t_ras + t_rp) - v) / row_buffers,  v = bus banks / misses
 *   ACTs = misses max(t_rrd, t_faw / 4)
 *   U    = max(bus + open + turns, ACTs) / (1 - (t_rfc + t_rp) / t_refi)
 *
 *   blocks  of data; misses  of them that open a row; turns  cycles between reads and writes
 *
 * Source: the commands' times as JEDEC names them. Known value: no row opened (misses = 0), one
 * bank group, no turns, no refresh: U = blocks t_ccd. */
#include "mech/mpu/closed/load.h"

#include "memsweep/base/bits.h"

#include <math.h>

/* ---- TSVs of a core ---- */

double mpu_beat_cycles(const mpu_config *c)
{
    return c->core_ghz / c->tsv_ghz;
}

/* Returns the beats of a message. */
static double beats_of(const mpu_config *c, double bytes)
{
    return ceil(bytes * 8 * (double)c->cores / (double)c->tsv_bits);
}

/* The share of a cause's bytes that goes up, to the DRAM die. Data of transactions as reads and
 * writes are among those that are not offloaded whole. */
static double share_up(const mpu_config *c, const mpu_profile_class *k, int cause)
{
    const double *t = k->totals;
    double line = MPU_LINE_BYTES / (double)c->bank_io_bytes;
    double reads = fmax(t[MPU_READS] - line * t[MPU_WHOLE_LOADS], 0);
    double writes = fmax(t[MPU_WRITES] - line * t[MPU_WHOLE_STORES], 0);
    double moves = t[MPU_MOVES_NEAR] + t[MPU_MOVES_FAR];
    switch (cause) {
    case MPU_TSV_DATA:
        return reads + writes > 0 ? writes / (reads + writes) : 0;
    case MPU_TSV_MOVE:
        return moves > 0 ? t[MPU_MOVES_NEAR] / moves : 0;
    case MPU_TSV_SHARED:
        return 0.5;
    case MPU_TSV_VALUE:
    case MPU_TSV_COMMIT:
        return 0;
    default:
        return 1;
    }
}

/* Each message is rounded up. Messages of near shared memory in other dies are not counted. */
static double beats_of_cause(const mpu_config *c, const mpu_profile_class *k, int cause)
{
    double bytes = k->totals[cause], messages = k->traffic.messages[cause - MPU_TSV_OFFLOAD];
    if (bytes <= 0)
        return 0;
    messages = messages > 0 ? messages : bytes / MPU_REG_BYTES;
    return messages * beats_of(c, bytes / messages);
}

typedef struct ways {
    double up, down; /* up is to the DRAM die */
} ways;

static ways beats_of_cta(const mpu_config *c, const mpu_profile_class *k)
{
    ways beats = {0, 0};
    for (int cause = MPU_TSV_OFFLOAD; cause <= MPU_TSV_COMMIT; cause++) {
        double of_cause = beats_of_cause(c, k, cause), share = share_up(c, k, cause);
        beats.up += share * of_cause;
        beats.down += (1 - share) * of_cause;
    }
    return beats;
}

double mpu_tsv_beats(const mpu_config *c, const mpu_profile_class *k)
{
    ways beats = beats_of_cta(c, k);
    return beats.up + beats.down;
}

/* Fills which shares of the beats are of accesses to memory, and of shared memory on other dies. */
static void find_tsv_shares(const mpu_config *c, const mpu_profile_class *k, double *accesses,
                            double *shared)
{
    double all = 0, other = 0;
    for (int cause = MPU_TSV_OFFLOAD; cause <= MPU_TSV_COMMIT; cause++) {
        double beats = beats_of_cause(c, k, cause);
        all += beats;
        if (cause == MPU_TSV_OFFLOAD || cause == MPU_TSV_MOVE || cause == MPU_TSV_COMMIT)
            other += beats;
    }
    *shared = all > 0 ? beats_of_cause(c, k, MPU_TSV_SHARED) / all : 0;
    *accesses = all > 0 ? fmax(1 - other / all - *shared, 0) : 0;
}

/* Both ways one after the other, or side by side: then the way that has more decides. */
static double tsv_cycles(const mpu_config *c, const mpu_profile_class *k)
{
    ways beats = beats_of_cta(c, k);
    double most = c->tsv_duplex ? fmax(beats.up, beats.down) : beats.up + beats.down;
    return most * mpu_beat_cycles(c);
}

/* ---- near-bank units ---- */

static double burst_cycles(const mpu_config *c)
{
    return (double)msw_min_i64(c->t_ccd, c->t_ccd_short);
}

/* From the last read of a line to the first that may follow its write. */
static double update_cycles(const mpu_config *c)
{
    return (double)(c->t_cl + c->t_cwl + c->t_wtr) + 2 * burst_cycles(c) + 1;
}

/* Share of the lines that are written which are read first and merged. */
static double merged_share(const mpu_config *c, const mpu_profile_class *k)
{
    double stores = k->totals[MPU_STORES], atomics = k->totals[MPU_ATOMICS];
    if (c->store_update)
        return 1;
    return stores + atomics > 0 ? atomics / (stores + atomics) : 0;
}

/* Blocks follow each other on the bus; those in other bank groups sooner. */
static double bus_cycles(const mpu_config *c, const mpu_requests *a)
{
    double blocks = a->blocks[0] + a->blocks[1], lines = a->lines[0] + a->lines[1];
    double groups = (double)c->bank_groups, own = (double)c->t_ccd;
    double other =
        (double)c->t_ccd_short > burst_cycles(c) ? (double)c->t_ccd_short : burst_cycles(c);
    if (c->bank_buses == MPU_BUSES_OWN)
        return lines * own * fmin(fmax(blocks / fmax(lines, 1e-9), 1) / (double)c->banks, 1);
    return blocks * (own / groups + other * (1 - 1 / groups));
}

/* Behind each line that is updated the bus turns round; else between reads and the writes that were
 * gathered. */
static double turn_rounds(const mpu_config *c, const mpu_requests *a, double merged,
                          double together)
{
    double plain = 0;
    if (a->lines[0] > 0)
        plain = ((double)(c->t_cl + c->t_wtr) + 2 * burst_cycles(c)) / fmax(together, 1);
    return a->lines[1] * (merged * update_cycles(c) + (1 - merged) * plain);
}

/* Cycles of the openings of rows that nothing hides. All banks of a line open their rows together;
 * other buffers of a bank serve meanwhile, where rows are opened ahead. */
static double open_cycles(const mpu_config *c, const mpu_requests *a, double bus, double buffers)
{
    double open = a->misses / (double)c->banks, blocks = a->blocks[0] + a->blocks[1];
    double writes = blocks > 0 ? a->blocks[1] / blocks : 0;
    if (open <= 0)
        return 0;
    double per_visit = bus / open;
    double row = (double)(c->t_rp + c->t_rcd) + (1 - writes) * (double)c->t_rtp +
                 writes * (double)(c->t_cwl + c->t_wr);
    double cycle = fmax(per_visit + row, (double)(c->t_ras + c->t_rp));
    return open * (cycle - per_visit) / buffers;
}

/* Rows that a unit may open at most: all banks share these limits, but where each has its own bus.
 */
static double act_cycles(const mpu_config *c, const mpu_requests *a)
{
    double apart = fmax((double)c->t_rrd, (double)c->t_faw / 4);
    return a->misses * apart / (c->bank_buses == MPU_BUSES_OWN ? (double)c->banks : 1);
}

/* Cycles that a near-bank unit takes for its requests; `together` lines are written between two
 * turns of its bus. */
static double unit_cycles(const mpu_config *c, const mpu_profile_class *k, const mpu_requests *a)
{
    double together = (double)(k->slots * k->warps) / (double)c->subcores / 2;
    double bus = bus_cycles(c, a), lost = 0;
    double busy = bus + fmax(open_cycles(c, a, bus, k->buffers),
                             turn_rounds(c, a, merged_share(c, k), together));
    if (c->t_refi)
        lost = (double)(c->t_rfc + c->t_rp) / (double)c->t_refi;
    return fmax(busy, act_cycles(c, a)) / (1 - lost);
}

/* One CTA's share of the units of its core, as requests to one of them. */
static mpu_requests mean_of_unit(const mpu_config *c, const mpu_profile_class *k)
{
    const double *t = k->totals;
    double units = (double)c->subcores, blocks = t[MPU_READS] + t[MPU_WRITES];
    double lines = t[MPU_LOCAL_LINES] + t[MPU_REMOTE_LINES];
    double per_block = blocks > 0 ? lines / blocks : 0;
    mpu_requests a = {.misses = (t[MPU_ROW_CLOSED] + t[MPU_ROW_CONFLICTS]) / units,
                      .blocks = {t[MPU_READS] / units, t[MPU_WRITES] / units}};
    for (int w = 0; w < 2; w++)
        a.lines[w] = a.blocks[w] * per_block;
    return a;
}

/* A warp reads between two of its writes, and half of a unit's warps are taken to write together.
 */
static double unit_dram(const mpu_config *c, const mpu_profile_class *k)
{
    mpu_requests mean = mean_of_unit(c, k);
    return unit_cycles(c, k, &mean);
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
    if (k->traffic.link_bytes[1] > 0)
        width = fmin(width, link_width(c, 1));
    return 2 * k->traffic.far_hops * hop_cycles(c) + ceil(k->traffic.out_bytes / width) +
           ceil(k->traffic.back_bytes / width);
}

/* Share of the accesses that wait until a row is open: warps of a unit that go together use the
 * same rows, so that one opens it and all wait. */
static double waits_for_row(const mpu_config *c, const mpu_profile_class *k)
{
    double at_once = fmin((double)k->slots, k->most_ctas) * (double)k->warps;
    return fmin(miss_rate(k) * fmax(at_once / (double)c->subcores, 1), 1);
}

static double access_cycles(const mpu_config *c, const mpu_profile_class *k)
{
    const double *t = k->totals;
    double accesses = t[MPU_LOADS] + t[MPU_STORES] + t[MPU_ATOMICS];
    double blocks = accesses > 0 ? (t[MPU_READS] + t[MPU_WRITES]) / accesses : 0;
    double whole = accesses > 0 ? (t[MPU_WHOLE_LOADS] + t[MPU_WHOLE_STORES]) / accesses : 0;
    double split = blocks * beats_of(c, (double)c->bank_io_bytes) + beats_of(c, MPU_REG_BYTES);
    double dram = (double)c->t_cl + waits_for_row(c, k) * (double)(c->t_rp + c->t_rcd);
    double tsv = mpu_beat_cycles(c) * (whole + (1 - whole) * split),
           wires = 2 * (double)c->tsv_cycles;
    if (c->pipeline == MPU_PIPELINE_DRAM)
        tsv = wires = 0;
    /* blocks cross while the next ones are read */
    dram += wires + fmax(tsv, blocks * (double)c->t_ccd);
    return (double)(c->collect_cycles + c->lsu_cycles + c->writeback_cycles) + dram;
}

/* ---- other cores ---- */

/* Beats of a core's TSVs for requests of other cores. Data read come down; addresses and data
 * written go up. */
static double request_beats(const mpu_config *c, const mpu_requests *a)
{
    double io = (double)c->bank_io_bytes, request = (double)c->request_bytes;
    double down = a->blocks[0] * beats_of(c, io), up = 0;
    for (int w = 0; w < 2; w++)
        if (a->lines[w] > 0)
            up += a->lines[w] * beats_of(c, a->blocks[w] / a->lines[w] * (request + (w ? io : 0)));
    if (c->pipeline == MPU_PIPELINE_DRAM)
        return 0;
    return c->tsv_duplex ? fmax(up, down) : up + down;
}

/* For which a request holds an entry of the table of LSU-Remote: TSVs of the core, then a unit. */
static double held_cycles(const mpu_config *c, const mpu_profile_class *k, double misses)
{
    const mpu_requests *a = &k->traffic.hot_core;
    double written = a->blocks[1] / (a->blocks[0] + a->blocks[1]);
    double held = 2 + misses * (double)(c->t_rp + c->t_rcd);
    held += (1 - written) * (double)c->t_cl;
    held += written * (merged_share(c, k) * update_cycles(c) + (double)c->t_cwl);
    held += request_beats(c, a) * mpu_beat_cycles(c) / a->messages;
    if (c->pipeline != MPU_PIPELINE_DRAM)
        held += (double)(c->tsv_command_cycles + 2 * c->tsv_cycles);
    return held;
}

/* Cycles of a launch that TSVs and table take of the core that gets most requests. */
static double core_request_cycles(const mpu_config *c, const mpu_profile_class *k, double misses)
{
    const mpu_requests *a = &k->traffic.hot_core;
    if (a->messages <= 0)
        return 0;
    double tsv = request_beats(c, a) * mpu_beat_cycles(c);
    return fmax(tsv, a->messages * held_cycles(c, k, misses) / (double)c->pending);
}

static double owner_cycles(const mpu_config *c, const mpu_profile_class *k)
{
    return fmax(core_request_cycles(c, k, miss_rate(k)), unit_cycles(c, k, &k->traffic.hot_unit));
}

/* Cycles that the owner takes for one request when many come together. */
static double one_request(const mpu_config *c, const mpu_profile_class *k)
{
    mpu_requests one = k->traffic.hot_core;
    double messages = one.messages;
    if (messages <= 0)
        return 0;
    one.misses = 0; /* what comes together lies in few rows */
    return fmax(core_request_cycles(c, k, 0), unit_cycles(c, k, &one) / (double)c->subcores) /
           messages;
}

/* Cycles of a launch that the fullest link takes; it is held for whole cycles. */
static double link_cycles(const mpu_config *c, const mpu_profile_class *k, double *burst)
{
    double most = 0;
    *burst = 0;
    for (int off = 0; off < 2; off++)
        if (k->traffic.link_messages[off] > 0) {
            double one = ceil(k->traffic.link_bytes[off] / k->traffic.link_messages[off] /
                              link_width(c, off));
            most = fmax(most, one * k->traffic.link_messages[off]);
            *burst = fmax(*burst, one * (k->traffic.peak_link[off] - 1));
        }
    return most;
}

/* Cycles in which the core with most requests, or its unit, takes the stores with which the CTAs of
 * the last wave end: nothing that other cores do then adds to their time. */
static double tail_cycles(const mpu_config *c, const mpu_profile_class *k, double waves)
{
    mpu_requests writes = k->traffic.hot_unit;
    writes.lines[0] = writes.blocks[0] = 0;
    double unit = unit_cycles(c, k, &writes),
           core = k->traffic.out_stores * core_request_cycles(c, k, miss_rate(k));
    return k->traffic.last_share * fmax(unit, core) / ceil(waves);
}

/* For which a register move holds its engine. */
static double move_cycles(const mpu_config *c)
{
    return 2 + (double)(c->tsv_cycles + c->tsv_command_cycles) +
           mpu_beat_cycles(c) * beats_of(c, MPU_REG_BYTES);
}

static void fill_weights(const mpu_config *c, const mpu_profile_class *k, double *w)
{
    double around = (double)(c->collect_cycles + c->writeback_cycles);
    double crossing = mpu_beat_cycles(c) * beats_of(c, (double)c->offload_bytes);
    for (unsigned latency = 0; latency < MPU_LATENCIES; latency++)
        w[latency] = around + (double)mpu_latency(c, latency);
    w[MPU_ON_PATH_ISSUE] = 1;
    w[MPU_ON_PATH_CONST] = around + 1;
    double shared = k->totals[MPU_SHARED_ACCESSES];
    w[MPU_ON_PATH_SHARED] =
        around + (double)c->shared_cycles + (shared > 0 ? fmax(k->shared / shared - 1, 0) : 0);
    w[MPU_ON_PATH_LOCAL] = access_cycles(c, k);
    w[MPU_ON_PATH_REMOTE] = w[MPU_ON_PATH_LOCAL] + network_cycles(c, k);
    w[MPU_ON_PATH_MOVE] = around + (double)(2 * c->tsv_cycles + c->tsv_command_cycles) +
                          mpu_beat_cycles(c) * beats_of(c, MPU_REG_BYTES);
    w[MPU_ON_PATH_OFFLOAD] = crossing + 2 * (double)c->tsv_cycles;
    w[MPU_ON_PATH_CONTROL] = (double)(c->collect_cycles + 1 + c->front_cycles);
}

/* ---- a class ---- */

/* A CTA's cycles of a resource are spread over its warps, and over the sub-cores where each has its
 * own. */
static void set_station(mpu_load *l, int r, double cycles, double copies,
                        const mpu_profile_class *k)
{
    l->stations[r] = (mpu_station){
        .demand = k->uneven * cycles * fmax(copies, 1) / (double)k->warps, .copies = copies};
}

/* Stations that a core's own warps come to. */
static void fill_own_stations(const mpu_config *c, const mpu_profile_class *k,
                              const double *weights, mpu_load *l)
{
    double subs = (double)c->subcores, busy = k->busy_share;
    const double *t = k->totals;
    double near_insns =
        c->pipeline != MPU_PIPELINE_BASE ? busy * t[MPU_INSNS_NEAR] / (double)c->near_alus : 0;
    double accesses = t[MPU_LOADS] + t[MPU_STORES] + t[MPU_ATOMICS];
    double under_way = k->traffic.out_share * weights[MPU_ON_PATH_REMOTE] +
                       (1 - k->traffic.out_share) * weights[MPU_ON_PATH_LOCAL];
    double moves = t[MPU_MOVES_NEAR] + t[MPU_MOVES_FAR];
    double near = t[MPU_INSNS_OFFLOADED] - t[MPU_WHOLE_LOADS] - t[MPU_WHOLE_STORES];
    set_station(l, MPU_STATION_ISSUE, busy * t[MPU_INSNS] / (double)c->issue_width, subs, k);
    set_station(l, MPU_STATION_ALU, near_insns, subs, k);
    set_station(l, MPU_STATION_DRAM, unit_dram(c, k), subs, k);
    set_station(l, MPU_STATION_TSV, tsv_cycles(c, k), 1, k);
    set_station(l, MPU_STATION_SHARED, k->shared, 1, k);
    set_station(l, MPU_STATION_UNIT, busy * accesses / (double)c->lsus, subs, k);
    set_station(l, MPU_STATION_TABLE, busy * accesses * under_way / (double)c->pending, subs, k);
    set_station(l, MPU_STATION_MOVES, busy * moves * move_cycles(c) / (double)c->move_engines, subs,
                k);
    set_station(l, MPU_STATION_COLLECTORS,
                busy * near * (double)c->collect_cycles / (double)c->near_collectors, subs, k);
    find_tsv_shares(c, k, &l->tsv_accesses, &l->tsv_shared);
}

/* Stations that the warps of all cores come to. */
static void fill_common_stations(const mpu_config *c, const mpu_profile_class *k, mpu_load *l)
{
    double waves = k->most_ctas / fmin((double)k->slots, k->most_ctas), burst;
    l->tail = tail_cycles(c, k, waves);
    l->tail_used = fmin(k->traffic.last_stores / ceil(waves) / (double)mpu_unit_count(c), 1) / 2;
    double owner = fmax(owner_cycles(c, k) - l->tail, 0);
    set_station(l, MPU_STATION_OWNER, owner / k->ctas, 1 / k->working, k);
    set_station(l, MPU_STATION_LINKS, link_cycles(c, k, &burst) / k->ctas, 1 / k->working, k);
    l->stations[MPU_STATION_LINKS].burst = burst;
    l->stations[MPU_STATION_OWNER].burst = one_request(c, k) * fmax(k->traffic.peak_core - 1, 0);
}

static void fill_chain(const mpu_config *c, const mpu_profile_class *k, const double *weights,
                       mpu_load *l)
{
    for (int i = 0; i < MPU_ON_PATH_KINDS; i++) {
        l->chain_by[i] = k->path[i] * weights[i];
        l->chain += l->chain_by[i];
        l->waits += k->waits[i] * weights[i];
    }
    l->early =
        k->path[MPU_ON_PATH_REMOTE] * 2 * (k->traffic.far_hops - k->traffic.hops) * hop_cycles(c);
    l->early = l->chain > 0 ? l->early / l->chain : 0;
    l->waits = l->chain > 0 ? fmin(fmax(l->waits / l->chain, 0), 1) : 0;
}

void mpu_load_init(mpu_load *l, const mpu_config *c, const mpu_profile_class *k)
{
    double subs = (double)c->subcores, cores = (double)mpu_core_count(c);
    double weights[MPU_ON_PATH_KINDS];
    double at_once = fmin((double)k->slots, k->most_ctas) * (double)k->warps;
    *l = (mpu_load){.mean_ctas = k->ctas / cores,
                    .most_ctas = k->most_ctas,
                    .used = k->working / cores * fmin(at_once / subs, 1),
                    .waiting = k->traffic.waiting,
                    .out_share = k->traffic.out_share,
                    .out_stores = k->traffic.out_stores,
                    .met_core = k->traffic.met_core,
                    .met_link = k->traffic.met_link};
    l->issue = l->mean_ctas * k->totals[MPU_INSNS] / subs;
    fill_weights(c, k, weights);
    fill_own_stations(c, k, weights, l);
    fill_common_stations(c, k, l);
    fill_chain(c, k, weights, l);
    l->together = fmax(at_once / (l->waits > 0 ? (double)k->warps : subs), 1);
}
