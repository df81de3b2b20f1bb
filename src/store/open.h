/* SPDX-License-Identifier: MIT */
/* Opening with lock and shard; what is left to do. */
#ifndef MSW_STORE_OPEN_H
#define MSW_STORE_OPEN_H

#include "store/state.h"

/* Opens for writing under a lock that was taken before, which becomes the store's whatever happens.
 * Returns 0, or -1. */
int msw_store_open_locked(const char *path, msw_file_lock *lock, const msw_log *log,
                          msw_store **store, msw_err *err);

/* Writes the pending rows into <path>.shard, made when needed. */
int msw_shard_write(msw_store *store, msw_err *err);

/* Merges <path>.shard when there is one and removes it; one whose making was cut short is removed,
 * a file of somebody else refused. Being refused by a reader is no error. */
int msw_shard_merge(msw_store *store, msw_err *err);

int msw_todo_find(msw_store *store, const msw_plan *plan, int64_t sweep, bool retry, msw_key_fn key,
                  void *context, msw_todo *todo, msw_err *err);

#endif
