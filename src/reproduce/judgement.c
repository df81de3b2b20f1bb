#include "memsweep/reproduce/claims.h"

#include <math.h>
#include <string.h>

const char *msw_judgement_name(msw_judgement verdict)
{
    static const char *const NAMES[] = {"", "pass", "miss", "unclear"};
    return NAMES[verdict];
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
