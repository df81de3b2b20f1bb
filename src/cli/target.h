/* Private to `run`: the database a run writes to. */
#ifndef MEMSWEEP_CLI_TARGET_H
#define MEMSWEEP_CLI_TARGET_H

#include "cli.h"

#include "memsweep/store.h"

typedef struct cli_target {
    char *path; /* where the results are to be */
    char *work; /* where they are written: the same, or a file in the scratch folder */
    uint64_t shard, shards;
    msw_file_lock *lock; /* on `path` while `work` is another file */
} cli_target;

/* What the options of a command say about it; members may be NULL. */
typedef struct cli_target_options {
    const char *file, *shard, *scratch;
    bool take_over;
} cli_target_options;

/* Finds the paths, makes the folders, warns about network file systems, copies what is there to
 * the scratch folder. Returns 0, or -1. */
int cli_target_open(cli_target *target, const cli *c, const char *sweep,
                    const cli_target_options *options, msw_err *err);
void cli_target_close(cli_target *target);

/* Copies what is committed from the scratch folder to where it is to be, in one step for whoever
 * reads there. Returns 0, or -1. */
int cli_target_publish(const cli_target *target, msw_err *err);

/* Reads "2/5". Returns 0, or -1. */
int cli_shard_parse(const char *word, uint64_t *shard, uint64_t *shards, msw_err *err);

#endif
