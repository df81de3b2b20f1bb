/* SPDX-License-Identifier: MIT */
/* A database written by way of a copy on a local disk.
 *
 * Its folder is named by a digest of where the database is: real name, and device and inode of the
 * folder it lies in (its own inode changes with every copy that takes its place). Whoever holds the
 * lock of the database takes that of the copy, too, and only then looks at what is there. The copy
 * of a killed run holds rows that are nowhere else. It is replaced in one step by a fresh copy of
 * the database with these rows added, so that at no moment a row is in neither of them. */
#include "store/file/file.h"
#include "store/merge/merge.h"
#include "store/state.h"

#include "memsweep/base/disk.h"
#include "memsweep/base/hash.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct msw_scratch {
    char *path, *real;       /* the database */
    char *folder, *file;     /* the copy */
    char *next;              /* what the copy is made in */
    msw_file_info published; /* the database as it was last read or written here */
    msw_file_info copy;
    msw_file_lock *lock; /* on the database */
    msw_log log;
    bool lost_place;
};

/* ---- names ---- */

static char *folder_name(const char *folder, const char *real, msw_err *err)
{
    msw_file_info info;
    char text[MSW_DIGEST_TEXT];
    char *place = msw_file_folder(real), *name = NULL, *parent = NULL;
    int rc = place ? msw_file_look(place, &info, err) : msw_fail_memory(err);
    free(place);
    if (rc || !(parent = msw_file_real(folder, err)))
        return NULL;
    uint64_t numbers[2] = {info.device, info.inode};
    msw_digest digest =
        msw_hash_pair(msw_hash_string(real), msw_hash_bytes(numbers, sizeof numbers));
    name = msw_strfmt("%s/memsweep-%s", parent, msw_digest_text(digest, text));
    free(parent);
    if (!name)
        msw_fail_memory(err);
    return name;
}

static int find_names(msw_scratch *s, const char *path, const char *folder, msw_err *err)
{
    s->path = msw_strdup(path);
    s->real = msw_file_real(path, err);
    s->folder = s->real ? folder_name(folder, s->real, err) : NULL;
    if (!s->folder)
        return s->path ? -1 : msw_fail_memory(err);
    s->file = msw_strfmt("%s/%s", s->folder, msw_file_name(s->real));
    /* No beginning of the other name: what begins like it is removed. */
    bool taken = strncmp(msw_file_name(s->real), ".next-copy", 10) == 0;
    s->next = msw_strfmt("%s/%snext-copy", s->folder, taken ? "_" : ".");
    return s->path && s->file && s->next ? 0 : msw_fail_memory(err);
}

/* ---- what is there already ---- */

static int refuse_foreign(const char *path, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO,
                         "%s: a file that memsweep did not make lies in its scratch folder: move "
                         "it away",
                         path);
}

/* Removes what was begun and never finished, with its journals: all that is in it is elsewhere,
 * too. Nobody else writes in this folder. Journals may name a copy that is still to be played back,
 * so that comes before. */
static int remove_next(msw_scratch *s, msw_err *err)
{
    const char *begin = msw_file_name(s->next);
    DIR *folder = opendir(s->folder);
    int rc = folder ? 0 : -1;
    for (struct dirent *entry; rc == 0 && (entry = readdir(folder));)
        if (strncmp(entry->d_name, begin, strlen(begin)) == 0)
            rc = msw_disk_remove_in(dirfd(folder), entry->d_name);
    if (rc)
        msw_fail_kind(err, MSW_ERR_IO, "%s: what a killed run began cannot be removed: %s",
                      s->folder, strerror(errno));
    if (folder)
        closedir(folder);
    return rc;
}

/* Finds the copy of a killed run. */
static int find_leftover(msw_scratch *s, bool *found, msw_err *err)
{
    msw_leftover what;
    msw_file_info seen;
    msw_store *left = NULL;
    *found = false;
    if (msw_leftover_find(s->file, &what, &seen, err))
        return -1;
    if (what == MSW_LEFT_FOREIGN)
        return refuse_foreign(s->file, err);
    if (what == MSW_LEFT_EMPTY)
        msw_file_remove(s->file, &seen);
    /* SQLite would take a journal that outlived its file for one of the next of that name. */
    if (what != MSW_LEFT_DATABASE)
        return msw_journal_remove(s->file, err);
    *found = true;
    /* Brought up to date, where an older memsweep left it. Its shard is merged when it, or what
     * takes its place, is opened at last. */
    MSW_TRY(msw_store_open_plain(s->file, MSW_STORE_WRITE, &s->log, &left, err));
    MSW_TRY(msw_store_close(left, err));
    return 0;
}

