/* SPDX-License-Identifier: MIT */
/* How many claims hold, and what that proves. */
#include "memsweep/reproduce/paper.h"

msw_tally msw_paper_tally(const msw_paper *p)
{
    msw_tally tally = {0};
    for (size_t i = 0; i < p->claims.count; i++) {
        const msw_claim_answer *a = &p->answers[i];
        if (a->wanted && p->claims.list[i].certainty != MSW_EXPERIMENT)
            tally.count[a->weight][a->verdict]++;
    }
    return tally;
}

static void add_counts(const size_t *count, const char *before, const char *name, msw_text *out)
{
    if (count[MSW_PASS] + count[MSW_MISS] + count[MSW_UNCLEAR] == 0)
        return;
    msw_text_add(out, "%s%s: %zu pass, %zu miss", before, name, count[MSW_PASS], count[MSW_MISS]);
    if (count[MSW_UNCLEAR])
        msw_text_add(out, ", %zu unclear", count[MSW_UNCLEAR]);
}

void msw_paper_summary(const msw_paper *p, msw_text *out)
{
    msw_tally tally = msw_paper_tally(p);
    const size_t *own = tally.count[MSW_INDEPENDENT];
    size_t without = 0, apart = 0;
    for (int weight = 0; weight < MSW_WEIGHT_COUNT; weight++) {
        without += tally.count[weight][MSW_NO_VERDICT];
        apart += tally.count[weight][MSW_NOT_COMPARABLE];
    }
    msw_text_add(out, "independent: %zu pass, %zu miss, %zu unclear", own[MSW_PASS], own[MSW_MISS],
                 own[MSW_UNCLEAR]);
    add_counts(tally.count[MSW_DEPENDENT], "; ", "dependent", out);
    add_counts(tally.count[MSW_LAW], "; ", "laws", out);
    if (tally.count[MSW_HOLLOW][MSW_PASS])
        msw_text_add(out, "; hollow: %zu pass", tally.count[MSW_HOLLOW][MSW_PASS]);
    if (apart)
        msw_text_add(out, "; %zu not comparable", apart);
    msw_text_add(out, "; %zu without verdict", without);
}

void msw_claim_counts_as(const msw_claim *claim, const msw_claim_answer *a, msw_text *out)
{
    if (!msw_is_judged(a->verdict))
        return;
    if (a->weight == MSW_DEPENDENT)
        msw_text_add(out, "with %s", claim->depends);
    else
        msw_text_add(out, "%s", msw_weight_name(a->weight));
}

bool msw_claim_spreads(const msw_paper *p, const msw_claim *claim)
{
    return claim->certainty != MSW_EXPERIMENT || p->answers[claim - p->claims.list].condition;
}
