/* SPDX-License-Identifier: MIT */
/* content: the files of a workload, read and loaded. */
#ifndef MEMSWEEP_SWEEP_CONTENT_H
#define MEMSWEEP_SWEEP_CONTENT_H

#include "memsweep/sweep/sweep.h"
#include "memsweep/workload/workload.h"

/* Finds a file by its name from the folder the command runs in, then from the data folders. The
 * caller frees the path. Returns it, or NULL with `err`. */
char *msw_content_find(const msw_plan_options *options, const char *name, msw_err *err);

/* Reads the file at `path` ("" when the workload needs none) and the further files it names, beside
 * it, and loads the workload, whose name, front end and config are set. Returns 0, or -1. */
int msw_content_load(const msw_plan_options *options, const char *path, msw_workload *workload,
                     msw_err *err);

#endif
