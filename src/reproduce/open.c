/* SPDX-License-Identifier: MIT */
/* Finds papers and opens one: its folder's tables, its sweep files, and which of them matter. */
#include "memsweep/base/sort.h"
#include "memsweep/reproduce/paper.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The name of the folder a published.csv is in. */
static char *name_of(const char *path)
{
    const char *end = strrchr(path, '/'), *start = end;
    while (start > path && start[-1] != '/')
        start--;
    return msw_strfmt("%.*s", (int)(end - start), start);
}

static bool listed(char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static int find_all(const msw_context *context, glob_t *found)
{
    *found = (glob_t){0};
    for (const char *const *dir = context->data_dirs; *dir; dir++) {
        char *pattern = msw_strfmt("%s/sweeps/paper/*/published.csv", *dir);
        int rc =
            pattern ? glob(pattern, found->gl_pathv ? GLOB_APPEND : 0, NULL, found) : GLOB_NOSPACE;
        free(pattern);
        if (rc == GLOB_NOSPACE)
            return -1;
    }
    return 0;
}

char **msw_paper_names(const msw_context *context)
{
    glob_t found;
    int rc = find_all(context, &found);
    char **names = rc ? NULL : calloc(found.gl_pathc + 1, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; names && i < found.gl_pathc; i++) {
        char *name = name_of(found.gl_pathv[i]);
        if (name && !listed(names, count, name))
            names[count++] = name;
        else
            free(name);
    }
    if (names)
        msw_sort_strings(names, count);
    globfree(&found);
    return names;
}

void msw_paper_names_free(char **names)
{
    for (size_t i = 0; names && names[i]; i++)
        free(names[i]);
    free(names);
}

static bool is_paper(const char *folder)
{
    char *path = msw_strfmt("%s/published.csv", folder);
    bool found = path && access(path, R_OK) == 0;
    free(path);
    return found;
}

static char *find_folder(const msw_context *context, const char *name)
{
    for (const char *const *dir = context->data_dirs; *dir; dir++) {
        char *folder = msw_strfmt("%s/sweeps/paper/%s", *dir, name);
        if (folder && is_paper(folder))
            return folder;
        free(folder);
    }
    return NULL;
}

/* A path, without slashes at its end. */
static char *given_folder(const char *path)
{
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        size--;
    char *folder = msw_strfmt("%.*s", (int)size, path);
    if (folder && strchr(folder, '/') && is_paper(folder))
        return folder;
    free(folder);
    return NULL;
}

char *msw_paper_folder(const msw_context *context, const char *name, msw_err *err)
{
    char *folder = strchr(name, '/') ? given_folder(name) : find_folder(context, name);
    if (folder)
        return folder;
    char **names = msw_paper_names(context);
    msw_text known = MSW_TEXT_EMPTY;
    for (size_t i = 0; names && names[i]; i++)
        msw_text_add(&known, "%s%s", i ? ", " : "", names[i]);
    const char *best = names ? msw_nearest(name, (const char *const *)names, sizeof *names) : NULL;
    msw_fail(err, "no paper '%s'%s%s%s (there are: %s, all)", name, best ? ", did you mean '" : "",
             best ? best : "", best ? "'?" : "", msw_text_str(&known));
    msw_text_free(&known);
    msw_paper_names_free(names);
    return NULL;
}

/* ---- what is asked for ---- */

bool msw_paper_asked(const msw_paper *p, const char *figure)
{
    return msw_paper_lists(p->ask->figures, figure);
}

static void want(msw_paper *p, const msw_claim *claim);

static void want_named(msw_paper *p, const char *ids, bool condition)
{
    for (const msw_claim *other; (other = msw_claim_next(&p->claims, &ids));) {
        p->answers[other - p->claims.list].condition |= condition;
        want(p, other);
    }
}

static void want(msw_paper *p, const msw_claim *claim)
{
    msw_claim_answer *answer = &p->answers[claim - p->claims.list];
    if (answer->wanted)
        return;
    answer->wanted = true;
    if (!p->ask->calibrates) /* which compares, and explains nothing */
        want_named(p, claim->explain, false);
    want_named(p, claim->judged_if, true);
}

static int fail_figures(msw_paper *p)
{
    msw_text known = MSW_TEXT_EMPTY;
    for (size_t i = 0; i < p->claims.count; i++)
        if (i == 0 || strcmp(p->claims.list[i].figure, p->claims.list[i - 1].figure) != 0)
            msw_text_add(&known, "%s%s", i ? ", " : "", p->claims.list[i].figure);
    msw_fail(p->err, "--figure '%s': none of %s", p->ask->figures, msw_text_str(&known));
    msw_text_free(&known);
    return -1;
}

/* Whether what is asked for has a use for a claim: a calibration compares, and explains nothing. */
static bool is_for_it(const msw_paper *p, const msw_claim *claim)
{
    if (!p->ask->calibrates)
        return true;
    bool judged = !isnan(claim->low) || !isnan(claim->high);
    return claim->certainty != MSW_EXPERIMENT && (judged || p->ask->measures);
}

static int choose_claims(msw_paper *p)
{
    p->answers = calloc(p->claims.count, sizeof *p->answers);
    if (!p->answers)
        return msw_fail_memory(p->err);
    bool any = false;
    for (size_t i = 0; i < p->claims.count; i++) {
        p->answers[i].value = p->answers[i].half_width = p->answers[i].closed = NAN;
        if (!msw_paper_asked(p, p->claims.list[i].figure))
            continue;
        any = true;
        if (is_for_it(p, &p->claims.list[i]))
            want(p, &p->claims.list[i]);
    }
    return any ? 0 : fail_figures(p);
}

/* ---- files ---- */

static int read_claims(msw_paper *p)
{
    char *path = msw_strfmt("%s/published.csv", p->folder), *text = NULL;
    size_t size;
    int rc = !path ? msw_fail_memory(p->err) : msw_read_file(path, &text, &size, p->err);
    if (rc == 0)
        rc = msw_claims_parse(path, text, &p->claims, p->err);
    free(path);
    return rc;
}

/* facts.csv may not be there. */
static int read_facts(msw_paper *p)
{
    char *path = msw_strfmt("%s/facts.csv", p->folder), *text = NULL;
    size_t size;
    int rc = path ? 0 : msw_fail_memory(p->err);
    if (rc == 0 && access(path, R_OK) == 0)
        rc = msw_read_file(path, &text, &size, p->err)
                 ? -1
                 : msw_facts_parse(path, text, &p->claims, p->err);
    free(path);
    return rc;
}

static int add_sweep(msw_paper *p, const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    msw_paper_sweep *sweep = &p->sweeps[p->sweep_count];
    sweep->word = msw_strfmt("%.*s", (int)strcspn(name, "."), name);
    sweep->path = msw_strdup(path);
    p->sweep_count++;
    return sweep->word && sweep->path ? 0 : msw_fail_memory(p->err);
}

static int list_sweeps(msw_paper *p)
{
    glob_t found = {0};
    char *pattern = msw_strfmt("%s/*.yaml", p->folder);
    int rc = pattern && glob(pattern, 0, NULL, &found) != GLOB_NOSPACE ? 0 : -1;
    p->sweeps = rc ? NULL : calloc(found.gl_pathc + 1, sizeof *p->sweeps);
    if (!p->sweeps)
        rc = msw_fail_memory(p->err);
    for (size_t i = 0; rc == 0 && i < found.gl_pathc; i++)
        rc = add_sweep(p, found.gl_pathv[i]);
    globfree(&found);
    free(pattern);
    return rc;
}

static int load_plan(msw_paper *p, msw_paper_sweep *sweep)
{
    msw_plan_options options = {
        .data_dirs = p->context->data_dirs, .fidelity = p->ask->fidelity, .seed = -1};
    return msw_shared_load(p->shared, sweep->path, &options, &sweep->plan, &sweep->origin, p->err);
}

/* A claim that asks for sweeps. */
typedef struct asker {
    msw_paper *paper;
    const msw_claim *claim;
} asker;

static int use_sweep(void *context, const char *word, size_t size, msw_text *out)
{
    const asker *a = context;
    (void)out;
    msw_paper_sweep *sweep = msw_paper_find_sweep(a->paper, word, size, a->paper->err);
    if (!sweep)
        return -1;
    const char *fidelity = a->paper->ask->fidelity ? a->paper->ask->fidelity : "analytic";
    sweep->sampled |= msw_claim_spreads(a->paper, a->claim) &&
                      (a->paper->ask->calibrates ||               /* which asks at more than one */
                       msw_claim_answers_at(a->claim, fidelity)); /* as samples have it */
    return sweep->plan ? 0 : load_plan(a->paper, sweep);
}

static int load_sweeps(msw_paper *p)
{
    msw_text sql = MSW_TEXT_EMPTY;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < p->claims.count; i++) {
        const msw_claim *claim = &p->claims.list[i];
        asker a = {p, claim};
        if (p->answers[i].wanted && msw_claim_answers_at(claim, p->ask->fidelity) &&
            msw_paper_fill(claim->sql, use_sweep, &a, &sql))
            rc = msw_fail_prefix(p->err, "%s/published.csv:%zu: ", p->folder, claim->line);
    }
    msw_text_free(&sql);
    return rc;
}

