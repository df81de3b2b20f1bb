/* SPDX-License-Identifier: MIT */
/* figure: a recipe (NAME.sql, NAME.gp) becomes a figure.
 *
 * The words a recipe's query may use (":metric", ":factor_at", ...) are one table, words.c.
 * What they stand for is looked up when a recipe asks for it, so a figure costs what it uses. */
#ifndef MEMSWEEP_FIGURE_FIGURE_H
#define MEMSWEEP_FIGURE_FIGURE_H

#include "memsweep/results/front.h"
#include "memsweep/results/reading.h"

#include "memsweep/sweep/outline.h"

enum { MSW_PLOT_COLUMNS = 16, MSW_PLOT_FACTORS = 2, MSW_PLOT_METRICS = 3 };

/* What a user asks for; NULL where nothing was said. */
typedef struct msw_figure_options {
    const char *sweep, *filter, *metrics, *factors, *detail, *recipes;
    bool beyond;   /* also rows beyond the limits of the sweep */
    bool doubtful; /* also rows that are not to be trusted */
    const char *format, *folder;
    const char *scale, *zoom; /* lists of metric=scale and metric=low:high */
    const char *rest;         /* auto, mean or hold: what varies and is no axis */
    const char *width;        /* auto, one or two columns of a page */
    const char *style;        /* a gnuplot file that changes the look */
    bool data;                /* keep the table behind each figure */
} msw_figure_options;

/* How the numbers of a metric lie on an axis; excess: logarithm of what they have above 1. */
typedef enum msw_plot_scale {
    MSW_SCALE_AUTO,
    MSW_SCALE_LINEAR,
    MSW_SCALE_LOG,
    MSW_SCALE_EXCESS
} msw_plot_scale;

/* Where a factor's values lie on an axis. */
typedef struct msw_axis {
    msw_text label;        /* name and unit */
    msw_text at;           /* SQL: position of a row */
    msw_text tics;         /* gnuplot: list of tics, empty for its own */
    msw_text step;         /* SQL: number of the level or bin, from 0 */
    msw_text steps;        /* gnuplot: tics of those */
    msw_text names, spots; /* gnuplot: every level's text, and where it is */
    size_t marks;          /* of these */
    bool log2, bins;
} msw_axis;

/* The rows that take part. */
typedef struct msw_plot_rows {
    msw_kept_rows kept;
    char *sampled;         /* filter that leaves a sample alone; or NULL */
    char *narrowed;        /* filter of a sweep at fidelity auto: rows in full alone; or NULL */
    msw_left_out left_out; /* rows beyond limits, and those with a doubt */
    msw_text sql;          /* the SELECT of them */
    bool counted;          /* how many there are, and by the set of metrics shown: */
    uint64_t count, dropped[1 << MSW_PLOT_METRICS]; /* rows without a value for them */
} msw_plot_rows;

typedef struct msw_plot_metrics {
    size_t count;
    char *names[MSW_PLOT_COLUMNS];
    msw_plot_scale scales[MSW_PLOT_COLUMNS]; /* of each metric, as it was asked for */
    double zoom[MSW_PLOT_COLUMNS][2];        /* ends of its axis; NaN: those of the data */
} msw_plot_metrics;

typedef struct msw_plot_factors {
    size_t axis_count, count; /* factors that may be an axis come first */
    char *names[MSW_PLOT_COLUMNS];
    bool varies[MSW_PLOT_COLUMNS];   /* in the rows that take part */
    msw_axis axes[MSW_PLOT_FACTORS]; /* found when a figure asks */
    bool axis_known[MSW_PLOT_FACTORS];
} msw_plot_factors;

/* The front of the metrics. */
typedef struct msw_plot_front_points {
    size_t count;
    double *points; /* their numbers; NULL: not asked for yet */
    size_t plane;   /* points to draw in the plane of the first two metrics */
    double *plane_points;
    bool judged;        /* whether it was asked which points may be on the front: */
    msw_text uncertain; /* those, as a list of JSON */
} msw_plot_front_points;

typedef struct msw_plot {
    const msw_context *context;
    msw_figure_options options;
    msw_store *store;
    msw_sweep_info sweep;
    msw_outline outline;
    char digest[9];
    msw_table columns; /* of the sweep's view, without rows */
    size_t workloads;
    msw_plot_rows rows;
    msw_plot_metrics metrics;
    msw_plot_factors factors;
    msw_plot_front_points front;
    char *wording; /* names in words: the lines of words.tsv */
    msw_err *err;
} msw_plot;

/* A figure on its way. */
typedef struct msw_figure {
    msw_plot *plot;
    const char *name;
    char *query_path, *gnuplot_path;
    bool metric_used[MSW_PLOT_METRICS];
    bool axis_used[MSW_PLOT_FACTORS];
    msw_text axes_list; /* what :axes stood for, as gnuplot words */
    msw_text axes_look; /* labels, scales and tics of these, as gnuplot arrays */
    size_t axes_count;
    msw_text slice;      /* the SELECT that :slice stood for */
    msw_text held;       /* levels that it holds, for the title */
    bool best;           /* it is the best row of each place */
    const char *best_by; /* by this objective; NULL: by what is shown */
    bool slice_used, series_used;
    msw_text stack; /* what :stack stood for, as gnuplot words */
    const char *stack_unit;
    bool front_used, judges;         /* judges: its query asks for :doubtful */
    const struct msw_detail *detail; /* NULL: not asked for */
    int detail_value;                /* which of its columns is shown */
    msw_text sql;
    msw_table table;
    uint64_t row_count, dropped;
} msw_figure;

/* open.c: opens the file, finds the sweep, its columns, metrics and factors. Returns 0, or -1.
 */
int msw_plot_open(msw_plot *plot, const char *file);
void msw_plot_free(msw_plot *plot);

