/* The closed form: for each class of launches the times of the resources of a core and the chain of
 * its CTAs, put together (README.md, "Closed form"). */
#include "mech/mpu/closed/profile.h"
#include "mech/mpu/closed/tsv.h"
#include "mech/mpu/model.h"
#include "memsweep/base/math.h"

#include <math.h>

/* What takes time in a core, in the order of the causes they are told under. */
enum { BY_ISSUE, BY_ALU, BY_DRAM, BY_TSV, BY_SHARED, BY_UNIT, RESOURCES };

/* Times of one core for all CTAs of a class. */
typedef struct load {
    double resource[RESOURCES];
    double chain, chain_by[MPU_ON_PATH_KINDS];
    double mean_ctas, most_ctas; /* of a core */
    double issue;                /* mean over sub-cores */
} load;

/* How sharply the largest time stands out: from the cycle model (README.md, "Closed form"). */
#define POWER 1.8

static double power(double x)
{
    return msw_math_pow(x, POWER);
}

/* ---- DRAM ---- */

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
    double busy = bus + open * (cycle - per_visit - hidden);
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

static double network_cycles(const mpu_config *c, const mpu_profile_class *k)
{
    double bytes = k->totals[MPU_ON_CHIP_BYTES] + k->totals[MPU_OFF_CHIP_BYTES];
    double data =
        (double)c->bank_io_bytes +
        (double)c->header_bytes * (1 + (double)c->bank_io_bytes / (double)c->packet_bytes);
    double remote = k->totals[MPU_REMOTE_LINES] * MPU_LINE_BYTES / (double)c->bank_io_bytes;
    double hops = remote > 0 ? bytes / data / remote : 0;
    double router = (double)c->router_cycles * c->core_ghz / c->router_ghz;
    double wire = data * 8 / (double)c->on_chip_bits * c->core_ghz / c->on_chip_ghz;
    return 2 * hops * router + wire;
}

static double access_cycles(const mpu_config *c, const mpu_profile_class *k)
{
    const double *t = k->totals;
    double accesses = t[MPU_LOADS] + t[MPU_STORES] + t[MPU_ATOMICS];
    double blocks = accesses > 0 ? (t[MPU_READS] + t[MPU_WRITES]) / accesses : 0;
    double whole = accesses > 0 ? (t[MPU_WHOLE_LOADS] + t[MPU_WHOLE_STORES]) / accesses : 0;
    double split =
        blocks * mpu_beats_of(c, (double)c->bank_io_bytes) + mpu_beats_of(c, MPU_REG_BYTES);
    double dram =
        (double)c->t_cl + blocks * (double)c->t_ccd + miss_rate(k) * (double)(c->t_rp + c->t_rcd);
    double tsv = 2 * (double)c->tsv_cycles + mpu_beat_cycles(c) * (whole + (1 - whole) * split);
    if (c->pipeline == MPU_PIPELINE_DRAM)
        tsv = 0;
    return (double)(c->collect_cycles + c->lsu_cycles + c->writeback_cycles) + tsv + dram;
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
}

/* ---- a class ---- */

static void fill_load(const mpu_config *c, const mpu_profile_class *k, load *l)
{
    double cores = (double)mpu_core_count(c), weights[MPU_ON_PATH_KINDS];
    const double *t = k->totals;
    l->mean_ctas = k->ctas / cores;
    l->most_ctas = ceil(l->mean_ctas);
    double n = l->most_ctas, busiest = n * k->busy_share;
    double slots = k->slots < n ? k->slots : n;
    l->issue = l->mean_ctas * t[MPU_INSNS] / (double)c->subcores;
    l->resource[BY_ISSUE] = busiest * t[MPU_INSNS] / (double)c->issue_width;
    l->resource[BY_ALU] = busiest * t[MPU_INSNS_NEAR] / (double)c->near_alus;
    if (c->pipeline == MPU_PIPELINE_BASE)
        l->resource[BY_ALU] = 0;
    l->resource[BY_DRAM] = unit_dram(c, k, n);
    l->resource[BY_TSV] = n * mpu_tsv_time(c, k);
    l->resource[BY_SHARED] = n * t[MPU_SHARED_ACCESSES];
    double accesses = t[MPU_LOADS] + t[MPU_STORES] + t[MPU_ATOMICS];
    l->resource[BY_UNIT] = busiest * accesses / (double)c->lsus;
    fill_weights(c, k, weights);
    l->chain = 0;
    for (int i = 0; i < MPU_ON_PATH_KINDS; i++) {
        l->chain_by[i] = n / slots * k->path[i] * weights[i];
        l->chain += l->chain_by[i];
    }
}

/* Resources and the chain overlap, but not wholly: the root of a sum of powers. */
static double put_together(const load *l)
{
    double most = l->chain, sum = 0;
    for (int r = 0; r < RESOURCES; r++)
        most = l->resource[r] > most ? l->resource[r] : most;
    if (most <= 0)
        return 0;
    for (int r = 0; r < RESOURCES; r++)
        sum += power(l->resource[r] / most);
    sum += power(l->chain / most);
    return most * msw_math_pow(sum, 1 / POWER);
}

static int cause_of(int kind)
{
    if (kind < MPU_LATENCIES || kind == MPU_ON_PATH_CONST || kind == MPU_ON_PATH_ISSUE)
        return MPU_STALL_ALU;
    return kind == MPU_ON_PATH_SHARED   ? MPU_STALL_SHARED
           : kind == MPU_ON_PATH_LOCAL  ? MPU_STALL_DRAM
           : kind == MPU_ON_PATH_REMOTE ? MPU_STALL_NETWORK
                                        : MPU_STALL_TSV;
}

/* What is neither issue nor idle is dealt out in proportion: the chain by its parts, resources by
 * their powers, as they stand in the time. */
static void deal_out(const load *l, double cycles, double launches, double *m)
{
    static const int CAUSES[RESOURCES] = {MPU_STALL_UNIT, MPU_STALL_ALU,    MPU_STALL_DRAM,
                                          MPU_STALL_TSV,  MPU_STALL_SHARED, MPU_STALL_UNIT};
    double idle = cycles * (1 - l->mean_ctas / l->most_ctas), issue = l->issue;
    issue = issue < cycles - idle ? issue : cycles - idle;
    double rest = cycles - idle - issue, share[MPU_METRICS] = {0}, sum = 0;
    double chain = l->chain > 0 ? power(l->chain / cycles) : 0;
    for (int r = 0; r < RESOURCES; r++)
        share[CAUSES[r]] += power(l->resource[r] / cycles);
    for (int i = 0; i < MPU_ON_PATH_KINDS && l->chain > 0; i++)
        share[cause_of(i)] += chain * l->chain_by[i] / l->chain;
    for (int cause = MPU_ISSUE; cause <= MPU_IDLE; cause++)
        sum += share[cause];
    m[MPU_ISSUE] += launches * issue;
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
    double cycles = fmax(put_together(&l), 1), n = k->launches * k->ctas;
    m[MPU_CYCLES] += k->launches * cycles;
    deal_out(&l, cycles, k->launches, m);
    for (int slot = MPU_INSNS; slot < MPU_ENERGY; slot++)
        m[slot] += n * k->totals[slot];
    fill_rest(c, k, cycles, n, m);
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
