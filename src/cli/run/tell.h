/* SPDX-License-Identifier: MIT */
/* Private to `tell`: answers that came from elsewhere become rows. */
#ifndef MSW_CLI_RUN_TELL_H
#define MSW_CLI_RUN_TELL_H

#include "cli/cli.h"

#include "memsweep/base/json.h"
#include "memsweep/base/map.h"
#include "memsweep/store/lease.h"

typedef struct cli_tell_options {
    const char *sweep, *file, *fidelity;
    int64_t seed;
    double wait;
    bool quiet;
} cli_tell_options;

/* Points of a sweep that may be told. */
typedef struct cli_asked {
    msw_lease *leases;
    size_t count;
    const msw_plan *plan; /* of a program's sweep, whose points are known by their values: */
    msw_map values;       /* what tells a point apart -> its lease + 1 */
} cli_asked;

/* Takes all points of a program's sweep as asked for. Returns 0, or -1. */
int cli_asked_list(cli_asked *asked, const msw_plan *plan, msw_pointer *pointer, msw_err *err);

/* Finds the point of a line that has values instead of a key. Returns 0 and the number of its
 * lease, or -1. */
int cli_asked_find(const cli_asked *asked, const msw_json *line, const msw_json *values,
                   uint64_t *number, msw_err *err);

/* Refuses values that are not those of `row`, which has all parameters of the sweep's schema.
 * Returns 0, or -1. */
int cli_asked_check(const msw_plan *plan, const msw_json *values, const double *row, msw_err *err);

/* Reads lines of JSON from standard input and stores them, all or none. Returns an exit code. */
int cli_tell(const cli *c, const cli_tell_options *ask);

#endif