/* The folder a database lies in. Returns its path, the caller's to free, or NULL. */
char *msw_plot_folder(const msw_context *context, const char *word);

/* Runs a SELECT. Returns 0, or -1. */
int msw_plot_select(msw_plot *plot, msw_text *sql, msw_table *table);

/* Column of the view by name. Returns it, or NULL with `err`. */
const msw_column *msw_plot_column(const msw_plot *plot, const char *name, msw_err *err);

/* Name and unit, as an axis shows them. */
void msw_plot_label(const msw_plot *plot, const msw_column *column, msw_text *out);

/* recipes.c: reads the names in words. Returns 0, or -1. */
int msw_plot_read_wording(msw_plot *plot);

/* Appends a column's name in words (`part` 1) or the phrase for one of its values (2: "%s
 * walkers"). Returns whether there is one. */
bool msw_plot_in_words(const msw_plot *plot, const char *name, int part, msw_text *out);

/* Appends "|name=words|" of all columns, for names that stand in tables of figures. */
void msw_plot_wording(const msw_plot *plot, msw_text *out);

/* recipes.c: names of all recipes in a table of one text column, sorted. Returns 0, or -1. */
int msw_plot_recipes(const msw_plot *plot, msw_table *names);

/* Finds the two files of a recipe. Returns 0, or -1 naming the nearest one. */
int msw_plot_find(msw_figure *figure);

/* tables.c: finds the front of the metrics, one per workload (`front` is zeroed, but for
 * what its `ask` asks beyond that). Returns 0, or
 * -1; the caller frees it with msw_front_free either way. */
int msw_plot_front(msw_plot *plot, msw_front *front);

/* Remembers its points for the figures, and those of all points that do not fall on one another in
 * the plane of the first two metrics. Returns 0, or -1. */
int msw_plot_keep_front(msw_plot *plot, const msw_front *front);

/* Does both where it was not done yet; `judge`: finds out, too, which points may be on the front.
 * Returns 0, or -1. */
int msw_plot_need_front(msw_plot *plot, bool judge);

/* words.c: puts what they stand for in the place of a query's words. Returns 0, or -1. */
int msw_plot_fill(msw_figure *figure, const char *query);

/* Whether number `index` of `of` things is among the `most` that are chosen at random: always the
 * same ones. Every n-th instead would share levels of a grid. */
bool msw_plot_is_chosen(uint64_t index, uint64_t of, uint64_t most);

/* tables.c: append what these words stand for: points at two fidelities, points that may be on
 * the front, and table (0), first column (1) and value (2) of the details. Return 0, or -1. */
int msw_plot_add_pairs(msw_figure *figure, size_t which);
int msw_plot_add_uncertain(msw_figure *figure, size_t which);
int msw_plot_add_detail(msw_figure *figure, size_t which);

/* columns.c: append a number as figures write it ("2 MiB", "100k", "0"), and a column's value. */
bool msw_plot_is_bytes(const msw_column *column);
void msw_plot_number(bool bytes, double value, msw_text *out);
void msw_plot_value(const msw_column *column, double value, msw_text *out);

/* columns.c: reads the options that say how metrics lie on their axes. Returns 0, or -1. */
int msw_plot_scales(msw_plot *plot);
const char *msw_plot_scale_name(msw_plot_scale scale);

/* slice.c: appends the SELECT of the rows shown where a figure has one value for a place: all of
 * them, for a mean, or those at one level of all that varies and is no axis. Returns 0, or -1. */
int msw_plot_slice(msw_figure *figure, msw_text *rows);

/* columns.c: counts rows and finds what varies, once. Returns 0, or -1. */
int msw_plot_count(msw_plot *plot);

/* Name and unit of the first column or the value of the details shown. */
void msw_plot_detail_label(const msw_figure *figure, bool value, msw_text *out);

/* axis.c: finds out how a factor is laid out; at most `levels` bins for a range. Returns 0, or
 * -1. */
int msw_plot_axis(msw_plot *plot, const char *column, int bins, msw_axis *axis);
void msw_axis_free(msw_axis *axis);

/* script.c: append a text as gnuplot shows it: as a string constant; as a cell of a table.
 */
void msw_plot_quote(const char *text, msw_text *out);
void msw_plot_cell(const char *text, msw_text *out);

/* Files in the folder that gnuplot runs in. */
#define MSW_PLOT_TABLE  "table.tsv"
#define MSW_PLOT_RECIPE "recipe.gp"
#define MSW_PLOT_OUTPUT "figure"
#define MSW_PLOT_STYLE  "own_style.gp"
enum { MSW_PLOT_FOLDERS = 6 }; /* recipes0, recipes1, ...: where gnuplot looks for files */

/* The gnuplot script of a figure. */
void msw_plot_script(const msw_figure *figure, msw_text *script);

typedef struct msw_plot_file {
    char *path, *figure;
} msw_plot_file;

/* What became of the figures asked for. */
typedef struct msw_plot_outcome {
    msw_plot_file *written;
    size_t written_count;
    msw_text skipped; /* names and reasons, one a line */
    size_t drawn, without_gnuplot;
} msw_plot_outcome;
void msw_plot_outcome_free(msw_plot_outcome *outcome);

/* Appends the file name of a figure. */
void msw_plot_name(const char *sweep, const char *figure, const char *format, msw_text *out);

/* draw.c: makes one figure, those of a list, or all that the sweep has something for. Return
 * 0, or -1. */
int msw_plot_make(msw_plot *plot, const char *name, bool asked, msw_plot_outcome *outcome);
int msw_plot_make_listed(msw_plot *plot, const char *list, msw_plot_outcome *outcome);
int msw_plot_make_all(msw_plot *plot, msw_plot_outcome *outcome);

#endif
