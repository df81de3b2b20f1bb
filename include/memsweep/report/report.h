/* SPDX-License-Identifier: MIT */
/* report: a sweep of a database becomes one page that needs nothing else.
 *
 * The page is analysis/report: a template, its look, and scripts that show the JSON and the packed
 * columns put into it (docs/report.md). Whatever comes out of the database is JSON or numbers there
 * and is shown as text, never as HTML. */
#ifndef MEMSWEEP_REPORT_REPORT_H
#define MEMSWEEP_REPORT_REPORT_H

#include "memsweep/figure/figure.h"
#include "memsweep/report/code.h"

enum {
    MSW_REPORT_ROWS = 1 << 20,   /* in a page; more are thinned evenly */
    MSW_REPORT_WHOLE = 20000,    /* up to so many rows, and */
    MSW_REPORT_CELLS = 700000,   /* cells, a page holds every column exactly */
    MSW_REPORT_EXACT = 5000,     /* rows that a larger one holds exactly */
    MSW_REPORT_SAMPLE = 500,     /* of them chosen evenly, if the front leaves no room for more */
    MSW_REPORT_AT_ONCE = 200000, /* with more, what reads all of them again is named as a command */
    MSW_REPORT_MORE = 2,         /* columns in addition to objectives and factors */
    MSW_REPORT_LEVELS = 4096,    /* distinct values that a column of a larger page keeps exactly */
    MSW_REPORT_BYTES = 10000000, /* of a page */
    MSW_REPORT_FIGURES = 3000000, /* of them for figures */
};

/* A column of the page. */
typedef struct msw_report_column {
    const msw_column *about; /* name, unit, goal */
    msw_coder coder;
    uint16_t *codes;
    double *values; /* what is to be coded, of each row shown */
    size_t period;  /* codes that are packed: the others repeat them */
    char **labels;
    size_t label_count;
    int log_base;             /* 2, 10, or 0: best shown linear */
    msw_coded packed, levels; /* in the body */
    const char *left_out;     /* why; NULL: it is in the page */
} msw_report_column;

/* What a user asks for; NULL: not said. */
typedef struct msw_report_options {
    const char *figures, *library;
    const char *file;   /* the database, as its user names it */
    const char *called; /* what the page's commands call it; NULL: the same */
    const char *more;   /* columns that a large page holds, too; NULL: chosen */
    const char *pin;    /* rows that it holds exactly, in addition to the front: an expression */
    unsigned watch;     /* seconds after which the page loads itself again; 0: never */
    const char *before; /* what earlier pages of a watched run wrote (msw_report_moment); or NULL */
    bool no_figures;
} msw_report_options;

/* The rows of a page. */
typedef struct msw_report_chosen {
    size_t total;    /* rows that have all objectives */
    size_t shown;    /* of them in the page */
    size_t front;    /* on the front */
    size_t pinned;   /* asked for by `pin` */
    size_t left_out; /* rows without a value for an objective */
    bool whole;      /* every column of every row, exactly */
    bool complete;   /* every point of the plan has a row */
    msw_table table; /* those that are there exactly */
    size_t exact, front_shown, pinned_shown;
    uint32_t *points;      /* of each row shown: its point */
    uint32_t *exact_rows;  /* of each row of `table`: its number among those shown */
    uint32_t *front_rows;  /* numbers of rows on the front */
    uint32_t *pinned_rows; /* numbers of rows asked for */
} msw_report_chosen;

/* What is written so far. */
typedef struct msw_report_parts {
    size_t insights;
    msw_text data;    /* JSON */
    msw_text body;    /* packed columns, in base64 */
    msw_text figures; /* HTML */
    msw_text script, worker, style, page, library;
} msw_report_parts;

typedef struct msw_report {
    msw_plot plot;
    msw_report_options options;
    msw_report_chosen chosen;
    msw_report_column *columns;
    size_t column_count;
    msw_report_parts parts;
} msw_report;

/* page.c: the page beside a database. Returns its path, the caller's to free, or NULL. */
char *msw_report_path(const msw_context *context, const char *word);

/* Makes the page of a database, found as users name it; `drawn` is false where there is no gnuplot.
 * Returns 0, or -1. */
int msw_report_make(msw_report *report, const char *file, const char *path, bool *drawn);
void msw_report_free(msw_report *report);

/* rows.c: chooses the rows of the page, reads those that are exact, and codes the columns of all.
 * Returns 0, or -1. */
int msw_report_rows(msw_report *report);

/* columns.c: chooses the columns of the page, and codes them; `take` says of each row of the
 * front's values whether it is shown. Returns 0, or -1. */
int msw_report_columns(msw_report *report, const msw_front *front, const bool *take);

/* columns.c: whether a column of the rows read differs from row to row, or is one to show anyway.
 */
bool msw_report_is_shown(const msw_report *report, const msw_column *column);

/* data.c: writes everything that the page shows into `data`. Returns 0, or -1. */
int msw_report_data(msw_report *report);

/* Appends what a page knows of a run at this moment, as JSON: the time, rows, points without an
 * answer, those on the front, the best of each objective and, if asked, the front itself. */
void msw_report_moment(const msw_report *report, bool front, msw_text *out);

/* Appends "name": "value". */
void msw_report_named(const char *name, const char *value, msw_text *out);

/* Whether a column is a parameter that the sweep varies. */
bool msw_report_is_factor(const msw_report *report, const char *name);

/* The parameter of that name, of the mechanism or of a front end. Returns it, or NULL. */
const msw_param *msw_report_param(const msw_report *report, const char *name);

/* body.c: packs rows and columns, and writes the JSON that says where. Returns 0, or -1. */
int msw_report_cells(msw_report *report);

/* about.c: finds out whether every point has a row: to be asked before the rows are read, since a
 * run may go on. Returns 0, or -1. */
int msw_report_complete(msw_report *report);

/* The parts of the JSON that say what was run. Returns 0, or -1. */
int msw_report_about(msw_report *report);

/* Appends a table under a name, its cells as text. */
void msw_report_table(msw_report *report, const char *name, const msw_table *table);

/* The parts of the sweep that a file made from a selection keeps, as YAML. */
void msw_report_settings(const msw_report *report, msw_text *out);

/* insight.c: what else is known of the sweep: the front over its workloads, importance of factors,
 * agreement of fidelities, points that may be on the front. What cannot be had says why. Returns 0,
 * or -1. */
int msw_report_insight(msw_report *report);

/* page.c: finds the template and D3. Returns 0, or -1 saying what to install. */
int msw_report_find(msw_report *report);

/* Writes the page; `input` is the database. Returns 0, or -1. */
int msw_report_write(const msw_report *report, const char *path, const char *input);

#endif
