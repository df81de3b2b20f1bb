/* SPDX-License-Identifier: MIT */
/* Computes a sweep again from its database: finds its inputs, compares versions, and compares rows
 * where their digests differ. */
#include "memsweep/results/replay.h"

#include "memsweep/base/json.h"
#include "memsweep/base/quote.h"
#include "memsweep/format/format.h"
#include "memsweep/results/reading.h"
#include "memsweep/sweep/versions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 5 };

/* ---- finding the sweep ---- */

static const char *label_at(const msw_table *table, size_t column)
{
    const msw_column *c = &table->columns[column];
    return table->rows && c->labels && c->values[0] >= 0 ? c->labels[(size_t)c->values[0]] : "";
}

/* Reads what the record of a sweep says of it. Returns 0, or -1. */
static int read_record(msw_replay *r, int64_t id, msw_digest *plan, msw_err *err)
{
    msw_table record = {0};
    char *sql =
        msw_strfmt("SELECT name, digest, versions, points FROM msw_sweep WHERE id = %" PRId64, id);
    if (!sql)
        return msw_fail_memory(err);
    int rc = msw_store_read(r->store, &(msw_query){.sql = sql}, &record, err);
    free(sql);
    if (rc == 0 && !msw_digest_parse(label_at(&record, 1), plan))
        rc = msw_fail_kind(err, MSW_ERR_IO, "%s: the record of the sweep is damaged", r->path);
    if (rc == 0) {
        free(r->name);
        free(r->called);
        free(r->versions);
        r->name = msw_strdup(label_at(&record, 0));
        r->called = msw_strfmt("%s@%.8s", label_at(&record, 0), label_at(&record, 1));
        r->versions = msw_strdup(label_at(&record, 2));
        r->points = (uint64_t)record.columns[3].values[0];
        rc = r->name && r->called && r->versions ? 0 : msw_fail_memory(err);
    }
    msw_table_free(&record);
    return rc;
}

/* The latest sweep of that name with inputs, or 0. */
static int find_other(msw_replay *r, int64_t *id, msw_err *err)
{
    msw_table found = {0};
    msw_text sql = MSW_TEXT_EMPTY;
    *id = 0;
    msw_text_add(&sql, "SELECT max(id) AS id FROM msw_sweep AS s WHERE EXISTS(SELECT 1 FROM "
                       "msw_source WHERE sweep = s.digest) AND name = ");
    msw_text_add_sql_string(&sql, r->name);
    int rc = sql.failed
                 ? msw_fail_memory(err)
                 : msw_store_read(r->store, &(msw_query){.sql = msw_text_str(&sql)}, &found, err);
    if (rc == 0 && found.rows && found.columns[0].values[0] > 0)
        *id = (int64_t)found.columns[0].values[0];
    msw_text_free(&sql);
    msw_table_free(&found);
    return rc;
}

static int has_inputs(msw_replay *r, int64_t id, msw_err *err)
{
    msw_digest plan;
    return read_record(r, id, &plan, err) ? -1 : msw_store_inputs(r->store, plan, &r->inputs, err);
}

static int find_inputs(msw_replay *r, const char *sweep, msw_err *err)
{
    msw_sweep_info info;
    int64_t id;
    msw_err none = {0};
    MSW_TRY(msw_store_sweep(r->store, sweep, &info, err));
    id = info.id;
    msw_sweep_info_free(&info);
    int found = has_inputs(r, id, err);
    if (found == 0 && find_other(r, &id, &none) == 0 && id)
        found = has_inputs(r, id, err);
    if (found == 0)
        return msw_fail(err,
                        "%s holds no inputs of sweep '%s', from which its rows could be computed "
                        "again: it was imported, or run with --inputs none, by an earlier "
                        "memsweep, or from more than 64 MiB (--inputs all keeps them)",
                        r->path, r->name);
    return found < 0 ? -1 : 0;
}

int msw_replay_open(msw_replay *r, const msw_context *context, const char *word, const char *sweep,
                    msw_err *err)
{
    *r = (msw_replay){.path = msw_context_database(context, word)};
    int rc = r->path ? 0 : msw_fail_memory(err);
    if (rc == 0)
        rc = msw_open_database(context, word, MSW_STORE_READ, &r->store, err);
    if (rc == 0)
        rc = find_inputs(r, sweep, err);
    if (rc == 0)
        rc = msw_store_digest(r->store, r->called, &r->digest, &r->rows, err);
    if (rc)
        msw_replay_close(r);
    return rc;
}

void msw_replay_close(msw_replay *r)
{
    msw_store_close(r->store, NULL);
    msw_inputs_free(&r->inputs);
    free(r->path);
    free(r->name);
    free(r->called);
    free(r->versions);
    *r = (msw_replay){0};
}

const char *msw_replay_options(msw_replay *r, msw_plan_options *options)
{
    msw_bundle_cut_paths(r->inputs.paths.data, r->folders);
    r->files = msw_bundle_player(&r->inputs.files);
    *options = (msw_plan_options){.data_dirs = r->folders,
                                  .fidelity = r->inputs.fidelity,
                                  .seed = r->inputs.seed,
                                  .files = &r->files};
    return r->inputs.paths.data;
}

/* ---- versions ---- */

static void add_line(msw_text *lines, const char *what, const char *there, const char *here)
{
    msw_text_add_visible(lines, what);
    msw_text_add(lines, ": stored with ");
    msw_text_add_visible(lines, there);
    msw_text_add(lines, ", here ");
    msw_text_add_visible(lines, here);
    msw_text_add(lines, "\n");
}

