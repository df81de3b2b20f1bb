/* SPDX-License-Identifier: MIT */
/* Databases of finished sweeps in a folder of the test's own, made as `memsweep run` makes them. */
#ifndef MEMSWEEP_TESTS_FINISHED_H
#define MEMSWEEP_TESTS_FINISHED_H

#include "testing.h"

#include "memsweep/base/context.h"
#include "memsweep/base/table.h"

/* A folder for databases, and the context that finds them by name. Must not move once opened. */
typedef struct finished {
    char folder[64];
    const char *data_dirs[2];
    msw_context context;
    msw_err err;
} finished;

void finished_open(finished *f);
void finished_close(finished *f);

/* Runs the sweep of a text into the database `name`, at a fidelity (NULL: the sweep's own). */
void finished_run(const finished *f, const char *name, const char *text, const char *fidelity);

/* Path of a file in the folder. Returns it, in `path`. */
const char *finished_path(const finished *f, const char *name, char path[128]);

/* Writes a file into the folder. */
void finished_write(const finished *f, const char *name, const char *text);

/* A cell by the name of its column. Returns it; the test fails when there is none. */
double finished_cell(const msw_table *table, const char *column, size_t row);

/* The label of a text cell. Returns it, or NULL where nothing is there. */
const char *finished_label(const msw_table *table, const char *column, size_t row);

/* Fails the test unless the message holds `wanted`. */
void assert_said(const msw_err *err, const char *wanted);

#endif
