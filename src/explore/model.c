/* SPDX-License-Identifier: MIT */
/* Estimates the closed form's error, ln(full / closed form), from the units that were run; and who
 * covers whom on a front. */
#include "explore/explorer.h"
#include "memsweep/base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fronts: who covers whom. A vector covers another where it is at most as much in every exact
 * objective and at most (1 + tolerance) times as much in the others; in logarithms the least slack
 * that is needed is a difference, which is called the gap. */

static bool at_most(const double *a, const double *b, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        if (!(a[k] <= b[k]))
            return false;
    return true;
}

/* Equal infinities have no difference. */
static double difference(double a, double b)
{
    return a == b ? 0 : a - b;
}

static double gap_to(const msw_explore_answer *a, const double *open, unsigned count)
{
    double gap = -HUGE_VAL;
    for (unsigned j = 0; j < count; j++)
        gap = fmax(gap, difference(a->open[j], open[j]));
    return gap;
}

double msw_front_gap(const msw_explorer *e, uint32_t group, const double *exact, const double *open,
                     uint32_t but)
{
    const msw_front_list *front = &e->fronts[group];
    double gap = HUGE_VAL;
    for (size_t i = 0; i < front->count; i++) {
        const msw_explore_answer *a = &e->rows[front->row[i]].answer;
        if (front->row[i] != but && at_most(a->exact, exact, e->space.exact_count))
            gap = fmin(gap, gap_to(a, open, e->space.open_count));
    }
    return gap;
}

/* With one open objective a unit remembers the best it has seen and looks at what is new alone. */
static double best_for(msw_explorer *e, uint32_t unit)
{
    const msw_front_list *front = &e->fronts[e->space.group[unit]];
    double exact[MSW_EXPLORE_OBJECTIVES], best = e->units.best[unit];
    if (e->units.looked[unit] == front->log_count)
        return best;
    msw_unit_exact(&e->space, unit, exact);
    for (size_t i = e->units.looked[unit]; i < front->log_count; i++) {
        const msw_explore_answer *a = &e->rows[front->log[i]].answer;
        if (a->open[0] < best && at_most(a->exact, exact, e->space.exact_count))
            best = a->open[0];
    }
    e->units.looked[unit] = (uint32_t)front->log_count;
    return e->units.best[unit] = best;
}

double msw_unit_gap(msw_explorer *e, uint32_t unit, const double *open)
{
    double exact[MSW_EXPLORE_OBJECTIVES];
    if (e->units.best)
        return difference(best_for(e, unit), open[0]);
    msw_unit_exact(&e->space, unit, exact);
    return msw_front_gap(e, e->space.group[unit], exact, open, UINT32_MAX);
}

static bool is_covered(const msw_explorer *e, const msw_explore_answer *by,
                       const msw_explore_answer *a)
{
    return at_most(by->exact, a->exact, e->space.exact_count) &&
           at_most(by->open, a->open, e->space.open_count);
}

static void drop_covered(msw_explorer *e, msw_front_list *front, const msw_explore_answer *a)
{
    size_t kept = 0;
    for (size_t i = 0; i < front->count; i++)
        if (!is_covered(e, a, &e->rows[front->row[i]].answer))
            front->row[kept++] = front->row[i];
    front->count = kept;
}

int msw_front_join(msw_explorer *e, uint32_t row, msw_err *err)
{
    const msw_explore_answer *a = &e->rows[row].answer;
    msw_front_list *front = &e->fronts[e->space.group[e->rows[row].unit]];
    for (size_t i = 0; i < front->count; i++)
        if (is_covered(e, &e->rows[front->row[i]].answer, a))
            return 0;
    if (msw_vec_reserve(&front->row, &front->capacity, front->count + 1, sizeof *front->row, err) ||
        msw_vec_reserve(&front->log, &front->log_capacity, front->log_count + 1, sizeof *front->log,
                        err))
        return -1;
    drop_covered(e, front, a);
    front->row[front->count++] = row;
    front->log[front->log_count++] = row;
    return 0;
}

bool msw_front_holds(const msw_explorer *e, uint32_t row)
{
    const msw_front_list *front = &e->fronts[e->space.group[e->rows[row].unit]];
    for (size_t i = 0; i < front->count; i++)
        if (front->row[i] == row)
            return true;
    return false;
}