/* The database is opened as ever; on a file system without locks as it is, for we hold its own. */
static int open_base(msw_scratch *s, msw_store **base, msw_err *err)
{
    if (msw_store_open_plain(s->path, MSW_STORE_WRITE, &s->log, base, err) == 0) {
        if (msw_shard_merge(*base, err) == 0)
            return 0;
        msw_store_close(*base, NULL);
        *base = NULL;
        return -1;
    }
    if (!msw_store_network(s->real) || msw_store_open_unlocked(s->path, base, err))
        return -1;
    msw_err_clear(err);
    return 0;
}

static int make_next(msw_scratch *s, msw_err *err)
{
    int fd = msw_file_open_own(s->next, err);
    if (fd >= 0)
        close(fd);
    return fd < 0 ? -1 : 0;
}

/* Adds what a killed run left to the fresh copy. */
static int add_leftover(msw_scratch *s, msw_err *err)
{
    msw_store *next = NULL;
    uint64_t rows = 0;
    if (msw_store_open_plain(s->next, MSW_STORE_WRITE, &s->log, &next, err))
        return -1;
    int rc = msw_merge_file(next, s->file, MSW_MERGE_KEEP, true, &rows, err);
    if (rc == 0 && rows)
        msw_log_line(&s->log, MSW_LOG_WARN,
                     "%s: %" PRIu64 " rows of a run that was interrupted are taken from %s",
                     s->path, rows, s->file);
    MSW_TRY(msw_store_close(next, rc ? NULL : err));
    MSW_TRY(rc);
    return 0;
}

static int copy_base(msw_scratch *s, bool leftover, msw_err *err)
{
    msw_store *base = NULL;
    if (open_base(s, &base, err))
        return -1;
    int rc = make_next(s, err);
    if (rc == 0)
        rc = msw_store_copy(base, s->next, err);
    if (msw_store_close(base, rc ? NULL : err) || rc)
        return -1;
    if (leftover && add_leftover(s, err))
        return -1;
    if (msw_disk_rename(s->next, s->file))
        return msw_fail_kind(err, MSW_ERR_IO, "%s: %s", s->file, strerror(errno));
    return msw_file_sync_name(s->file, err);
}

/* Under both locks. */
static int make_copy(msw_scratch *s, msw_err *err)
{
    bool leftover;
    if (find_leftover(s, &leftover, err) || remove_next(s, err) ||
        msw_file_look(s->real, &s->published, err) ||
        (s->published.bytes && copy_base(s, leftover, err)))
        return -1;
    return msw_file_look(s->real, &s->published, err);
}

/* ---- opening and closing ---- */

static int open_copy(msw_scratch *s, bool take_over, msw_store **store, msw_err *err)
{
    msw_file_lock *lock = NULL;
    if (msw_file_private_folder(s->folder, err) ||
        msw_file_lock_take(s->file, take_over, &lock, err))
        return -1;
    if (make_copy(s, err)) {
        msw_file_lock_release(lock);
        msw_disk_remove_folder(s->folder); /* only when nothing is in it */
        return -1;
    }
    if (msw_store_open_locked(s->file, lock, &s->log, store, err))
        return -1;
    return msw_file_look(s->file, &s->copy, err);
}

int msw_scratch_open(const char *path, const char *folder, bool take_over, const msw_log *log,
                     msw_scratch **scratch, msw_store **store, msw_err *err)
{
    msw_scratch *s = calloc(1, sizeof *s);
    *store = NULL;
    if (!s)
        return msw_fail_memory(err);
    s->log = log ? *log : (msw_log){MSW_LOG_QUIET};
    if (msw_store_check_path(path, err) || find_names(s, path, folder, err) ||
        msw_file_lock_take(path, take_over, &s->lock, err) || open_copy(s, take_over, store, err)) {
        msw_store_close(*store, NULL);
        *store = NULL;
        msw_scratch_close(s);
        return -1;
    }
    *scratch = s;
    return 0;
}

