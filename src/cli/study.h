/* Private to the commands that ask how an output depends on factors: rows of a file become cases.
 *
 * A case is a point of the design within a group. Where several workloads or replicates answer one
 * point, the case is their mean, and it has no value unless all of them have one. */
#ifndef MEMSWEEP_CLI_STUDY_H
#define MEMSWEEP_CLI_STUDY_H

#include "grouping.h"
#include "reading.h"

#include "memsweep/axis.h"
#include "memsweep/outline.h"

/* The options all of them have; the settings need these fields. */
#define CLI_STUDY_OPTIONS(type)                                                                    \
    CLI_SWEEP_OPTION(type),                                                                        \
        {"metric",                                                                                 \
         'm',                                                                                      \
         CLI_TEXT,                                                                                 \
         "EXPRESSION",                                                                             \
         NULL,                                                                                     \
         "the output: a metric, a derived column or an expression of them; else the only "         \
         "objective of the sweep, or the mechanism's primary metric",                              \
         offsetof(type, metric),                                                                   \
         NULL,                                                                                     \
         0,                                                                                        \
         0},                                                                                       \
        {"factors",                                                                                \
         0,                                                                                        \
         CLI_TEXT,                                                                                 \
         "LIST",                                                                                   \
         NULL,                                                                                     \
         "columns to take for factors, e.g. gain,workload; else what the sweep varies",            \
         offsetof(type, factors),                                                                  \
         NULL,                                                                                     \
         0,                                                                                        \
         0},                                                                                       \
        {"group-by",                                                                               \
         'g',                                                                                      \
         CLI_TEXT,                                                                                 \
         "LIST",                                                                                   \
         NULL,                                                                                     \
         "one result per value of a column or several, e.g. workload,page_size",                   \
         offsetof(type, group_by),                                                                 \
         NULL,                                                                                     \
         0,                                                                                        \
         0},                                                                                       \
        CLI_FILTER_OPTION(type)

/* What a user asks for; NULL where nothing was said. */
typedef struct cli_study_ask {
    const char *metric, *group_by, *filter, *factors;
} cli_study_ask;

/* One thing that varies. Numbers stand on the scale of their parameter, 0 to 1; levels count from 0
 * in rising order, labels in the order of their appearance. */
typedef struct cli_factor {
    char *name;
    bool constant, unordered;
    msw_axis axis;     /* of numbers */
    double low, high;  /* of the values, as they are */
    size_t levels;     /* 0: a range */
    double *values;    /* of each level; NULL for splits */
    double *positions; /* of each level; NULL for labels and splits */
    size_t column_count;
    size_t columns[16]; /* in the table read */
    double *x;          /* of each case: position, or number of the label */
    uint32_t *level;    /* of each case; NULL for a range */
    const char *const *labels;
} cli_factor;

typedef struct cli_study {
    cli_study_ask ask;
    msw_store *store;
    msw_sweep_info sweep;
    msw_outline outline;
    msw_table table; /* as read */
    char *metric;    /* name or expression looked at */
    size_t factor_count;
    cli_factor *factors;
    size_t n;         /* cases, by group and design point */
    size_t *row;      /* first row of each case in the table */
    double *y;        /* of each case; NaN: none */
    uint64_t *design; /* its design point */
    cli_grouping grouping;
    uint32_t *group; /* of each case */
    uint32_t group_count;
    size_t *group_first;                          /* group_count + 1 */
    size_t failed, infeasible, undefined, absent; /* rows without a value, by reason */
    size_t most;                                  /* rows that make one case */
    msw_err *err;
} cli_study;

/* Opens the file and finds the sweep. Returns 0, or -1. */
int cli_study_open(const cli *c, const char *file, const char *sweep, msw_store_mode mode,
                   cli_study *study);

/* Reads the rows. Returns 0, or -1. */
int cli_study_read(cli_study *study);
void cli_study_free(cli_study *study);

/* study_factors.c: which columns vary and how. Returns 0, or -1. */
int cli_study_name_factors(cli_study *study);
int cli_study_place_factors(cli_study *study);
void cli_study_free_factors(cli_study *study);

/* Where a value as it stands in rows is among x: its position, or the number of its label. Returns
 * it. */
double cli_factor_place(const cli_factor *factor, double value);

/* The parameter of that name, of the mechanism or of a front end. Returns it, or NULL. */
const msw_param *cli_study_param(const cli_study *study, const char *name);

/* Number of the level with that value. Returns it, or -1. */
int cli_factor_level(const cli_factor *factor, double value);

/* Says, for a note, what the cases are and what has no value. */
void cli_study_note(const cli_study *study, msw_text *out);

#endif
