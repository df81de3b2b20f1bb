/* SPDX-License-Identifier: MIT */
/* Reads and prints the results that a calibration kept in the paper's database. */
#include "memsweep/reproduce/given.h"

#include "memsweep/base/hash.h"
#include "memsweep/base/json.h"
#include "memsweep/base/quote.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what it is made against ---- */

int msw_given_digest(const msw_paper *p, msw_digest *digest)
{
    char *path = msw_strfmt("%s/published.csv", p->folder), *text = NULL;
    size_t size;
    int rc = path ? msw_read_file(path, &text, &size, p->err) : msw_fail_memory(p->err);
    if (rc == 0)
        *digest = msw_hash_bytes(text, size);
    for (size_t i = 0; rc == 0 && i < p->sweep_count; i++)
        if (p->sweeps[i].plan) {
            *digest = msw_hash_pair(*digest, msw_hash_string(p->sweeps[i].word));
            *digest = msw_hash_pair(*digest, p->sweeps[i].plan->digest);
        }
    free(text);
    free(path);
    return rc;
}

/* ---- what was kept ---- */

typedef struct given {
    bool there; /* of this quantity something was kept */
    double low, median, high;
    msw_judgement verdict, held;
    bool narrow; /* the held-out interval, under half of the prior's */
    bool enough; /* the weights that it is predicted with are not of too few settings */
} given;

typedef struct record {
    const char *against, *command;
    double effective;
    bool closed;
    given *list; /* by claim */
} record;

/* A number, or NaN where there is none; anything else makes no sense. */
static bool take_number(const msw_json *object, const char *key, double *value)
{
    const msw_json *found = msw_json_find(object, key);
    *value = NAN;
    if (found && found->kind == MSW_JSON_NUMBER)
        *value = strtod(found->text, NULL);
    return found && (found->kind == MSW_JSON_NULL || isfinite(*value));
}

static bool take_flag(const msw_json *object, const char *key, bool *value)
{
    const msw_json *found = msw_json_find(object, key);
    *value = found && found->kind == MSW_JSON_TRUE;
    return *value || (found && found->kind == MSW_JSON_FALSE);
}

static const char *take_text(const msw_json *object, const char *key)
{
    const msw_json *found = msw_json_find(object, key);
    return found && found->kind == MSW_JSON_STRING ? found->text : NULL;
}

static bool take_verdict(const msw_json *object, const char *key, msw_judgement *verdict)
{
    const char *text = take_text(object, key);
    int which = 0;
    while (text && which < MSW_VERDICT_COUNT &&
           strcmp(text, msw_judgement_name((msw_judgement)which)) != 0)
        which++;
    *verdict = (msw_judgement)(text && which < MSW_VERDICT_COUNT ? which : 0);
    return text && which < MSW_VERDICT_COUNT;
}

static bool take_quantity(const msw_paper *p, const msw_json *object, record *r)
{
    const char *id = take_text(object, "id");
    const msw_claim *claim = id ? msw_claim_find(&p->claims, id, strlen(id)) : NULL;
    given g = {.there = true};
    if (!claim || !take_number(object, "low", &g.low) ||
        !take_number(object, "median", &g.median) || !take_number(object, "high", &g.high) ||
        !take_verdict(object, "verdict", &g.verdict) || !take_verdict(object, "held", &g.held) ||
        !take_flag(object, "narrow", &g.narrow) || !take_flag(object, "enough", &g.enough))
        return false;
    r->list[claim - p->claims.list] = g;
    return true;
}

static bool take_settings(const msw_json *settings, record *r)
{
    r->against = take_text(settings, "against");
    r->command = take_text(settings, "command");
    return r->against && r->command && take_number(settings, "effective", &r->effective) &&
           take_flag(settings, "closed form", &r->closed);
}

static bool take_quantities(const msw_paper *p, const msw_json *list, record *r)
{
    if (list->kind != MSW_JSON_LIST)
        return false;
    for (const msw_json *one = list->first; one; one = one->next)
        if (!take_quantity(p, one, r))
            return false;
    return true;
}

static const char *cell(const msw_table *table, size_t column)
{
    const msw_column *c = column < table->column_count ? &table->columns[column] : NULL;
    bool text = c && table->rows == 1 && c->labels && c->values[0] >= 0 &&
                c->values[0] < (double)c->label_count;
    return text ? c->labels[(size_t)c->values[0]] : NULL;
}

/* The last that was kept. Returns 0, or -1 where it cannot be read. */
static int read_last(const msw_paper *p, msw_table *table, msw_err *err)
{
    msw_store *store = NULL;
    char *file = msw_paper_database(p, "");
    msw_query query = {.sql = "SELECT settings, result FROM msw_analysis "
                              "WHERE kind = '" MSW_GIVEN_KIND "' ORDER BY id DESC LIMIT 1"};
    int rc = file ? msw_store_open(file, MSW_STORE_READ, false, &p->context->log, &store, err)
                  : msw_fail_memory(err);
    if (rc == 0)
        rc = msw_store_read(store, &query, table, err);
    msw_store_close(store, NULL);
    free(file);
    return rc;
}

/* ---- the page ---- */

