/* SPDX-License-Identifier: MIT */
/* outfile: every file that a command writes, but for databases, is opened here.
 *
 * What is at the path already is looked at first: a database, a file that the command reads or
 * something that memsweep did not write is refused and stays as it is. The new bytes go to a file
 * beside it and take its place when all have arrived. */
#ifndef MEMSWEEP_FORMAT_OUTFILE_H
#define MEMSWEEP_FORMAT_OUTFILE_H

#include "memsweep/base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

typedef enum msw_output_kind {
    MSW_OUTPUT_TABLE,  /* TSV, CSV, JSON: carries no mark, so any text may be replaced but our own
                          pages */
    MSW_OUTPUT_SWEEP,  /* a sweep file */
    MSW_OUTPUT_PAGE,   /* HTML */
    MSW_OUTPUT_FIGURE, /* SVG, PNG, PDF */
    MSW_OUTPUT_SCRIPT, /* a job script */
    MSW_OUTPUT_PAPER,  /* Markdown */
    MSW_OUTPUT_REGION, /* Markdown of calibrate */
    MSW_OUTPUT_ERRORS, /* a table of errors */
} msw_output_kind;

/* Start from a zeroed struct; write to `file`. */
typedef struct msw_outfile {
    FILE *file;
    char *path, *part; /* part NULL: `file` is no file on a disk */
    bool existed;
    struct stat before;
} msw_outfile;

/* Opens an output; `input` (may be NULL) is a file that the command reads. Returns 0, or -1. */
int msw_outfile_open(msw_outfile *out, const char *path, msw_output_kind content, const char *input,
                     msw_err *err);

/* Says beforehand whether it would be refused. Returns 0, or -1. */
int msw_outfile_check(const char *path, msw_output_kind content, const char *input, msw_err *err);

/* Puts it in its place. Returns 0, or -1: then what was there is whole. */
int msw_outfile_keep(msw_outfile *out, msw_err *err);

/* Gives it up; does nothing after msw_outfile_keep. */
void msw_outfile_drop(msw_outfile *out);

/* Does all of it for bytes at hand, and makes the folder. Returns 0, or -1. */
int msw_outfile_write(const char *path, msw_output_kind content, const char *input,
                      const msw_text *bytes, msw_err *err);

/* Marks the bytes of a figure ("svg", "png", "pdf") as ours. */
void msw_figure_mark(const char *format, msw_text *bytes);

/* Makes a folder of our own below TMPDIR; the caller gives it to msw_temp_remove. Returns its path,
 * or NULL. */
char *msw_temp_folder(msw_err *err);

/* Removes that folder with the files in it, and frees the path; takes NULL. */
void msw_temp_remove(char *folder);

#endif
