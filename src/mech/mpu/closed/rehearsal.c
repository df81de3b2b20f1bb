/* SPDX-License-Identifier: MIT */
/* The machine on part of a launch: CTAs at equal distances for their number of instructions alone,
 * and the first stretch of a launch with time. */
#include "mech/mpu/closed/load.h"
#include "mech/mpu/closed/profile.h"
#include "mech/mpu/machine/machine.h"
#include "mech/mpu/model.h"
#include "memsweep/base/bits.h"
#include "memsweep/base/math.h"

#include <math.h>
#include <string.h>

/* Runs CTAs at equal distances for the number of their instructions alone. */

enum { RUN = 64, RUN_LEAST = 8, TOGETHER = 8 };
#define RUN_INSNS 4e6

static int count_step(void *self, const mpu_walk_at *at, const msw_simt_step *step, msw_err *err)
{
    mpu_lengths *l = self;
    (void)err;
    l->insns[at->cta / l->apart] += step->count;
    return 0;
}

static void find_mean(mpu_lengths *l)
{
    double n = (double)l->count, squares = 0;
    for (uint64_t i = 0; i < l->count; i++)
        l->mean += l->insns[i] / n;
    for (uint64_t i = 0; i < l->count; i++)
        squares += (l->insns[i] - l->mean) * (l->insns[i] - l->mean);
    l->error = sqrt(squares / n / n);
}

/* An odd distance falls on all cores in turn. */
int mpu_lengths_run(const msw_simt_code *code, double each, msw_arena *arena, mpu_lengths *out,
                    msw_err *err)
{
    uint64_t ctas = msw_simt_cta_count(code);
    double most = fmax(fmin(RUN_INSNS / fmax(each, 1), RUN), RUN_LEAST);
    mpu_walk_listener mine = {.self = out, .step = count_step};
    *out = (mpu_lengths){.apart = msw_div_up(ctas, (uint64_t)most) | 1};
    uint64_t first = msw_min_u64(out->apart / 2, ctas - 1);
    out->count = msw_div_up(ctas - first, out->apart);
    out->insns = msw_arena_zero(arena, out->count, sizeof *out->insns);
    if (!out->insns)
        return msw_fail_memory(err);
    mpu_walk_ctas run = {
        .first = first, .stride = out->apart, .count = out->count, .slots = TOGETHER};
    run.slots = (uint32_t)msw_min_u64(run.slots, run.count);
    if (mpu_walk(code, &run, &mine, arena, err))
        return -1;
    find_mean(out);
    return 0;
}

double mpu_length_of(const mpu_lengths *l, uint64_t cta)
{
    return l->insns[msw_min_u64(cta / l->apart, l->count - 1)];
}

void mpu_work_add(mpu_core_work *w, const mpu_config *config, uint32_t slots, double insns)
{
    uint32_t best = 0;
    for (uint32_t p = 1; p < slots; p++)
        best = w->passed[p] < w->passed[best] ? p : best;
    bool batch = config->cta_refill == MPU_REFILL_BATCH && (uint64_t)w->ctas % slots == 0;
    for (uint32_t p = 0; p < slots && batch; p++)
        w->passed[p] = w->longest;
    w->passed[best] += insns;
    w->longest = fmax(w->longest, w->passed[best]);
    w->most = fmax(w->most, insns);
    w->sum += insns;
    w->ctas++;
}

void mpu_work_tell(const mpu_core_work *w, mpu_profile_class *out)
{
    out->way = w->longest / fmax(ceil(w->ctas / out->slots), 1);
    out->longest = w->sum > 0 ? w->most * w->ctas / w->sum : 1;
}

/* The machine itself on the first stretch of a launch, and from there to the launch's end:
 *
 *   T = t + max over cores of (W - n) / r
 *
 *   t  cycles of the stretch     n  instructions of a core in it     W  of its CTAs     r  its rate
 *
 * The rate of a core is that of the second half of the stretch. Cores differ by chance and in
 * truth: what their third and fourth quarters have in common is true (the regression of a true
 * score on a measured one, T. L. Kelley, Interpretation of Educational Measurements, 1927):
 *
 *   r = mean + R (own - mean),     R = covariance of the quarters / their mean variance
 *
 * Known value: a launch that ends within the stretch has its own cycles. */

enum { QUARTERS = 4, STEPS = 64, WINDOWS_MOST = 100000 };
#define SLOWEST 0.0625 /* rate of a core, over the mean */

/* Ends of the quarters of a stretch. */
typedef struct stretch {
    const mpu_machine *machine;
    const double *work; /* [core] instructions of its CTAs */
    double cycles[QUARTERS + 1], all[QUARTERS + 1];
    double *issued[QUARTERS + 1]; /* [core] */
} stretch;

static void end_quarter(stretch *s, int quarter)
{
    const mpu_machine *m = s->machine;
    s->cycles[quarter] = (double)m->now;
    s->all[quarter] = (double)m->counts.issued;
    for (uint32_t c = 0; c < m->core_count; c++)
        s->issued[quarter][c] = (double)m->cores[c].issued;
}

static double rate_of(const stretch *s, uint32_t core, int from, int to)
{
    double cycles = s->cycles[to] - s->cycles[from];
    return cycles > 0 ? (s->issued[to][core] - s->issued[from][core]) / cycles : 0;
}

/* What a core has left to issue. */
static double left_of(const stretch *s, uint32_t core)
{
    const mpu_core *c = &s->machine->cores[core];
    bool ended = !c->ctas && !c->waiting_ctas;
    return ended ? 0 : fmax(s->work[core] - (double)c->issued, 0);
}

static double all_left(const stretch *s)
{
    double left = 0;
    for (uint32_t c = 0; c < s->machine->core_count; c++)
        left += left_of(s, c);
    return left;
}

