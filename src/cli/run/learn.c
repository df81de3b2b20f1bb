/* SPDX-License-Identifier: MIT */
/* Points that are computed again: to learn how far a closed form is from full, and a sweep of a
 * database. */
#include "memsweep/results/learn.h"
#include "cli/run/sweep_run.h"
#include "memsweep/base/file.h"
#include "memsweep/base/quote.h"
#include "memsweep/base/table_builder.h"
#include "memsweep/format/outfile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_MOST = 1 << 20, TELL_EVERY = 100 };

static void progress(void *context, size_t done, size_t points, double seconds)
{
    char text[32];
    (void)context;
    if (done % TELL_EVERY == 0)
        fprintf(stderr, "memsweep: %zu of %zu points, %s\n", done, points,
                msw_duration_text(seconds, text));
}

static int read_table(const char *path, msw_errors **errors, msw_err *err)
{
    char *text;
    size_t size;
    MSW_TRY(msw_read_input(path, TABLE_MOST, &text, &size, err));
    int rc = msw_errors_parse(text, size, errors, err);
    free(text);
    return rc ? msw_fail_prefix(err, "%s: ", path) : 0;
}

static void tell_draws(const msw_learn_points *p)
{
    fprintf(
        stderr,
        "memsweep: %zu points of %zu drawn: %zu infeasible, %zu doubtful, %zu not done in time\n",
        p->n, p->drawn, p->infeasible, p->doubtful, p->unfinished);
}

static int write_table(const cli_learn_ask *ask, const msw_learn *learn,
                       const msw_learn_points *points, msw_err *err)
{
    msw_text text = MSW_TEXT_EMPTY;
    msw_text_add(&text,
                 "# memsweep: errors of a closed form, made by memsweep agree --learn %s --points "
                 "%lld --seed %lld\n",
                 ask->mechanism, (long long)ask->points, (long long)ask->seed);
    int rc = msw_learn_table(learn->mech, points, MSW_ERRORS_CONFIDENCE, &text, err);
    if (rc == 0 && ask->output)
        rc = msw_outfile_write(ask->output, MSW_OUTPUT_ERRORS, NULL, &text, err);
    else if (rc == 0)
        cli_printf("%s", msw_text_str(&text));
    msw_text_free(&text);
    return rc;
}

static int print_check(const cli_learn_ask *ask, const msw_errors *errors,
                       const msw_learn_points *points, msw_err *err)
{
    msw_table_builder builder = {.err = err};
    msw_format_style style = {.width = cli_terminal_width()};
    int rc = msw_learn_check(errors, points, &builder);
    if (rc == 0)
        rc = cli_print_table(&builder.table, ask->format, &style);
    msw_table_free(&builder.table);
    return rc;
}

int cli_learn(const cli *c, const cli_learn_ask *ask)
{
    msw_err err = {0};
    msw_errors *errors = NULL;
    msw_learn_points points = {0};
    msw_learn learn = {.context = &c->context,
                       .mech = msw_mech_find(ask->mechanism),
                       .workloads = ask->workloads,
                       .points = (uint64_t)ask->points,
                       .seed = (uint64_t)ask->seed,
                       .seconds = ask->seconds,
                       .progress = progress};
    int rc = learn.mech ? 0 : msw_fail(&err, "--learn: there is no mechanism '%s'", ask->mechanism);
    if (rc == 0 && ask->check)
        rc = read_table(ask->check, &errors, &err);
    if (rc == 0 && errors && errors->mech != learn.mech)
        rc = msw_fail(&err, "%s: a table of %s", ask->check, errors->mech->name);
    learn.errors = errors;
    if (rc == 0 && ask->output && !errors)
        rc = msw_outfile_check(ask->output, MSW_OUTPUT_ERRORS, NULL, &err);
    if (rc == 0)
        rc = msw_learn_draw(&learn, &points, &err);
    if (rc == 0) {
        tell_draws(&points);
        rc = errors ? print_check(ask, errors, &points, &err)
                    : write_table(ask, &learn, &points, &err);
    }
    msw_learn_free(&points);
    msw_errors_free(errors);
    return rc ? cli_fail(&err) : EXIT_OK;
}

/* Computes a sweep of a database again: says what it is and which versions differ before, and
 * whether the rows are the same after. */

/* ---- before ---- */

static void print_head(const cli_replay *r)
{
    char rows[32], points[32], bytes[32], stored[32];
    const msw_replay *f = &r->from;
    msw_text out = MSW_TEXT_EMPTY;
    msw_text_add_visible(&out, f->path);
    msw_text_add(&out, ": sweep ");
    msw_text_add_visible(&out, f->called);
    msw_text_add(&out, ", %s rows of %s points; %" PRIu64 " inputs, %s bytes (%s in the database)",
                 msw_count_text(f->rows, rows), msw_count_text(f->points, points), f->inputs.count,
                 msw_count_text(f->inputs.bytes, bytes), msw_count_text(f->inputs.stored, stored));
    cli_printf("%s\n", msw_text_str(&out));
    msw_text_free(&out);
}