/* A command is shown as it is only where a shell would do nothing else with it. */
static bool is_plain(const char *command)
{
    static const char FIRST[] = "memsweep calibrate ";
    return strncmp(command, FIRST, sizeof FIRST - 1) == 0 &&
           command[strspn(command, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789 _.,:+=/'-")] == '\0';
}

static void add_command(const msw_paper *p, const record *r, msw_text *out)
{
    if (r->command && is_plain(r->command))
        msw_text_add(out, "`%s`", r->command);
    else
        msw_text_add(out, "`memsweep calibrate %s`", p->name);
}

static void add_span(const msw_claim *claim, const given *g, msw_text *out)
{
    double scale = msw_claim_scale(claim);
    if (!isnan(g->median))
        msw_text_add(out, "%.4g (%.4g .. %.4g)", g->median * scale, g->low * scale,
                     g->high * scale);
}

static bool counts(const msw_claim *claim, const given *g)
{
    return msw_is_judged(g->held) && g->narrow && g->enough && !*claim->depends;
}

static void add_row(const msw_paper *p, size_t i, const given *g, msw_text *out)
{
    const msw_claim *claim = &p->claims.list[i];
    msw_text_add(out, "| ");
    msw_text_add_markdown(out, claim->quantity);
    msw_text_add(out, " | ");
    msw_claim_number(claim, claim->published, out);
    msw_text_add(out, " | ");
    msw_claim_number(claim, p->answers[i].value, out);
    msw_text_add(out, " | ");
    add_span(claim, g, out);
    msw_text_add(out, " | %s | %s | ", msw_judgement_name(g->verdict), msw_judgement_name(g->held));
    if (counts(claim, g))
        msw_text_add(out, "yes");
    else if (msw_is_judged(g->held) && !g->enough)
        msw_text_add(out, "too few");
    else if (msw_is_judged(g->held) && !g->narrow)
        msw_text_add(out, "too wide");
    else if (msw_is_judged(g->held))
        msw_text_add(out, "%s %s", strcmp(claim->depends, MSW_DEPENDS_LAW) ? "with" : "a",
                     claim->depends);
    msw_text_add(out, " |\n");
}

static void add_summary(const msw_paper *p, const record *r, msw_text *out)
{
    size_t fit[MSW_VERDICT_COUNT] = {0}, held[MSW_VERDICT_COUNT] = {0};
    for (size_t i = 0; i < p->claims.count; i++) {
        const given *g = &r->list[i];
        if (!g->there)
            continue;
        fit[g->verdict]++;
        if (counts(&p->claims.list[i], g))
            held[g->held]++;
    }
    msw_text_add(out,
                 "Over what is not said: %zu pass, %zu miss, %zu unclear. Held out, of those that "
                 "count: %zu pass, %zu miss, %zu unclear. A fit is no verdict: only held-out "
                 "verdicts that count are evidence.\n\n",
                 fit[MSW_PASS], fit[MSW_MISS], fit[MSW_UNCLEAR], held[MSW_PASS], held[MSW_MISS],
                 held[MSW_UNCLEAR]);
}

static void add_all(const msw_paper *p, const record *r, msw_text *out)
{
    msw_text_add(out, "Made by ");
    add_command(p, r, out);
    msw_text_add(out, " (%s", r->closed ? "closed form, its error in s" : "full");
    if (!isnan(r->effective))
        msw_text_add(out, "; effective sample %.1f", r->effective);
    msw_text_add(out, "); definitions: docs/models/calibrate.md.\n\n");
    add_summary(p, r, out);
    msw_text_add(out, "| quantity | published | at the defaults | predicted (5 %% .. 95 %%) | over "
                      "what is not said | held out | counts |\n"
                      "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < p->claims.count; i++)
        if (r->list[i].there && p->answers[i].wanted)
            add_row(p, i, &r->list[i], out);
    msw_text_add(out, "\n");
}

static void add_other(const msw_paper *p, const record *r, msw_text *out)
{
    msw_text_add(out, "The last calibration is of another version of published.csv or of the "
                      "sweeps; made again by ");
    add_command(p, r, out);
    msw_text_add(out, ".\n\n");
}

static void add_nonsense(const msw_paper *p, msw_text *out)
{
    record none = {0};
    msw_text_add(out, "What a calibration kept makes no sense; made again by ");
    add_command(p, &none, out);
    msw_text_add(out, ".\n\n");
}

/* What is kept: read whole before a word of it is written. */
static void add_kept(const msw_paper *p, const msw_table *table, const char *now, record *r,
                     msw_arena *arena, msw_text *out)
{
    msw_err ignored = {0};
    const char *texts[] = {cell(table, 0), cell(table, 1)};
    const msw_json *parts[] = {NULL, NULL};
    for (int i = 0; i < 2; i++)
        if (texts[i])
            parts[i] = msw_json_read("kept", texts[i], strlen(texts[i]), arena, &ignored);
    if (!parts[0] || !parts[1] || !take_settings(parts[0], r))
        add_nonsense(p, out);
    else if (strcmp(r->against, now) != 0)
        add_other(p, r, out);
    else if (!take_quantities(p, parts[1], r))
        add_nonsense(p, out);
    else
        add_all(p, r, out);
}

int msw_given_page(const msw_paper *p, msw_text *out)
{
    msw_err ignored = {0};
    msw_digest digest;
    char now[MSW_DIGEST_TEXT];
    msw_arena arena = {0};
    msw_table table = {0};
    if (p->ask->figures || p->ask->fidelity) /* it is of all, at the fidelities of the files */
        return 0;
    record r = {.list = calloc(p->claims.count + 1, sizeof *r.list)};
    int rc = r.list ? msw_given_digest(p, &digest) : msw_fail_memory(p->err);
    bool read = rc == 0 && read_last(p, &table, &ignored) == 0;
    if (rc == 0 && (!read || table.rows)) {
        msw_text_add(out, "## Given everything that was published\n\n");
        add_kept(p, &table, msw_digest_text(digest, now), &r, &arena, out);
    }
    msw_arena_free(&arena);
    msw_table_free(&table);
    free(r.list);
    return rc;
}
