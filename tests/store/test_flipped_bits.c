/* SPDX-License-Identifier: MIT */
/* Defect 790. Is every flipped bit that changes an answer noticed: by verify, by the run that
 * resumes, and by merge, which must not carry a wrong row into another file? Here one bit of every
 * byte of the rows and some of the rest; with MEMSWEEP_FULL every bit of the whole file. */
#include "memsweep/store/verify.h"
#include "store/state.h"
#include "store_fixture.h"
#include "testing.h"

#include <fcntl.h>
#include <unistd.h>

enum { POINTS = 2, PAGE = 8192, OFTEN = 29, SELDOM = 61 };

#define SWEEP "flips"

static struct {
    char folder[64], path[96], copy[96], sound[96];
    char *bytes;
    size_t size;
    msw_digest digest;
    toy_plan toy;
    uint64_t flips, noticed, harmless, neutral, resumed, merged;
} f;

static msw_detail_row *detail(uint64_t point, msw_detail_row *next)
{
    msw_detail_row *row = calloc(1, sizeof *row + 2 * sizeof(double));
    assert_non_null(row);
    row->next = next;
    row->values[0] = (double)point;
    row->values[1] = 100.5 * (double)point;
    return row;
}

static void write_rows(msw_store *store, int64_t sweep, int64_t run, const msw_todo *todo,
                       msw_err *err)
{
    static const size_t WIDTHS[] = {2};
    msw_batch *batch = toy_batch(&f.toy);
    for (uint64_t i = 0; i < POINTS; i++) {
        if (!todo->everything && !(todo->bitmap && msw_bit(todo->bitmap, i)))
            continue;
        toy_row(&f.toy, batch, i, MSW_OK);
        batch->rows[batch->count - 1].cost_us = 7;
        msw_detail_row *first = detail(i, NULL);
        first = detail(i, first);
        assert_int_equal(msw_batch_details(batch, first, WIDTHS), 0);
        free(first->next);
        free(first);
    }
    assert_ok(msw_store_write(store, &f.toy.plan, sweep, run, batch, err), *err);
    msw_batch_free(batch);
}

/* Resumes a file, as a run does. Returns 0, or -1 when that was refused. */
static int resume(const char *path, uint64_t *missing)
{
    msw_err err = {0};
    msw_store *store;
    msw_todo todo;
    int64_t sweep, run;
    if (msw_store_open(path, MSW_STORE_WRITE, false, NULL, &store, &err))
        return -1;
    int rc = msw_store_add_sweep(store, &f.toy.plan, &sweep, &err) ||
             msw_todo_find(store, &f.toy.plan, sweep, false, toy_key, &f.toy, &todo, &err);
    if (rc == 0) {
        *missing = todo.missing;
        rc = msw_store_begin_run(store, sweep, &TOY_RUN, &run, &err);
        if (rc == 0 && todo.missing)
            write_rows(store, sweep, run, &todo, &err);
        msw_todo_free(&todo);
    }
    return msw_store_close(store, NULL) || rc ? -1 : 0;
}

