/* SPDX-License-Identifier: MIT */
/* A table of another program: from its text to rows of a store. */
#include "results/import/import.h"

#include "memsweep/base/quote.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { BATCH_ROWS = 8192 };

/* ---- reading ---- */

static int read_fidelity(msw_import *m)
{
    int f = 0;
    const char *wanted = m->ask.fidelity ? m->ask.fidelity : "full";
    while (f < MSW_FIDELITY_COUNT && strcmp(msw_fidelity_name((msw_fidelity)f), wanted) != 0)
        f++;
    m->fidelity = (msw_fidelity)f;
    return f < MSW_FIDELITY_COUNT ? 0 : msw_fail(m->err, "there is no fidelity '%s'", wanted);
}

/* Tabs or semicolons in a header of one field: another kind of table. */
static int check_separator(const msw_import *m)
{
    const char *other = m->titles == 1 ? strpbrk(m->title[0], "\t;|") : NULL;
    return other
               ? msw_fail(m->err,
                          "%s:1: one column, '%.40s': values are separated by commas here, not by "
                          "%s",
                          m->ask.file, m->title[0],
                          *other == '\t'  ? "tabs"
                          : *other == ';' ? "semicolons"
                                          : "bars")
               : 0;
}

static int read_header(msw_import *m)
{
    int got = msw_csv_next(&m->csv, m->err);
    if (got < 0)
        return -1;
    if (got == 0)
        return msw_fail(m->err, "%s: empty: the first line names the columns", m->ask.file);
    m->titles = m->csv.count;
    memcpy(m->title, m->csv.fields, m->titles * sizeof *m->title);
    if (m->titles < MSW_CSV_FIELDS)
        m->title[m->titles] = NULL;
    return check_separator(m);
}

static int check_bytes(const msw_import *m, const char *text, size_t size)
{
    if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        return msw_fail(m->err, "%s: is UTF-16: save it as UTF-8", m->ask.file);
    const char *zero = memchr(text, '\0', size);
    return zero ? msw_fail(m->err, "%s: byte %zu is zero: this is no text", m->ask.file,
                           (size_t)(zero - text) + 1)
                : 0;
}

static int parse(msw_import *m, char *text, size_t size)
{
    if (!msw_sweep_name_is(m->ask.sweep))
        return msw_fail(m->err,
                        "sweep name '%.80s': at most 64 letters, digits, '-', '_' and '.', not "
                        "starting with '.' or '-': say --sweep NAME",
                        m->ask.sweep);
    if (read_fidelity(m) || check_bytes(m, text, size))
        return -1;
    bool marked = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
    msw_csv_start(&m->csv, m->ask.file, text + (marked ? 3 : 0));
    MSW_TRY(read_header(m));
    MSW_TRY(import_columns(m));
    MSW_TRY(import_records(m));
    MSW_TRY(import_cells(m));
    MSW_TRY(import_design(m));
    return import_plan(m);
}

static msw_import *start(const msw_import_ask *ask, msw_err *err)
{
    msw_import *m = calloc(1, sizeof *m);
    if (!m) {
        msw_fail_memory(err);
        return NULL;
    }
    m->ask = *ask;
    m->err = err;
    return m;
}

static int finish(msw_import *m, int rc, msw_import **import)
{
    *import = rc ? NULL : m;
    m->err = NULL;
    if (rc)
        msw_import_free(m);
    return rc;
}

int msw_import_parse(const msw_import_ask *ask, char *text, size_t size, msw_import **import,
                     msw_err *err)
{
    msw_import *m = start(ask, err);
    return m ? finish(m, parse(m, text, size), import) : -1;
}

int msw_import_read(const msw_import_ask *ask, msw_import **import, msw_err *err)
{
    size_t size;
    msw_import *m = start(ask, err);
    if (!m)
        return -1;
    int rc = msw_read_input(ask->file, MSW_READ_MAX, &m->text, &size, err);
    if (rc == 0)
        rc = parse(m, m->text, size);
    return finish(m, rc, import);
}

