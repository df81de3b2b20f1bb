/* SPDX-License-Identifier: MIT */
/* Says what verdicts are worth as evidence, and counts facts of a paper instead of rows: claims
 * that rest on one number or one run are a group. */
#include "memsweep/reproduce/paper.h"

#include <math.h>
#include <string.h>

const char *msw_weight_name(msw_weight weight)
{
    static const char *const NAMES[] = {"two-sided", "one-sided", "by the closed form",
                                        "inferred",  "conflict",  "law",
                                        "hollow",    "dependent"};
    return NAMES[weight];
}

bool msw_is_evidence(msw_weight weight)
{
    return weight <= MSW_BY_CLOSED;
}

/* A band of our own making that takes half of a share's scale or more. */
static bool is_wide(const msw_claim *claim)
{
    double low = isnan(claim->low) ? 0 : claim->low, high = isnan(claim->high) ? 1 : claim->high;
    return msw_claim_scale(claim) == 100 && isnan(claim->published) && high - low >= 0.5;
}

/* An end at 0, or at 100 %, is the scale's: nothing can lie beyond it. */
static bool is_two_sided(const msw_claim *claim)
{
    bool share = msw_claim_scale(claim) == 100;
    if (msw_claim_is_trend(claim) || isnan(claim->low) || isnan(claim->high))
        return false;
    return claim->low == claim->high || (!(claim->low <= 0 && claim->published >= 0) &&
                                         claim->low != 0 && !(share && claim->high >= 1));
}

msw_weight msw_claim_weight(const msw_claim *claim, msw_judgement verdict, bool moved)
{
    if (claim->facts[MSW_FACT_CONFLICT])
        return MSW_CONFLICT;
    if (strcmp(claim->depends, MSW_DEPENDS_LAW) == 0)
        return MSW_LAW;
    if (*claim->depends)
        return MSW_DEPENDENT;
    if (verdict == MSW_PASS && (!moved || is_wide(claim)))
        return MSW_HOLLOW;
    if (claim->facts[MSW_FACT_INFERRED])
        return MSW_FITTED;
    return is_two_sided(claim) ? MSW_TWO_SIDED : MSW_ONE_SIDED;
}

msw_weight msw_answer_weight(const msw_claim *claim, const msw_claim_answer *a, msw_fidelity lowest)
{
    bool evidence = msw_is_evidence(a->weight);
    if (a->trivial && a->verdict == MSW_PASS && (evidence || a->weight == MSW_FITTED))
        return MSW_HOLLOW;
    return evidence && lowest == MSW_ANALYTIC && !claim->facts[MSW_FACT_ALIKE] ? MSW_BY_CLOSED
                                                                               : a->weight;
}

/* ---- groups ---- */

/* What a claim is counted as: the same for all claims of a group. */
static const void *group_of(const msw_paper *p, const msw_claim *claim)
{
    const msw_claim *base = msw_claim_find(&p->claims, claim->depends, strlen(claim->depends));
    if (claim->facts[MSW_FACT_CONFLICT])
        return claim->facts[MSW_FACT_CONFLICT];
    if (claim->facts[MSW_FACT_GROUP])
        return claim->facts[MSW_FACT_GROUP];
    return base ? group_of(p, base) : claim;
}

static bool counts(const msw_paper *p, size_t i)
{
    const msw_claim_answer *a = &p->answers[i];
    return a->wanted && p->claims.list[i].certainty != MSW_EXPERIMENT && msw_is_judged(a->verdict);
}

static int severity(msw_judgement verdict)
{
    return verdict == MSW_MISS ? 2 : verdict == MSW_UNCLEAR;
}

/* Adds the group that begins with claim `first`: its best weight; the worst verdict of what is
 * evidence, or of that weight where nothing is. */
static void add_group(const msw_paper *p, size_t first, msw_tally *tally)
{
    const void *group = group_of(p, &p->claims.list[first]);
    msw_weight best = p->answers[first].weight;
    msw_judgement worst = MSW_PASS;
    for (size_t i = first; i < p->claims.count; i++)
        if (counts(p, i) && group_of(p, &p->claims.list[i]) == group && p->answers[i].weight < best)
            best = p->answers[i].weight;
    for (size_t i = first; i < p->claims.count; i++) {
        const msw_claim_answer *a = &p->answers[i];
        bool heard = msw_is_evidence(best) ? msw_is_evidence(a->weight) : a->weight == best;
        if (counts(p, i) && heard && group_of(p, &p->claims.list[i]) == group &&
            severity(a->verdict) > severity(worst))
            worst = a->verdict;
    }
    tally->count[best][worst]++;
}

static bool begins_group(const msw_paper *p, size_t claim)
{
    const void *group = group_of(p, &p->claims.list[claim]);
    for (size_t i = 0; i < claim; i++)
        if (counts(p, i) && group_of(p, &p->claims.list[i]) == group)
            return false;
    return true;
}

msw_tally msw_paper_tally(const msw_paper *p)
{
    msw_tally tally = {0};
    for (size_t i = 0; i < p->claims.count; i++) {
        const msw_claim_answer *a = &p->answers[i];
        bool published = a->wanted && p->claims.list[i].certainty != MSW_EXPERIMENT;
        tally.without += published && a->verdict == MSW_NO_VERDICT;
        tally.apart += published && a->verdict == MSW_NOT_COMPARABLE;
        if (counts(p, i) && begins_group(p, i))
            add_group(p, i, &tally);
    }
    return tally;
}

void msw_paper_summary(const msw_paper *p, msw_text *out)
{
    msw_tally tally = msw_paper_tally(p);
    const char *before = "";
    for (msw_weight w = MSW_TWO_SIDED; w < MSW_WEIGHT_COUNT; w++) {
        const size_t *count = tally.count[w];
        if (count[MSW_PASS] + count[MSW_MISS] + count[MSW_UNCLEAR] == 0)
            continue;
        msw_text_add(out, "%s%s: %zu pass, %zu miss", before, msw_weight_name(w), count[MSW_PASS],
                     count[MSW_MISS]);
        if (count[MSW_UNCLEAR])
            msw_text_add(out, ", %zu unclear", count[MSW_UNCLEAR]);
        before = "; ";
    }
    if (tally.apart)
        msw_text_add(out, "%s%zu not comparable", before, tally.apart);
    msw_text_add(out, "%s%zu without verdict", *before || tally.apart ? "; " : "", tally.without);
}

void msw_claim_counts_as(const msw_claim *claim, const msw_claim_answer *a, msw_text *out)
{
    if (!msw_is_judged(a->verdict))
        return;
    if (a->weight == MSW_DEPENDENT)
        msw_text_add(out, "with %s", claim->depends);
    else if (a->weight == MSW_HOLLOW && a->trivial)
        msw_text_add(out, "hollow: %s", a->trivial);
    else
        msw_text_add(out, "%s", msw_weight_name(a->weight));
    if (claim->facts[MSW_FACT_INFERRED] && a->weight == MSW_FITTED)
        msw_text_add(out, ": %s", claim->facts[MSW_FACT_INFERRED]->name);
    if (claim->facts[MSW_FACT_GROUP])
        msw_text_add(out, ", of %s", claim->facts[MSW_FACT_GROUP]->name);
}