static const char *version_of(const msw_json *versions, const char *name)
{
    const msw_json *found = msw_json_find(versions, name);
    return found && found->text ? found->text : "none";
}

/* Both ways: what is new here counts, too. */
static size_t differ_models(const msw_json *there, const msw_json *here, msw_text *lines)
{
    size_t count = 0;
    for (const msw_json *m = there->first; m; m = m->next)
        if (m->key && strcmp(version_of(here, m->key), version_of(there, m->key)) != 0) {
            add_line(lines, m->key, version_of(there, m->key), version_of(here, m->key));
            count++;
        }
    for (const msw_json *m = here->first; m; m = m->next)
        if (!msw_json_find(there, m->key)) {
            add_line(lines, m->key, "none", version_of(here, m->key));
            count++;
        }
    return count;
}

/* No version is another one, and yet the sweep: something changed that has no version. */
static size_t differ_digest(const msw_replay *r, const msw_plan *plan, msw_text *lines)
{
    char here[MSW_DIGEST_TEXT];
    const char *there = strrchr(r->called, '@') + 1;
    msw_digest_text(plan->digest, here);
    if (strncmp(here, there, strlen(there)) == 0)
        return 0;
    add_line(lines, "the sweep's digest", there, here);
    return 1;
}

size_t msw_replay_differ(const msw_replay *r, const msw_plan *plan, msw_text *lines)
{
    msw_arena arena = {0};
    msw_text text = MSW_TEXT_EMPTY;
    msw_plan_versions(plan, &text);
    const msw_json *here = msw_json_read("versions", msw_text_str(&text), text.size, &arena, NULL);
    const msw_json *there =
        msw_json_read("versions", r->versions, strlen(r->versions), &arena, NULL);
    bool both = here && there && there->kind == MSW_JSON_OBJECT;
    size_t count = both ? differ_models(there, here, lines) : 0;
    msw_text_free(&text);
    msw_arena_free(&arena);
    return count ? count : differ_digest(r, plan, lines);
}

/* ---- comparing rows ---- */

static void show_cell(const msw_column *c, size_t row, msw_text *out)
{
    size_t size = out->size;
    msw_format_cell(c, row, true, out);
    if (out->size == size)
        msw_text_add(out, "nothing");
}

static bool same_cell(const msw_column *a, size_t i, const msw_column *b, size_t j)
{
    if (!a->labels && !b->labels)
        return memcmp(&a->values[i], &b->values[j], sizeof *a->values) == 0 ||
               (a->values[i] != a->values[i] && b->values[j] != b->values[j]);
    msw_text x = MSW_TEXT_EMPTY, y = MSW_TEXT_EMPTY;
    show_cell(a, i, &x);
    show_cell(b, j, &y);
    bool same = strcmp(msw_text_str(&x), msw_text_str(&y)) == 0;
    msw_text_free(&x);
    msw_text_free(&y);
    return same;
}

/* Whoever reads a row in the file sees these, too, but they are about the run. */
static bool is_of_run(const char *name)
{
    static const char *const NAMES[] = {"row_id", "run", "cost_us", "key", "version", "seed"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(NAMES[i], name) == 0)
            return true;
    return false;
}

static void compare_row(const msw_table *there, size_t i, const msw_table *here, size_t j,
                        double point, msw_replay_rows *found)
{
    size_t differing = 0;
    for (size_t c = 0; c < there->column_count; c++) {
        const msw_column *a = &there->columns[c];
        int at = msw_table_find(here, a->name);
        if (is_of_run(a->name) || (at >= 0 && same_cell(a, i, &here->columns[at], j)))
            continue;
        if (!differing++ && found->different < SHOWN) {
            msw_text_add(&found->lines, "  point %.0f: %s is ", point, a->name);
            if (at >= 0)
                show_cell(&here->columns[at], j, &found->lines);
            else
                msw_text_add(&found->lines, "no column here");
            msw_text_add(&found->lines, ", stored was ");
            show_cell(a, i, &found->lines);
        }
    }
    if (differing && found->different < SHOWN) {
        if (differing > 1)
            msw_text_add(&found->lines, "; %zu more differ", differing - 1);
        msw_text_add(&found->lines, "\n");
    }
    found->different += differing > 0;
}

/* Both come in the order of the plan; either may lack points. */
static int compare(const msw_table *there, const msw_table *here, msw_replay_rows *found,
                   msw_err *err)
{
    int p = msw_table_find(there, "point"), q = msw_table_find(here, "point");
    if (p < 0 || q < 0)
        return msw_fail_kind(err, MSW_ERR_IO, "rows without the number of their point");
    const double *a = there->columns[p].values, *b = here->columns[q].values;
    for (size_t i = 0, j = 0; i < there->rows; i++, found->compared++) {
        while (j < here->rows && b[j] < a[i])
            j++;
        if (j < here->rows && b[j] == a[i])
            compare_row(there, i, here, j, a[i], found);
        else
            found->missing++;
    }
    return found->lines.failed ? msw_fail_memory(err) : 0;
}

int msw_replay_compare(const msw_replay *r, msw_store *store, const char *sweep,
                       msw_replay_rows *found, msw_err *err)
{
    msw_table there = {0}, here = {0};
    *found = (msw_replay_rows){0};
    int rc = -1;
    if (msw_store_read(r->store, &(msw_query){.sweep = r->called}, &there, err) ||
        msw_store_read(store, &(msw_query){.sweep = sweep}, &here, err) ||
        compare(&there, &here, found, err))
        goto done;
    rc = 0;
done:
    msw_table_free(&there);
    msw_table_free(&here);
    return rc;
}