static void free_columns(import_column *list, size_t count)
{
    for (size_t i = 0; list && i < count; i++) {
        free(list[i].words);
        free(list[i].half_words);
        free(list[i].cells);
        free(list[i].halves);
        free(list[i].levels);
        msw_strings_free(&list[i].labels);
    }
}

void msw_import_free(msw_import *m)
{
    if (!m)
        return;
    import_plan_free(m);
    free_columns(m->inputs, IMPORT_COLUMNS);
    free_columns(m->outputs, IMPORT_COLUMNS);
    free_columns(&m->workload, 1);
    free(m->inputs);
    free(m->outputs);
    free(m->line);
    free(m->design_of);
    free(m->replicate_of);
    free(m->workload_of);
    free(m->row_of);
    free(m->text);
    free(m);
}

/* ---- what was understood ---- */

static void note_renamed(const import_column *list, size_t count, msw_text *out)
{
    for (size_t i = 0; i < count; i++) {
        const char *unit = list[i].text ? "" : list[i].unit;
        if (strcasecmp(list[i].title, list[i].name) == 0)
            continue;
        msw_text_add(out, "column ");
        msw_text_add_visible(out, list[i].title);
        msw_text_add(out, ": %s%s", list[i].name, *unit ? " [" : "");
        msw_text_add_visible(out, unit);
        msw_text_add(out, *unit ? "]\n" : "\n");
    }
}

static void note_objectives(const msw_import *m, msw_text *out)
{
    for (size_t i = 0; i < m->plan.view.objective_count; i++)
        msw_text_add(out, "%s%s %s", i ? ", " : "; ",
                     m->plan.view.objectives[i].goal == MSW_GOAL_LOWER ? "minimize" : "maximize",
                     m->plan.view.objectives[i].name);
    if (!m->plan.view.objective_count)
        msw_text_add(out, "; no objectives (say 'min' or 'max' behind an output)");
}

static void note_count(size_t count, const char *one, const char *many, msw_text *out)
{
    char text[32];
    if (count)
        msw_text_add(out, "%s %s\n", msw_count_text(count, text), count == 1 ? one : many);
}

void msw_import_note(const msw_import *m, msw_text *out)
{
    char rows[32], designs[32];
    note_renamed(m->inputs, m->input_count, out);
    note_renamed(m->outputs, m->output_count, out);
    note_count(m->undefined, "cell without a value: not defined there",
               "cells without a value: not defined there", out);
    note_count(m->infinite, "cell is infinite: taken as not defined",
               "cells are infinite: taken as not defined", out);
    note_count(m->empty, "row has no output at all: it counts as failed",
               "rows have no output at all: they count as failed", out);
    note_count(m->plan.points - m->rows, "point of the design has no row: it is missing",
               "points of the design have no row: they are missing", out);
    msw_text_add(out, "%s: %s rows, %s designs (%s", m->plan.name, msw_count_text(m->rows, rows),
                 msw_count_text(m->designs, designs),
                 strcmp(m->design, "grid") == 0 ? "a complete grid" : m->design);
    msw_text_add(out, m->second_order ? " with second order)" : ")");
    if (m->workload.cells)
        msw_text_add(out, ", %zu workloads", m->plan.workload_count);
    if (m->replicates > 1)
        msw_text_add(out, ", %" PRIu64 " repetitions of each", m->replicates);
    note_objectives(m, out);
    msw_text_add(out, "\n");
}

const char *msw_import_canonical(const msw_import *m)
{
    return m->plan.canonical;
}

/* ---- storing ---- */

static int point_key(void *context, uint64_t point, msw_digest *key, msw_err *err)
{
    const msw_import *m = context;
    if (m->row_of[point] == SIZE_MAX)
        return msw_fail(err, "no row");
    *key = m->key[m->row_of[point]];
    return 0;
}

