/* SPDX-License-Identifier: MIT */
/* How many NPUs a task has: AuRORA's rules, with the constants of its artifact
 * (SeahK/aurora-rocc-tests-ae), and an equal number for all. No state: what is asked is answered
 * from what tasks have left to do. */
#include "mech/camdn/qos/gang.h"

enum { FOUR = 2, TWO = 1, RELAXED = 400, SPARE = 2 };

static const double TIGHT = 1.5;

static bool is_hopeless(const camdn_claim *c)
{
    return !c->keeps && c->slack < c->left[FOUR];
}

uint32_t camdn_aurora_size(const camdn_claim *c, bool alone)
{
    uint32_t size = 1;
    if (!is_hopeless(c) && c->slack < TIGHT * c->left[FOUR])
        size = 4;
    else if (!is_hopeless(c) && c->slack < TIGHT * c->left[TWO])
        size = 2;
    return alone && size < 2 ? 2 : size;
}

double camdn_aurora_score(const camdn_claim *c)
{
    double left = c->left[camdn_size_of(c->width)];
    return is_hopeless(c) || left <= 0 ? 0 : 100 * c->slack / left;
}

/* Somebody has fewer than four and is later than this one, by so much; and nobody who is earlier
 * has more than one to give. */
static bool is_asked_to(double score, const camdn_claim *others, uint32_t count)
{
    bool later = false;
    for (uint32_t i = 0; i < count; i++) {
        double other = camdn_aurora_score(&others[i]);
        if (other > score && others[i].width > 1)
            return false;
        later |= others[i].width < CAMDN_GANG_MOST && score > SPARE * other;
    }
    return later;
}

static bool is_last_in_need(double score, const camdn_claim *others, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (others[i].width < CAMDN_GANG_MOST && camdn_aurora_score(&others[i]) < score)
            return false;
    return true;
}

uint32_t camdn_aurora_change(const camdn_claim *c, const camdn_claim *others, uint32_t count,
                             uint32_t idle)
{
    double score = camdn_aurora_score(c);
    bool gives = (is_hopeless(c) && idle <= 3) || (idle <= 1 && score > RELAXED) ||
                 is_asked_to(score, others, count);
    if (c->width >= 2 && gives)
        return c->width / 2;
    if (c->width < CAMDN_GANG_MOST && idle >= c->width && !is_hopeless(c) &&
        is_last_in_need(score, others, count))
        return c->width * 2;
    return c->width;
}

uint32_t camdn_equal_size(uint32_t npus, uint32_t tasks, uint32_t most)
{
    uint32_t size = 1;
    while (2 * size <= most && 2 * size * tasks <= npus)
        size *= 2;
    return size;
}
