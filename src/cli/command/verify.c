/* SPDX-License-Identifier: MIT */
#include "cli/shared_options.h"

#include "memsweep/results/reading.h"
#include "memsweep/store/verify.h"

#include <inttypes.h>

typedef struct settings {
    const char *file;
    bool quiet;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_QUIET(settings, "prints nothing but what is damaged"),
    {0},
};

static const char *const EXAMPLES[] = {"memsweep verify quickstart", NULL};

static void print_sweeps(const msw_verified *v)
{
    char points[32], rows[32];
    for (size_t i = 0; i < v->sweep_count; i++) {
        const msw_verified_sweep *s = &v->sweeps[i];
        cli_printf("%s: %s points, %s rows: %" PRIu64 " damaged, %" PRIu64 " lost, %" PRIu64
                   " not covered\n",
                   s->name, msw_count_text(s->points, points), msw_count_text(s->rows, rows),
                   s->damaged, s->lost, s->uncovered);
    }
    cli_printf("catalogue: %" PRIu64 " records: %" PRIu64 " damaged, %" PRIu64 " not covered\n",
               v->records, v->records_damaged, v->records_uncovered);
}

static uint64_t uncovered_rows(const msw_verified *v)
{
    uint64_t count = 0;
    for (size_t i = 0; i < v->sweep_count; i++)
        count += v->sweeps[i].uncovered;
    return count;
}

static int print(const settings *s, const msw_verified *v, msw_err *err)
{
    if (!s->quiet)
        print_sweeps(v);
    fputs(msw_text_str(&v->findings), stdout);
    if (!s->quiet && uncovered_rows(v))
        cli_printf("rows that are not covered were written by an older memsweep: whether they are "
                   "damaged cannot be known\n");
    if (!v->damages)
        return 0;
    return msw_fail_kind(err, MSW_ERR_IO,
                         "%s: damaged: 'memsweep run' of a sweep computes its damaged and lost "
                         "rows again",
                         s->file);
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_store *store = NULL;
    msw_verified verified;
    int rc = msw_open_database(&c->context, s->file, MSW_STORE_READ, &store, &err) ||
             msw_store_verify(store, &verified, &err);
    if (rc == 0) {
        rc = print(s, &verified, &err);
        msw_verified_free(&verified);
    }
    int code = rc ? cli_fail(&err) : EXIT_OK;
    msw_store_close(store, NULL);
    return code;
}

const cli_command cli_command_verify = {
    .name = "verify",
    .doc = "looks for damage: every row against its checksum",
    .about = "Says which sweeps, points and rows are damaged, which rows are lost, and which were "
             "written by an older memsweep, without a checksum. Nothing is changed: 'memsweep run' "
             "of a sweep computes what is damaged again. Exit code 3 when something is damaged.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
