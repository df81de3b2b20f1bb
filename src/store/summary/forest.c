/* SPDX-License-Identifier: MIT */
/* The summaries of a sweep's leaves, put together as far as they go; in memory and in the file. */
#include "memsweep/base/clock.h"
#include "memsweep/store/summary.h"

#include "store/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int msw_forest_open(msw_forest *forest, const msw_plan *plan, msw_err *err)
{
    *forest = (msw_forest){.workloads = plan->workload_count};
    return msw_census_shape_of(plan, &forest->shape, err);
}

void msw_forest_close(msw_forest *forest)
{
    for (size_t i = 0; i < forest->nodes.count; i++)
        msw_census_free(forest->nodes.items[i].summary);
    free(forest->nodes.items);
    *forest = (msw_forest){0};
}

/* ---- the tree ---- */

static bool covers(const msw_census_node *a, uint64_t workload, uint32_t level, uint64_t position)
{
    return a->workload == workload && a->level >= level &&
           position >> (a->level - level) == a->position;
}

static size_t find(const msw_forest *forest, uint64_t workload, uint32_t level, uint64_t position)
{
    for (size_t i = 0; i < forest->nodes.count; i++)
        if (covers(&forest->nodes.items[i], workload, level, position))
            return i;
    return forest->nodes.count;
}

/* Two neighbours become one, in the place of the first; the last node fills the gap. */
static int join(msw_forest *forest, size_t left, size_t right, msw_err *err)
{
    msw_census_node *a = &forest->nodes.items[left], *b = &forest->nodes.items[right];
    MSW_TRY(msw_census_merge(a->summary, b->summary, err));
    msw_census_free(b->summary);
    a->level++;
    a->position /= 2;
    a->stored = false;
    *b = forest->nodes.items[--forest->nodes.count];
    return 0;
}

static int join_up(msw_forest *forest, uint64_t workload, uint32_t level, uint64_t position,
                   msw_err *err)
{
    for (;; level++, position /= 2) {
        size_t own = find(forest, workload, level, position);
        size_t other = find(forest, workload, level, position ^ 1);
        if (other == forest->nodes.count || forest->nodes.items[other].level != level)
            return 0;
        MSW_TRY(position & 1 ? join(forest, other, own, err) : join(forest, own, other, err));
    }
}

/* Takes over the summary. What is covered already stays as it is. */
static int add_node(msw_forest *forest, msw_census_node node, msw_err *err)
{
    if (find(forest, node.workload, node.level, node.position) < forest->nodes.count) {
        msw_census_free(node.summary);
        return 0;
    }
    for (size_t i = 0; i < forest->nodes.count;)
        if (covers(&node, forest->nodes.items[i].workload, forest->nodes.items[i].level,
                   forest->nodes.items[i].position)) {
            msw_census_free(forest->nodes.items[i].summary);
            forest->nodes.items[i] = forest->nodes.items[--forest->nodes.count];
        } else {
            i++;
        }
    if (MSW_VEC_PUSH(&forest->nodes, node, err)) {
        msw_census_free(node.summary);
        return -1;
    }
    return join_up(forest, node.workload, node.level, node.position, err);
}

int msw_forest_add(msw_forest *forest, uint64_t leaf, const void *bytes, size_t size, msw_err *err)
{
    msw_census_node node = {.workload = (uint32_t)(leaf / forest->shape.leaves),
                            .position = leaf % forest->shape.leaves};
    MSW_TRY(msw_census_read(&forest->shape, bytes, size, &node.summary, err));
    if (!forest->since)
        forest->since = msw_now();
    forest->added_leaves++;
    return add_node(forest, node, err);
}

uint64_t msw_forest_missing(const msw_forest *forest, uint64_t *bitmap)
{
    uint64_t all = forest->workloads * forest->shape.leaves, missing = 0;
    for (uint64_t leaf = 0; leaf < all; leaf++) {
        bool there = find(forest, leaf / forest->shape.leaves, 0, leaf % forest->shape.leaves) <
                     forest->nodes.count;
        missing += !there;
        if (bitmap && !there)
            bitmap[leaf / 64] |= UINT64_C(1) << leaf % 64;
    }
    return missing;
}

