/* SPDX-License-Identifier: MIT */
/* Finds the points of a plan that have to be computed, and the part of them that one job of an
 * array computes. No key is computed unless something else in the file or in the plan itself
 * could be equal to a missing point. */
#include "store/state.h"

#include "store/sum/sum.h"
#include "store/write/rows.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/sort.h"

#include <inttypes.h>
#include <stdlib.h>

/* The question while it is being answered. */
typedef struct search {
    msw_store *store;
    const msw_plan *plan;
    msw_todo *todo;
    const uint64_t *wanted; /* points that may be missing; NULL: all */
    msw_key_fn key;
    void *context;
    msw_keyset keys; /* key of a missing point -> point + 1 */
    msw_links found; /* points that have a row elsewhere in the file */
} search;

static uint64_t count_bits(const uint64_t *bits, uint64_t points)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i <= points / 64; i++)
        count += msw_bits_count(bits[i]);
    return count;
}

static int by_row(const void *a, const void *b)
{
    const msw_link *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

/* Points whose rows are no answer, by row. */
static int list_unanswered(const msw_session *session, msw_links *links, msw_err *err)
{
    const msw_keyset *set = &session->unanswered;
    for (size_t i = 0; i < set->capacity; i++) {
        const msw_keyset_entry *entry = &set->entries[i];
        if (entry->value && entry->value != MSW_ANSWERED &&
            msw_links_add(links, entry->low, entry->value, err))
            return -1;
    }
    if (links->count)
        msw_sort(links->list, links->count, sizeof *links->list, by_row);
    return 0;
}

static int count_timeouts(search *s, uint64_t *timeouts, msw_err *err)
{
    int64_t count = 0;
    char *sql = msw_strfmt("SELECT count(*) FROM msw_span AS s CROSS JOIN points_%s AS p ON p.id "
                           "BETWEEN s.first_row AND s.first_row + s.point_count - 1 WHERE s.sweep "
                           "= %" PRId64 " AND p.status = 'timeout'",
                           s->plan->mech->name, s->store->session.sweep);
    int result = sql ? msw_sql_integer(s->store, sql, NULL, &count, err) : msw_fail_memory(err);
    free(sql);
    *timeouts = (uint64_t)count;
    return result;
}

static void make_missing(msw_todo *todo, uint64_t point)
{
    todo->missing += !msw_bit(todo->bitmap, point);
    msw_bit_set(todo->bitmap, point);
}

/* A row that is damaged or lost is no failure: it is computed again, with or without retrying, and
 * once for all points that share it. */
static void add_damaged(search *s)
{
    msw_links *damaged = &s->store->session.damaged;
    if (damaged->count)
        msw_sort(damaged->list, damaged->count, sizeof *damaged->list, by_row);
    for (size_t i = 0; i < damaged->count; i++)
        if (i == 0 || damaged->list[i].row != damaged->list[i - 1].row)
            make_missing(s->todo, damaged->list[i].point);
    s->todo->damaged = damaged->count;
    /* Of a damaged row not even the status counts. */
    s->todo->failed -= s->todo->failed < damaged->count ? s->todo->failed : damaged->count;
}

/* Counts failed points and, when retrying, makes the first of those that share a row missing. */
static int add_unanswered(search *s, bool retry, msw_err *err)
{
    msw_links links = {0};
    msw_todo *todo = s->todo;
    int result = list_unanswered(&s->store->session, &links, err);
    if (result == 0 && links.count)
        result = count_timeouts(s, &todo->timeout, err);
    todo->failed = links.count - todo->timeout;
    todo->answered -= links.count;
    for (size_t i = 0; i < links.count && retry && result == 0; i++)
        if (i == 0 || links.list[i].row != links.list[i - 1].row)
            make_missing(todo, links.list[i].point);
    free(links.list);
    if (result == 0)
        add_damaged(s);
    return result;
}

static int start(search *s, msw_err *err)
{
    const msw_session *session = &s->store->session;
    msw_todo *todo = s->todo;
    uint64_t words = todo->points / 64 + 1;
    todo->bitmap = calloc(words, sizeof *todo->bitmap);
    if (!todo->bitmap)
        return msw_session_fail_memory(todo->points, err);
    for (uint64_t i = 0; i < words; i++)
        todo->bitmap[i] = ~session->done[i];
    todo->bitmap[words - 1] &= ((uint64_t)1 << todo->points % 64) - 1;
    for (uint64_t i = 0; s->wanted && i < words; i++)
        todo->bitmap[i] &= s->wanted[i];
    todo->answered = count_bits(session->done, todo->points);
    todo->missing = count_bits(todo->bitmap, todo->points);
    return 0;
}

static int add_key(search *s, uint64_t point, msw_err *err)
{
    msw_digest key;
    uint32_t *value;
    /* A point whose expressions fail has no key: evaluating it will say why. */
    if (s->key(s->context, point, &key, NULL))
        return 0;
    if (msw_keyset_add(&s->keys, key, &value, err))
        return -1;
    if (!*value) {
        *value = (uint32_t)point + 1;
        return 0;
    }
    /* Equal to an earlier point of the plan: its answer will serve this one too. */
    msw_bit_clear(s->todo->bitmap, point);
    s->todo->missing--;
    s->todo->repeated++;
    return msw_links_add(&s->store->session.aliases, point, *value - 1, err);
}

static int add_keys(search *s, msw_err *err)
{
    if (msw_store_check_size(s->plan, err))
        return -1;
    if (msw_keyset_reserve(&s->keys, s->todo->missing, err))
        return -1;
    for (uint64_t word = 0; word <= s->todo->points / 64; word++)
        for (uint64_t bits = s->todo->bitmap[word], bit = 0; bits; bits >>= 1, bit++)
            if (bits & 1 && !msw_bit(s->store->session.done, word * 64 + bit) &&
                add_key(s, word * 64 + bit, err))
                return -1;
    return 0;
}

/* A row of the file answers a missing point: both it and its aliases are linked. */
static int use_row(search *s, uint64_t point, uint64_t row, msw_err *err)
{
    const msw_links *aliases = &s->store->session.aliases;
    if (!msw_bit(s->todo->bitmap, point))
        return 0;
    msw_bit_clear(s->todo->bitmap, point);
    s->todo->missing--;
    s->todo->reused++;
    if (msw_links_add(&s->found, point, row, err))
        return -1;
    for (size_t a = msw_links_first(aliases, point);
         a < aliases->count && aliases->list[a].row == point; a++) {
        s->todo->repeated--;
        s->todo->reused++;
        if (msw_links_add(&s->found, aliases->list[a].point, row, err))
            return -1;
    }
    return 0;
}

/* Linking to a row says that it is right. */
static int use_sound_row(search *s, msw_checker *checker, uint64_t point, uint64_t row,
                         msw_err *err)
{
    msw_soundness verdict;
    int got = msw_checker_id(checker, row, &verdict, err);
    if (got <= 0 || verdict == MSW_ROW_DAMAGED)
        return got < 0 ? -1 : 0;
    return use_row(s, point, row, err);
}

static int match_rows(search *s, sqlite3_stmt *rows, msw_checker *checker, msw_err *err)
{
    int got;
    while ((got = msw_sql_step(s->store, rows, err)) > 0) {
        if (sqlite3_column_bytes(rows, 1) != 16)
            continue;
        msw_digest key = msw_digest_load(sqlite3_column_blob(rows, 1));
        const uint32_t *point = msw_keyset_find(&s->keys, key);
        if (point &&
            use_sound_row(s, checker, *point - 1, (uint64_t)sqlite3_column_int64(rows, 0), err))
            return -1;
    }
    return got;
}

static int match_file(search *s, msw_err *err)
{
    sqlite3_stmt *rows = NULL;
    char *sql = msw_strfmt("SELECT id, key FROM points_%s WHERE status IN ('ok', 'infeasible')",
                           s->plan->mech->name);
    int result = sql ? msw_sql_prepare(s->store, sql, &rows, err) : msw_fail_memory(err);
    free(sql);
    msw_checker checker;
    if (result == 0)
        result = msw_checker_open(s->store, "main", s->plan->mech->name, &checker, err);
    if (result == 0) {
        result = match_rows(s, rows, &checker, err);
        msw_checker_close(&checker);
    }
    sqlite3_finalize(rows);
    return result;
}

static int link_found(search *s, msw_err *err)
{
    msw_store *store = s->store;
    if (!s->found.count)
        return 0;
    msw_span_writer spans;
    if (msw_span_open(store, store->session.sweep, &spans, err) || msw_sql_begin(store, err))
        return -1;
    int result = msw_sql_end(store, msw_span_write(store, &spans, &s->found, err), err);
    msw_span_close(&spans);
    if (result)
        return -1;
    for (size_t i = 0; i < s->found.count; i++)
        msw_bit_set(store->session.done, s->found.list[i].point);
    return 0;
}

/* Rows of the mechanism that this sweep does not use, and that could therefore be news to it. */
static int foreign_rows(search *s, int64_t *rows, msw_err *err)
{
    int64_t all = 0, own = 0;
    char *sql =
        msw_strfmt("SELECT (SELECT max(id) FROM points_%s) - (SELECT min(id) FROM points_%s) + 1",
                   s->plan->mech->name, s->plan->mech->name);
    int result = sql ? msw_sql_integer(s->store, sql, NULL, &all, err) : msw_fail_memory(err);
    free(sql);
    sql = msw_strfmt("SELECT sum(point_count) FROM msw_span WHERE sweep = %" PRId64,
                     s->store->session.sweep);
    if (result == 0)
        result = sql ? msw_sql_integer(s->store, sql, NULL, &own, err) : msw_fail_memory(err);
    free(sql);
    /* Aliases share rows: then the sum says nothing, and all rows are looked at. */
    *rows = s->plan->distinct ? all - own : all;
    return result;
}

static int search_keys(search *s, msw_err *err)
{
    int64_t foreign = 0;
    if (!s->todo->missing)
        return 0;
    if (foreign_rows(s, &foreign, err))
        return -1;
    if (s->plan->distinct && foreign <= 0)
        return 0;
    msw_links *aliases = &s->store->session.aliases;
    aliases->count = 0;
    if (add_keys(s, err))
        return -1;
    if (aliases->count)
        msw_sort(aliases->list, aliases->count, sizeof *aliases->list, by_row);
    if (foreign > 0)
        MSW_TRY(match_file(s, err));
    return foreign > 0 ? link_found(s, err) : 0;
}

static void simplify(msw_todo *todo)
{
    todo->everything = todo->missing == todo->points;
    if (!todo->everything && todo->missing)
        return;
    free(todo->bitmap);
    todo->bitmap = NULL;
}

static int find_todo(msw_store *store, const msw_plan *plan, int64_t sweep, bool retry,
                     const uint64_t *wanted, msw_key_fn key, void *context, msw_todo *todo,
                     msw_err *err)
{
    *todo = (msw_todo){.points = plan->points};
    search s = {store, plan, todo, wanted, .key = key, .context = context};
    int result = msw_store_commit(store, err);
    if (result == 0)
        result = msw_session_load(store, plan, sweep, err);
    if (result == 0)
        result = start(&s, err);
    if (result == 0)
        result = search_keys(&s, err);
    if (result == 0)
        result = add_unanswered(&s, retry, err);
    msw_keyset_free(&s.keys);
    free(s.found.list);
    if (result)
        msw_todo_free(todo);
    else
        simplify(todo);
    return result;
}

int msw_todo_find(msw_store *store, const msw_plan *plan, int64_t sweep, bool retry, msw_key_fn key,
                  void *context, msw_todo *todo, msw_err *err)
{
    return find_todo(store, plan, sweep, retry, NULL, key, context, todo, err);
}

static int plan_key(void *context, uint64_t point, msw_digest *key, msw_err *err)
{
    msw_point at = {0};
    if (msw_pointer_at(context, point, true, &at, err))
        return -1;
    *key = at.key;
    return 0;
}

int msw_store_todo_of(msw_store *store, const msw_plan *plan, int64_t sweep_id, bool retry,
                      const uint64_t *wanted, msw_todo *todo, msw_err *err)
{
    msw_pointer *pointer = NULL;
    if (msw_pointer_new(plan, &pointer, err))
        return -1;
    int result = find_todo(store, plan, sweep_id, retry, wanted, plan_key, pointer, todo, err);
    msw_pointer_free(pointer);
    return result;
}

int msw_store_todo(msw_store *store, const msw_plan *plan, int64_t sweep_id, bool retry,
                   msw_todo *todo, msw_err *err)
{
    return msw_store_todo_of(store, plan, sweep_id, retry, NULL, todo, err);
}

int msw_store_todo_keys(msw_store *store, const msw_plan *plan, int64_t sweep_id, msw_key_fn key,
                        void *context, msw_todo *todo, msw_err *err)
{
    return find_todo(store, plan, sweep_id, false, NULL, key, context, todo, err);
}

void msw_todo_free(msw_todo *todo)
{
    free(todo->bitmap);
    *todo = (msw_todo){0};
}

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