/* Estimates the closed form's error, ln(full / closed form), from the units that were run.
 *
 * Two guesses. The rough one is a mean over factor levels: of a unit at levels l_f in stratum s
 *
 *     mean = (sum_f S(s, f, l_f) + m_s) / (sum_f n(s, f, l_f) + 1)
 *
 * with n and S the number of rows of that stratum at that level and the sum of their errors, m_s
 * the stratum's own mean, itself drawn to the mean of all by the weight of one row. The fine one is
 * a kernel average over the rows i of the stratum,
 *
 *     mean = (sum_i K_i e_i + PRIOR m) / (sum_i K_i + PRIOR),   K_i = prod_f k_f(|l_f - l_fi|)
 *
 * with m the rough mean; variances are the same averages of squares less the square of the mean.
 * Before any row there is what a table of errors says of the unit, or mean 0 and deviation START.
 * An ordered factor has k_f(d) = NEAR^d, another one k_f(0) = 1 and OTHER elsewhere.
 *
 * Known: one ordered factor, one stratum, one row of error 0.1: two levels away the rough mean is
 * 0.0667; one level away the fine one is (0.3 0.1 + 0.3 0.0667) / 0.6 = 0.0833. */

/* Choices: no paper says them. Measured on other values in docs/models/auto.md. */
static const double NEAR = 0.3, OTHER = 0.1, PRIOR = 0.3;
static const double START = 0.05;     /* deviation before anything is known */
static const double START_WEIGHT = 2; /* rows that it counts as */
static const double LEAST_DEVIATION = 1e-4;

/* ---- making one ---- */

static void fill_kernel(msw_model *m)
{
    for (unsigned f = 0; f < m->space->factor_count; f++)
        for (unsigned d = 0; d < MSW_EXPLORE_LEVELS; d++) {
            double *k = &m->kernel[f * MSW_EXPLORE_LEVELS + d];
            if (m->space->factors[f].ordered)
                *k = d ? k[-1] * NEAR : 1;
            else
                *k = d ? OTHER : 1;
        }
}

static void fill_levels(msw_model *m)
{
    size_t factors = m->space->factor_count;
    for (size_t u = 0; u < m->space->units; u++)
        for (size_t f = 0; f < factors; f++)
            m->levels[u * factors + f] = m->space->factors[f].level[u];
}

int msw_model_new(const msw_explore_space *s, msw_model *m, msw_err *err)
{
    size_t factors = s->factor_count, open = s->open_count, strata = s->strata;
    *m = (msw_model){.space = s,
                     .levels = malloc(s->units * factors + 1),
                     .all = calloc(open + 1, sizeof *m->all),
                     .stratum = calloc(strata * open + 1, sizeof *m->stratum),
                     .level =
                         calloc(strata * factors * MSW_EXPLORE_LEVELS * open + 1, sizeof *m->level),
                     .rows = calloc(strata + 1, sizeof *m->rows),
                     .kernel = calloc(factors * MSW_EXPLORE_LEVELS + 1, sizeof *m->kernel),
                     .slot = calloc(s->units + 1, sizeof *m->slot)};
    if (!m->levels || !m->all || !m->stratum || !m->level || !m->rows || !m->kernel || !m->slot)
        return msw_fail_memory(err);
    fill_kernel(m);
    fill_levels(m);
    return 0;
}

void msw_model_free(msw_model *m)
{
    for (size_t s = 0; m->rows && s < m->space->strata; s++) {
        free(m->rows[s].levels);
        free(m->rows[s].errors);
    }
    free(m->levels);
    free(m->all);
    free(m->stratum);
    free(m->level);
    free(m->rows);
    free(m->kernel);
    free(m->slot);
    free(m->sums);
    free(m->seen);
    *m = (msw_model){0};
}

/* ---- learning ---- */

static void add(msw_moments *to, double weight, double error)
{
    to->n += weight;
    to->sum += weight * error;
    to->squares += weight * error * error;
}

static msw_moments *level_at(const msw_model *m, uint32_t stratum, size_t factor, unsigned level)
{
    size_t at = (stratum * (size_t)m->space->factor_count + factor) * MSW_EXPLORE_LEVELS + level;
    return &m->level[at * m->space->open_count];
}

static int keep_row(msw_model *m, uint32_t unit, const double *errors, msw_err *err)
{
    size_t factors = m->space->factor_count, open = m->space->open_count;
    msw_model_rows *rows = &m->rows[m->space->stratum[unit]];
    size_t room = rows->capacity, wanted = rows->count + 1;
    MSW_TRY(msw_vec_reserve(&rows->levels, &room, wanted, factors + !factors, err));
    MSW_TRY(msw_vec_reserve(&rows->errors, &rows->capacity, wanted,
                            (open + !open) * sizeof *rows->errors, err));
    memcpy(&rows->levels[rows->count * factors], &m->levels[unit * factors], factors);
    memcpy(&rows->errors[rows->count * open], errors, open * sizeof *errors);
    rows->count++;
    return 0;
}