void msw_scratch_close(msw_scratch *s)
{
    if (!s)
        return;
    msw_file_lock_release(s->lock);
    free(s->path);
    free(s->real);
    free(s->folder);
    free(s->file);
    free(s->next);
    free(s);
}

/* ---- publishing ---- */

bool msw_scratch_lost_path(const msw_scratch *s)
{
    return s->lost_place;
}

static int fail_place(msw_scratch *s, msw_err *err)
{
    s->lost_place = true;
    return msw_fail_kind(
        err, MSW_ERR_IO,
        "%s: was moved, replaced or written to during the run and is left as it is: "
        "all rows are in %s: run the same command again, or 'memsweep merge "
        "DATABASE %s'",
        s->path, s->file, s->file);
}

static int put_in_place(msw_scratch *s, const char *part, msw_err *err)
{
    if (s->published.kind == MSW_FILE_PLAIN && msw_disk_set_mode(part, (mode_t)s->published.mode))
        return msw_fail_kind(err, MSW_ERR_IO, "%s: %s", part, strerror(errno));
    int rc = msw_file_replace(part, s->real, &s->published, err);
    if (rc > 0)
        return fail_place(s, err);
    MSW_TRY(rc);
    return msw_file_look(s->real, &s->published, err);
}

/* Makes the file a copy is written to. The lock names it before and after, so that the next run
 * finds what a killed one left. Returns 0, or -1. */
static int make_part(msw_scratch *s, char **part, msw_file_info *made, msw_err *err)
{
    static const msw_file_info TO_COME = {.kind = MSW_FILE_NONE};
    char *planned = msw_strfmt("%s.part-%ld", s->real, (long)getpid());
    int rc = planned ? msw_file_lock_note(s->lock, planned, &TO_COME, err) : msw_fail_memory(err);
    free(planned);
    MSW_TRY(rc);
    return msw_file_create_beside(s->real, "part", part, made, err);
}

static int copy_back(msw_scratch *s, msw_store *store, msw_err *err)
{
    char *part = NULL;
    msw_file_info made;
    if (make_part(s, &part, &made, err))
        return -1;
    int rc = -1;
    if (msw_file_lock_note(s->lock, part, &made, err) || msw_store_copy(store, part, err) ||
        put_in_place(s, part, err))
        goto done;
    rc = 0;
done:
    if (rc)
        msw_file_remove(part, &made);
    free(part);
    return rc;
}

int msw_scratch_publish(msw_scratch *s, msw_store *store, msw_err *err)
{
    msw_file_info now;
    if (msw_file_look(s->real, &now, err))
        return -1;
    return msw_file_unchanged(&s->published, &now) ? copy_back(s, store, err) : fail_place(s, err);
}

/* Opens the closed copy again, if it is still the one that was written. */
static int open_finished(const msw_scratch *s, msw_store **store, msw_err *err)
{
    msw_file_info now;
    if (msw_file_look(s->file, &now, err))
        return -1;
    if (!msw_file_same(&s->copy, &now))
        return msw_fail_kind(err, MSW_ERR_IO, "%s: was moved or replaced during the run", s->file);
    return msw_store_open_plain(s->file, MSW_STORE_READ, &s->log, store, err);
}

/* Removes the copy, unless there is a file next to it with rows that a reader kept out of it. */
static void remove_copy(msw_scratch *s)
{
    msw_file_info shard;
    char *name = msw_strfmt("%s.shard", s->file);
    if (name && msw_file_look(name, &shard, NULL) == 0 && shard.kind == MSW_FILE_NONE)
        msw_leftover_remove(s->file, &s->copy);
    free(name);
}

int msw_scratch_finish(msw_scratch *s, msw_err *err)
{
    msw_store *store = NULL;
    msw_file_lock *lock = NULL;
    if (msw_file_lock_take(s->file, false, &lock, err))
        return -1;
    int rc = -1;
    if (open_finished(s, &store, err) || msw_scratch_publish(s, store, err))
        goto done;
    rc = 0;
done:
    msw_store_close(store, NULL);
    if (rc == 0)
        remove_copy(s);
    else if (!s->lost_place)
        msw_fail_prefix(err, "all rows are in %s, for the next run to take up: ", s->file);
    msw_file_lock_release(lock);
    msw_disk_remove_folder(s->folder); /* only when nothing is in it */
    return rc;
}
