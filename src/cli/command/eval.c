/* SPDX-License-Identifier: MIT */
#include "cli/eval/eval.h"
#include "cli/run/launch.h"
#include "cli/shared_options.h"
#include "memsweep/sweep/idle.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct settings {
    const char *mechanism, *workload, *preset, *fidelity, *details, *sweep, *format;
    const char *of, *stored, *errors;
    cli_words words;
    int64_t seed, point;
    bool lines, dry, keep;
} settings;

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "mechanism", .kind = CLI_NAME, .count = CLI_OPTIONAL,
            .help = "'memsweep list mechanisms' shows them; or the definition of a program, a "
                    "file, which is started then",
            .offset = offsetof(settings, mechanism)),
    MSW_ROW(.name = "setting", .kind = CLI_TEXT, .count = CLI_ANY,
            .help = "NAME=VALUE of a parameter, as in a sweep file: page_size=64KiB",
            .offset = offsetof(settings, words)),
    {0},
};

static const cli_option OPTIONS[] = {
    MSW_ROW(.name = "workload", .letter = 'w', .kind = CLI_TEXT, .arg = "LIST",
            .help = "workloads, separated by commas; default: the mechanism's default",
            .offset = offsetof(settings, workload)),
    MSW_ROW(.name = "fidelity", .kind = CLI_CHOICE, .arg = "NAME", .def = "full",
            .help = "analytic, sampled or full", .offset = offsetof(settings, fidelity),
            .choices = cli_fidelities),
    MSW_ROW(.name = "preset", .letter = 'p', .kind = CLI_TEXT, .arg = "NAME",
            .help = "starts from a preset of the mechanism", .offset = offsetof(settings, preset)),
    MSW_ROW(.name = "details", .letter = 'd', .kind = CLI_TEXT, .arg = "NAME",
            .help = "prints a detail table of the mechanism instead: per layer, stream, ...",
            .offset = offsetof(settings, details)),
    MSW_ROW(.name = "sweep", .kind = CLI_FILE, .arg = "FILE",
            .help = "also writes a sweep around the point: each parameter that matters, one step "
                    "up and down",
            .offset = offsetof(settings, sweep)),
    MSW_ROW(.name = "of", .kind = CLI_FILE, .arg = "DATABASE",
            .help = "evaluates a point of a sweep in a database instead, stored or not: bit for "
                    "bit what its row has or would have",
            .offset = offsetof(settings, of)),
    MSW_ROW(.name = "point", .kind = CLI_INTEGER, .arg = "N", .def = "-1",
            .help = "the number of that point, as the column 'point' has it",
            .offset = offsetof(settings, point), .min = -1, .max = UINT32_MAX),
    MSW_ROW(.name = "of-sweep", .kind = CLI_TEXT, .arg = "NAME",
            .help = "the sweep, when that database holds several",
            .offset = offsetof(settings, stored)),
    MSW_ROW(.name = "errors", .kind = CLI_DATABASE, .arg = "DATABASE",
            .help = "intervals of the own points that this database holds (agree --intervals); "
                    "default with --of: that one",
            .offset = offsetof(settings, errors)),
    MSW_ROW(.name = "stdin", .kind = CLI_FLAG,
            .help = "answers lines of JSON on standard input, one by one: {\"NAME\": VALUE, ...} "
                    "changes parameters of the mechanism, \"workload\" takes another one of -w, "
                    "\"id\" comes back as it is",
            .offset = offsetof(settings, lines)),
    MSW_ROW(.name = "dry", .kind = CLI_FLAG,
            .help = "starts no program: prints its command, environment and files",
            .offset = offsetof(settings, dry)),
    MSW_ROW(.name = "keep", .kind = CLI_FLAG,
            .help = "keeps the folder of a program's run, and says where it is",
            .offset = offsetof(settings, keep)),
    CLI_PLAN_SEED(settings),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep eval neummu",
    "memsweep eval neummu -w resnet50/b1 ptw_count=8 page_size=64KiB",
    "memsweep eval htmmu -w karate --fidelity analytic --format json",
    "memsweep eval neummu -w alexnet/b1 --details layers",
    "memsweep eval neummu ptw_count=16 --sweep around.yaml",
    "memsweep eval cachegrind.yaml d1=16KiB --dry",
    "memsweep eval --of quickstart.db --point 7",
    "echo '{\"ptw_count\": 8}' | memsweep eval neummu --fidelity analytic --stdin",
    NULL};

static int print_text(const msw_plan *plan, const msw_batch *batch, msw_err *err)
{
    msw_text text = MSW_TEXT_EMPTY;
    for (size_t row = 0; row < batch->count; row++) {
        msw_text_add(&text, row ? "\n" : "");
        if (cli_answer_text(plan, batch, row, &text, err)) {
            msw_text_free(&text);
            return cli_fail(err);
        }
    }
    if (msw_plan_idle(plan, &text, err)) {
        msw_text_free(&text);
        return cli_fail(err);
    }
    return cli_print(&text);
}

static int print_table(const settings *s, const msw_plan *plan, const msw_batch *batch,
                       msw_err *err)
{
    msw_table table = {0};
    msw_format_style style = {.width = cli_terminal_width(), .no_footer = true};
    int rc = s->details ? cli_answer_details(plan, batch, s->details, &table, err)
                        : cli_answer_table(plan, batch, &table, err);
    int code = rc ? cli_fail(err) : cli_print_table(&table, s->format, &style);
    msw_table_free(&table);
    return code;
}

