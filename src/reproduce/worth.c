/* SPDX-License-Identifier: MIT */
/* Reads facts.csv, and says what verdicts are worth as evidence: claims that rest on one number or
 * one run are a group, and facts of a paper are counted instead of rows. */
#include "memsweep/base/csv.h"
#include "memsweep/base/vec.h"
#include "memsweep/reproduce/claims.h"
#include "memsweep/reproduce/paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads facts.csv: what claims of a paper have in common, which parameters were inferred from
 * them, where the paper contradicts itself, and trivial models. */

enum { KIND, NAME, WHAT, WHY, COLUMN_COUNT };
static const char *const COLUMNS[] = {"kind", "name", "what", "why", NULL};
static const char *const KINDS[] = {"group", "inferred", "conflict", "alike", "trivial"};

static int take(const msw_csv *csv, const size_t *where, msw_fact *fact, msw_err *err)
{
    const char *kind = csv->fields[where[KIND]];
    *fact = (msw_fact){.kind = MSW_FACT_KINDS,
                       .name = csv->fields[where[NAME]],
                       .what = csv->fields[where[WHAT]],
                       .why = csv->fields[where[WHY]],
                       .line = csv->line};
    for (int k = 0; k < MSW_FACT_KINDS; k++)
        if (strcmp(KINDS[k], kind) == 0)
            fact->kind = (msw_fact_kind)k;
    if (fact->kind == MSW_FACT_KINDS)
        return msw_fail(err, "%s:%zu: kind '%s': group, inferred, conflict, alike or trivial",
                        csv->path, csv->line, kind);
    if (!*fact->name || !*fact->what || !*fact->why)
        return msw_fail(err, "%s:%zu: name, what and why are all wanted", csv->path, csv->line);
    return 0;
}

/* Whether a word ("streams-big", "log-*") names a claim. */
static bool names(const char *word, size_t size, const char *id)
{
    bool open = size && word[size - 1] == '*';
    return strncmp(word, id, size - open) == 0 && (open || !id[size]);
}

/* Tells the claims that one word of a fact names. */
static int tell(const char *path, const msw_fact *fact, const char *word, size_t size,
                msw_claims *claims, msw_err *err)
{
    bool any = false;
    for (size_t i = 0; i < claims->count; i++) {
        msw_claim *c = &claims->list[i];
        bool judged = !isnan(c->low) || !isnan(c->high);
        if (!judged || !names(word, size, c->id))
            continue;
        any = true;
        if (c->facts[fact->kind])
            return msw_fail(err, "%s:%zu: '%s' is in '%s' already", path, fact->line, c->id,
                            c->facts[fact->kind]->name);
        c->facts[fact->kind] = fact;
    }
    return any ? 0
               : msw_fail(err, "%s:%zu: what: no row with a band is called '%.*s'", path,
                          fact->line, (int)size, word);
}

static int tell_all(const char *path, msw_claims *claims, msw_err *err)
{
    for (size_t f = 0; f < claims->fact_count; f++) {
        const msw_fact *fact = &claims->facts[f];
        if (fact->kind == MSW_FACT_TRIVIAL)
            continue;
        for (const char *at = fact->what; *at; at += strspn(at, " ")) {
            size_t size = strcspn(at, " ");
            MSW_TRY(tell(path, fact, at, size, claims, err));
            at += size;
        }
    }
    return 0;
}

int msw_facts_parse(const char *path, char *text, msw_claims *claims, msw_err *err)
{
    msw_csv csv;
    size_t where[COLUMN_COUNT];
    claims->facts_text = text;
    msw_csv_start(&csv, path, text);
    MSW_TRY(msw_csv_header(&csv, COLUMNS, COLUMN_COUNT, where, err));
    int got;
    while ((got = msw_csv_next(&csv, err)) > 0) {
        MSW_TRY(msw_csv_check(&csv, COLUMN_COUNT, err));
        MSW_TRY(msw_vec_extend(&claims->facts, claims->fact_count, sizeof *claims->facts, err));
        MSW_TRY(take(&csv, where, &claims->facts[claims->fact_count], err));
        claims->fact_count++;
    }
    MSW_TRY(got < 0);
    return tell_all(path, claims, err);
}

const char *msw_weight_name(msw_weight weight)
{
    static const char *const NAMES[] = {"two-sided", "one-sided", "by the closed form",
                                        "inferred",  "conflict",  "law",
                                        "hollow",    "dependent"};
    return NAMES[weight];
}

/* Whether it is evidence: two-sided, one-sided or by the closed form. */
static bool is_evidence(msw_weight weight)
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
    bool evidence = is_evidence(a->weight);
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
        bool heard = is_evidence(best) ? is_evidence(a->weight) : a->weight == best;
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