static void fill_values(const msw_import *m, size_t r, double *values)
{
    for (size_t i = 0; i < m->input_count; i++)
        *values++ = m->inputs[i].cells[r];
    for (size_t i = 0; i < m->output_count; i++)
        *values++ = m->outputs[i].cells[r];
    for (size_t i = 0; i < m->output_count; i++)
        *values++ = m->outputs[i].halves ? m->outputs[i].halves[r] : NAN;
}

static bool has_output(const msw_import *m, size_t r)
{
    for (size_t i = 0; i < m->output_count; i++)
        if (!isnan(m->outputs[i].cells[r]))
            return true;
    return false;
}

static int add_row(const msw_import *m, uint64_t point, msw_batch *batch)
{
    size_t r = m->row_of[point];
    msw_row *row = msw_batch_add(batch);
    if (!row)
        return -1;
    bool ok = has_output(m, r);
    row->index = point;
    row->key = m->key[r];
    row->workload = m->workload_of[r];
    row->status = ok ? MSW_OK : MSW_FAILED;
    fill_values(m, r, msw_batch_values(batch, batch->count - 1));
    return ok ? 0 : msw_batch_reason(batch, "the imported table has no output here");
}

static bool is_news(const msw_import *m, const msw_todo *todo, uint64_t point)
{
    bool missing = todo->everything || (todo->bitmap && todo->bitmap[point / 64] >> point % 64 & 1);
    return missing && m->row_of[point] != SIZE_MAX;
}

static int write_rows(const msw_import *m, msw_store *store, const msw_todo *todo, int64_t sweep,
                      int64_t run, uint64_t *added, msw_err *err)
{
    msw_batch *batch = msw_batch_new(BATCH_ROWS, m->input_count, m->output_count);
    int rc = batch ? 0 : msw_fail_memory(err);
    for (uint64_t p = 0; p < m->plan.points && rc == 0; p++) {
        if (!is_news(m, todo, p))
            continue;
        rc = add_row(m, p, batch) ? msw_fail_memory(err) : 0;
        ++*added;
        if (rc == 0 && batch->count == BATCH_ROWS) {
            rc = msw_store_write(store, &m->plan, sweep, run, batch, err);
            msw_batch_clear(batch);
        }
    }
    if (rc == 0 && batch->count)
        rc = msw_store_write(store, &m->plan, sweep, run, batch, err);
    if (rc == 0)
        rc = msw_store_commit(store, err);
    msw_batch_free(batch);
    return rc;
}

static int write_news(const msw_import *m, msw_store *store, const msw_run_info *info,
                      const msw_todo *todo, int64_t sweep, uint64_t *added, msw_err *err)
{
    int64_t run;
    uint64_t p = 0;
    while (p < m->plan.points && !is_news(m, todo, p))
        p++;
    if (p == m->plan.points)
        return 0;
    if (msw_store_begin_run(store, sweep, info, &run, err) ||
        write_rows(m, store, todo, sweep, run, added, err))
        return -1;
    return msw_store_end_run(store, run, "finished", err);
}

int msw_import_store(const msw_import *m, msw_store *store, const msw_run_info *info,
                     msw_import_count *count, msw_err *err)
{
    int64_t sweep;
    msw_todo todo = {0};
    *count = (msw_import_count){0};
    if (msw_store_add_sweep(store, &m->plan, &sweep, err))
        return -1;
    /* The store does not change what it hands back to point_key. */
    int rc =
        msw_store_todo_keys(store, &m->plan, sweep, point_key, (void *)(uintptr_t)m, &todo, err);
    if (rc == 0)
        rc = write_news(m, store, info, &todo, sweep, &count->added, err);
    if (rc == 0)
        rc = msw_store_supersede(store, &m->plan, sweep, &count->before, err);
    count->added += todo.repeated;
    count->reused = todo.reused;
    msw_todo_free(&todo);
    return rc;
}
