/* SPDX-License-Identifier: MIT */
/* Private to cli: operands and options that several commands have, written down once; the settings
 * of a command need the field that is named. */
#ifndef MSW_CLI_SHARED_OPTIONS_H
#define MSW_CLI_SHARED_OPTIONS_H

#include "cli/cli.h"

#define CLI_FILE_OPERAND(type)                                                                     \
    MSW_ROW(.name = "file", .kind = CLI_DATABASE, .count = CLI_ONE,                                \
            .help = "a database, or the name of a sweep in the results folder",                    \
            .offset = offsetof(type, file))
#define CLI_SWEEP_OPERAND(type)                                                                    \
    MSW_ROW(.name = "sweep", .kind = CLI_SWEEP, .count = CLI_ONE,                                  \
            .help =                                                                                \
                "a sweep file, - for standard input, or the name of one that comes with memsweep", \
            .offset = offsetof(type, sweep))
#define CLI_SWEEP_OPTION(type)                                                                     \
    MSW_ROW(.name = "sweep", .letter = 's', .kind = CLI_TEXT, .arg = "NAME",                       \
            .help = "the sweep to read, when the file holds several",                              \
            .offset = offsetof(type, sweep))
#define CLI_FIDELITY_OPTION(type)                                                                  \
    MSW_ROW(.name = "fidelity", .kind = CLI_CHOICE, .arg = "NAME",                                 \
            .help = "the sweep's rows at analytic, sampled, full or auto; else the best of these " \
                    "that is complete",                                                            \
            .offset = offsetof(type, fidelity), .choices = cli_plan_fidelities)
extern const char *const cli_overs[];
#define CLI_OVER_OPTIONS(type)                                                                     \
    MSW_ROW(.name = "over", .kind = CLI_CHOICE, .arg = "workload|none",                            \
            .help = "workload: one row per design, its metrics over all workloads, taken together" \
                    " by --by; none: rows as they are; else what the sweep's own `auto` says",     \
            .offset = offsetof(type, over), .choices = cli_overs),                                 \
        MSW_ROW(.name = "by", .kind = CLI_TEXT, .arg = "HOW",                                      \
                .help = "worst, mean, geomean or weighted(a=2, b=1), of each metric over the "     \
                        "workloads; worst(a, b) takes these two alone; else worst",                \
                .offset = offsetof(type, by))
/* Options that choose the rows of a file. */
#define CLI_WHICH_OPTIONS(type)                                                                    \
    CLI_SWEEP_OPTION(type), CLI_FIDELITY_OPTION(type), CLI_OVER_OPTIONS(type)
extern const char *const cli_limits[];
#define CLI_LIMITS_OPTION(type)                                                                    \
    MSW_ROW(.name = "limits", .kind = CLI_CHOICE, .arg = "on|off", .def = "on",                    \
            .help = "off: also rows beyond the limits (`subject_to`) of the sweep take part",      \
            .offset = offsetof(type, limits), .choices = cli_limits)
#define CLI_DOUBTFUL_OPTION(type)                                                                  \
    MSW_ROW(.name = "doubtful", .kind = CLI_FLAG,                                                  \
            .help = "also rows that say they are not to be trusted (column doubt) take part",      \
            .offset = offsetof(type, doubtful))
/* Of the commands that show rows as they are. */
#define CLI_LIMITS_ROWS(type)                                                                      \
    MSW_ROW(.name = "limits", .kind = CLI_CHOICE, .arg = "on|off", .def = "off",                   \
            .help = "on: only rows within the limits (`subject_to`) of the sweep",                 \
            .offset = offsetof(type, limits), .choices = cli_limits)
#define CLI_FILTER_OPTION(type)                                                                    \
    MSW_ROW(.name = "filter", .letter = 'w', .kind = CLI_EXPRESSION, .arg = "EXPRESSION",          \
            .help = "only rows for which it holds take part; - reads it from standard input",      \
            .offset = offsetof(type, filter))
#define CLI_ORDER_OPTION(type)                                                                     \
    MSW_ROW(.name = "order", .kind = CLI_TEXT, .arg = "LIST",                                      \
            .help = "e.g. 'slowdown DESC, ptw_count'; else the plan's order",                      \
            .offset = offsetof(type, order))

#define CLI_PROGRAM_OPTIONS(type)                                                                  \
    MSW_ROW(.name = "program", .kind = CLI_FILE, .arg = "FILE",                                    \
            .help = "the definition of the sweep's program, which may be started then; without "   \
                    "it 'memsweep allow' must have said so",                                       \
            .offset = offsetof(type, program)),                                                    \
        MSW_ROW(.name = "work", .kind = CLI_FILE, .arg = "DIR",                                    \
                .help = "where the folders of a program's runs are made; else beside the "         \
                        "database",                                                                \
                .offset = offsetof(type, work))

