/* SPDX-License-Identifier: MIT */
/* Private to `status` and `submit`: what the shards of an array of jobs hold before they are
 * merged, and what runs write just now. */
#ifndef MSW_CLI_SHARDS_H
#define MSW_CLI_SHARDS_H

#include "cli/cli.h"

#include "memsweep/results/reading.h"
#include "memsweep/sweep/sweep.h"

/* What was found beside a database. */
typedef struct cli_shards {
    size_t lacking;    /* shards with answers that the database lacks */
    size_t unread;     /* that are just being made, or broken */
    bool several;      /* arrays of different sizes have left shards: the fullest counts */
    double *rates;     /* per line of the table of sweeps: rows per second of what runs now */
    msw_table running; /* runs that go on: those of the database, then those of its shards */
} cli_shards;

/* Counts the answers in the shards beside a database into its table of sweeps, without touching
 * them. Returns 0, or -1. */
int cli_count_shards(const cli *c, msw_store *store, const char *path, msw_table *status,
                     cli_shards *shards, msw_err *err);
void cli_shards_free(cli_shards *shards);

/* A cell of a table whose columns are known. */
const char *cli_label(const msw_table *table, const char *column, size_t row);
double cli_number(const msw_table *table, const char *column, size_t row);

/* Whether a line of the table of sweeps is that of a plan. */
bool cli_same_sweep(const msw_table *status, size_t row, const msw_plan *plan);

#endif
