/* SPDX-License-Identifier: MIT */
/* Answers claims: a query over the rows of the sweeps gives the model's number. In its queries
 * words stand for rows: ":walkers" for those of walkers.yaml. */
#include "memsweep/format/format.h"

#include "memsweep/base/quote.h"
#include "memsweep/base/text_check.h"
#include "memsweep/reproduce/paper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

/* Length of a quoted text, an inner quote being two of its kind. */
static size_t quoted_length(const char *s)
{
    size_t size = 1;
    while (s[size] && s[size] != s[0])
        size++;
    return s[size] ? size + 1 : size;
}

typedef struct word_use {
    const msw_paper *paper;
    bool parts; /* rows of one sample, msw_store_read_parts */
} word_use;

int msw_paper_fill(const char *sql, msw_word_fn use, void *context, msw_text *out)
{
    for (const char *s = sql; *s;) {
        size_t size = *s == '\'' || *s == '"' ? quoted_length(s) : 1;
        size_t word = *s == ':' ? strspn(s + 1, LETTERS) : 0;
        if (!word)
            msw_text_add_bytes(out, s, size);
        else if (use(context, s + 1, word, out))
            return -1;
        s += size + word;
    }
    return 0;
}

static msw_paper_sweep *find(const msw_paper *paper, const char *word, size_t size)
{
    for (size_t i = 0; i < paper->sweep_count; i++)
        if (strlen(paper->sweeps[i].word) == size &&
            strncmp(paper->sweeps[i].word, word, size) == 0)
            return &paper->sweeps[i];
    return NULL;
}

msw_paper_sweep *msw_paper_find_sweep(const msw_paper *paper, const char *word, size_t size,
                                      msw_err *err)
{
    enum { SHOWN = 64 };
    msw_paper_sweep *sweep = find(paper, word, size);
    if (sweep)
        return sweep;
    const char *names[SHOWN + 1] = {NULL};
    char wrong[64];
    snprintf(wrong, sizeof wrong, "%.*s", (int)size, word);
    for (size_t i = 0; i < paper->sweep_count && i < SHOWN; i++)
        names[i] = paper->sweeps[i].word;
    const char *best = msw_nearest(wrong, names, sizeof *names);
    msw_fail(err, "no sweep %s.yaml in %s%s%s%s", wrong, paper->folder,
             best ? ", did you mean '" : "", best ? best : "", best ? "'?" : "");
    return NULL;
}

bool msw_paper_lists(const char *list, const char *name)
{
    for (const char *at = list; at && *at;) {
        at += strspn(at, " ,");
        size_t size = strcspn(at, ",");
        if (size && strncmp(at, name, size) == 0 && !name[size])
            return true;
        at += size;
    }
    return !list;
}

/* ---- words ---- */

static int add_rows(void *context, const char *word, size_t size, msw_text *out)
{
    const word_use *u = context;
    const msw_paper_sweep *sweep = msw_paper_find_sweep(u->paper, word, size, u->paper->err);
    if (!sweep)
        return -1;
    if (!u->parts) {
        msw_text_add_sql_name(out, sweep->called);
        return 0;
    }
    char *table = msw_strfmt("@%s", sweep->word); /* see msw_store_divide */
    if (!table)
        return msw_fail_memory(u->paper->err);
    msw_text_add(out, "(SELECT * FROM temp.");
    msw_text_add_sql_name(out, table);
    msw_text_add(out, " WHERE part = ?1)");
    free(table);
    return 0;
}

/* ---- one claim ---- */

static double number_of(const msw_table *table, int column)
{
    return column < 0 || table->columns[column].labels ? NAN : table->columns[column].values[0];
}

static int take_shown(const msw_table *table, msw_claim_answer *answer, msw_err *err)
{
    int column = msw_table_find(table, "shown");
    if (column < 0 || isnan(table->columns[column].values[0]))
        return 0;
    msw_text text = MSW_TEXT_EMPTY;
    msw_format_cell(&table->columns[column], 0, false, &text);
    int rc = msw_text_check(&text, err);
    answer->shown = rc ? NULL : msw_strdup(msw_text_str(&text));
    msw_text_free(&text);
    return rc || answer->shown ? rc : msw_fail_memory(err);
}

static int take(const msw_table *table, const msw_claim *claim, msw_claim_answer *answer,
                msw_err *err)
{
    if (table->rows != 1)
        return msw_fail(err, "the query gives %zu rows instead of one", table->rows);
    answer->value = number_of(table, 0);
    answer->half_width = number_of(table, msw_table_find(table, "hw"));
    answer->verdict = msw_claim_judge(claim, answer->value, answer->half_width);
    answer->weight = msw_claim_weight(claim, answer->verdict,
                                      number_of(table, msw_table_find(table, "moved")) != 0);
    return take_shown(table, answer, err);
}

static int fail_claim(const msw_paper *p, const msw_claim *claim)
{
    return msw_fail_prefix(p->err, "%s/published.csv:%zu: %s: ", p->folder, claim->line, claim->id);
}

int msw_paper_value_of(const msw_paper *p, msw_store *store, const msw_claim *claim,
                       msw_word_fn rows, void *context, msw_claim_answer *answer)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_table table = {0};
    int rc = msw_paper_fill(claim->sql, rows, context, &sql);
    msw_query query = {.sql = msw_text_str(&sql)};
    if (rc == 0)
        rc = sql.failed ? msw_fail_memory(p->err) : msw_store_read(store, &query, &table, p->err);
    if (rc == 0)
        rc = take(&table, claim, answer, p->err);
    msw_table_free(&table);
    msw_text_free(&sql);
    return rc ? fail_claim(p, claim) : 0;
}

int msw_paper_value(const msw_paper *p, msw_store *store, const msw_claim *claim,
                    msw_claim_answer *answer)
{
    word_use u = {p, false};
    return msw_paper_value_of(p, store, claim, add_rows, &u, answer);
}

/* ---- one claim over all samples ---- */

typedef struct telling {
    const msw_claim *claim;
    msw_value_fn tell;
    void *context;
} telling;

static int tell_part(void *context, uint64_t part, const msw_table *table, msw_err *err)
{
    const telling *t = context;
    msw_claim_answer answer = {.value = NAN, .half_width = NAN};
    if (take(table, t->claim, &answer, err))
        return -1;
    t->tell(t->context, (size_t)part, &answer);
    free(answer.shown);
    return 0;
}

int msw_paper_values(const msw_paper *p, msw_store *store, const msw_claim *claim, size_t samples,
                     msw_value_fn tell, void *context)
{
    word_use u = {p, true};
    telling t = {claim, tell, context};
    msw_text sql = MSW_TEXT_EMPTY;
    int rc = msw_paper_fill(claim->sql, add_rows, &u, &sql);
    if (rc == 0)
        rc = sql.failed
                 ? msw_fail_memory(p->err)
                 : msw_store_read_parts(store, msw_text_str(&sql), samples, tell_part, &t, p->err);
    msw_text_free(&sql);
    return rc ? fail_claim(p, claim) : 0;
}

/* ---- conditions ---- */

const msw_claim *msw_claim_unmet(const msw_paper *p, const msw_claim *claim, const double *values,
                                 size_t stride)
{
    const char *at = claim->judged_if;
    for (const msw_claim *c; (c = msw_claim_next(&p->claims, &at));) {
        double value = values[(size_t)(c - p->claims.list) * stride];
        if (isnan(value) || value == 0)
            return c;
    }
    return NULL;
}
