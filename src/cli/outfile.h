/* Private to cli: every file that a command writes, but for databases, is opened here.
 *
 * What stands at the path already is looked at first: a database, a file that the command reads or
 * something that memsweep did not write is refused and stays as it is. The new bytes go to a file
 * beside it and take its place when all have arrived. */
#ifndef MEMSWEEP_CLI_OUTFILE_H
#define MEMSWEEP_CLI_OUTFILE_H

#include "cli.h"

#include <stdio.h>
#include <sys/stat.h>

typedef enum cli_content {
    CLI_TABLE,  /* TSV, CSV, JSON: carries no mark, so any text may be replaced but our own pages */
    CLI_PAGE,   /* HTML */
    CLI_FIGURE, /* SVG, PNG, PDF */
    CLI_SCRIPT, /* a job script */
    CLI_PAPER,  /* Markdown */
} cli_content;

/* Start from a zeroed struct; write to `file`. */
typedef struct cli_outfile {
    FILE *file;
    char *path, *part; /* part NULL: `file` is no file on a disk */
    bool existed;
    struct stat before;
} cli_outfile;

/* Opens an output; `input` (may be NULL) is a file that the command reads. Returns 0, or -1. */
int cli_outfile_open(cli_outfile *out, const char *path, cli_content content, const char *input,
                     msw_err *err);

/* Says beforehand whether it would be refused. Returns 0, or -1. */
int cli_outfile_check(const char *path, cli_content content, const char *input, msw_err *err);

/* Puts it in its place. Returns 0, or -1: then what was there is whole. */
int cli_outfile_keep(cli_outfile *out, msw_err *err);

/* Gives it up; does nothing after cli_outfile_keep. */
void cli_outfile_drop(cli_outfile *out);

/* Does all of it for bytes at hand, and makes the folder. Returns 0, or -1. */
int cli_outfile_write(const char *path, cli_content content, const char *input,
                      const msw_text *bytes, msw_err *err);

/* Marks the bytes of a figure ("svg", "png", "pdf") as ours. */
void cli_figure_mark(const char *format, msw_text *bytes);

/* Makes a folder of our own below TMPDIR; the caller gives it to cli_temp_remove. Returns its path,
 * or NULL. */
char *cli_temp_folder(msw_err *err);

/* Removes that folder with the files in it, and frees the path; takes NULL. */
void cli_temp_remove(char *folder);

#endif
