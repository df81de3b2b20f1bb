/* SPDX-License-Identifier: MIT */
#include "cli/run/sweep_run.h"
#include "cli/shared_options.h"

#include <stdlib.h>
#include <string.h>

extern const cli_command cli_command_reproduce;

typedef struct settings {
    const char *paper, *figures, *fidelity, *unknowns, *docs, *results, *format;
    int64_t threads, samples, inner, confirm, seed;
    bool strict, retry, quiet, no_figures, longer, beside, trivial;
} settings;

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "paper", .kind = CLI_TEXT, .count = CLI_ONE,
            .help = "a folder of sweeps/paper by its name, all of them (all), or the path of one "
                    "elsewhere",
            .offset = offsetof(settings, paper)),
    {0},
};

static const cli_option OPTIONS[] = {
    MSW_ROW(.name = "figure", .letter = 'F', .kind = CLI_TEXT, .arg = "LIST",
            .help = "only these of the published figures, e.g. 'fig. 11,abstract', and the sweeps "
                    "they need",
            .offset = offsetof(settings, figures)),
    MSW_ROW(.name = "fidelity", .kind = CLI_CHOICE, .arg = "NAME",
            .help = "analytic, sampled or full, instead of the files'",
            .offset = offsetof(settings, fidelity), .choices = cli_fidelities),
    MSW_ROW(.name = "over-unknowns", .kind = CLI_INTEGER, .arg = "N", .def = "0",
            .help = "also draws N samples of all parameters whose source is unknown or inferred "
                    "and which the sweeps leave open, and prints the span of each quantity and "
                    "where all verdicts hold; at analytic unless --fidelity says otherwise",
            .offset = offsetof(settings, samples), .max = 65536),
    MSW_ROW(.name = "inner", .kind = CLI_INTEGER, .arg = "N", .def = "16",
            .help = "samples of the other parameters for each setting of those that change what is "
                    "built for points",
            .offset = offsetof(settings, inner), .min = 1, .max = 65536),
    MSW_ROW(.name = "confirm", .kind = CLI_INTEGER, .arg = "N", .def = "16",
            .help = "computes again at full the N of those samples in which most verdicts pass",
            .offset = offsetof(settings, confirm), .max = 65536),
    MSW_ROW(.name = "unknowns", .kind = CLI_TEXT, .arg = "LIST",
            .help = "draws only these parameters; one whose source is known may be named, too",
            .offset = offsetof(settings, unknowns)),
    CLI_DRAW_SEED(settings, "of those samples"),
    MSW_ROW(.name = "closed-form", .kind = CLI_FLAG,
            .help = "also answers by the closed form, in a column of its own that decides nothing",
            .offset = offsetof(settings, beside)),
    MSW_ROW(.name = "trivial", .kind = CLI_FLAG,
            .help = "prints which trivial models (all 0, all 1, no design matters, and those of "
                    "facts.csv) pass each quantity, too: what one of them passes is hollow",
            .offset = offsetof(settings, trivial)),
    CLI_PAPER_OUTPUT(settings, "where the page and the figures go, instead of results/paper"),
    CLI_RUN_THREADS(settings),
    MSW_ROW(.name = "long", .kind = CLI_FLAG,
            .help = "the paper's long form, which takes hours, from <paper>-long of its folder",
            .offset = offsetof(settings, longer)),
    CLI_RETRY(settings, "tries points again that failed before"),
    MSW_ROW(.name = "strict", .kind = CLI_FLAG,
            .help = "exits with 1 where a verdict is miss or unclear",
            .offset = offsetof(settings, strict)),
    CLI_QUIET(settings, "no progress"),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep reproduce neummu",
    "memsweep reproduce neummu --figure 'fig. 11' --fidelity sampled",
    "memsweep reproduce all --docs docs/internals/validation",
    "memsweep reproduce neummu --fidelity analytic --over-unknowns 64",
    "memsweep reproduce htmmu --trivial",
    "mpirun -n 4 memsweep reproduce all",
    NULL};

/* ---- one paper ---- */

