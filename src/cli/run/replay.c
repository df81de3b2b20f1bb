/* SPDX-License-Identifier: MIT */
/* Computes a sweep of a database again: says what it is and which versions differ before, and
 * whether the rows are the same after. */
#include "cli/run/replay.h"

#include "memsweep/base/file.h"
#include "memsweep/base/quote.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