static void put(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static int make(void **state)
{
    (void)state;
    msw_err err = {0};
    uint64_t rows, missing;
    msw_store *store;
    snprintf(f.folder, sizeof f.folder, "/tmp/memsweep-flips-XXXXXX");
    assert_non_null(mkdtemp(f.folder));
    snprintf(f.path, sizeof f.path, "%s/a.db", f.folder);
    snprintf(f.copy, sizeof f.copy, "%s/b.db", f.folder);
    snprintf(f.sound, sizeof f.sound, "%s/sound.db", f.folder);
    toy_plan_init(&f.toy, SWEEP, POINTS, 1);
    assert_int_equal(resume(f.path, &missing), 0);
    assert_int_equal(missing, POINTS);
    assert_ok(msw_store_open(f.path, MSW_STORE_READ, false, NULL, &store, &err), err);
    assert_ok(msw_store_digest(store, SWEEP, &f.digest, &rows, &err), err);
    assert_int_equal(rows, POINTS);
    msw_store_close(store, NULL);
    assert_ok(msw_read_file(f.path, &f.bytes, &f.size, &err), err);
    put(f.sound, f.bytes, f.size);
    return 0;
}

static int drop(void **state)
{
    (void)state;
    char command[100];
    free(f.bytes);
    toy_plan_free(&f.toy);
    snprintf(command, sizeof command, "rm -rf %s", f.folder);
    return getenv("MEMSWEEP_KEEP") ? 0 : system(command);
}

/* Rows of `path` that the sound file does not have, or the other way round. */
static int64_t strange_rows(const char *path, const char *table, const char *columns, bool both)
{
    char sql[2000];
    sqlite3 *db;
    sqlite3_stmt *stmt;
    int64_t count = -1;
    snprintf(sql, sizeof sql,
             "SELECT (SELECT count(*) FROM (SELECT %s FROM main.%s EXCEPT SELECT %s FROM s.%s)) + "
             "%d * (SELECT count(*) FROM (SELECT %s FROM s.%s EXCEPT SELECT %s FROM main.%s))",
             columns, table, columns, table, both, columns, table, columns, table);
    char attach[200];
    snprintf(attach, sizeof attach, "ATTACH '%s' AS s", f.sound);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, attach, NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK) {
        if (sqlite3_step(stmt) == SQLITE_ROW)
            count = sqlite3_column_int64(stmt, 0);
        sqlite3_finalize(stmt);
    }
    sqlite3_close(db);
    return count;
}

#define BUT_WIDE                                                                                   \
    "status, doubt, cycles, stall, rate, peak, energy, traffic, hits, ways, cache_size, policy, "  \
    "share, alpha_batch, cycles_hw, stall_hw, bound_by, workload, fidelity, seed, replicate, "     \
    "version, units_measured, units_total, events, reason, key"
#define COLUMNS BUT_WIDE ", wide"

static bool is_noticed(const char *path)
{
    msw_err err = {0};
    msw_store *store;
    msw_verified verified;
    if (msw_store_open(path, MSW_STORE_READ, false, NULL, &store, &err))
        return true;
    bool noticed = msw_store_verify(store, &verified, &err) != 0;
    if (!noticed) {
        noticed = verified.damages > 0;
        msw_verified_free(&verified);
    }
    msw_store_close(store, NULL);
    return noticed;
}

static bool same_digest(const char *path)
{
    msw_err err = {0};
    msw_store *store;
    msw_digest digest;
    uint64_t rows;
    assert_ok(msw_store_open(path, MSW_STORE_READ, false, NULL, &store, &err), err);
    bool same = msw_store_digest(store, SWEEP, &digest, &rows, &err) == 0 &&
                msw_digest_equal(digest, f.digest) && rows == POINTS;
    msw_store_close(store, NULL);
    return same;
}

/* A resumed file has the sound rows, or the run said that it cannot go on. */
static void check_resume(size_t at, int bit)
{
    uint64_t missing = 0;
    put(f.copy, f.bytes, f.size);
    if (resume(f.copy, &missing))
        return;
    f.resumed++;
    int64_t strange = strange_rows(f.copy, "points_toy", COLUMNS, false);
    if (strange > 0 && !is_noticed(f.copy))
        fail_msg("byte %zu, bit %d: resuming left %d wrong rows", at, bit, (int)strange);
    if (!same_digest(f.copy) && !is_noticed(f.copy))
        fail_msg("byte %zu, bit %d: another digest after resuming", at, bit);
}

