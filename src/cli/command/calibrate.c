/* SPDX-License-Identifier: MIT */
#include "cli/run/sweep_run.h"
#include "cli/shared_options.h"

#include "memsweep/format/format.h"
#include "memsweep/reproduce/calibrate.h"

#include <stdlib.h>
#include <string.h>

extern const cli_command cli_command_calibrate;

typedef struct settings {
    const char *paper, *figures, *unknowns, *hold_out, *against, *docs, *results, *table, *format;
    int64_t threads, seed, waves, samples, inner, errors, full, directed, aimed, truths;
    bool trends, retry, quiet, no_figures;
} settings;

static const char *const TABLES[] = {"all",  "summary", "unknowns", "quantities", "pairs",
                                     "sets", "ask",     "truths",   NULL};

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "paper", .kind = CLI_TEXT, .count = CLI_ONE,
            .help = "a folder of sweeps/paper by its name, or the path of one elsewhere",
            .offset = offsetof(settings, paper)),
    {0},
};

static const cli_option OPTIONS[] = {
    MSW_ROW(.name = "unknowns", .kind = CLI_TEXT, .arg = "LIST",
            .help = "draws only these parameters, the others stay at their defaults; one whose "
                    "source is known may be named, too",
            .offset = offsetof(settings, unknowns)),
    MSW_ROW(.name = "waves", .kind = CLI_INTEGER, .arg = "N", .def = "6",
            .help = "most waves; each draws around the settings that are likely so far, until the "
                    "weights have an effective sample of 200",
            .offset = offsetof(settings, waves), .min = 1, .max = 100),
    MSW_ROW(.name = "samples", .kind = CLI_INTEGER, .arg = "N", .def = "1024",
            .help = "number of settings in a wave", .offset = offsetof(settings, samples), .min = 8,
            .max = 65536),
    MSW_ROW(.name = "inner", .kind = CLI_INTEGER, .arg = "N", .def = "16",
            .help = "settings of the other unknowns for each one of those that change what is "
                    "built for points",
            .offset = offsetof(settings, inner), .min = 1, .max = 65536),
    MSW_ROW(.name = "errors", .kind = CLI_INTEGER, .arg = "N", .def = "100",
            .help = "settings computed both at the closed form and at full, to measure the error "
                    "of the closed form",
            .offset = offsetof(settings, errors), .min = 2, .max = 65536),
    MSW_ROW(.name = "full", .kind = CLI_INTEGER, .arg = "N", .def = "256",
            .help = "at most this many of the settings that the closed form leaves are computed at "
                    "full",
            .offset = offsetof(settings, full), .min = 1, .max = 65536),
    MSW_ROW(.name = "directed", .kind = CLI_INTEGER, .arg = "N", .def = "500",
            .help = "settings at full that are aimed at each set of quantities that nothing meets",
            .offset = offsetof(settings, directed), .max = 1000000),
    MSW_ROW(.name = "aimed", .kind = CLI_INTEGER, .arg = "N", .def = "5000",
            .help = "at most this many such settings for all sets together",
            .offset = offsetof(settings, aimed), .max = 1000000),
    MSW_ROW(.name = "truths", .kind = CLI_INTEGER, .arg = "N", .def = "0",
            .help = "keeps N settings out of the table and tests it with them",
            .offset = offsetof(settings, truths), .max = 65536),
    MSW_ROW(.name = "trends", .kind = CLI_FLAG, .help = "yes/no rows rule settings out, too",
            .offset = offsetof(settings, trends)),
    MSW_ROW(.name = "hold-out", .kind = CLI_TEXT, .arg = "FIGURE",
            .help = "predicts only this figure from the others, instead of each in turn",
            .offset = offsetof(settings, hold_out)),
    MSW_ROW(.name = "against", .kind = CLI_FILE, .arg = "FILE",
            .help = "a table of measurements (columns id, measured, error) takes the place of what "
                    "was published",
            .offset = offsetof(settings, against)),
    MSW_ROW(.name = "figure", .letter = 'F', .kind = CLI_TEXT, .arg = "LIST",
            .help = "only quantities of these figures, and the sweeps they need",
            .offset = offsetof(settings, figures)),
    CLI_DRAW_SEED(settings, "of the settings"),
    MSW_ROW(.name = "table", .kind = CLI_CHOICE, .arg = "NAME", .def = "all",
            .help = "prints only this table; in formats for programs 'all' is quantities",
            .offset = offsetof(settings, table), .choices = TABLES),
    CLI_PAPER_OUTPUT(settings, "where the page goes, instead of results/paper"),
    CLI_RUN_THREADS(settings),
    CLI_RETRY(settings, "tries points again that failed before"),
    CLI_QUIET(settings, "no progress"),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep calibrate htmmu",
    "memsweep calibrate htmmu --unknowns l1_mshrs,outstanding --waves 2",
    "memsweep calibrate neummu --hold-out 'fig. 11'",
    "memsweep calibrate ./my-machine --against measured.csv --table quantities -f tsv",
    "mpirun -n 4 memsweep calibrate htmmu",
    NULL};

