/* SPDX-License-Identifier: MIT */
/* The database that a run writes to: where it is, its shard, its copy on a local disk, and waiting
 * for another writer. */
#include "cli/run/sweep_run.h"

#include "memsweep/base/disk.h"
#include "memsweep/base/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SHARDS_MAX = 100000 };

int cli_shard_parse(const char *word, uint64_t *shard, uint64_t *shards, msw_err *err)
{
    unsigned long i, k;
    int used = 0;
    if (sscanf(word, "%lu/%lu%n", &i, &k, &used) != 2 || word[used] || i >= k || k > SHARDS_MAX)
        return msw_fail(err, "--shard: found '%s', expected I/K with 0 <= I < K <= %d, like 0/5",
                        word, SHARDS_MAX);
    *shard = i;
    *shards = k;
    return 0;
}

/* ---- file systems ---- */

static void warn_of_network(const cli *c, const char *path)
{
    char *folder = msw_file_folder(path);
    const char *name = folder ? msw_store_network(folder) : NULL;
    if (name)
        msw_log_line(&c->context.log, MSW_LOG_WARN,
                     "%s is on a network file system (%s): every commit waits for it, and not all "
                     "of them lock files; --scratch DIR writes to a local disk and copies",
                     path, name);
    free(folder);
}

/* ---- opening ---- */

static char *default_path(const char *sweep, const cli_target *t)
{
    if (t->shards)
        return msw_strfmt("%s/%s.shard-%" PRIu64 "-of-%" PRIu64 ".db", cli_results_dir(), sweep,
                          t->shard, t->shards);
    return msw_strfmt("%s/%s.db", cli_results_dir(), sweep);
}

static int find_path(cli_target *t, const char *sweep, const cli_target_options *o, msw_err *err)
{
    if (o->shard && cli_shard_parse(o->shard, &t->shard, &t->shards, err))
        return -1;
    t->path = o->file ? msw_strdup(o->file) : default_path(sweep, t);
    return t->path ? 0 : msw_fail_memory(err);
}

static int open_scratch(cli_target *t, const cli *c, const cli_target_options *o, msw_store **store,
                        msw_err *err)
{
    if (!o->scratch[0])
        return msw_fail(err, "--scratch: found nothing, expected a folder: is the variable it was "
                             "taken from set?");
    /* One folder of its own, no path of them: that is a disk which is not there. */
    if (msw_disk_make_folder(o->scratch, 0777) == 0)
        MSW_TRY(msw_file_sync_name(o->scratch, err)); /* rows will be safe in it */
    else if (errno != EEXIST)
        return msw_fail_kind(err, MSW_ERR_IO, "--scratch: cannot make the folder %s: %s",
                             o->scratch, strerror(errno));
    return msw_scratch_open(t->path, o->scratch, o->take_over, &c->context.log, &t->scratch, store,
                            err);
}

static bool has_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? msw_strfmt("%.*s", (int)(slash - path), path) : NULL;
    bool there = !folder || !*folder || access(folder, F_OK) == 0;
    free(folder);
    return there;
}

/* Waits for another writer. The lock may be given back between the refusal and the look at it. */
static int open_patiently(cli_target *t, const cli *c, const cli_target_options *o,
                          msw_store **store, msw_err *err)
{
    const struct timespec pause = {0, 20000000};
    for (int pauses = 0, spare = 3;; pauses++) {
        msw_err_clear(err);
        if (msw_store_open(t->path, MSW_STORE_WRITE, o->take_over, &c->context.log, store, err) ==
            0)
            return 0;
        bool held = msw_file_lock_held(t->path) || spare-- > 0;
        if (!held || 0.02 * pauses >= o->wait)
            return -1;
        nanosleep(&pause, NULL);
    }
}

int cli_target_open(cli_target *t, const cli *c, const char *sweep, const cli_target_options *o,
                    msw_store **store, msw_err *err)
{
    if (find_path(t, sweep, o, err))
        return -1;
    bool new = !has_folder(t->path);
    MSW_TRY(msw_make_folder(t->path, err));
    if (new && o->file)
        msw_log_line(&c->context.log, MSW_LOG_WARN, "%.*s: made this folder",
                     (int)(strrchr(t->path, '/') - t->path), t->path);
    if (o->scratch)
        return open_scratch(t, c, o, store, err);
    warn_of_network(c, t->path);
    return open_patiently(t, c, o, store, err);
}

/* ---- copying back ---- */

int cli_target_publish(cli_target *t, const cli *c, msw_store *store, msw_err *err)
{
    if (msw_scratch_publish(t->scratch, store, err) == 0)
        return 0;
    if (msw_scratch_lost_path(t->scratch))
        return -1;
    /* A full disk, a server that is away: the rows are safe, and there is another time. */
    msw_log_line(&c->context.log, MSW_LOG_WARN, "copying back is tried again later: %s", err->text);
    return 0;
}

int cli_target_finish(cli_target *t, msw_store *store, msw_err *err)
{
    int rc = msw_store_close(store, err);
    if (!t->scratch || !store)
        return rc;
    MSW_TRY(msw_scratch_finish(t->scratch, rc ? NULL : err));
    MSW_TRY(rc);
    return 0;
}

void cli_target_close(cli_target *t)
{
    msw_scratch_close(t->scratch);
    free(t->path);
    *t = (cli_target){0};
}
