/* SPDX-License-Identifier: MIT */
/* The part of what is missing that one job of an array computes. */
#include "store/state.h"
#include "store/write/rows.h"

#include <stdlib.h>

/* Long runs make few spans in the files; enough of them make the shards alike. */
enum { RUNS_PER_SHARD = 32, RUN_MOST = 1024 };

static uint64_t run_length(uint64_t points, uint64_t count)
{
    uint64_t length = points / (count * RUNS_PER_SHARD);
    return length < 1 ? 1 : length > RUN_MOST ? RUN_MOST : length;
}

static int fill_bitmap(msw_todo *todo, msw_err *err)
{
    todo->bitmap = calloc(todo->points / 64 + 1, sizeof *todo->bitmap);
    if (!todo->bitmap)
        return msw_session_fail_memory(todo->points, err);
    for (uint64_t i = 0; i < todo->points; i++)
        msw_bit_set(todo->bitmap, i);
    return 0;
}

int msw_todo_keep_shard(msw_todo *todo, uint64_t shard, uint64_t count, msw_err *err)
{
    if (count < 2 || !todo->missing)
        return 0;
    if (!todo->bitmap && fill_bitmap(todo, err))
        return -1;
    uint64_t run = run_length(todo->points, count);
    todo->everything = false;
    for (uint64_t i = 0; i < todo->points; i++)
        if (msw_bit(todo->bitmap, i) && i / run % count != shard) {
            msw_bit_clear(todo->bitmap, i);
            todo->missing--;
        }
    return 0;
}

/* Points that the shards before this one keep of a plan nothing of which is answered. */
static uint64_t points_before(uint64_t points, uint64_t shard, uint64_t count)
{
    uint64_t run = run_length(points, count);
    uint64_t round = run * count, rest = points % round, before = run * shard;
    return points / round * before + (rest < before ? rest : before);
}

void msw_store_number_shard(msw_store *store, uint64_t points, uint64_t shard, uint64_t count)
{
    if (count < 2)
        return;
    store->first_row = points_before(points, shard, count) + 1;
    store->shard_number = shard;
    store->shard_count = count;
}
