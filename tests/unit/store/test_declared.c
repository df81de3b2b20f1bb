/* SPDX-License-Identifier: MIT */
/* Is a declaration taken only when it says nothing but names, types, plain defaults and keys? */
#include "testing.h"

#include "store/catalogue/catalogue.h"

#include <stdlib.h>
#include <string.h>

static void what_memsweep_declares_is_taken(void **state)
{
    (void)state;
    static const char *const GOOD[] = {
        "CREATE TABLE points_a(id INTEGER PRIMARY KEY, key BLOB, x REAL DEFAULT -1.5e-3, \"order\" "
        "TEXT DEFAULT 'it''s', n INTEGER DEFAULT NULL)",
        "CREATE TABLE detail_a_b(row_id INTEGER NOT NULL, item INTEGER NOT NULL, v REAL, PRIMARY "
        "KEY(row_id, item)) WITHOUT ROWID",
    };
    for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++) {
        msw_declared d;
        msw_err err = {0};
        msw_text sql = MSW_TEXT_EMPTY;
        assert_ok(msw_declared_read(GOOD[i], &d, &err), err);
        msw_declared_print(&d, &sql);
        /* Printed again it is the same, in the schema it is for. */
        char *same = msw_strfmt("CREATE TABLE main.%s", GOOD[i] + strlen("CREATE TABLE "));
        assert_string_equal(msw_text_str(&sql), same);
        free(same);
        msw_text_free(&sql);
        msw_declared_free(&d);
    }
}

static void all_else_is_refused(void **state)
{
    (void)state;
    static const char *const BAD[] = {
        "",
        "CREATE TABLE",
        "CREATE TABLE t",
        "CREATE TABLE t(",
        "CREATE TABLE t()",
        "CREATE TABLE t(a)",
        "CREATE TABLE t(a INTEGER",
        "CREATE TABLE t(a INTEGER,)",
        "CREATE TABLE t(a INT)",
        "CREATE TABLE t(a INTEGER) STRICT",
        "CREATE TABLE t(a INTEGER); DROP TABLE t",
        "CREATE TABLE t(a INTEGER, a TEXT)",
        "CREATE TABLE t(a INTEGER, A TEXT)",
        "CREATE TABLE t(a INTEGER DEFAULT (1))",
        "CREATE TABLE t(a INTEGER DEFAULT b)",
        "CREATE TABLE t(a INTEGER DEFAULT \"b\")",
        "CREATE TABLE t(a INTEGER DEFAULT CURRENT_TIME)",
        "CREATE TABLE t(a INTEGER DEFAULT -'1')",
        "CREATE TABLE t(a INTEGER DEFAULT 'open)",
        "CREATE TABLE t(a INTEGER DEFAULT x'00')",
        "CREATE TABLE t(a INTEGER CHECK(a))",
        "CREATE TABLE t(a INTEGER COLLATE NOCASE)",
        "CREATE TABLE t(a INTEGER REFERENCES u)",
        "CREATE TABLE t(a INTEGER AS (1))",
        "CREATE TABLE t(a INTEGER GENERATED ALWAYS AS (1))",
        "CREATE TABLE t(a INTEGER PRIMARY KEY AUTOINCREMENT)",
        "CREATE TABLE t(a INTEGER NOT NULL ON CONFLICT IGNORE)",
        "CREATE TABLE t(a INTEGER, CHECK(a))",
        "CREATE TABLE t(a INTEGER, UNIQUE(a))",
        "CREATE TABLE t(a INTEGER, CONSTRAINT c CHECK(a))",
        "CREATE TABLE t(a INTEGER, FOREIGN KEY(a) REFERENCES u(b))",
        "CREATE TABLE t(a INTEGER, PRIMARY KEY(a), PRIMARY KEY(a))",
        "CREATE TABLE t(a INTEGER /* b */)",
        "CREATE TABLE t(a INTEGER -- b\n)",
        "CREATE TABLE t(\"a b\" INTEGER)",
        "CREATE TABLE t(\"a\"\"\" INTEGER)",
        "CREATE TABLE t([a] INTEGER)",
        "CREATE TABLE t(1a INTEGER)",
        "CREATE TABLE t AS SELECT 1",
        "CREATE TEMP TABLE t(a INTEGER)",
        "CREATE VIRTUAL TABLE t USING fts5(a)",
        "CREATE VIEW t AS SELECT 1",
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        msw_declared d;
        msw_err err = {0};
        if (msw_declared_read(BAD[i], &d, &err) != -1)
            fail_msg("taken: %s", BAD[i]);
        assert_int_equal(err.kind, MSW_ERR_IO);
        assert_null(d.columns);
    }
}

static void names_are_read_in_all_quotes(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *name;
    } CASES[] = {{"CREATE TABLE plain(a)", "plain"},
                 {"CREATE TABLE \"two words\"(a)", "two words"},
                 {"CREATE TABLE \"a\"\"b\"(a)", "a\"b"},
                 {"CREATE TABLE [a]]b](a)", "a"},
                 {"CREATE TABLE `a``b`(a)", "a`b"},
                 {"CREATE TABLE 'x''y'(a)", "x'y"},
                 {"CREATE TABLE Gr\xc3\xbcn$1(a)", "Gr\xc3\xbcn$1"},
                 {"CREATE VIEW plain AS", NULL}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char *name = msw_declared_name(CASES[i].sql, "CREATE TABLE ");
        if (CASES[i].name)
            assert_string_equal(name, CASES[i].name);
        else
            assert_null(name);
        free(name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_memsweep_declares_is_taken),
        cmocka_unit_test(all_else_is_refused),
        cmocka_unit_test(names_are_read_in_all_quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
