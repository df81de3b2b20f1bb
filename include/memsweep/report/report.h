/* report: a sweep of a database becomes one page that needs nothing else.
 *
 * The page is analysis/report: a template, its look, and a script that shows the JSON put into it.
 * Whatever comes out of the database goes into that JSON and is shown as text, never as HTML. */
#ifndef MEMSWEEP_REPORT_REPORT_H
#define MEMSWEEP_REPORT_REPORT_H

#include "memsweep/figure/figure.h"

enum { MSW_REPORT_ROWS = 20000, MSW_REPORT_CELLS = 700000 };

typedef struct msw_report {
    msw_plot plot;
    const char *figures_list, *library;
    bool no_figures;
    msw_table rows; /* those in the page */
    bool *on_front; /* of each of them */
    size_t total;   /* rows that have all objectives */
    size_t front;   /* of them on the front */
    size_t shown_front;
    size_t left_out;  /* rows without a value for an objective */
    msw_text data;    /* JSON */
    msw_text figures; /* HTML */
    msw_text script, style, page, library_text;
} msw_report;

/* make.c: the page beside a database. Returns its path, the caller's to free, or NULL. */
char *msw_report_path(const msw_context *context, const char *word);

/* Makes the page of a database, found as users name it; `drawn` is false where there is no gnuplot.
 * Returns 0, or -1. */
int msw_report_make(msw_report *report, const char *file, const char *path, bool *drawn);
void msw_report_free(msw_report *report);

/* rows.c: chooses the rows of the page and reads them. Returns 0, or -1. */
int msw_report_rows(msw_report *report);

/* data.c: writes everything that the page shows into `data`. Returns 0, or -1. */
int msw_report_data(msw_report *report);

/* Whether a column is a parameter that the sweep varies. */
bool msw_report_is_factor(const msw_report *report, const char *name);

/* about.c: the parts of the JSON that say what was run. Return 0, or -1. */
int msw_report_about(msw_report *report);

/* The parts of the sweep that a file made from a selection keeps, as YAML. */
void msw_report_settings(const msw_report *report, msw_text *out);

/* figures.c: draws what `figures_list` names, NULL: all, and puts them into `figures`.
 * Returns 0, 1 when there is no gnuplot, or -1. */
int msw_report_figures(msw_report *report);

/* page.c: finds the template and D3. Returns 0, or -1 saying what to install. */
int msw_report_find(msw_report *report);

/* Writes the page; `input` is the database. Returns 0, or -1. */
int msw_report_write(const msw_report *report, const char *path, const char *input);

#endif