/* No wrong row comes into another file. */
static void check_merge(size_t at, int bit)
{
    msw_err err = {0};
    msw_store *store;
    uint64_t rows;
    unlink(f.copy);
    assert_ok(msw_store_open(f.copy, MSW_STORE_WRITE, false, NULL, &store, &err), err);
    int rc = msw_store_merge(store, f.path, MSW_MERGE_REFUSE, &rows, &err);
    msw_store_close(store, NULL);
    if (rc)
        return;
    f.merged++;
    if (strange_rows(f.copy, "points_toy", COLUMNS, false) > 0)
        fail_msg("byte %zu, bit %d: merged a wrong row", at, bit);
    if (strange_rows(f.copy, "detail_toy_tenant", "item, tenant, latency", false) > 0)
        fail_msg("byte %zu, bit %d: merged wrong details", at, bit);
}

static void put_byte(size_t at)
{
    int file = open(f.path, O_WRONLY);
    assert_int_equal(pwrite(file, f.bytes + at, 1, (off_t)at), 1);
    close(file);
}

static void flip(size_t at, int bit)
{
    char before = f.bytes[at];
    f.bytes[at] = (char)(before ^ 1 << bit);
    put_byte(at);
    f.flips++;
    if (is_noticed(f.path))
        f.noticed++;
    else if (same_digest(f.path) && strange_rows(f.path, "points_toy", COLUMNS, true) == 0 &&
             strange_rows(f.path, "detail_toy_tenant", "item, tenant, latency", true) == 0)
        f.harmless++;
    else if (strange_rows(f.path, "points_toy", BUT_WIDE, true) == 0)
        f.neutral++; /* NULL in the place of 0, which is neutral: neither has a term */
    else
        fail_msg("byte %zu, bit %d: another answer, and nobody noticed", at, bit);
    bool thorough = getenv("MEMSWEEP_FULL") != NULL;
    if (thorough || f.flips % OFTEN == 0)
        check_resume(at, bit);
    if (thorough || f.flips % OFTEN == OFTEN / 2)
        check_merge(at, bit);
    f.bytes[at] = before;
    put_byte(at);
}

/* What a page uses: its head with the list of cells, and the cells. */
static bool is_used(size_t at)
{
    size_t head = at / PAGE ? 0 : 100, in = at % PAGE;
    const unsigned char *page = (const unsigned char *)f.bytes + at / PAGE * PAGE, *b = page + head;
    size_t cells = (size_t)b[3] << 8 | b[4], content = (size_t)b[5] << 8 | b[6];
    return in < head + 12 + 2 * cells || in >= content;
}

static bool is_of_rows(size_t at)
{
    static int64_t pages[2];
    for (int i = 0; i < 2 && !pages[i]; i++) {
        sqlite3 *db;
        sqlite3_stmt *stmt;
        assert_int_equal(sqlite3_open(f.sound, &db), SQLITE_OK);
        sqlite3_prepare_v2(db, "SELECT rootpage FROM sqlite_master WHERE name = ?1", -1, &stmt,
                           NULL);
        sqlite3_bind_text(stmt, 1, i ? "detail_toy_tenant" : "points_toy", -1, SQLITE_STATIC);
        assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
        pages[i] = sqlite3_column_int64(stmt, 0);
        sqlite3_finalize(stmt);
        sqlite3_close(db);
    }
    int64_t page = (int64_t)(at / PAGE) + 1;
    return page == pages[0] || page == pages[1];
}

static void flipped_bits_are_noticed(void **state)
{
    (void)state;
    bool thorough = getenv("MEMSWEEP_FULL") != NULL;
    for (size_t at = 0; at < f.size; at++) {
        if (!is_used(at) || (!thorough && !is_of_rows(at) && at % SELDOM))
            continue;
        for (int bit = 0; bit < 8; bit++)
            if (thorough || bit == (int)(at * 5 % 8))
                flip(at, bit);
    }
    printf("%d flips: %d noticed, %d that change no answer; %d resumed, %d merged\n", (int)f.flips,
           (int)f.noticed, (int)f.harmless, (int)f.resumed, (int)f.merged);
    assert_true(f.noticed > f.flips / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flipped_bits_are_noticed),
    };
    return cmocka_run_group_tests(tests, make, drop);
}
