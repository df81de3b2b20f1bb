/* SPDX-License-Identifier: MIT */
/* The counted tasks one by one, and how sure their means are of the long run. Units, which stand in
 * the order of their numbers over all tenants, are cut into B = 10 batches of equal size; what is
 * left over at the end counts in the last. With m_b the mean of batch b and m the mean of those:
 *
 *   half-width    t(0.975, B - 1) sqrt(sum (m_b - m)^2 / (B - 1) / B)
 *   lag-1         sum (m_b - m)(m_b+1 - m) / sum (m_b - m)^2        large: batches are too short */
#include "mech/camdn/machine/system.h"

#include "memsweep/base/math.h"

#include <math.h>

enum { LEAST_TASKS = 40 };

static double quantity_of(const camdn_system *s, uint64_t unit, int quantity)
{
    const camdn_result *r = &s->results[unit];
    return quantity ? (double)((r->reads + r->writes) * (uint64_t)s->config->line)
                    : (double)r->cycles;
}

void camdn_batch_add(camdn_batches *b, uint64_t number, uint64_t count, double value)
{
    uint64_t batch = msw_min_u64(number / (count / CAMDN_BATCHES), CAMDN_BATCHES - 1);
    b->sums[batch] += value;
    b->counts[batch]++;
}

camdn_sureness camdn_batch_close(const camdn_batches *b)
{
    double means[CAMDN_BATCHES], squares = 0, products = 0;
    camdn_sureness is = {0};
    for (int i = 0; i < CAMDN_BATCHES; i++)
        is.mean += (means[i] = b->sums[i] / (double)b->counts[i]) / CAMDN_BATCHES;
    for (int i = 0; i < CAMDN_BATCHES; i++) {
        squares += (means[i] - is.mean) * (means[i] - is.mean);
        products += i ? (means[i] - is.mean) * (means[i - 1] - is.mean) : 0;
    }
    double t = msw_math_student_quantile(0.975, CAMDN_BATCHES - 1);
    is.half_width = t * sqrt(squares / (CAMDN_BATCHES - 1) / CAMDN_BATCHES);
    is.lag1 = squares > 0 ? products / squares : 0;
    return is;
}

static int add_batches(const msw_task *task, const camdn_system *s, int quantity, msw_err *err)
{
    camdn_batches batches = {0};
    for (uint64_t u = 0; u < s->counted; u++)
        camdn_batch_add(&batches, u, s->counted, quantity_of(s, u, quantity));
    camdn_sureness is = camdn_batch_close(&batches);
    double row[] = {quantity, CAMDN_BATCHES, (double)s->counted, is.mean, is.half_width, is.lag1};
    return msw_detail_add(task, CAMDN_DETAIL_BATCHES, row, err);
}

static bool all_done(const camdn_system *s)
{
    uint64_t done = 0;
    for (uint64_t u = 0; u < s->counted; u++)
        done += s->results[u].done;
    return done == s->counted;
}

int camdn_add_tasks(const msw_task *task, const camdn_system *s, msw_err *err)
{
    int rc = 0;
    for (uint64_t u = 0; rc == 0 && u < s->counted; u++) {
        const camdn_result *r = &s->results[u];
        double row[] = {(double)u, r->network, quantity_of(s, u, 0), quantity_of(s, u, 1)};
        rc = r->done ? msw_detail_add(task, CAMDN_DETAIL_TASKS, row, err) : 0;
    }
    for (int q = 0; rc == 0 && q < 2 && s->counted >= LEAST_TASKS && all_done(s); q++)
        rc = add_batches(task, s, q, err);
    return rc;
}
