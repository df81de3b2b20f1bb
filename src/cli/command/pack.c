/* SPDX-License-Identifier: MIT */
#include "cli/run/process.h"
#include "cli/shared_options.h"

#include "memsweep/pack/pack.h"

#include <stdlib.h>

typedef struct settings {
    const char *sweep, *output, *database, *fidelity, *figure;
    int64_t seed;
    bool no_figures, no_page, partial, quiet;
} settings;

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "sweep", .kind = CLI_SWEEP, .count = CLI_ONE,
            .help = "a sweep file, or the name of one that comes with memsweep",
            .offset = offsetof(settings, sweep)),
    {0},
};

static const cli_option OPTIONS[] = {
    MSW_ROW(.name = "output", .letter = 'o', .kind = CLI_FILE, .arg = "FILE",
            .help = "the archive to write, instead of results/<name of the sweep>.zip",
            .offset = offsetof(settings, output)),
    MSW_ROW(.name = "database", .letter = 'd', .kind = CLI_DATABASE, .arg = "FILE",
            .help = "the database with its rows, instead of results/<name of the sweep>.db; its "
                    "other sweeps are not packed",
            .offset = offsetof(settings, database)),
    CLI_PLAN_FIDELITY(settings),
    CLI_PLAN_SEED(settings),
    CLI_FIGURES(settings, "figures to put in; else all that the sweep has something for"),
    MSW_ROW(.name = "no-figures", .kind = CLI_FLAG, .help = "leaves the figures out",
            .offset = offsetof(settings, no_figures)),
    MSW_ROW(.name = "no-page", .kind = CLI_FLAG, .help = "leaves the page of report out",
            .offset = offsetof(settings, no_page)),
    MSW_ROW(.name = "partial", .kind = CLI_FLAG,
            .help = "packs a sweep even if points have no answer yet",
            .offset = offsetof(settings, partial)),
    MSW_ROW(.name = "quiet", .letter = 'q', .kind = CLI_FLAG, .help = "prints errors only",
            .offset = offsetof(settings, quiet)),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep pack quickstart", "memsweep pack study.yaml -d all.db -o study.zip --figure front",
    NULL};

static void print(const cli *c, const msw_pack_made *made)
{
    char rows[32], bytes[32], digest[MSW_DIGEST_TEXT];
    cli_printf("%s: %s bytes: %zu inputs, %s rows%s, %zu figures\n", made->path,
               msw_count_text(made->bytes, bytes), made->inputs, msw_count_text(made->rows, rows),
               made->page ? ", the page" : "", made->figures);
    cli_printf("digest of its rows: %s; 'memsweep replay' computes them again\n",
               msw_digest_text(made->digest, digest));
    if (made->without_gnuplot)
        msw_log_line(&c->context.log, MSW_LOG_WARN,
                     "no gnuplot here, so there are no figures in it: install gnuplot (package "
                     "gnuplot or gnuplot-nox) and say this again");
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_messages messages = {0};
    msw_pack_made made;
    char *path = msw_context_sweep(&c->context, s->sweep);
    if (!path) {
        msw_fail_memory(&err);
        return cli_fail(&err);
    }
    msw_pack_ask ask = {
        .context = &c->context,
        .program = {MEMSWEEP_VERSION, __VERSION__, *cli_revision ? cli_revision : NULL},
        .sweep = path,
        .fidelity = s->fidelity,
        .seed = s->seed,
        .database = s->database,
        .output = s->output,
        .figures = s->figure,
        .no_figures = s->no_figures,
        .no_page = s->no_page,
        .partial = s->partial};
    int code = EXIT_OK;
    if (msw_pack(&ask, &made, &messages, &err))
        code = messages.count || messages.trouble ? cli_fail_plan(&messages) : cli_fail(&err);
    else if (!s->quiet)
        print(c, &made);
    msw_pack_made_free(&made);
    msw_text_free(&messages.text);
    free(path);
    return code;
}

const cli_command cli_command_pack = {
    .name = "pack",
    .doc = "puts a sweep, its input files and its rows into one archive",
    .about =
        "The archive is a zip file that describes itself (RO-Crate 1.1): the sweep and every file "
        "that it is read from, a database with its rows and no others, page and figures made from "
        "them, and the versions of models, parts, front ends and design that the rows depend on. "
        "'memsweep replay' computes the rows again from it, on another machine. The same content "
        "gives the same bytes.\n\n"
        "A sweep that is not finished is refused, and so is a sweep that names a file by its whole "
        "path, because other machines do not have it there.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
