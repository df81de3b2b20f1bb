/* SPDX-License-Identifier: MIT */
/* Defect 020. Does merging leave its source as it is: bytes, times and the folder? It used to drop
 * the view of a sweep in the source, and played back a killed writer's journal there. */
#include "foreign.h"

enum { ROWS = 400 };

static foreign set_up(void)
{
    foreign f;
    foreign_init(&f);
    make_file(f.from, "sweep", ROWS, 1);
    execute(f.from, "UPDATE msw_run SET pid = 2");
    make_file(f.into, "start", 20, 2);
    return f;
}

static void merges(const foreign *f, int64_t wanted)
{
    msw_err err;
    uint64_t rows;
    assert_ok(merge_files(f, MSW_MERGE_REFUSE, &rows, &err), err);
    assert_int_equal(rows, wanted);
    assert_int_equal(count_of(f->into, "SELECT count(*) FROM sweep"), ROWS);
    assert_int_equal(count_of(f->into, "SELECT count(*) FROM sweep WHERE cycles < 0"), 0);
}

static void the_view_of_the_source_stays(void **state)
{
    (void)state;
    foreign f = set_up();
    merges(&f, ROWS);
    assert_int_equal(count_of(f.from, "SELECT count(*) FROM sweep"), ROWS);
    merges(&f, 0);
    foreign_free(&f);
}

static void a_read_only_source_can_be_merged(void **state)
{
    (void)state;
    foreign f = set_up();
    assert_int_equal(chmod(f.from, 0444), 0);
    assert_int_equal(chmod(f.sources, 0555), 0);
    merges(&f, ROWS);
    assert_int_equal(chmod(f.sources, 0755), 0);
    foreign_free(&f);
}

static void names_are_not_addresses(void **state)
{
    (void)state;
    foreign f = set_up();
    char odd[] = "sources/file:a?mode=rwc&b#c%41 ü.db";
    assert_int_equal(rename(f.from, odd), 0);
    snprintf(f.from, sizeof f.from, "%s", odd);
    merges(&f, ROWS);
    assert_int_equal(rename(odd, "file:x.db"), 0);
    snprintf(f.from, sizeof f.from, "file:x.db");
    merges(&f, 0);
    foreign_free(&f);
}

/* Changes rows until some of them reach the file, and leaves it there like a killed process. */
static void leave_journal(const foreign *f)
{
    sqlite3 *db;
    char journal[120];
    snprintf(journal, sizeof journal, "%s-journal", f->from);
    copy_bytes(f->from, "writing.db");
    assert_int_equal(sqlite3_open("writing.db", &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     "PRAGMA cache_size = 2; BEGIN; UPDATE points_toy SET cycles = -1, "
                     "reason = hex(zeroblob(3000))",
                     NULL, NULL, NULL),
        SQLITE_OK);
    copy_bytes("writing.db", f->from);
    copy_bytes("writing.db-journal", journal);
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(db);
}

static void a_journal_is_played_back_in_a_copy(void **state)
{
    (void)state;
    foreign f = set_up();
    assert_int_equal(setenv("TMPDIR", f.folder, 1), 0);
    leave_journal(&f);
    merges(&f, ROWS);
    merges(&f, 0);
    /* By another name: the journal lies beside the file itself. */
    char other[100];
    snprintf(other, sizeof other, "%s", f.from);
    snprintf(f.from, sizeof f.from, "%s/link.db", f.folder);
    assert_int_equal(symlink(other, f.from), 0);
    assert_int_equal(unlink(f.into), 0);
    merges(&f, ROWS);
    /* The copy is gone. */
    assert_int_equal(system("ls -d memsweep-merge-* >/dev/null 2>&1") != 0, 1);
    unsetenv("TMPDIR");
    foreign_free(&f);
}

