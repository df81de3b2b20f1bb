#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPY_BYTES = 1 << 20, SHARDS_MAX = 100000 };

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

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? msw_strfmt("%.*s", (int)(slash - path) + 1, path) : msw_strdup(".");
}

static void warn_of_network(const cli *c, const char *path)
{
    char *folder = folder_of(path);
    const char *name = folder ? msw_store_network(folder) : NULL;
    if (name)
        msw_log_line(&c->log, MSW_LOG_WARN,
                     "%s is on a network file system (%s): every commit waits for it, and not all "
                     "of them lock files; --scratch DIR writes to a local disk and copies",
                     path, name);
    free(folder);
}

/* ---- copies ---- */

static int copy_bytes(int from, int to)
{
    char *buffer = malloc(COPY_BYTES);
    ssize_t got = buffer ? 1 : -1;
    while (got > 0 && (got = read(from, buffer, COPY_BYTES)) > 0)
        for (ssize_t at = 0, put; at < got; at += put)
            if ((put = write(to, buffer + at, (size_t)(got - at))) < 0) {
                got = -1;
                break;
            }
    free(buffer);
    return got == 0 && fsync(to) == 0 ? 0 : -1;
}

static int copy_file(const char *from, const char *to)
{
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int rc = out < 0 ? -1 : copy_bytes(in, out);
    int reason = errno;
    if (out >= 0 && close(out) && rc == 0) {
        reason = errno;
        rc = -1;
    }
    if (in >= 0)
        close(in);
    errno = reason;
    return rc;
}

/* Readers of `to` see the old file or the new one, never half of it. */
static int replace_file(const char *from, const char *to, msw_err *err)
{
    char *part = msw_strfmt("%s.part", to);
    int rc = !part ? msw_fail_memory(err)
             : copy_file(from, part) || rename(part, to)
                 ? msw_fail_kind(err, MSW_ERR_IO, "copying %s to %s: %s", from, to, strerror(errno))
                 : 0;
    free(part);
    return rc;
}

int cli_target_publish(const cli_target *t, msw_err *err)
{
    return strcmp(t->work, t->path) == 0 ? 0 : replace_file(t->work, t->path, err);
}

/* ---- opening ---- */

static char *default_path(const char *sweep, const cli_target *t)
{
    if (t->shards)
        return msw_strfmt("%s/%s.shard-%" PRIu64 "-of-%" PRIu64 ".db", cli_results_dir(), sweep,
                          t->shard, t->shards);
    return msw_strfmt("%s/%s.db", cli_results_dir(), sweep);
}

static int find_paths(cli_target *t, const char *sweep, const cli_target_options *o, msw_err *err)
{
    if (o->shard && cli_shard_parse(o->shard, &t->shard, &t->shards, err))
        return -1;
    t->path = o->file ? msw_strdup(o->file) : default_path(sweep, t);
    if (!t->path)
        return msw_fail_memory(err);
    const char *slash = strrchr(t->path, '/');
    t->work = o->scratch ? msw_strfmt("%s/%s", o->scratch, slash ? slash + 1 : t->path)
                         : msw_strdup(t->path);
    return t->work ? 0 : msw_fail_memory(err);
}

/* A killed run may have left a journal in the scratch folder: it must not be played back into
 * another file of that name. */
static void forget_journal(const char *path)
{
    char *journal = msw_strfmt("%s-journal", path);
    if (journal)
        unlink(journal);
    unlink(path);
    free(journal);
}

static int bring_over(cli_target *t, bool take_over, msw_err *err)
{
    if (cli_make_folder(t->work, err) || msw_file_lock_take(t->path, take_over, &t->lock, err))
        return -1;
    forget_journal(t->work);
    return access(t->path, F_OK) == 0 ? replace_file(t->path, t->work, err) : 0;
}

int cli_target_open(cli_target *t, const cli *c, const char *sweep, const cli_target_options *o,
                    msw_err *err)
{
    if (find_paths(t, sweep, o, err) || cli_make_folder(t->path, err))
        return -1;
    if (strcmp(t->work, t->path) != 0)
        return bring_over(t, o->take_over, err);
    warn_of_network(c, t->path);
    return 0;
}

void cli_target_close(cli_target *t)
{
    msw_file_lock_release(t->lock);
    free(t->path);
    free(t->work);
    *t = (cli_target){0};
}
