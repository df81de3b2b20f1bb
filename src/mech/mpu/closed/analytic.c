/* SPDX-License-Identifier: MIT */
/* The closed form: for each class of launches the times of the resources of a core and the chain of
 * its CTAs, put together (README.md, "Closed form").
 *
 *   T = cycles of the full waves of CTAs of the fullest core, and of what is left
 *   cycles of a launch = sum of T + tail
 *   Z = max(C - sum D, 0)          C  chain of a warp; D  cycles that a warp takes of each station
 *
 * How N warps share the stations is queues.c. Known value: one warp takes its chain. */
#include "mech/mpu/closed/load.h"
#include "mech/mpu/model.h"
#include "memsweep/base/bits.h"

#include <math.h>

/* The time of the fullest core. */
typedef struct span {
    double late;                        /* by which the last of bursts end behind the first */
    double cycles;                      /* of a launch */
    double residence[MPU_STATIONS + 1]; /* of its warps; last: the chain's own */
} span;

/* `times` waves of this many CTAs. */
static void add_waves(const mpu_profile_class *k, const mpu_load *l, double ctas, double times,
                      span *out)
{
    double residence[MPU_STATIONS], cycles, late, at_stations = 0;
    if (ctas <= 0 || times <= 0)
        return;
    cycles =
        mpu_queues(l->stations, MPU_STATIONS, ctas * (double)k->warps, l->chain, residence, &late);
    for (int r = 0; r < MPU_STATIONS; r++) {
        out->residence[r] += times * residence[r];
        at_stations += residence[r];
    }
    double own = 0, most = -1, rest = fmax(cycles - late - at_stations, 0);
    int slowest = 0;
    for (int r = 0; r < MPU_STATIONS; r++) {
        own += l->stations[r].demand;
        double bound = l->stations[r].demand / l->stations[r].copies;
        slowest = bound > most ? r : slowest;
        most = fmax(bound, most);
    }
    double think = fmin(fmax(l->chain - own, 0), rest);
    out->residence[MPU_STATIONS] += times * think;
    out->residence[slowest] += times * (rest - think); /* it works all the time */
    out->late += times * late;
    out->cycles += times * cycles;
}

/* The CTAs of the fullest core: full waves, and what is left of them. */
static void add_ctas(const mpu_profile_class *k, const mpu_load *l, span *out)
{
    double slots = k->slots < l->most_ctas ? k->slots : l->most_ctas;
    double waves = floor(l->most_ctas / slots);
    add_waves(k, l, slots, waves, out);
    add_waves(k, l, l->most_ctas - waves * slots, 1, out);
    out->cycles = fmax(out->cycles + l->tail, 1);
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

/* A chain is longer than its stations: of each cause what the stations of that cause leave of it.
 */
static void deal_chain(const mpu_load *l, const span *whole, double *share)
{
    const mpu_station *s = l->stations;
    double part[MPU_METRICS] = {0}, taken[MPU_METRICS] = {0}, sum = 0;
    double tsv = s[MPU_STATION_TSV].demand, chain = whole->residence[MPU_STATIONS],
           free = (1 - l->waits) * chain;
    for (int i = 0; i < MPU_ON_PATH_KINDS; i++)
        part[cause_of(i)] += l->chain_by[i];
    double early = l->early * l->chain;
    part[MPU_STALL_NETWORK] -= early;
    part[MPU_IDLE] += early;
    double of_access =
        l->tsv_accesses * tsv + s[MPU_STATION_DRAM].demand + s[MPU_STATION_TABLE].demand;
    of_access += s[MPU_STATION_UNIT].demand;
    taken[MPU_STALL_DRAM] = (1 - l->out_share) * of_access;
    taken[MPU_STALL_NETWORK] = l->out_share * of_access;
    taken[MPU_STALL_TSV] = (1 - l->tsv_accesses - l->tsv_shared) * tsv +
                           s[MPU_STATION_MOVES].demand + s[MPU_STATION_COLLECTORS].demand;
    taken[MPU_STALL_SHARED] = l->tsv_shared * tsv + s[MPU_STATION_SHARED].demand;
    taken[MPU_STALL_ALU] = s[MPU_STATION_ALU].demand + s[MPU_STATION_ISSUE].demand;
    for (int cause = MPU_STALL_ALU; cause <= MPU_IDLE; cause++) {
        part[cause] = fmax(part[cause] - taken[cause], 0);
        sum += part[cause];
    }
    for (int cause = MPU_STALL_ALU; cause <= MPU_IDLE && sum > 0; cause++)
        share[cause] += free * part[cause] / sum;
    share[MPU_STALL_BARRIER] += l->waits * chain;
}

/* A warp that waits for other cores waits for the messages that it meets; the last to end met the
 * fullest. Of a burst a sub-core ends with the last of its warps: of n in any order at n / (n + 1)
 * of the time. */
static void deal_others(const mpu_load *l, const span *whole, double *share)
{
    double owner = whole->residence[MPU_STATION_OWNER], links = whole->residence[MPU_STATION_LINKS];
    double met = l->met_core * owner + l->met_link * links;
    double late = whole->late * l->together / (l->together + 1) + met, ended = owner + links - met;
    double others = (1 - l->waiting) * late;
    double wait = l->waits > 0 ? (1 - l->out_stores) * others : 0;
    share[MPU_STALL_NETWORK] += late - others;
    share[MPU_STALL_BARRIER] += wait;
    share[MPU_IDLE] += others - wait + ended;
}

/* Time that is neither issue nor idle is dealt out in proportion to where a warp of the fullest
 * core spends its time. */
static void deal_out(const mpu_load *l, const span *whole, double launches, double *m)
{
    double idle = (whole->cycles - l->tail) * (1 - l->used) + l->tail * (1 - l->tail_used);
    idle += whole->late / (l->together + 1) * l->used; /* warps end one after the other */
    double issue = l->issue;
    issue = issue < whole->cycles - idle ? issue : whole->cycles - idle;
    double rest = whole->cycles - idle - issue, share[MPU_METRICS] = {0}, sum = 0;
    double tsv = whole->residence[MPU_STATION_TSV], of_access = l->tsv_accesses * tsv;
    of_access += whole->residence[MPU_STATION_DRAM] + whole->residence[MPU_STATION_TABLE] +
                 whole->residence[MPU_STATION_UNIT];
    share[MPU_STALL_NETWORK] += l->out_share * of_access;
    share[MPU_STALL_DRAM] += (1 - l->out_share) * of_access;
    share[MPU_STALL_SHARED] += l->tsv_shared * tsv + whole->residence[MPU_STATION_SHARED];
    share[MPU_STALL_TSV] += (1 - l->tsv_accesses - l->tsv_shared) * tsv +
                            whole->residence[MPU_STATION_MOVES] +
                            whole->residence[MPU_STATION_COLLECTORS];
    share[MPU_STALL_ALU] += whole->residence[MPU_STATION_ALU];
    deal_others(l, whole, share);
    deal_chain(l, whole, share);
    share[MPU_STALL_NETWORK] += l->tail * l->tail_used;
    for (int cause = MPU_ISSUE; cause <= MPU_IDLE; cause++)
        sum += share[cause];
    m[MPU_ISSUE] += launches * (sum > 0 ? issue : issue + rest);
    m[MPU_IDLE] += launches * idle;
    for (int cause = MPU_ISSUE; cause <= MPU_IDLE && sum > 0; cause++)
        m[cause] += launches * rest * share[cause] / sum;
}

/* Commands, which counting does not give, and the ALUs' energy under these parameters. */
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
    m[MPU_TSV_BUSY] += n * mpu_tsv_beats(c, k) * mpu_beat_cycles(c) / cores;
}