/* Infeasible is an answer; no feasible one at all, or a failed one, is not what was asked for. */
static int code_of(const msw_batch *batch)
{
    bool any = false, all = true;
    for (size_t i = 0; i < batch->count; i++) {
        any = any || batch->rows[i].status == MSW_OK;
        all = all && (batch->rows[i].status == MSW_OK || batch->rows[i].status == MSW_INFEASIBLE);
    }
    return any && all ? EXIT_OK : EXIT_SOME_FAILED;
}

/* A definition that is named here is one the user asks to start. */
static int open_launches(const settings *s, msw_plan *plan, msw_launches **launches, msw_err *err)
{
    const char *folder = getenv("TMPDIR");
    char *work =
        msw_strfmt("%s/memsweep-%ld.runs", folder && *folder ? folder : "/tmp", (long)getuid());
    cli_launch_ask ask = {.program = plan->program ? s->mechanism : NULL,
                          .work = work,
                          .keep = s->keep,
                          .once = true};
    int rc = work ? cli_launch_open(plan, &ask, launches, err) : msw_fail_memory(err);
    free(work);
    return rc;
}

static int answer(const settings *s, msw_plan *plan)
{
    msw_err err = {0};
    msw_launches *launches = NULL;
    if (s->dry)
        return cli_answer_dry(plan);
    if (open_launches(s, plan, &launches, &err))
        return cli_fail(&err);
    msw_batch *batch =
        s->of ? cli_answer_point(plan, (uint64_t)s->point, &err) : cli_answer(plan, launches, &err);
    if (launches && s->keep)
        fprintf(stderr, "memsweep: the run's folder is below %s\n", msw_launches_work(launches));
    msw_launches_close(launches);
    if (!batch)
        return cli_fail(&err);
    bool text = !s->details && msw_format_find(s->format) == MSW_FORMAT_TEXT;
    int code = text ? print_text(plan, batch, &err) : print_table(s, plan, batch, &err);
    if (code == EXIT_OK)
        code = code_of(batch);
    msw_batch_free(batch);
    return code;
}

/* A table that is only written when asked for is asked for: the setting whose line of documentation
 * names it. Returns it, or NULL where there is none, or the user has set it. */
static char *details_setting(const settings *s)
{
    const msw_mech *mech = s->details ? msw_mech_find(s->mechanism) : NULL;
    for (const msw_param *p = mech ? mech->params : NULL; p && p->name; p++) {
        if (p->kind != MSW_FLAG || !strstr(p->doc, "detail table") || !strstr(p->doc, s->details))
            continue;
        for (size_t i = 0; i < s->words.count; i++)
            if (strncmp(s->words.list[i], p->name, strlen(p->name)) == 0)
                return NULL;
        return msw_strfmt("%s=on", p->name);
    }
    return NULL;
}

static int around(const cli *c, const cli_question *question, const char *path)
{
    msw_plan *plan = NULL;
    cli_question cheap = *question;
    cheap.fidelity = "analytic";
    int code = cli_question_plan(c, &cheap, &plan);
    if (code == EXIT_OK)
        code = cli_sweep_around(c, &cheap, plan, path);
    msw_plan_free(plan);
    return code;
}

static int run_stored(const cli *c, const settings *s)
{
    msw_err err = {0};
    msw_plan *plan = NULL;
    if (s->point < 0 || s->mechanism || s->workload || s->preset || s->sweep || s->lines) {
        msw_fail(&err, "eval: --of takes --point N, and what is set is in the database: leave the "
                       "mechanism, its settings and -w out");
        return cli_fail(&err);
    }
    int code = cli_stored_plan(c, s->of, s->stored, &plan);
    if (code == EXIT_OK)
        code = cli_own_errors(c, s->errors ? s->errors : s->of, plan);
    if (code == EXIT_OK)
        code = answer(s, plan);
    msw_plan_free(plan);
    return code;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_plan *plan = NULL;
    if (s->of)
        return run_stored(c, s);
    if (!s->mechanism) {
        msw_err err = {0};
        msw_fail(&err, "eval: name a mechanism, or a point by --of DATABASE --point N");
        return cli_fail(&err);
    }
    char *more = details_setting(s);
    cli_words words = {calloc(s->words.count + 1, sizeof(char *)), s->words.count};
    if (words.list && words.count)
        memcpy(words.list, s->words.list, words.count * sizeof *words.list);
    if (words.list && more)
        words.list[words.count++] = more;
    cli_question question = {.mechanism = s->mechanism,
                             .workloads = s->workload,
                             .preset = s->preset,
                             .fidelity = s->fidelity,
                             .seed = s->seed,
                             .settings = words.list ? &words : &s->words};
    int code = cli_question_plan(c, &question, &plan);
    if (code == EXIT_OK && plan->program && (s->lines || s->sweep)) {
        msw_err err = {0};
        msw_fail(&err, "%s: of a program, not yet", s->lines ? "--stdin" : "--sweep");
        code = cli_fail(&err);
    }
    if (code == EXIT_OK && s->errors)
        code = cli_own_errors(c, s->errors, plan);
    if (code == EXIT_OK)
        code = s->lines ? cli_answer_stream(plan) : answer(s, plan);
    msw_plan_free(plan);
    if (code == EXIT_OK && s->sweep)
        code = around(c, &question, s->sweep);
    free(words.list);
    free(more);
    return code;
}

const cli_command cli_command_eval = {
    .name = "eval",
    .doc = "evaluates one configuration on a workload",
    .about = "Evaluates one configuration on one workload or several and prints all metrics with "
             "their units and intervals, where the cycles go, and how near they are to what the "
             "busiest resource allows. Nothing is stored. A parameter that is not set keeps its "
             "default, or the value of the preset. With --format tsv, csv or json one row per "
             "workload is printed, as a query prints it.",
    .first = "workload fidelity preset details format",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
