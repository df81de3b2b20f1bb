/* SPDX-License-Identifier: MIT */
#include "cli/run/learn.h"

#include "memsweep/base/file.h"
#include "memsweep/base/table_builder.h"
#include "memsweep/format/outfile.h"
#include "memsweep/results/learn.h"

#include <stdio.h>
#include <stdlib.h>

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
