/* SPDX-License-Identifier: MIT */
/* replay: a sweep computed again from the database that holds its rows and its inputs.
 *
 * No file but the database is read: the plan is made from the inputs in it. What the database says
 * about itself is believed only where it fits: the inputs have their digests, and the plan that
 * they make has the digest of the sweep. */
#ifndef MEMSWEEP_RESULTS_REPLAY_H
#define MEMSWEEP_RESULTS_REPLAY_H

#include "memsweep/base/context.h"
#include "memsweep/store/inputs.h"
#include "memsweep/sweep/bundle.h"

/* A sweep of an open database, with its inputs. Must not move while its plan is loaded. */
typedef struct msw_replay {
    msw_store *store;
    char *path, *name; /* of the database; of the sweep in it */
    char *called;      /* what reads its rows and no others: NAME@DIGITS */
    char *versions;    /* JSON: of models, parts, front ends, design */
    msw_digest digest; /* of its rows */
    uint64_t rows, points;
    msw_inputs inputs;
    msw_file_source files;
    const char *folders[MSW_BUNDLE_DIRS + 1];
} msw_replay;

/* Opens the database a word means and reads the inputs of a sweep (NULL: the only or latest one).
 * Where that one has none, those of the sweep of the same name that has some are taken: of a sweep
 * at fidelity auto, whose parts are sweeps, too. Returns 0, or -1. */
int msw_replay_open(msw_replay *replay, const msw_context *context, const char *word,
                    const char *sweep, msw_err *err);
void msw_replay_close(msw_replay *replay);

/* Path of the sweep file, and the options that its plan is loaded with. Returns the path. */
const char *msw_replay_options(msw_replay *replay, msw_plan_options *options);

/* Appends a line for each version that is another one here: of models, parts, sampler, front ends,
 * design. Returns how many there are. */
size_t msw_replay_differ(const msw_replay *replay, const msw_plan *plan, msw_text *lines);

/* What came of comparing rows. */
typedef struct msw_replay_rows {
    uint64_t compared, different, missing; /* rows that were stored; missing among the new ones */
    msw_text lines;                        /* the first that differ, a line each */
} msw_replay_rows;

/* Compares the rows of the sweep with those of `sweep` in another store, point by point. Returns 0,
 * or -1. */
int msw_replay_compare(const msw_replay *replay, msw_store *store, const char *sweep,
                       msw_replay_rows *found, msw_err *err);

#endif
