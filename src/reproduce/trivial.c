/* SPDX-License-Identifier: MIT */
/* Asks claims of trivial models, which know nothing of the mechanism: a claim that one of them
 * meets proves nothing. A trivial model is the rows of the sweeps with other numbers in them. */
#include "memsweep/reproduce/paper.h"

#include "memsweep/base/quote.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A model, and what all its metrics are; NULL: columns of its own. */
typedef struct model {
    const char *name, *number, *detail;
    const msw_fact *columns; /* column=expression, with blanks between them */
} model;

/* The last knows workloads apart, by numbers that have nothing to do with them, and designs not. */
static const model GENERAL[] = {
    {"all 0", "0.0", "0.0", NULL},
    {"all 1", "1.0", "1.0", NULL},
    {"no design matters", "(1.0 + (length(workload) * 7 + unicode(substr(workload, -1))) % 11)",
     "2.0", NULL},
};
enum { GENERAL_COUNT = sizeof GENERAL / sizeof *GENERAL };

typedef struct trial {
    const msw_paper *paper;
    msw_store *store;
    model model;
} trial;

static bool is_metric(const msw_plan *plan, const char *name)
{
    return msw_metrics_find(plan->mech->metrics, name) >= 0;
}

/* The expression of a column in "a=1 b=a+1", and its length in `size`. Returns it, or NULL. */
static const char *find_column(const char *what, const char *name, size_t *size)
{
    for (const char *at = what; *at; at += strspn(at, " ")) {
        size_t word = strcspn(at, " "), head = strcspn(at, "=");
        if (head < word && strlen(name) == head && strncmp(at, name, head) == 0) {
            *size = word - head - 1;
            return at + head + 1;
        }
        at += word;
    }
    return NULL;
}

static void add_column(const trial *t, const msw_plan *plan, const char *name, msw_text *out)
{
    size_t size = 0;
    const model *m = &t->model;
    const char *own = m->columns ? find_column(m->columns->what, name, &size) : NULL;
    if (own)
        msw_text_add(out, "%.*s AS ", (int)size, own);
    else if (!m->columns && is_metric(plan, name)) {
        msw_text_add(out, "CASE WHEN ");
        msw_text_add_sql_name(out, name);
        msw_text_add(out, " IS NULL THEN NULL ELSE %s END AS ", m->number);
    }
    msw_text_add_sql_name(out, name);
}

/* Details have no metrics by name: small whole numbers are taken for keys, others for metrics. */
static void add_detail(const trial *t, const char *name, msw_text *out)
{
    bool own = t->model.columns;
    if (!own) {
        msw_text_add(out, "CASE WHEN typeof(");
        msw_text_add_sql_name(out, name);
        msw_text_add(out, ") = 'real' AND (abs(");
        msw_text_add_sql_name(out, name);
        msw_text_add(out, ") >= 1000 OR CAST(");
        msw_text_add_sql_name(out, name);
        msw_text_add(out, " AS INTEGER) <> ");
        msw_text_add_sql_name(out, name);
        msw_text_add(out, ") THEN %s ELSE ", t->model.detail);
    }
    msw_text_add_sql_name(out, name);
    msw_text_add(out, "%s", own ? "" : " END AS ");
    if (!own)
        msw_text_add_sql_name(out, name);
}

/* The rows of a table with the model's numbers in them; `plan` NULL: of details. */
static int add_table(const trial *t, const char *name, const msw_plan *plan, msw_text *out)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_table table = {0};
    msw_text_add(&sql, "SELECT * FROM ");
    msw_text_add_sql_name(&sql, name);
    msw_text_add(&sql, " LIMIT 1");
    msw_query query = {.sql = msw_text_str(&sql)};
    int rc = sql.failed ? msw_fail_memory(t->paper->err)
                        : msw_store_read(t->store, &query, &table, t->paper->err);
    msw_text_add(out, "(SELECT ");
    for (size_t c = 0; rc == 0 && c < table.column_count; c++) {
        msw_text_add(out, "%s", c ? ", " : "");
        if (plan)
            add_column(t, plan, table.columns[c].name, out);
        else
            add_detail(t, table.columns[c].name, out);
    }
    msw_text_add(out, " FROM ");
    msw_text_add_sql_name(out, name);
    msw_text_add(out, ")");
    msw_table_free(&table);
    msw_text_free(&sql);
    return rc;
}

static int add_rows(void *context, const char *word, size_t size, msw_text *out)
{
    const trial *t = context;
    const msw_paper_sweep *sweep = msw_paper_find_sweep(t->paper, word, size, t->paper->err);
    return sweep ? add_table(t, sweep->called, sweep->plan, out) : -1;
}

static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
static const char DETAIL[] = "detail_";

