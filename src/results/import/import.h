/* SPDX-License-Identifier: MIT */
/* Private to results: a table on its way from text to a sweep. */
#ifndef MSW_RESULTS_IMPORT_IMPORT_H
#define MSW_RESULTS_IMPORT_IMPORT_H

#include "memsweep/results/import.h"

#include "memsweep/base/csv.h"
#include "memsweep/base/map.h"
#include "memsweep/program/external.h"

#include <stdio.h>

enum {
    IMPORT_NAME = 64,     /* room for a name or a unit */
    IMPORT_LABELS = 4096, /* different words of one column */
    IMPORT_LABEL = 200,   /* bytes of one */
    IMPORT_COLUMNS = 512, /* inputs and outputs */
    IMPORT_DERIVED = 64   /* columns made of others */
};

typedef struct import_column {
    char title[IMPORT_NAME * 4]; /* as the header has it, cut */
    char name[IMPORT_NAME], unit[IMPORT_NAME];
    size_t field, half; /* in a record; of its half-widths, or MSW_CSV_ABSENT */
    bool output, log;
    bool text;  /* asked for, or found: cells are numbers of labels */
    bool whole; /* all numbers are whole */
    msw_goal goal;
    double from, to; /* of the range as asked for, or of the cells */
    bool ranged;     /* asked for */
    char **words;    /* cells as they were written, until they are read */
    char **half_words;
    double *cells, *halves;
    msw_strings labels; /* words, numbered as they come; into the text of the file */
    double *levels;     /* of an input: distinct cells, numbers rising */
    size_t level_count;
} import_column;

struct msw_import {
    msw_import_ask ask;
    msw_fidelity fidelity;
    char *text; /* of the file, or NULL: the caller's */
    msw_csv csv;
    size_t titles;
    char *title[MSW_CSV_FIELDS];
    size_t rows, *line; /* where each row begins */
    size_t input_count, output_count;
    import_column *inputs, *outputs, workload; /* workload.words NULL: there is one */
    size_t undefined, infinite, empty;         /* cells; rows without any output */
    const char *design;
    bool complete_grid, second_order;
    uint64_t designs, replicates;
    uint32_t *design_of, *replicate_of, *workload_of; /* of each row */
    size_t *row_of;                                   /* of each point, SIZE_MAX: none */
    msw_digest *key;                                  /* of each row */
    msw_external *external;
    msw_plan plan;
    msw_err *err;
};

/* ---- columns.c ---- */

/* Reads --inputs, --outputs and --workload against the header. Returns 0, or -1. */
int import_columns(msw_import *m);

/* ---- cells.c ---- */

/* Reads all records, then turns words into numbers and labels. Return 0, or -1. */
int import_records(msw_import *m);
int import_cells(msw_import *m);

/* ---- design.c ---- */

/* Numbers workloads, designs and repetitions of the rows. Returns 0, or -1. */
int import_design(msw_import *m);

/* Whether rows are in an order that means something. */
bool import_in_order(const msw_import *m);

/* ---- blocks.c ---- */

/* Checks the base rows of saltelli and the trajectories of morris. Returns 0, or -1. */
int import_blocks(msw_import *m);

/* ---- plan.c ---- */

/* Makes mechanism, plan and keys. Returns 0, or -1. */
int import_plan(msw_import *m);
void import_plan_free(msw_import *m);

/* ---- derive.c ---- */

/* Adds the columns of --derive and the limits to the plan. Returns 0, or -1. */
int import_derive(msw_import *m);

/* Where a row is in messages: "results.csv:7". */
#define IMPORT_AT(m, row) (m)->ask.file, (m)->line[row]

#endif