/* What no sibling is there for is put together from the left: how many leaves there are decides
 * how. */
msw_census *msw_forest_whole(const msw_forest *forest, uint64_t workload, msw_err *err)
{
    msw_census *whole = msw_census_new(&forest->shape);
    uint64_t leaf = 0;
    if (!whole) {
        msw_fail_memory(err);
        return NULL;
    }
    while (leaf < forest->shape.leaves) {
        size_t at = find(forest, workload, 0, leaf);
        const msw_census_node *node = &forest->nodes.items[at];
        if (at == forest->nodes.count)
            msw_fail(err, "the summary of the sweep is not complete: run it again");
        if (at == forest->nodes.count || msw_census_merge(whole, node->summary, err)) {
            msw_census_free(whole);
            return NULL;
        }
        leaf = (node->position + 1) << node->level;
    }
    return whole;
}

int msw_forest_digest(const msw_forest *forest, msw_digest *digest, msw_err *err)
{
    *digest = (msw_digest){0};
    for (uint64_t w = 0; w < forest->workloads; w++) {
        msw_text bytes = MSW_TEXT_EMPTY;
        msw_census *whole = msw_forest_whole(forest, w, err);
        int rc = whole ? msw_census_flatten(whole, &bytes, err) : -1;
        if (rc == 0)
            *digest = msw_hash_pair(*digest, msw_hash_bytes(msw_text_str(&bytes), bytes.size));
        msw_text_free(&bytes);
        msw_census_free(whole);
        MSW_TRY(rc);
    }
    return 0;
}

/* ---- the file ---- */

static msw_digest digest_of(const msw_census_node *node, const void *bytes, size_t size)
{
    uint64_t position[] = {node->workload, node->level, node->position};
    return msw_hash_pair(msw_hash_bytes(position, sizeof position), msw_hash_bytes(bytes, size));
}

/* Of a plan that has fewer leaves, and of no other length, nothing is taken. */
static int take_row(msw_forest *forest, sqlite3_stmt *row, msw_err *err)
{
    msw_census_node node = {.workload = (uint32_t)sqlite3_column_int64(row, 0),
                            .level = (uint32_t)sqlite3_column_int64(row, 1),
                            .position = (uint64_t)sqlite3_column_int64(row, 2),
                            .stored = true};
    const void *bytes = sqlite3_column_blob(row, 3);
    size_t size = (size_t)sqlite3_column_bytes(row, 3);
    if (node.workload >= forest->workloads || node.level > 40 ||
        node.position >= forest->shape.leaves ||
        ((node.position + 1) << node.level) > forest->shape.leaves ||
        sqlite3_column_bytes(row, 4) != 16 ||
        !msw_digest_equal(digest_of(&node, bytes, size),
                          msw_digest_load(sqlite3_column_blob(row, 4))) ||
        msw_census_read(&forest->shape, bytes, size, &node.summary, NULL))
        return 0; /* damaged: it is computed again */
    return add_node(forest, node, err);
}

int msw_forest_load(msw_forest *forest, msw_store *store, int64_t sweep, msw_err *err)
{
    sqlite3_stmt *rows = NULL;
    int64_t there = 0;
    MSW_TRY(msw_sql_integer(store, MSW_SUMMARIES_THERE("main"), NULL, &there, err));
    if (!there)
        return 0;
    MSW_TRY(msw_sql_prepare(store,
                            "SELECT workload, level, position, bytes, digest FROM "
                            "main.msw_summary WHERE sweep = ?1 ORDER BY level DESC, workload, "
                            "position",
                            &rows, err));
    sqlite3_bind_int64(rows, 1, sweep);
    int got;
    while ((got = msw_sql_step(store, rows, err)) > 0)
        if (take_row(forest, rows, err)) {
            got = -1;
            break;
        }
    sqlite3_finalize(rows);
    return got;
}

