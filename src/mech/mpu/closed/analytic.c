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
#include <stdio.h>

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
    cycles = mpu_queues(l->stations, ctas * (double)k->warps, l->chain, residence, &late);
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

/* A launch of a class. */
typedef struct answer {
    double cycles, late, stack[MPU_CAUSES]; /* late: of it, of bursts */
    double bound;                           /* what the core that others ask takes at least */
    bool in_step;
} answer;

#define SHARED 2.0

/* Whether no station is full although all together have more than twice as much to do as there is
 * time: it is taken that warps are at different ones. */
static bool is_in_step(const mpu_load *l, double warps, double cycles)
{
    double most = 0, sum = 0;
    for (int r = 0; r < MPU_STATION_OWNER; r++) {
        double busy = warps * l->stations[r].demand / l->stations[r].copies;
        most = fmax(most, busy);
        sum += busy;
    }
    return most < MPU_FULL * cycles && sum > SHARED * cycles;
}

static void answer_class(const mpu_config *c, const mpu_profile_class *k, answer *out)
{
    mpu_load l;
    span whole = {0};
    double m[MPU_METRICS] = {0};
    mpu_load_init(&l, c, k);
    add_ctas(k, &l, &whole);
    deal_out(&l, &whole, 1, m);
    double warps = l.most_ctas * (double)k->warps;
    *out = (answer){.cycles = whole.cycles, .late = whole.late};
    for (int r = MPU_STATION_OWNER; r <= MPU_STATION_LINKS; r++)
        out->bound = fmax(out->bound, warps * l.stations[r].demand / l.stations[r].copies);
    out->in_step = is_in_step(&l, warps, whole.cycles);
    for (int cause = 0; cause < MPU_CAUSES; cause++)
        out->stack[cause] = m[MPU_ISSUE + cause];
}

