/* The counted tasks one by one, and how sure their means are of the long run. Units, which stand in
 * the order of their numbers over all tenants, are cut into BATCHES batches of equal size; what is
 * left over at the end counts in the last. With m_b the mean of batch b and m the mean of those:
 *
 *   half-width    t(0.975, B - 1) sqrt(sum (m_b - m)^2 / (B - 1) / B)
 *   lag-1         sum (m_b - m)(m_b+1 - m) / sum (m_b - m)^2        large: batches are too short */
#include "mech/camdn/machine/system.h"

#include "memsweep/base/math.h"

#include <math.h>

enum { BATCHES = 10, LEAST_TASKS = 40 };

static double quantity_of(const camdn_system *s, uint64_t unit, int quantity)
{
    const camdn_result *r = &s->results[unit];
    return quantity ? (double)((r->reads + r->writes) * (uint64_t)s->config->line)
                    : (double)r->cycles;
}

static double batch_mean(const camdn_system *s, uint64_t batch, int quantity)
{
    uint64_t size = s->counted / BATCHES, first = batch * size;
    uint64_t end = batch + 1 == BATCHES ? s->counted : first + size;
    double sum = 0;
    for (uint64_t u = first; u < end; u++)
        sum += quantity_of(s, u, quantity);
    return sum / (double)(end - first);
}

static int add_batches(const msw_task *task, const camdn_system *s, int quantity, msw_err *err)
{
    double means[BATCHES], mean = 0, squares = 0, products = 0;
    for (uint64_t b = 0; b < BATCHES; b++)
        mean += (means[b] = batch_mean(s, b, quantity)) / BATCHES;
    for (int b = 0; b < BATCHES; b++) {
        squares += (means[b] - mean) * (means[b] - mean);
        products += b ? (means[b] - mean) * (means[b - 1] - mean) : 0;
    }
    double t = msw_math_student_quantile(0.975, BATCHES - 1);
    double row[] = {quantity,
                    BATCHES,
                    (double)s->counted,
                    mean,
                    t * sqrt(squares / (BATCHES - 1) / BATCHES),
                    squares > 0 ? products / squares : 0};
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