static int finish(const msw_paper *p, const settings *s)
{
    if (p->interrupted) {
        fprintf(stderr, "memsweep: interrupted; run the same command to go on\n");
        return EXIT_SOME_FAILED;
    }
    int code = s->trivial ? cli_show_trivial(p, s->format) : cli_show_paper(p, s->format);
    if (code != EXIT_OK)
        return code;
    if (!s->quiet)
        fputs(msw_text_str(&p->drawn), stderr);
    return p->some_failed || (s->strict && !msw_paper_passes(p)) ? EXIT_SOME_FAILED : EXIT_OK;
}

/* Who makes papers: this process, with other ranks. */
typedef struct maker {
    const cli *c;
    const settings *s;
    msw_shared *shared;
    int threads;
} maker;

static int reproduce(const maker *m, const char *name)
{
    const settings *s = m->s;
    msw_err err = {0};
    msw_paper_options ask = {.figures = s->figures,
                             .fidelity = s->fidelity,
                             .unknowns = s->unknowns,
                             .docs = s->docs,
                             .results = s->results,
                             .threads = m->threads,
                             .samples = s->samples,
                             .inner = s->inner,
                             .confirm = s->confirm,
                             .seed = s->seed,
                             .retry = s->retry,
                             .no_figures = s->no_figures,
                             .beside = s->beside};
    msw_paper_watch watch = cli_paper_watch(m->c, s->quiet);
    msw_paper paper = {
        .context = &m->c->context, .ask = &ask, .watch = &watch, .shared = m->shared, .err = &err};
    int code = msw_paper_make(&paper, name) ? cli_fail(&err) : finish(&paper, s);
    msw_paper_free(&paper);
    return code;
}

/* ---- long forms ---- */

/* Returns the folder of a paper's long form, to be freed; NULL with `err`. */
static char *long_form(const cli *c, const char *name, msw_err *err)
{
    msw_err ignored = {0};
    char *folder = msw_paper_folder(&c->context, name, err);
    const char *last = folder ? strrchr(folder, '/') : NULL;
    char *path = last ? msw_strfmt("%s/%s-long", folder, last + 1) : NULL;
    char *found = path ? msw_paper_folder(&c->context, path, &ignored) : NULL;
    if (path && !found)
        msw_fail(err, "'%s' has no long form: no %s/published.csv", name, path);
    free(folder);
    free(path);
    return found;
}

static int reproduce_long(const maker *m, const char *name)
{
    msw_err err = {0};
    char *path = long_form(m->c, name, &err);
    int code = path ? reproduce(m, path) : cli_fail(&err);
    free(path);
    return code;
}

/* ---- all papers ---- */

static int reproduce_all(const maker *m)
{
    msw_err err = {0};
    char **names = msw_paper_names(&m->c->context);
    int worst = EXIT_OK;
    if (!names || !*names) {
        msw_fail(&err, "no papers: no folder sweeps/paper/*/published.csv");
        worst = cli_fail(&err);
    }
    for (size_t i = 0; names && names[i] && !m->shared->lost; i++) {
        int code = reproduce(m, names[i]);
        worst = code > worst ? code : worst;
    }
    msw_paper_names_free(names);
    return worst;
}

static int make(const cli *c, msw_shared *shared, int threads, const void *given)
{
    const settings *s = given;
    maker m = {c, s, shared, threads};
    if (s->longer)
        return reproduce_long(&m, s->paper);
    return strcmp(s->paper, "all") == 0 ? reproduce_all(&m) : reproduce(&m, s->paper);
}

static int run(const cli *c, const void *given)
{
    return cli_run_paper(c, ((const settings *)given)->threads, make, given);
}

const cli_command cli_command_reproduce = {
    .name = "reproduce",
    .doc = "compares a model with what its paper published",
    .about =
        "Runs the sweeps in sweeps/paper/<paper>, computes every quantity of its published.csv "
        "from their rows and compares: pass, miss, or unclear where a half-width reaches across "
        "the band. A number that is only remembered gets no verdict, nor does one that its "
        "condition shows not to be comparable. A deviation is shown with the experiments that "
        "explain it. Writes the page <paper>.md (<paper>-<fidelity>.md with --fidelity) and the "
        "figures named in figures.csv.\n\nPoints that are answered are not computed again: an "
        "interrupted run goes on. Under mpirun or srun all ranks compute points, with --threads on "
        "each; rank 0 does the rest. A miss is a finding, not a failure: the exit code is 0 unless "
        "--strict is given.",
    .first = "fidelity figure long threads strict",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .on_ranks = true,
    .run = run,
};