static void add_class(const mpu_config *c, const mpu_profile_class *k, const answer *a, double *m)
{
    double n = k->launches * k->ctas;
    m[MPU_CYCLES] += k->launches * a->cycles;
    for (int cause = 0; cause < MPU_CAUSES; cause++)
        m[MPU_ISSUE + cause] += k->launches * a->stack[cause];
    for (int slot = MPU_INSNS; slot < MPU_ENERGY; slot++)
        m[slot] += n * k->totals[slot];
    fill_rest(c, k, a->cycles, n, m);
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

/* ---- where the queues do not hold ---- */

#define NEAR_ALL   0.99
#define MOST_BURST 0.3
#define MOST_DRIFT 0.5
#define UNLIKE     2.0
#define MOST_BELOW 1.3 /* of a bound over what the stretch says */

/* Of all launches that are run together; where something stays open, one of up to INSNS_WHOLE is
 * run whole. */
#define INSNS_LEAST 65536.0
#define INSNS_MOST  262144.0
#define INSNS_WHOLE 262144.0
#define STRETCH     8.0 /* instructions and cycles of a launch over those of its stretch */

enum { WHY_BYTES = 120, REHEARSED_MOST = 4 };
#define NOT_REHEARSED 0.1 /* of the time, that may be left to the queues */

/* Says why the queues do not hold for a class: README.md, "Where it is not to be trusted". Returns
 * whether they do not. */
static bool find_reason(const mpu_config *c, const mpu_profile_class *k, const answer *a, char *why)
{
    bool unseen = k->seen < NEAR_ALL && k->traffic.out_share > 1 - NEAR_ALL;
    if (c->dispatch == MPU_DISPATCH_OWNER)
        snprintf(why, WHY_BYTES, "dispatch: owner: CTAs crowd where their data are");
    else if (c->placement == MPU_PLACEMENT_BANK)
        snprintf(why, WHY_BYTES,
                 "placement: bank: arrays lie in a few cores, which all others ask");
    else if (c->placement == MPU_PLACEMENT_ROW)
        snprintf(why, WHY_BYTES, "placement: row: what lies side by side lies in one core");
    else if (unseen)
        snprintf(why, WHY_BYTES,
                 "%.0f %% of the cores of a launch were seen, and cores use each other's data",
                 100 * k->seen);
    else if (a->late > MOST_BURST * a->cycles)
        snprintf(why, WHY_BYTES, "%.0f %% of the time one core works off a burst of requests",
                 100 * a->late / a->cycles);
    else if (k->longest > UNLIKE)
        snprintf(why, WHY_BYTES,
                 "the longest CTA of a core issues %.1f times what the mean one does", k->longest);
    else if (a->in_step)
        snprintf(why, WHY_BYTES, "warps wait together and compute together");
    else
        return false;
    return true;
}

/* Takes what the machine says, and leaves open what it does not: `why` is empty when nothing is. */
static void take_rehearsal(const mpu_config *c, const mpu_rehearsal *r, answer *a, char *why)
{
    bool speaks = r->whole || c->dispatch == MPU_DISPATCH_OWNER || a->in_step;
    bool burst = a->late > MOST_BURST * a->cycles, open = r->drift > MOST_DRIFT;
    double least = r->whole ? 0 : burst ? a->cycles : a->bound;
    if (!speaks || open)
        return;
    double by = fmax(least / r->cycles, 1);
    for (int cause = 0; cause < MPU_CAUSES; cause++)
        a->stack[cause] = by * r->stack[cause];
    a->cycles = by * r->cycles;
    if (by <= MOST_BELOW)
        *why = 0;
}

/* Runs the machine on a launch: on a stretch, if one can speak for it, or on all of it. */
static int rehearse_class(const msw_task *task, const mpu_profile_class *k, double share, answer *a,
                          char *why, msw_err *err)
{
    const mpu_config *c = task->config;
    double insns = k->ctas * k->insns_of_cta;
    double most = fmin(fmax(insns / STRETCH, INSNS_LEAST), INSNS_MOST) * share;
    answer asked = *a;
    mpu_rehearsal r;
    if (c->simulated_cores)
        return 0;
    bool half = 2 * most >= insns; /* whole costs little more, and leaves no end to be foretold */
    if (!half && (c->dispatch == MPU_DISPATCH_OWNER || a->in_step)) {
        if (mpu_rehearse(task, k, most, a->cycles / STRETCH, &r, err))
            return -1;
        take_rehearsal(c, &r, a, why);
    }
    if (!*why || insns > INSNS_WHOLE * share)
        return 0;
    if (mpu_rehearse(task, k, insns + 1, HUGE_VAL, &r, err))
        return -1;
    if (r.whole)
        take_rehearsal(c, &r, &asked, why);
    *a = r.whole ? asked : *a;
    return 0;
}

/* The class for which the queues do not hold that takes most of the time and was not run yet. */
static int64_t next_class(const mpu_profile *p, const answer *a, const bool *left)
{
    int64_t most = -1;
    for (uint32_t k = 0; k < p->count; k++)
        if (left[k] && (most < 0 || p->classes[k].launches * a[k].cycles >
                                        p->classes[most].launches * a[most].cycles))
            most = k;
    return most;
}

static int rehearse_all(const msw_task *task, const mpu_profile *p, answer *a, msw_err *err)
{
    const mpu_config *c = task->config;
    double all = 0, open = 0;
    char why[WHY_BYTES], first[WHY_BYTES] = "";
    bool *left = msw_arena_zero(task->arena, p->count + 1, sizeof *left);
    if (!left)
        return msw_fail_memory(err);
    for (uint32_t k = 0; k < p->count; k++) {
        left[k] = find_reason(c, &p->classes[k], &a[k], why);
        all += p->classes[k].launches * a[k].cycles;
    }
    for (int run = 0; next_class(p, a, left) >= 0; run++) {
        int64_t k = next_class(p, a, left);
        double time = p->classes[k].launches * a[k].cycles;
        left[k] = false;
        find_reason(c, &p->classes[k], &a[k], why);
        if (run < REHEARSED_MOST &&
            rehearse_class(task, &p->classes[k], fmin(time / all, 1), &a[k], why, err))
            return -1;
        open += *why ? time : 0;
        if (*why && !*first)
            snprintf(first, sizeof first, "%s", why);
    }
    if (open > NOT_REHEARSED * all)
        msw_task_doubt(task, "%s", first);
    return 0;
}

int mpu_analytic(const msw_task *task, double *m, msw_err *err)
{
    const mpu_profile *profile = task->artifacts[MPU_ARTIFACT_PROFILE];
    const mpu_steered *s = &profile->steered;
    answer *answers = msw_arena_zero(task->arena, profile->count + 1, sizeof *answers);
    if (!answers)
        return msw_fail_memory(err);
    if (check_fit(task, err))
        return -1;
    for (uint32_t k = 0; k < profile->count; k++)
        answer_class(task->config, &profile->classes[k], &answers[k]);
    if (s->reader)
        msw_task_doubt(task, "flow of kernel %s depends on array %s, which kernel %s writes",
                       s->reader->name, s->array->name, s->writer->name);
    if (rehearse_all(task, profile, answers, err))
        return -1;
    for (int slot = 0; slot < MPU_METRICS; slot++)
        m[slot] = 0;
    for (uint32_t k = 0; k < profile->count; k++)
        add_class(task->config, &profile->classes[k], &answers[k], m);
    mpu_count_sums(m);
    mpu_energy(task->config, m);
    return 0;
}