#define CLI_FORMAT(type)                                                                           \
    MSW_ROW(.name = "format", .letter = 'f', .kind = CLI_CHOICE, .arg = "FORMAT", .def = "text",   \
            .help = "text, tsv, csv, json or record (a line per column)",                          \
            .offset = offsetof(type, format), .choices = cli_formats)

/* Of the commands that read a sweep file. */
#define CLI_PLAN_FIDELITY(type)                                                                    \
    MSW_ROW(.name = "fidelity", .kind = CLI_CHOICE, .arg = "NAME",                                 \
            .help = "analytic, sampled, full or auto, instead of the file's",                      \
            .offset = offsetof(type, fidelity), .choices = cli_plan_fidelities)
#define CLI_PLAN_SEED(type)                                                                        \
    MSW_ROW(.name = "seed", .kind = CLI_INTEGER, .arg = "N", .def = "-1",                          \
            .help = "seed instead of the file's; -1 keeps it", .offset = offsetof(type, seed),     \
            .min = -1, .max = INT64_MAX)
#define CLI_RUN_OUTPUT(type)                                                                       \
    MSW_ROW(.name = "output", .letter = 'o', .kind = CLI_DATABASE, .arg = "FILE",                  \
            .help = "the database, instead of results/<name of the sweep>.db",                     \
            .offset = offsetof(type, file))
#define CLI_RUN_THREADS(type)                                                                      \
    MSW_ROW(.name = "threads", .letter = 't', .kind = CLI_INTEGER, .arg = "N", .def = "0",         \
            .help = "threads; 0: OMP_NUM_THREADS or as many as CPUs allowed",                      \
            .offset = offsetof(type, threads), .max = 4096)

/* Options that say where the page of a paper and its databases go. */
#define CLI_PAPER_OUTPUT(type, text)                                                               \
    MSW_ROW(.name = "docs", .letter = 'o', .kind = CLI_FILE, .arg = "DIR", .help = text,           \
            .offset = offsetof(type, docs)),                                                       \
        MSW_ROW(.name = "no-figures", .kind = CLI_FLAG, .help = "draws nothing",                   \
                .offset = offsetof(type, no_figures)),                                             \
        MSW_ROW(.name = "results", .kind = CLI_FILE, .arg = "DIR",                                 \
                .help = "where the databases go, instead of results/paper",                        \
                .offset = offsetof(type, results))

/* Rows that mean the same in all commands and are explained for each. */
#define CLI_QUIET(type, text)                                                                      \
    MSW_ROW(.name = "quiet", .letter = 'q', .kind = CLI_FLAG, .help = text,                        \
            .offset = offsetof(type, quiet))
#define CLI_RETRY(type, text)                                                                      \
    MSW_ROW(.name = "retry", .kind = CLI_FLAG, .help = text, .offset = offsetof(type, retry))
#define CLI_DISTINCT(type)                                                                         \
    MSW_ROW(.name = "distinct", .kind = CLI_FLAG,                                                  \
            .help =                                                                                \
                "one line for designs that differ only where no metric depends on it: `alike` "    \
                "counts them, and what they differ in stays empty",                                \
            .offset = offsetof(type, distinct))
#define CLI_COLUMNS(type, text)                                                                    \
    MSW_ROW(.name = "columns", .letter = 'c', .kind = CLI_EXPRESSION, .arg = "LIST", .help = text, \
            .offset = offsetof(type, columns))
#define CLI_ALL(type, text)                                                                        \
    MSW_ROW(.name = "all", .letter = 'a', .kind = CLI_FLAG, .help = text,                          \
            .offset = offsetof(type, all))
#define CLI_CONFIDENCE(type, text)                                                                 \
    MSW_ROW(.name = "confidence", .kind = CLI_TEXT, .arg = "SHARE", .def = "95%", .help = text,    \
            .offset = offsetof(type, confidence))
#define CLI_DRAW_SEED(type, text)                                                                  \
    MSW_ROW(.name = "seed", .kind = CLI_INTEGER, .arg = "N", .def = "1", .help = text,             \
            .offset = offsetof(type, seed), .max = INT64_MAX)
#define CLI_FIGURES(type, text)                                                                    \
    MSW_ROW(.name = "figure", .letter = 'F', .kind = CLI_TEXT, .arg = "LIST", .help = text,        \
            .offset = offsetof(type, figure))
#define CLI_METRICS(type, text)                                                                    \
    MSW_ROW(.name = "metric", .letter = 'm', .kind = CLI_TEXT, .arg = "LIST", .help = text,        \
            .offset = offsetof(type, metric))
#define CLI_FACTORS(type, text)                                                                    \
    MSW_ROW(.name = "factor", .letter = 'x', .kind = CLI_TEXT, .arg = "LIST", .help = text,        \
            .offset = offsetof(type, factor))

#endif
