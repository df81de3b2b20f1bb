/* SPDX-License-Identifier: MIT */
#include "cli/shared_options.h"
#include "memsweep/explore/drive.h"
#include "memsweep/run/estimate.h"
#include "memsweep/sweep/idle.h"
#include "memsweep/sweep/preview.h"

#include <inttypes.h>

typedef struct settings {
    const char *sweep, *fidelity, *format;
    int64_t seed, first, threads, ranks;
    double trial;
    bool canonical;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_SWEEP_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    MSW_ROW(.name = "first", .letter = 'n', .kind = CLI_INTEGER, .arg = "N", .def = "5",
            .help = "how many points to show", .offset = offsetof(settings, first), .max = 1000000),
    MSW_ROW(.name = "trial", .kind = CLI_SECONDS, .arg = "TIME", .def = "0.5s",
            .help = "time to spend on evaluating points for the estimate; 0: no estimate",
            .offset = offsetof(settings, trial)),
    MSW_ROW(.name = "threads", .letter = 't', .kind = CLI_INTEGER, .arg = "N", .def = "0",
            .help = "threads of the run to estimate; 0: as many as CPUs",
            .offset = offsetof(settings, threads), .max = 4096),
    MSW_ROW(.name = "ranks", .kind = CLI_INTEGER, .arg = "N", .def = "1",
            .help = "ranks of the run to estimate, each with that many threads",
            .offset = offsetof(settings, ranks), .min = 1, .max = 1000000),
    CLI_PLAN_FIDELITY(settings),
    CLI_PLAN_SEED(settings),
    MSW_ROW(.name = "canonical", .kind = CLI_FLAG,
            .help = "prints the sweep in its canonical form, with everything resolved",
            .offset = offsetof(settings, canonical)),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {"memsweep plan sweeps/quickstart.yaml",
                                       "memsweep plan quickstart --first 20 --format tsv", NULL};

/* Of a sweep at fidelity auto, what comes after its round 0. */
static int add_rounds(const msw_plan *plan, const msw_run_size *size, double trial, msw_text *text,
                      msw_err *err)
{
    msw_run_estimate full;
    char seconds[32], each[32];
    const msw_plan *part = msw_plan_full(plan);
    if (!part)
        return 0;
    msw_explore_forecast(plan, text);
    if (trial <= 0)
        return 0;
    if (msw_run_estimate_plan(part, trial, &full, err))
        return -1;
    double points = (double)msw_auto_budget(plan);
    msw_text_add(text,
                 "           at full %s per point, %" PRIu64
                 " tried: about %s in addition to the time "
                 "above\n",
                 msw_point_time_text(full.point_seconds, each), full.tried,
                 msw_duration_text(
                     points * full.point_seconds / ((double)size->ranks * size->threads), seconds));
    return 0;
}

static int print_summary(const msw_plan *plan, const settings *s, msw_err *err)
{
    msw_text text = MSW_TEXT_EMPTY;
    msw_run_size size = {(int)s->ranks, s->threads ? (int)s->threads : cli_default_threads()};
    if (msw_explore_check(plan, err) || msw_run_summary(plan, &size, s->trial, &text, err) ||
        add_rounds(plan, &size, s->trial, &text, err) || msw_plan_idle(plan, &text, err)) {
        msw_text_free(&text);
        return cli_fail(err);
    }
    if (s->first)
        msw_text_add(&text, "\n");
    return cli_print(&text);
}

static int print_points(const msw_plan *plan, const settings *s, bool text, msw_err *err)
{
    msw_table table = {0};
    msw_format_style style = {.width = cli_terminal_width(), .hide_same = true, .no_footer = true};
    int code = msw_plan_first_points(plan, (uint64_t)s->first, &table, err)
                   ? cli_fail(err)
                   : cli_print_table(&table, s->format, text ? &style : NULL);
    msw_table_free(&table);
    return code;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_plan *plan = NULL;
    bool text = msw_format_find(s->format) == MSW_FORMAT_TEXT;
    int code = cli_load_plan(c, s->sweep, s->fidelity, s->seed, &plan);
    if (code)
        return code;
    if (s->canonical) {
        fputs(plan->canonical, stdout);
    } else {
        code = text ? print_summary(plan, s, &err) : EXIT_OK;
        if (code == EXIT_OK && (s->first || !text))
            code = print_points(plan, s, text, &err);
    }
    msw_plan_free(plan);
    return code;
}

const cli_command cli_command_plan = {
    .name = "plan",
    .doc = "shows what a sweep will compute, and what it will cost",
    .about = "Counts the points, shows the first ones and estimates time, memory and file size by "
             "evaluating a few points spread over the plan. Nothing is stored. With --format tsv, "
             "csv or json only the points are printed.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