int msw_forest_read(msw_forest *forest, msw_store *store, int64_t sweep, uint64_t workloads,
                    msw_err *err)
{
    sqlite3_stmt *row = NULL;
    int64_t there = 0;
    *forest = (msw_forest){.workloads = workloads};
    MSW_TRY(msw_sql_integer(store, MSW_SUMMARIES_THERE("main"), NULL, &there, err));
    if (!there)
        return msw_fail(err, "there is no summary");
    MSW_TRY(msw_sql_prepare(store, "SELECT bytes FROM main.msw_summary WHERE sweep = ?1 LIMIT 1",
                            &row, err));
    sqlite3_bind_int64(row, 1, sweep);
    int got = msw_sql_step(store, row, err);
    int rc = got < 0 ? -1
             : got == 0
                 ? msw_fail(err, "there is no summary")
                 : msw_census_read_shape(sqlite3_column_blob(row, 0),
                                         (size_t)sqlite3_column_bytes(row, 0), &forest->shape, err);
    sqlite3_finalize(row);
    return rc ? rc : msw_forest_load(forest, store, sweep, err);
}

static int store_node(msw_store *store, int64_t sweep, const msw_census_node *node,
                      sqlite3_stmt *clear, sqlite3_stmt *insert, msw_err *err)
{
    msw_text bytes = MSW_TEXT_EMPTY;
    uint8_t digest[16];
    int rc = msw_census_flatten(node->summary, &bytes, err);
    msw_digest_store(digest_of(node, msw_text_str(&bytes), bytes.size), digest);
    sqlite3_stmt *const both[] = {clear, insert};
    for (int i = 0; i < 2; i++) {
        sqlite3_bind_int64(both[i], 1, sweep);
        sqlite3_bind_int64(both[i], 2, node->workload);
        sqlite3_bind_int64(both[i], 3, node->level);
        sqlite3_bind_int64(both[i], 4, (sqlite3_int64)node->position);
    }
    sqlite3_bind_blob64(insert, 5, msw_text_str(&bytes), bytes.size, SQLITE_STATIC);
    sqlite3_bind_blob(insert, 6, digest, sizeof digest, SQLITE_STATIC);
    if (rc == 0)
        rc = msw_sql_run(store, clear, err);
    if (rc == 0)
        rc = msw_sql_run(store, insert, err);
    sqlite3_clear_bindings(insert);
    msw_text_free(&bytes);
    return rc;
}

static int store_nodes(msw_forest *forest, msw_store *store, int64_t sweep, msw_err *err)
{
    sqlite3_stmt *clear = NULL, *insert = NULL;
    int64_t there = 0;
    int rc = msw_sql_integer(store, MSW_SUMMARIES_THERE("main"), NULL, &there, err);
    if (rc == 0 && !there)
        rc = msw_sql_exec(store, msw_schema_summary_table, err);
    if (rc == 0)
        rc = msw_sql_prepare(store,
                             "DELETE FROM main.msw_summary WHERE sweep = ?1 AND workload = ?2 AND "
                             "level <= ?3 AND position >> (?3 - level) = ?4",
                             &clear, err);
    if (rc == 0)
        rc = msw_sql_prepare(store,
                             "INSERT INTO main.msw_summary(sweep, workload, level, position, "
                             "bytes, digest) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                             &insert, err);
    for (size_t i = 0; rc == 0 && i < forest->nodes.count; i++)
        if (!forest->nodes.items[i].stored)
            rc = store_node(store, sweep, &forest->nodes.items[i], clear, insert, err);
    sqlite3_finalize(clear);
    sqlite3_finalize(insert);
    return rc;
}

int msw_forest_store(msw_forest *forest, msw_store *store, int64_t sweep, msw_err *err)
{
    if (!forest->since)
        return 0;
    MSW_TRY(msw_sql_begin(store, err));
    MSW_TRY(msw_sql_end(store, store_nodes(forest, store, sweep, err), err));
    for (size_t i = 0; i < forest->nodes.count; i++)
        forest->nodes.items[i].stored = true;
    forest->since = 0;
    forest->stored_leaves = forest->added_leaves;
    return 0;
}
