/* SPDX-License-Identifier: MIT */
/* Reads facts.csv: what claims of a paper have in common, which parameters were inferred from
 * them, where the paper contradicts itself, and trivial models. */
#include "memsweep/reproduce/claims.h"

#include "memsweep/base/csv.h"
#include "memsweep/base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
