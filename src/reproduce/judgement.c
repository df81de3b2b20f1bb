/* SPDX-License-Identifier: MIT */
#include "memsweep/reproduce/claims.h"

#include <math.h>
#include <string.h>

const char *msw_judgement_name(msw_judgement verdict)
{
    static const char *const NAMES[] = {"", "pass", "miss", "unclear", "not comparable"};
    return NAMES[verdict];
}

bool msw_is_judged(msw_judgement verdict)
{
    return verdict != MSW_NO_VERDICT && verdict != MSW_NOT_COMPARABLE;
}

bool msw_claim_answers_at(const msw_claim *claim, const char *fidelity)
{
    size_t size = fidelity ? strlen(fidelity) : 0;
    if (!fidelity || !*claim->fidelities)
        return true;
    for (const char *at = claim->fidelities; *at; at += strspn(at, " ")) {
        size_t word = strcspn(at, " ");
        if (word == size && strncmp(at, fidelity, size) == 0)
            return true;
        at += word;
    }
    return false;
}

double msw_claim_scale(const msw_claim *claim)
{
    return strcmp(claim->unit, "%") == 0 ? 100 : 1;
}

bool msw_claim_is_trend(const msw_claim *claim)
{
    return strcmp(claim->unit, "yes/no") == 0;
}

static bool inside(const msw_claim *claim, double value)
{
    /* A limit that is not there is NaN, with which nothing compares. */
    return !(value < claim->low) && !(value > claim->high);
}

msw_judgement msw_claim_judge(const msw_claim *claim, double value, double half_width)
{
    if (isnan(claim->low) && isnan(claim->high))
        return MSW_NO_VERDICT;
    if (isnan(value))
        return MSW_MISS;
    double hw = half_width > 0 ? half_width : 0;
    bool low = inside(claim, value - hw), high = inside(claim, value + hw);
    if (low && high)
        return MSW_PASS;
    bool beyond = value + hw < claim->low || value - hw > claim->high;
    return beyond ? MSW_MISS : MSW_UNCLEAR;
}

/* ---- what it is worth ---- */

const char *msw_weight_name(msw_weight weight)
{
    static const char *const NAMES[] = {"independent", "dependent", "law", "hollow"};
    return NAMES[weight];
}

/* A band of our own making that takes half of a share's scale or more. */
static bool is_wide(const msw_claim *claim)
{
    double low = isnan(claim->low) ? 0 : claim->low, high = isnan(claim->high) ? 1 : claim->high;
    return msw_claim_scale(claim) == 100 && isnan(claim->published) && high - low >= 0.5;
}

msw_weight msw_claim_weight(const msw_claim *claim, msw_judgement verdict, bool moved)
{
    if (strcmp(claim->depends, MSW_DEPENDS_LAW) == 0)
        return MSW_LAW;
    if (*claim->depends)
        return MSW_DEPENDENT;
    return verdict == MSW_PASS && (!moved || is_wide(claim)) ? MSW_HOLLOW : MSW_INDEPENDENT;
}
