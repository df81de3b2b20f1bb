/* SPDX-License-Identifier: MIT */
/* Private to `run`: the database a run writes to. */
#ifndef MSW_CLI_RUN_TARGET_H
#define MSW_CLI_RUN_TARGET_H

#include "cli/cli.h"

#include "memsweep/store/store.h"

typedef struct cli_target {
    char *path; /* where the results are to be */
    uint64_t shard, shards;
    msw_scratch *scratch; /* where they are written before, or NULL */
} cli_target;

/* What the options of a command say about it; members may be NULL. */
typedef struct cli_target_options {
    const char *file, *shard, *scratch;
    bool take_over;
} cli_target_options;

/* Finds the path, makes the folders, warns about network file systems, opens the database or its
 * copy in the scratch folder for writing. Returns 0, or -1. */
int cli_target_open(cli_target *target, const cli *c, const char *sweep,
                    const cli_target_options *options, msw_store **store, msw_err *err);
void cli_target_close(cli_target *target);

/* Copies what is committed from the scratch folder to where it is to be, in one step for whoever
 * reads there. What can pass by is warned of. Returns 0, or -1 when it makes no sense to go on. */
int cli_target_publish(cli_target *target, const cli *c, msw_store *store, msw_err *err);

/* Closes the store (NULL is fine), copies it and removes the copy in the scratch folder. Returns 0,
 * or -1. */
int cli_target_finish(cli_target *target, msw_store *store, msw_err *err);

/* Reads "2/5". Returns 0, or -1. */
int cli_shard_parse(const char *word, uint64_t *shard, uint64_t *shards, msw_err *err);

#endif
