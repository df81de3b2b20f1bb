/* SPDX-License-Identifier: MIT */
#include "cli/run/replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- before ---- */

static void print_head(const cli_replay *r)
{
    char rows[32], points[32];
    const msw_packed_facts *f = &r->packed.facts;
    msw_text out = MSW_TEXT_EMPTY;
    msw_text_add_visible(&out, r->file);
    msw_text_add(&out, ": sweep %s, %s rows of %s points, packed by memsweep ", f->name,
                 msw_count_text(f->rows, rows), msw_count_text(f->points, points));
    msw_text_add_visible(&out, f->version);
    if (f->revision) {
        msw_text_add(&out, " (");
        msw_text_add_visible(&out, f->revision);
        msw_text_add(&out, ")");
    }
    msw_text_add(&out, " on ");
    msw_text_add_visible(&out, f->machine);
    if (r->packed.unlisted)
        msw_text_add(&out, "; %zu files that it did not pack are left alone", r->packed.unlisted);
    cli_printf("%s\n", msw_text_str(&out));
    msw_text_free(&out);
}

int cli_replay_open(cli_replay *r, const cli *c, msw_plan_options *options)
{
    msw_err err = {0};
    if (msw_packed_open(&r->packed, r->file, &err) || msw_packed_options(&r->packed, options, &err))
        return cli_fail(&err);
    r->database = msw_strfmt("%s/%s-replay.db", c->context.results_dir, r->packed.facts.name);
    if (!r->database) {
        msw_fail_memory(&err);
        return cli_fail(&err);
    }
    if (!r->quiet)
        print_head(r);
    return EXIT_OK;
}

int cli_replay_check(const cli_replay *r, const msw_plan *plan)
{
    char machine[64];
    msw_text lines = MSW_TEXT_EMPTY;
    size_t count = msw_packed_differ(&r->packed, plan, msw_machine(machine), &lines);
    fflush(stdout);
    if (count)
        fprintf(stderr, "memsweep: %s: made with other versions than those here:\n%s", r->file,
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

/* An archive of a part of a sweep has no digest that a whole one could have. */
static int print_rows(const cli_replay *r, const msw_packed_rows *found, msw_digest digest)
{
    char here[MSW_DIGEST_TEXT], there[MSW_DIGEST_TEXT];
    bool part = r->packed.facts.rows < r->packed.facts.points;
    if (!found->different && !found->missing && (part || r->anyway)) {
        if (!r->quiet)
            cli_printf("same answers: all %" PRIu64 " rows that were packed\n", found->compared);
        return EXIT_OK;
    }
    fflush(stdout);
    fprintf(stderr,
            "memsweep: %s: another digest: %s, packed was %s: of %" PRIu64 " rows %" PRIu64
            " differ, %" PRIu64 " are missing%s\n%s",
            r->file, msw_digest_text(digest, here), msw_digest_text(r->packed.facts.digest, there),
            found->compared, found->different, found->missing,
            found->different ? "; the first:" : "", msw_text_str(&found->lines));
    return EXIT_SOME_FAILED;
}

static int compare(const cli_replay *r, msw_store *store, const msw_plan *plan, uint64_t before,
                   int *code, msw_err *err)
{
    uint64_t rows;
    msw_digest digest;
    msw_packed_rows found = {0};
    char *called = msw_store_called(store, plan, err);
    int rc = called ? msw_store_digest(store, called, &digest, &rows, err) : -1;
    if (rc == 0 && msw_digest_equal(digest, r->packed.facts.digest)) {
        print_same(r, digest, rows, before);
    } else if (rc == 0) {
        rc = msw_packed_compare(&r->packed, store, called, &found, err);
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
    msw_packed_close(&r->packed);
    free(r->database);
    r->database = NULL;
}