/* Rows that are compared with themselves are the same. */
static int check_output(const cli_replay *r, msw_err *err)
{
    const char *output = r->output ? r->output : r->database;
    char *there = msw_file_real(r->from.path, NULL), *here = msw_file_real(output, NULL);
    bool same = there && here && strcmp(there, here) == 0;
    free(there);
    free(here);
    return same ? msw_fail(err,
                           "%s: the rows cannot be computed again into the database that they "
                           "are compared with: name another one with -o",
                           output)
                : 0;
}

int cli_replay_open(cli_replay *r, const cli *c, msw_plan_options *options, const char **path)
{
    msw_err err = {0};
    if (msw_replay_open(&r->from, &c->context, r->file, r->sweep, &err))
        return cli_fail(&err);
    *path = msw_replay_options(&r->from, options);
    r->database = msw_strfmt("%s/%s-replay.db", c->context.results_dir, r->from.name);
    if (!r->database)
        msw_fail_memory(&err);
    if (!r->database || check_output(r, &err))
        return cli_fail(&err);
    if (!r->quiet)
        print_head(r);
    return EXIT_OK;
}

int cli_replay_check(const cli_replay *r, const msw_plan *plan)
{
    msw_text lines = MSW_TEXT_EMPTY;
    size_t count = msw_replay_differ(&r->from, plan, &lines);
    fflush(stdout);
    if (count)
        fprintf(stderr, "memsweep: %s: computed with other versions than those here:\n%s", r->file,
                msw_text_str(&lines));
    if (count && !r->anyway)
        fprintf(stderr, "its rows may not come out the same: --anyway computes them and says which "
                        "differ\n");
    msw_text_free(&lines);
    return count && !r->anyway ? EXIT_SOME_FAILED : EXIT_OK;
}

/* ---- after ---- */

static void print_same(const cli_replay *r, msw_digest digest, uint64_t rows, uint64_t before)
{
    char text[MSW_DIGEST_TEXT], count[32], known[32];
    if (r->quiet)
        return;
    cli_printf("same digest: %s, %s rows", msw_digest_text(digest, text),
               msw_count_text(rows, count));
    if (before)
        cli_printf(", %s of them computed before", msw_count_text(before, known));
    cli_printf("\n");
}

/* A part of a sweep has no digest that a whole one could have. */
static int print_rows(const cli_replay *r, const msw_replay_rows *found, msw_digest digest)
{
    char here[MSW_DIGEST_TEXT], there[MSW_DIGEST_TEXT];
    bool part = r->from.rows < r->from.points;
    if (!found->different && !found->missing && (part || r->anyway)) {
        if (!r->quiet)
            cli_printf("same answers: all %" PRIu64 " rows that were stored\n", found->compared);
        return EXIT_OK;
    }
    fflush(stdout);
    fprintf(stderr,
            "memsweep: %s: another digest: %s, stored was %s: of %" PRIu64 " rows %" PRIu64
            " differ, %" PRIu64 " are missing%s\n%s",
            r->file, msw_digest_text(digest, here), msw_digest_text(r->from.digest, there),
            found->compared, found->different, found->missing,
            found->different ? "; the first:" : "", msw_text_str(&found->lines));
    return EXIT_SOME_FAILED;
}

static int compare(const cli_replay *r, msw_store *store, const msw_plan *plan, uint64_t before,
                   int *code, msw_err *err)
{
    uint64_t rows;
    msw_digest digest;
    msw_replay_rows found = {0};
    char *called = msw_store_called(store, plan, err);
    int rc = called ? msw_store_digest(store, called, &digest, &rows, err) : -1;
    if (rc == 0 && msw_digest_equal(digest, r->from.digest)) {
        print_same(r, digest, rows, before);
    } else if (rc == 0) {
        rc = msw_replay_compare(&r->from, store, called, &found, err);
        if (rc == 0)
            *code = print_rows(r, &found, digest);
        msw_text_free(&found.lines);
    }
    free(called);
    return rc;
}

int cli_replay_compare(const cli_replay *r, const msw_plan *plan, const char *database,
                       uint64_t before)
{
    msw_err err = {0};
    msw_store *store = NULL;
    int code = EXIT_OK;
    int rc = msw_store_open(database, MSW_STORE_READ, false, NULL, &store, &err);
    if (rc == 0)
        rc = compare(r, store, plan, before, &code, &err);
    msw_store_close(store, NULL);
    return rc ? cli_fail(&err) : code;
}

void cli_replay_close(cli_replay *r)
{
    msw_replay_close(&r->from);
    free(r->database);
    r->database = NULL;
}