static bool has_parameter(const msw_paper *p, const char *name)
{
    bool any = false;
    for (size_t i = 0; i < p->sweep_count; i++) {
        any |= p->sweeps[i].plan != NULL;
        if (p->sweeps[i].plan && msw_schema_find(&p->sweeps[i].plan->schema, name) >= 0)
            return true;
    }
    return !any;
}

/* Refuses inferred parameters that no sweep has. */
static int check_inferred(msw_paper *p)
{
    for (size_t f = 0; f < p->claims.fact_count; f++) {
        const msw_fact *fact = &p->claims.facts[f];
        if (fact->kind != MSW_FACT_INFERRED)
            continue;
        for (const char *at = fact->name; *at; at += strspn(at, " ")) {
            char name[64];
            snprintf(name, sizeof name, "%.*s", (int)strcspn(at, " "), at);
            if (!has_parameter(p, name))
                return msw_fail(p->err, "%s/facts.csv:%zu: no sweep has a parameter '%s'",
                                p->folder, fact->line, name);
            at += strcspn(at, " ");
        }
    }
    return 0;
}

int msw_paper_open(msw_paper *p)
{
    MSW_TRY(read_claims(p));
    MSW_TRY(read_facts(p));
    MSW_TRY(list_sweeps(p));
    MSW_TRY(choose_claims(p));
    MSW_TRY(load_sweeps(p));
    MSW_TRY(check_inferred(p));
    return 0;
}

void msw_paper_free(msw_paper *p)
{
    for (size_t i = 0; i < p->sweep_count; i++) {
        free(p->sweeps[i].word);
        free(p->sweeps[i].path);
        free(p->sweeps[i].called);
        msw_plan_free(p->sweeps[i].plan);
        msw_origin_free(&p->sweeps[i].origin);
    }
    for (size_t i = 0; p->answers && i < p->claims.count; i++) {
        free(p->answers[i].shown);
        free(p->answers[i].trivial);
    }
    free(p->sweeps);
    free(p->answers);
    msw_claims_free(&p->claims);
    msw_spread_free(&p->spread);
    msw_spread_free(&p->confirmed);
    msw_text_free(&p->drawn);
    msw_text_free(&p->images);
    free(p->name);
    free(p->folder);
}
