/* SPDX-License-Identifier: MIT */
#include "finished.h"

#include "source.h"

#include "memsweep/run/run.h"

#include <stdlib.h>
#include <string.h>

void finished_open(finished *f)
{
    *f = (finished){.data_dirs = {source_folder(), NULL}};
    snprintf(f->folder, sizeof f->folder, "/tmp/memsweep-finished-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    f->context = (msw_context){
        .data_dirs = f->data_dirs, .results_dir = f->folder, .log = {.level = MSW_LOG_QUIET}};
}

void finished_close(finished *f)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", f->folder);
    assert_int_equal(system(command), 0);
}

const char *finished_path(const finished *f, const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", f->folder, name);
    return path;
}

void finished_write(const finished *f, const char *name, const char *text)
{
    char path[128];
    FILE *file = fopen(finished_path(f, name, path), "wb");
    assert_non_null(file);
    assert_int_equal(fputs(text, file) < 0, 0);
    assert_int_equal(fclose(file), 0);
}

static msw_plan *parse(const char *text, const char *fidelity)
{
    msw_plan_options options = {.fidelity = fidelity, .seed = -1};
    msw_messages messages = {0};
    msw_plan *plan = NULL;
    if (msw_plan_parse("test.yaml", text, strlen(text), &options, &plan, &messages))
        fail_msg("%s", msw_text_str(&messages.text));
    msw_text_free(&messages.text);
    return plan;
}

void finished_run(const finished *f, const char *name, const char *text, const char *fidelity)
{
    static const msw_run_info RUN = {"0.1.0", "test", "here", "memsweep run test", 1, 1, NULL};
    static const msw_run_options OPTIONS = {.keys = true, .threads = 1};
    char path[128];
    msw_plan *plan = parse(text, fidelity);
    msw_store *store = NULL;
    msw_todo todo = {0};
    msw_run_result result = {0};
    msw_err err = {0};
    int64_t sweep, run;
    assert_ok(
        msw_store_open(finished_path(f, name, path), MSW_STORE_WRITE, false, NULL, &store, &err),
        err);
    assert_ok(msw_store_add_sweep(store, plan, &sweep, &err), err);
    assert_ok(msw_store_todo(store, plan, sweep, false, &todo, &err), err);
    assert_ok(msw_store_begin_run(store, sweep, &RUN, &run, &err), err);
    assert_ok(msw_run(plan, store, sweep, run, &todo, &OPTIONS, &result, &err), err);
    assert_ok(msw_store_end_run(store, run, "finished", &err), err);
    assert_ok(msw_store_close(store, &err), err);
    msw_todo_free(&todo);
    msw_plan_free(plan);
}

static const msw_column *column_of(const msw_table *table, const char *column, size_t row)
{
    int c = msw_table_find(table, column);
    if (c < 0 || row >= table->rows)
        fail_msg("no cell %s of row %zu", column, row);
    return &table->columns[c];
}

double finished_cell(const msw_table *table, const char *column, size_t row)
{
    return column_of(table, column, row)->values[row];
}

const char *finished_label(const msw_table *table, const char *column, size_t row)
{
    const msw_column *c = column_of(table, column, row);
    assert_non_null(c->labels);
    return isnan(c->values[row]) ? NULL : c->labels[(size_t)c->values[row]];
}

void assert_said(const msw_err *err, const char *wanted)
{
    if (!strstr(err->text, wanted))
        fail_msg("wanted '%s' in '%s'", wanted, err->text);
}