/* Returns the share of the differences between the rates of cores that is not chance. */
static double truth_of(const stretch *s, double *mean)
{
    double n = 0, a = 0, b = 0, aa = 0, bb = 0, ab = 0;
    for (uint32_t c = 0; c < s->machine->core_count; c++) {
        if (left_of(s, c) <= 0)
            continue;
        double third = rate_of(s, c, 2, 3), fourth = rate_of(s, c, 3, 4);
        n++;
        a += third;
        b += fourth;
        aa += third * third;
        bb += fourth * fourth;
        ab += third * fourth;
    }
    n = fmax(n, 1);
    *mean = (a + b) / n / 2;
    double both = ab / n - a / n * b / n;
    double each = (aa / n - a / n * a / n + bb / n - b / n * b / n) / 2;
    return each > 0 ? fmin(fmax(both / each, 0), 1) : 0;
}

/* The rest has the stretch's causes, but for cores that have ended. */
static void add_rest(const stretch *s, double busy, double last, mpu_rehearsal *out)
{
    const mpu_machine *m = s->machine;
    double subcores = (double)m->core_count * (double)m->config->subcores, sum = 0;
    double *idle = &out->stack[MPU_IDLE - MPU_ISSUE];
    for (int c = 0; c < MPU_CAUSES; c++)
        sum += out->stack[c] = m->counts.stack[c] / subcores;
    double working = sum - *idle;
    for (int c = 0; c < MPU_CAUSES - 1 && working > 0; c++)
        out->stack[c] *= 1 + busy / working;
    *idle += last - (working > 0 ? busy : 0);
    out->cycles = sum + last;
}

/* By how much the pace changes from the second quarter on, as a logarithm. */
static double drift_of(const stretch *s)
{
    double least = HUGE_VAL, most = 0;
    for (int q = 2; q <= QUARTERS; q++) {
        double pace = (s->all[q] - s->all[q - 1]) / fmax(s->cycles[q] - s->cycles[q - 1], 1);
        least = fmin(least, pace);
        most = fmax(most, pace);
    }
    return least > 0 ? msw_math_log(most / least) : HUGE_VAL;
}

static void extrapolate(const stretch *s, mpu_rehearsal *out)
{
    double mean, truth = truth_of(s, &mean), busy = 0, last = 0;
    for (uint32_t c = 0; c < s->machine->core_count; c++) {
        double own = rate_of(s, c, 2, 4), left = left_of(s, c);
        double rate = fmax(mean + truth * (own - mean), mean * SLOWEST);
        double ends = left > 0 && rate > 0 ? left / rate : 0;
        busy += ends / s->machine->core_count;
        last = fmax(last, ends);
    }
    add_rest(s, busy, last, out);
    out->drift = out->whole ? 0 : last / out->cycles * fmin(drift_of(s), 16);
}

static const double *work_of(const mpu_machine *m, const mpu_profile_class *k, msw_arena *arena)
{
    if (k->work)
        return k->work;
    double *work = msw_arena_take(arena, m->core_count * sizeof *work);
    for (uint32_t c = 0; work && c < m->core_count; c++)
        work[c] = (double)m->cores[c].share * k->insns_of_cta;
    return work;
}

/* A quarter has ended when its share of the instructions was issued and of the cycles has passed:
 * until queues are full, machines go on faster. */
static int run_quarters(mpu_machine *m, double most, double cycles, stretch *s, msw_err *err)
{
    end_quarter(s, 0);
    for (int q = 1; q <= QUARTERS; q++) {
        double issued = most * q / QUARTERS, time = cycles * q / QUARTERS;
        while (m->launch.active && m->counts.windows < WINDOWS_MOST &&
               ((double)m->counts.issued < issued || (double)m->now < time))
            if (mpu_machine_run(
                    m, (uint64_t)fmax(issued, (double)m->counts.issued + most / STEPS + 1), err))
                return -1;
        end_quarter(s, q);
    }
    if (m->launch.active && all_left(s) <= 0) /* accesses are under way */
        return mpu_machine_run(m, UINT64_MAX, err);
    return 0;
}

static int run_stretch(const msw_task *task, mpu_machine *m, const mpu_profile_class *k,
                       double most, double cycles, mpu_rehearsal *out, msw_err *err)
{
    stretch s = {.machine = m};
    if (mpu_machine_init(m, task, mpu_program_of(task), true, err) ||
        mpu_launch_start(m, k->stage, err))
        return -1;
    m->counts.windows_most = WINDOWS_MOST;
    s.work = work_of(m, k, task->arena);
    bool full = !s.work;
    for (int q = 0; q <= QUARTERS; q++) {
        s.issued[q] = msw_arena_zero(task->arena, m->core_count, sizeof *s.issued[q]);
        full = full || !s.issued[q];
    }
    if (full)
        return msw_fail_memory(err);
    if (run_quarters(m, most, cycles, &s, err))
        return -1;
    mpu_settle(m, m->now);
    out->whole = !m->launch.active;
    extrapolate(&s, out);
    return 0;
}

int mpu_rehearse(const msw_task *task, const mpu_profile_class *k, double most, double cycles,
                 mpu_rehearsal *out, msw_err *err)
{
    msw_arena_mark before = msw_arena_now(task->arena);
    msw_task quiet = *task;
    quiet.event_budget = 0;
    quiet.details = NULL;
    *out = (mpu_rehearsal){.cycles = 0};
    mpu_machine *m = msw_arena_zero(task->arena, 1, sizeof *m);
    int rc = m ? run_stretch(&quiet, m, k, most, cycles, out, err) : msw_fail_memory(err);
    msw_arena_release(task->arena, before);
    return rc;
}