int msw_model_learn(msw_model *m, uint32_t unit, const double *errors, msw_err *err)
{
    uint32_t stratum = m->space->stratum[unit];
    for (unsigned j = 0; j < m->space->open_count; j++) {
        add(&m->all[j], 1, errors[j]);
        add(&m->stratum[stratum * m->space->open_count + j], 1, errors[j]);
        for (size_t f = 0; f < m->space->factor_count; f++)
            add(&level_at(m, stratum, f, m->levels[unit * (size_t)m->space->factor_count + f])[j],
                1, errors[j]);
    }
    return keep_row(m, unit, errors, err);
}

/* ---- guessing ---- */

/* The mean and deviation of some moments, drawn to a guess by its weight in rows. */
static msw_guess drawn(const msw_moments *x, msw_guess to, double weight)
{
    double n = x->n + weight, mean = (x->sum + weight * to.mean) / n;
    double squares = x->squares + weight * (to.mean * to.mean + to.deviation * to.deviation);
    return (msw_guess){mean, fmax(LEAST_DEVIATION, sqrt(fmax(0, squares / n - mean * mean)))};
}

/* Before any unit was run. */
static msw_guess start_of(const msw_model *m, uint32_t unit, unsigned j)
{
    const msw_guess *known = m->space->known[j];
    return known && known[unit].deviation >= 0 ? known[unit] : (msw_guess){0, START};
}

msw_guess msw_model_rough(const msw_model *m, uint32_t unit, unsigned j)
{
    size_t factors = m->space->factor_count, open = m->space->open_count;
    uint32_t stratum = m->space->stratum[unit];
    const uint8_t *levels = &m->levels[unit * factors];
    const msw_moments *level = level_at(m, stratum, 0, 0) + j;
    msw_moments sum = {0};
    msw_guess guess = drawn(&m->all[j], start_of(m, unit, j), START_WEIGHT);
    guess = drawn(&m->stratum[stratum * open + j], guess, 1);
    for (size_t f = 0; f < factors; f++) {
        const msw_moments *at = &level[(f * MSW_EXPLORE_LEVELS + levels[f]) * open];
        sum.n += at->n;
        sum.sum += at->sum;
        sum.squares += at->squares;
    }
    return drawn(&sum, guess, 1);
}

int msw_model_watch(msw_model *m, uint32_t unit, msw_err *err)
{
    size_t open = m->space->open_count, count = m->slot_count;
    if (m->slot[unit])
        return 0;
    size_t room = m->slot_capacity;
    MSW_TRY(msw_vec_reserve(&m->sums, &room, count + 1, (open + !open) * sizeof *m->sums, err));
    MSW_TRY(msw_vec_reserve(&m->seen, &m->slot_capacity, count + 1, sizeof *m->seen, err));
    memset(&m->sums[count * open], 0, open * sizeof *m->sums);
    m->seen[count] = 0;
    m->slot[unit] = (uint32_t)++m->slot_count;
    return 0;
}

static double weight_of(const msw_model *m, const uint8_t *a, const uint8_t *b)
{
    double weight = 1;
    const double *kernel = m->kernel;
    for (size_t f = 0; f < m->space->factor_count; f++, kernel += MSW_EXPLORE_LEVELS)
        weight *= kernel[a[f] > b[f] ? a[f] - b[f] : b[f] - a[f]];
    return weight;
}

static void catch_up(msw_model *m, uint32_t unit, size_t slot)
{
    size_t factors = m->space->factor_count, open = m->space->open_count;
    const msw_model_rows *rows = &m->rows[m->space->stratum[unit]];
    for (size_t i = m->seen[slot]; i < rows->count; i++) {
        double weight = weight_of(m, &rows->levels[i * factors], &m->levels[unit * factors]);
        for (size_t j = 0; j < open; j++)
            add(&m->sums[slot * open + j], weight, rows->errors[i * open + j]);
    }
    m->seen[slot] = (uint32_t)rows->count;
}

msw_guess msw_model_fine(msw_model *m, uint32_t unit, unsigned j)
{
    size_t slot = m->slot[unit] - 1;
    catch_up(m, unit, slot);
    return drawn(&m->sums[slot * m->space->open_count + j], msw_model_rough(m, unit, j), PRIOR);
}
