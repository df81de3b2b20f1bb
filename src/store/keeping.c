/* SPDX-License-Identifier: MIT */
/* Reads what a file holds of a sweep that does not keep all rows. */
#include "memsweep/store/keeping.h"

#include "memsweep/base/quote.h"
#include "store/sql/sql.h"
#include "store/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the record ---- */

static const char *const WORDS[] = {"rows",       "front",  "sampled", "ok",      "doubtful",
                                    "infeasible", "failed", "beyond",  "excluded"};

static void list_numbers(msw_kept_rows *k, uint64_t *numbers[9])
{
    msw_census_counts *c = &k->counts;
    uint64_t *const list[] = {&k->rows,       &k->on_front, &k->sampled, &c->ok,      &c->doubtful,
                              &c->infeasible, &c->failed,   &c->beyond,  &c->excluded};
    memcpy(numbers, list, sizeof list);
}

static void add_number(msw_text *out, const char *word, uint64_t number)
{
    msw_text_add_json(out, word);
    msw_text_add(out, ": %" PRIu64 ", ", number);
}

/* Behind a word, a quote, a colon and a blank; 0 where it is not there. */
static uint64_t number_of(const char *text, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        if (at > text && at[-1] == '"' && at[size] == '"')
            return strtoull(at + size + strlen("\": "), NULL, 10);
    return 0;
}

int msw_kept_rows_save(msw_store *store, int64_t sweep, const msw_kept_rows *kept,
                       msw_digest summary, msw_err *err)
{
    msw_kept_rows k = *kept;
    uint64_t *numbers[9];
    char digest[MSW_DIGEST_TEXT];
    int64_t there = 0;
    msw_text text = MSW_TEXT_EMPTY;
    list_numbers(&k, numbers);
    msw_text_add(&text, "{");
    for (int i = 0; i < 9; i++)
        add_number(&text, WORDS[i], *numbers[i]);
    msw_text_add_json(&text, "summary");
    msw_text_add(&text, ": ");
    msw_text_add_json(&text, msw_digest_text(summary, digest));
    msw_text_add(&text, "}");
    char *sql = msw_strfmt("SELECT count(*) FROM main.msw_analysis WHERE kind = '" MSW_KEPT_RECORD
                           "' AND sweep = %" PRId64 " AND result = ?1",
                           sweep);
    int rc = sql && !text.failed ? msw_sql_integer(store, sql, msw_text_str(&text), &there, err)
                                 : msw_fail_memory(err);
    if (rc == 0 && !there)
        rc = msw_store_save_analysis(store, sweep, MSW_KEPT_RECORD, "{}", msw_text_str(&text), err);
    free(sql);
    msw_text_free(&text);
    return rc;
}

int msw_kept_rows_read(msw_store *store, const msw_sweep_info *sweep, msw_kept_rows *kept,
                       msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    uint64_t *numbers[9];
    msw_keep_text said = msw_keep_of_text(sweep->canonical);
    *kept = (msw_kept_rows){.chosen = said.chosen,
                            .front = said.front,
                            .summary = said.summary,
                            .within = said.within,
                            .sample = said.draw.sample};
    kept->points = sweep->points;
    if (!kept->chosen)
        return 0;
    MSW_TRY(msw_sql_prepare(store,
                            "SELECT result FROM main.msw_analysis WHERE sweep = ?1 AND kind = "
                            "'" MSW_KEPT_RECORD "' ORDER BY id DESC LIMIT 1",
                            &stmt, err));
    sqlite3_bind_int64(stmt, 1, sweep->id);
    int got = msw_sql_step(store, stmt, err);
    list_numbers(kept, numbers);
    for (int i = 0; got > 0 && i < 9; i++) {
        *numbers[i] = number_of(msw_sql_text(stmt, 0), WORDS[i]);
    }
    kept->done = got > 0;
    sqlite3_finalize(stmt);
    return got < 0 ? -1 : 0;
}

/* ---- in words ---- */

void msw_kept_rows_note(const msw_kept_rows *k, msw_text *out)
{
    char a[32], b[32];
    const char *separator = "";
    if (!k->chosen)
        return;
    msw_text_add(out, "%s rows are kept of %s points (", msw_count_text(k->rows, a),
                 msw_count_text(k->points, b));
    if (k->front) {
        msw_text_add(out, "%s within %g %% of the front", msw_count_text(k->on_front, a),
                     100 * k->within);
        separator = "; ";
    }
    if (k->sample) {
        msw_text_add(out, "%s%s at random", separator, msw_count_text(k->sampled, a));
        separator = "; ";
    }
    if (k->summary)
        msw_text_add(out, "%sa summary of all", separator);
    msw_text_add(out, ")%s", k->done ? "" : ", so far: the sweep has to be run again");
}

int msw_kept_rows_done(const msw_kept_rows *kept, const msw_sweep_info *sweep, msw_err *err)
{
    return kept->done ? 0
                      : msw_fail(err,
                                 "sweep '%s' is not done: not all points are looked at, and what "
                                 "is kept is not known: run it again",
                                 sweep->name);
}

int msw_kept_rows_need(const msw_kept_rows *kept, const msw_sweep_info *sweep, const char *asked,
                       const char *change, msw_err *err)
{
    msw_text note = MSW_TEXT_EMPTY;
    msw_kept_rows_note(kept, &note);
    msw_fail(err, "sweep '%s': %s, which cannot answer %s: write '%s' into the sweep file",
             sweep->name, msw_text_str(&note), asked, change);
    msw_text_free(&note);
    return -1;
}

int msw_kept_rows_sample(msw_store *store, const msw_sweep_info *sweep, const char **filter,
                         char **narrowed, msw_kept_rows *kept, msw_err *err)
{
    MSW_TRY(msw_kept_rows_read(store, sweep, kept, err));
    if (!kept->chosen)
        return 0;
    MSW_TRY(msw_kept_rows_done(kept, sweep, err));
    if (!kept->sample)
        return msw_kept_rows_need(kept, sweep, "what is asked of all points",
                                  "keep: {..., sample: 100000}", err);
    *narrowed = *filter && **filter ? msw_strfmt("(%s) AND " MSW_SAMPLED_COLUMN, *filter)
                                    : msw_strdup(MSW_SAMPLED_COLUMN);
    *filter = *narrowed;
    return *narrowed ? 0 : msw_fail_memory(err);
}
