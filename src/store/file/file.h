/* SPDX-License-Identifier: MIT */
/* Files: locks, journals, what a killed run left, copies; opening without lock or shard. */
#ifndef MSW_STORE_FILE_FILE_H
#define MSW_STORE_FILE_FILE_H

#include "memsweep/base/file.h"
#include "memsweep/store/store.h"

#include <sys/types.h>

/* Whether it is the lock of the file with this real name. */
bool msw_file_lock_guards(const msw_file_lock *lock, const char *real);

/* Notes in the lock the file a copy is being written to: the next holder removes what a killed one
 * left of it. Returns 0, or -1. */
int msw_file_lock_note(msw_file_lock *lock, const char *copy, const msw_file_info *info,
                       msw_err *err);

/* Reads `size` bytes of a file that SQLite does not have open (closing it would drop SQLite's
 * locks) at `offset` as lseek counts it. Returns whether there were this many. */
bool msw_read_at(const char *path, off_t offset, int whence, void *bytes, size_t size);

/* Refuses a file whose journal would do more than bring it back. Returns 0, or -1. */
int msw_journal_check(const char *path, msw_err *err);

typedef enum msw_leftover {
    MSW_LEFT_NOTHING,
    MSW_LEFT_EMPTY,    /* it was being made: nothing is in it */
    MSW_LEFT_DATABASE, /* of memsweep; it may have rows */
    MSW_LEFT_FOREIGN   /* not ours: not to be touched */
} msw_leftover;

/* Finds out, after a journal was played back. Returns 0, or -1. */
int msw_leftover_find(const char *path, msw_leftover *what, msw_file_info *info, msw_err *err);

/* Removes the journal beside a name where no database is any more, or a new one comes: what is in
 * it is of the old one. Returns 0, or -1. */
int msw_journal_remove(const char *path, msw_err *err);

/* Removes what was found, if it is still that, and its journal. Returns whether it is gone. */
bool msw_leftover_remove(const char *path, const msw_file_info *seen);

/* Copies all that is committed to an empty file that nobody else opens, down to the disk. Returns
 * 0, or -1. */
int msw_store_copy(msw_store *store, const char *path, msw_err *err);

/* Returns whether the file is no longer where it was opened. */
bool msw_store_has_moved(const msw_store *store);

/* Copies a file that was moved or replaced to one beside its old place, and goes on there. Returns
 * 0, or -1. */
int msw_store_rescue(msw_store *store, msw_err *err);

/* Says where the rows are. Returns -1. */
int msw_store_fail_moved(const msw_store *store, msw_err *err);

/* Opens a file to be merged for reading, and leaves a journal beside it alone. */
int msw_store_open_source(const char *path, msw_store **store, msw_err *err);

/* Opens without lock or shard. */
int msw_store_open_plain(const char *path, msw_store_mode mode, const msw_log *log,
                         msw_store **store, msw_err *err);

/* Closes without committing what is pending; takes NULL. */
void msw_store_close_plain(msw_store *store);

/* Opens for reading without any lock, by who holds the writer's lock: for file systems that know no
 * others. Returns 0, or -1. */
int msw_store_open_unlocked(const char *path, msw_store **store, msw_err *err);

/* Whether a file may be written to: a file, ours to write, under one name. Returns 0, or -1. */
int msw_store_check_path(const char *path, msw_err *err);

#endif
