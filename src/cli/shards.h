/* Private to `status`: what the shards of an array of jobs hold before they are merged. */
#ifndef MEMSWEEP_CLI_SHARDS_H
#define MEMSWEEP_CLI_SHARDS_H

#include "reading.h"

/* Counts the answers in the shards beside a database into its table of sweeps, without touching
 * them. Returns 0 and how many shards hold answers that the database lacks, or -1. */
int cli_count_shards(const cli *c, const char *path, msw_table *status, size_t *shards,
                     msw_err *err);

#endif
