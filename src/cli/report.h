/* Private to `report`: a sweep of a database becomes one page that needs nothing else.
 *
 * The page is analysis/report: a template, its look, and a script that shows the JSON put into it.
 * Whatever comes out of the database goes into that JSON and is shown as text, never as HTML. */
#ifndef MEMSWEEP_CLI_REPORT_H
#define MEMSWEEP_CLI_REPORT_H

#include "plot.h"

enum { CLI_REPORT_ROWS = 20000, CLI_REPORT_CELLS = 700000 };

typedef struct cli_report {
    cli_plot plot;
    const char *figures_list, *library;
    msw_table rows; /* those in the page */
    bool *on_front; /* of each of them */
    size_t total;   /* rows that have all objectives */
    size_t front;   /* of them on the front */
    size_t shown_front;
    size_t left_out;  /* rows without a value for an objective */
    msw_text data;    /* JSON */
    msw_text figures; /* HTML */
    msw_text script, style, page, library_text;
} cli_report;

/* report_rows.c: chooses the rows of the page and reads them. Returns 0, or -1. */
int cli_report_rows(cli_report *report);

/* report_data.c: writes everything that the page shows into `data`. Returns 0, or -1. */
int cli_report_data(cli_report *report);

/* Whether a column is a parameter that the sweep varies. */
bool cli_report_is_factor(const cli_report *report, const char *name);

/* report_about.c: the parts of the JSON that say what was run. Return 0, or -1. */
int cli_report_about(cli_report *report);

/* The parts of the sweep that a file made from a selection keeps, as YAML. */
void cli_report_settings(const cli_report *report, msw_text *out);

/* report_figures.c: draws what `figures_list` names, NULL: all, and puts them into `figures`.
 * Returns 0, 1 when there is no gnuplot, or -1. */
int cli_report_figures(cli_report *report);

/* report_page.c: finds the template and D3. Returns 0, or -1 saying what to install. */
int cli_report_find(cli_report *report);

/* Writes the page; `input` is the database. Returns 0, or -1. */
int cli_report_write(const cli_report *report, const char *path, const char *input);

#endif