/* The claim's query, reading details of the model's in place of the stored ones. */
static int fill_details(const trial *t, const char *sql, msw_text *out)
{
    for (const char *at = sql; *at;) {
        size_t size = strspn(at, LETTERS);
        char *word = size ? msw_strfmt("%.*s", (int)size, at) : NULL;
        int rc = 0;
        if (word && strncmp(word, DETAIL, sizeof DETAIL - 1) == 0)
            rc = add_table(t, word, NULL, out);
        else
            msw_text_add_bytes(out, at, size ? size : 1);
        free(word);
        MSW_TRY(rc);
        at += size ? size : 1;
    }
    return out->failed ? msw_fail_memory(t->paper->err) : 0;
}

/* Whether a trivial model meets a claim. A query that has no answer among its rows is not met: the
 * filter of a claim may leave none. Returns 1, 0, or -1. */
static int meets(trial *t, const msw_claim *claim)
{
    msw_paper quiet = *t->paper;
    msw_err unmet = {0};
    msw_claim_answer answer = {.value = NAN, .half_width = NAN};
    msw_claim asked = *claim;
    quiet.err = &unmet;
    msw_text sql = MSW_TEXT_EMPTY;
    int rc = fill_details(t, claim->sql, &sql);
    asked.sql = msw_text_str(&sql);
    if (rc == 0)
        rc = msw_paper_value_of(t->model.columns ? t->paper : &quiet, t->store, &asked, add_rows, t,
                                &answer);
    if (unmet.text[0])
        rc = 0;
    free(answer.shown);
    msw_text_free(&sql);
    return rc ? -1 : answer.verdict == MSW_PASS;
}

static int try_model(trial *t, const msw_claim *claim, msw_text *passing)
{
    int met = meets(t, claim);
    if (met > 0)
        msw_text_add(passing, "%s%s", passing->size ? ", " : "", t->model.name);
    return met < 0 ? -1 : 0;
}

/* Whether a claim names a column that a model of facts.csv replaces: else it would meet itself. */
static bool touches(const msw_fact *fact, const msw_claim *claim)
{
    size_t unused;
    for (const char *at = claim->sql; *at; at += strcspn(at, LETTERS)) {
        char name[64];
        size_t size = strspn(at, LETTERS);
        snprintf(name, sizeof name, "%.*s", (int)size, at);
        if (size && find_column(fact->what, name, &unused))
            return true;
        at += size;
    }
    return false;
}

static int try_all(trial *t, const msw_claim *claim, msw_claim_answer *answer)
{
    const msw_claims *claims = &t->paper->claims;
    msw_text passing = MSW_TEXT_EMPTY;
    int rc = 0;
    for (size_t m = 0; rc == 0 && m < GENERAL_COUNT; m++) {
        t->model = GENERAL[m];
        rc = try_model(t, claim, &passing);
    }
    for (size_t f = 0; rc == 0 && f < claims->fact_count; f++)
        if (claims->facts[f].kind == MSW_FACT_TRIVIAL && touches(&claims->facts[f], claim)) {
            t->model = (model){.name = claims->facts[f].name, .columns = &claims->facts[f]};
            rc = try_model(t, claim, &passing);
        }
    if (rc == 0 && passing.size && !(answer->trivial = msw_strdup(msw_text_str(&passing))))
        rc = msw_fail_memory(t->paper->err);
    msw_text_free(&passing);
    return rc;
}

bool msw_claim_is_alike(const msw_paper *p, const msw_claim *claim)
{
    bool alike = !strstr(claim->sql, DETAIL);
    for (size_t s = 0; alike && s < p->sweep_count; s++) {
        const msw_plan *plan = p->sweeps[s].plan;
        for (const char *at = claim->sql; plan && alike && *at; at += strcspn(at, LETTERS)) {
            char name[64];
            size_t size = strspn(at, LETTERS);
            snprintf(name, sizeof name, "%.*s", (int)size, at);
            int metric = msw_metrics_find(plan->mech->metrics, name);
            alike = metric < 0 || plan->mech->metrics[metric].exact;
            at += size;
        }
    }
    return alike;
}

int msw_paper_try_trivial(msw_paper *p, msw_store *store)
{
    trial t = {.paper = p, .store = store};
    for (size_t i = 0; i < p->claims.count; i++) {
        const msw_claim *claim = &p->claims.list[i];
        msw_claim_answer *a = &p->answers[i];
        if (a->wanted && msw_is_judged(a->verdict) && a->weight != MSW_LAW &&
            msw_claim_answers_at(claim, p->ask->fidelity) && try_all(&t, claim, a))
            return -1;
    }
    return 0;
}

void msw_paper_trivial_rows(const msw_paper *p, msw_table_builder *builder)
{
    for (size_t i = 0; i < p->claims.count; i++) {
        const msw_claim_answer *a = &p->answers[i];
        if (!a->wanted || !msw_is_judged(a->verdict))
            continue;
        msw_builder_row(builder);
        msw_builder_text(builder, "id", p->claims.list[i].id);
        msw_builder_text(builder, "verdict", msw_judgement_name(a->verdict));
        msw_builder_text(builder, "counts", msw_weight_name(a->weight));
        msw_builder_text(builder, "trivial_models_that_pass", a->trivial);
    }
}