/* ---- what came out ---- */

static int show_table(const msw_calibration *c, msw_calibrate_table which, const char *format,
                      msw_err *err)
{
    msw_table_builder builder = {.err = err};
    msw_format_style style = {.no_footer = true};
    bool text = msw_format_find(format) == MSW_FORMAT_TEXT;
    int code = EXIT_OK;
    msw_calibrated_rows(c, which, &builder);
    if (builder.failed)
        code = cli_fail(err);
    else if (builder.table.rows || !text) {
        if (text)
            cli_printf("\n%s\n", msw_calibrated_title(which));
        code = cli_print_table(&builder.table, format, text ? &style : NULL);
    }
    msw_table_free(&builder.table);
    return code;
}

static void show_words(const msw_calibration *c)
{
    msw_text words = MSW_TEXT_EMPTY;
    msw_calibrated_words(c, &words);
    fputs(msw_text_str(&words), stdout);
    msw_text_free(&words);
}

static int which_table(const settings *s)
{
    int which = 0;
    while (strcmp(TABLES[which], s->table) != 0)
        which++;
    return which - 1;
}

static int show_calibration(const msw_calibration *c, const settings *s, msw_err *err)
{
    int which = which_table(s), code = EXIT_OK;
    bool text = msw_format_find(s->format) == MSW_FORMAT_TEXT;
    if (which < 0 && text)
        show_words(c);
    if (which < 0 && !text)
        which = MSW_CALIBRATED_QUANTITIES; /* one table for a program */
    if (which >= 0)
        return show_table(c, (msw_calibrate_table)which, s->format, err);
    for (int i = 0; i < MSW_CALIBRATED_COUNT && code == EXIT_OK; i++)
        code = show_table(c, (msw_calibrate_table)i, s->format, err);
    return code;
}

static int finish(msw_paper *p, msw_calibration *c, const settings *s)
{
    if (p->interrupted) {
        fprintf(stderr, "memsweep: interrupted; run the same command to go on\n");
        return EXIT_SOME_FAILED;
    }
    int code = show_calibration(c, s, p->err);
    if (code == EXIT_OK && msw_calibrated_page(c))
        return cli_fail(p->err);
    if (!s->quiet)
        fputs(msw_text_str(&p->drawn), stderr);
    return code == EXIT_OK && p->some_failed ? EXIT_SOME_FAILED : code;
}

static int calibrate(const cli *c, msw_shared *shared, int threads, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_paper_options ask = {.figures = s->figures,
                             .unknowns = s->unknowns,
                             .calibrates = true,
                             .measures = s->against != NULL,
                             .docs = s->docs,
                             .results = s->results,
                             .threads = threads,
                             .samples = s->samples,
                             .seed = s->seed,
                             .retry = s->retry,
                             .no_figures = s->no_figures};
    msw_calibrate_options how = {.hold_out = s->hold_out,
                                 .against = s->against,
                                 .waves = s->waves,
                                 .samples = s->samples,
                                 .inner = s->inner,
                                 .errors = s->errors,
                                 .full = s->full,
                                 .directed = s->directed,
                                 .aimed = s->aimed,
                                 .truths = s->truths,
                                 .trends = s->trends};
    msw_paper_watch watch = cli_paper_watch(c, s->quiet);
    msw_paper paper = {
        .context = &c->context, .ask = &ask, .watch = &watch, .shared = shared, .err = &err};
    msw_calibration *calibration = NULL;
    int code = msw_calibrate(&paper, s->paper, &how, &calibration) ? cli_fail(&err)
                                                                   : finish(&paper, calibration, s);
    msw_calibration_free(calibration);
    msw_paper_free(&paper);
    return code;
}

static int run(const cli *c, const void *given)
{
    return cli_run_paper(c, ((const settings *)given)->threads, calibrate, given);
}

const cli_command cli_command_calibrate = {
    .name = "calibrate",
    .doc = "finds settings at which a paper's numbers hold together",
    .about =
        "Draws settings of the parameters whose source is unknown or inferred and which the sweeps "
        "in sweeps/paper/<paper> leave open, computes every judged quantity of its published.csv "
        "for each, at the closed form first and at full on what that leaves, and rules out "
        "settings "
        "more than three standard deviations from a quantity. Reports the region that is left, the "
        "setting nearest to all, sets of quantities that nothing meets, weights, which number to "
        "ask the authors for, and what each figure would be given the others. Writes the page "
        "<paper>-region.md, and the table of settings next to the database. Definitions: "
        "docs/models/calibrate.md.\n\n"
        "Points that are answered are not computed again: an interrupted run goes on. Under mpirun "
        "or srun all ranks compute points, with --threads on each; rank 0 does the rest. The bytes "
        "are the same on any number of them.",
    .first = "unknowns waves samples full conclusions",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .on_ranks = true,
    .run = run,
};