static void a_journal_that_names_a_file_removes_none(void **state)
{
    (void)state;
    foreign f = set_up();
    msw_err err;
    msw_store *store;
    uint64_t rows;
    char journal[120], victim[120];
    leave_journal(&f);
    snprintf(journal, sizeof journal, "%s-journal", f.from);
    snprintf(victim, sizeof victim, "%s/victim", f.folder);
    copy_bytes(f.into, victim);
    unsigned sum = 0, size = (unsigned)strlen(victim);
    for (const char *c = victim; *c; c++)
        sum += (unsigned)(signed char)*c;
    unsigned char tail[] = {0,
                            0,
                            0,
                            (unsigned char)size,
                            (unsigned char)(sum >> 24),
                            (unsigned char)(sum >> 16),
                            (unsigned char)(sum >> 8),
                            (unsigned char)sum,
                            0xd9,
                            0xd5,
                            0x05,
                            0xf9,
                            0x20,
                            0xa1,
                            0x63,
                            0xd7};
    FILE *out = fopen(journal, "ab");
    assert_non_null(out);
    assert_int_equal(fwrite("\0\0\0\0", 1, 4, out), 4);
    assert_int_equal(fwrite(victim, 1, size, out), size);
    assert_int_equal(fwrite(tail, 1, sizeof tail, out), sizeof tail);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(merge_files(&f, MSW_MERGE_REFUSE, &rows, &err), -1);
    assert_non_null(strstr(err.text, "several files"));
    for (int mode = MSW_STORE_WRITE; mode <= MSW_STORE_READ; mode++) {
        assert_int_equal(msw_store_open(f.from, (msw_store_mode)mode, false, NULL, &store, &err),
                         -1);
        assert_int_equal(err.kind, MSW_ERR_IO);
    }
    assert_int_equal(access(victim, F_OK), 0);
    foreign_free(&f);
}

static void a_log_is_read_in_a_copy(void **state)
{
    (void)state;
    foreign f = set_up();
    char log[120];
    sqlite3 *db;
    snprintf(log, sizeof log, "%s-wal", f.from);
    uncover(f.from);
    copy_bytes(f.from, "logged.db");
    assert_int_equal(sqlite3_open("logged.db", &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "PRAGMA journal_mode = WAL; UPDATE points_toy SET stall = -7 "
                                  "WHERE id = 1",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    copy_bytes("logged.db", f.from);
    copy_bytes("logged.db-wal", log);
    sqlite3_close(db);
    merges(&f, ROWS);
    assert_int_equal(count_of(f.into, "SELECT count(*) FROM sweep WHERE stall = -7"), 1);
    foreign_free(&f);
}

static void a_writer_is_not_disturbed(void **state)
{
    (void)state;
    foreign f = set_up();
    sqlite3 *db;
    msw_err err;
    uint64_t rows;
    assert_int_equal(sqlite3_open(f.from, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "BEGIN IMMEDIATE; UPDATE points_toy SET cycles = 5 WHERE id "
                                  "= 1",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    msw_store *store;
    assert_ok(msw_store_open(f.into, MSW_STORE_WRITE, false, NULL, &store, &err), err);
    assert_ok(msw_store_merge(store, f.from, MSW_MERGE_REFUSE, &rows, &err), err);
    assert_ok(msw_store_close(store, &err), err);
    assert_int_equal(rows, ROWS);
    assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(count_of(f.into, "SELECT count(*) FROM sweep WHERE cycles = 5"), 0);
    assert_int_equal(count_of(f.from, "SELECT count(*) FROM sweep WHERE cycles = 5"), 1);
    foreign_free(&f);
}

static void a_file_is_not_merged_into_itself(void **state)
{
    (void)state;
    foreign f = set_up();
    msw_err err;
    uint64_t rows;
    snprintf(f.from, sizeof f.from, "%s/same.db", f.folder);
    assert_int_equal(symlink(f.into, f.from), 0);
    assert_int_equal(merge_files(&f, MSW_MERGE_REFUSE, &rows, &err), -1);
    assert_int_equal(err.kind, MSW_ERR_USAGE);
    assert_int_equal(count_of(f.into, "SELECT count(*) FROM start"), 20);
    foreign_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_view_of_the_source_stays),
        cmocka_unit_test(a_read_only_source_can_be_merged),
        cmocka_unit_test(names_are_not_addresses),
        cmocka_unit_test(a_journal_is_played_back_in_a_copy),
        cmocka_unit_test(a_journal_that_names_a_file_removes_none),
        cmocka_unit_test(a_log_is_read_in_a_copy),
        cmocka_unit_test(a_writer_is_not_disturbed),
        cmocka_unit_test(a_file_is_not_merged_into_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