/* Returns the cycles by which the last of bursts end behind the first. */
static double add_class(const mpu_config *c, const mpu_profile_class *k, double *m)
{
    mpu_load l;
    span whole = {0};
    mpu_load_init(&l, c, k);
    add_ctas(k, &l, &whole);
    double n = k->launches * k->ctas;
    m[MPU_CYCLES] += k->launches * whole.cycles;
    deal_out(&l, &whole, k->launches, m);
    for (int slot = MPU_INSNS; slot < MPU_ENERGY; slot++)
        m[slot] += n * k->totals[slot];
    fill_rest(c, k, whole.cycles, n, m);
    return k->launches * whole.late;
}

static int check_fit(const msw_task *task, msw_err *err)
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
            return msw_fail_kind(err, MSW_ERR_UNFIT,
                                 "kernel %s: a CTA of %u warps does not fit a core: more %s",
                                 kernel->kernel->name, fits.warps, LIMITS[fits.limit]);
    }
    return 0;
}

#define NEAR_ALL   0.99
#define MOST_BURST 0.3

/* Says where this form is known to fail: README.md, "Where it is not to be trusted". `late` are the
 * cycles by which the last of bursts end behind the first. */
static void doubt(const msw_task *task, const mpu_profile *profile, double late, double cycles)
{
    const mpu_config *c = task->config;
    const mpu_steered *s = &profile->steered;
    if (s->reader)
        msw_task_doubt(task, "flow of kernel %s depends on array %s, which kernel %s writes",
                       s->reader->name, s->array->name, s->writer->name);
    for (uint32_t i = 0; i < profile->count; i++) {
        const mpu_profile_class *k = &profile->classes[i];
        if (k->seen < NEAR_ALL && k->traffic.out_share > 1 - NEAR_ALL)
            msw_task_doubt(task,
                           "%.0f %% of the cores of a launch were seen, and cores use each "
                           "other's data",
                           100 * k->seen);
    }
    if (late > MOST_BURST * cycles)
        msw_task_doubt(task, "%.0f %% of the time one core works off a burst of requests",
                       100 * late / cycles);
    if (c->dispatch == MPU_DISPATCH_OWNER)
        msw_task_doubt(task, "dispatch: owner: CTAs crowd where their data are");
    if (c->placement == MPU_PLACEMENT_BANK)
        msw_task_doubt(task, "placement: bank: arrays lie in a few cores, which all others ask");
}

int mpu_analytic(const msw_task *task, double *m, msw_err *err)
{
    const mpu_profile *profile = task->artifacts[MPU_ARTIFACT_PROFILE];
    double late = 0;
    if (check_fit(task, err))
        return -1;
    for (int slot = 0; slot < MPU_METRICS; slot++)
        m[slot] = 0;
    for (uint32_t k = 0; k < profile->count; k++)
        late += add_class(task->config, &profile->classes[k], m);
    mpu_count_sums(m);
    mpu_energy(task->config, m);
    doubt(task, profile, late, m[MPU_CYCLES]);
    return 0;
}
