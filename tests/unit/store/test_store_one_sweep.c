/* SPDX-License-Identifier: MIT */
/* Is one sweep of a file with several copied whole and alone: its digest, the rows that it shares
 * with another, their runs, its columns, and nothing of the others? */
#include "finished.h"

#include "memsweep/store/store.h"
#include "memsweep/store/verify.h"

#include <string.h>
#include <unistd.h>

#define HEAD                                                                                       \
    "mechanism: null\nworkloads: [synth/small]\nfidelity: analytic\nfix: {function: zdt2}\n"

/* Every second point of `wide` is answered by `narrow` before. */
static const char NARROW[] =
    "sweep: narrow\n" HEAD "vary: {x1: [0, 0.5, 1]}\nderive: {secret: \"f1\"}\n";
static const char WIDE[] = "sweep: wide\n" HEAD "vary: {x1: [0, 0.25, 0.5, 0.75, 1]}\n"
                           "derive: {distance: \"f1 + f2\"}\n";
static const char FORWARD[] =
    "sweep: other\nmechanism: null_forward\nworkloads: [synth/small]\nfidelity: full\n";

static msw_store *open_at(const finished *f, const char *name, msw_store_mode mode)
{
    char path[128];
    msw_err err = {0};
    msw_store *store = NULL;
    assert_ok(msw_store_open(finished_path(f, name, path), mode, false, NULL, &store, &err), err);
    return store;
}

static double count(msw_store *store, const char *sql)
{
    msw_err err = {0};
    msw_table table = {0};
    assert_ok(msw_store_read(store, &(msw_query){.sql = sql}, &table, &err), err);
    double value = table.columns[0].values[0];
    msw_table_free(&table);
    return value;
}

static msw_digest digest_of(msw_store *store, const char *sweep, uint64_t *rows)
{
    msw_err err = {0};
    msw_digest digest;
    assert_ok(msw_store_digest(store, sweep, &digest, rows, &err), err);
    return digest;
}

static msw_digest plan_digest(const char *text)
{
    static const msw_plan_options OPTIONS = {.seed = -1};
    msw_messages messages = {0};
    msw_plan *plan = NULL;
    assert_int_equal(msw_plan_parse("t", text, strlen(text), &OPTIONS, &plan, &messages), 0);
    msw_digest digest = plan->digest;
    msw_plan_free(plan);
    return digest;
}

static void assert_sound(msw_store *store)
{
    msw_verified verified;
    msw_err err = {0};
    assert_ok(msw_store_verify(store, &verified, &err), err);
    assert_string_equal(msw_text_str(&verified.findings), "");
    assert_int_equal(verified.records_uncovered, 0);
    assert_int_equal(verified.sweep_count, 1);
    msw_verified_free(&verified);
}

static void one_of_three(void **state)
{
    (void)state;
    finished f;
    char path[128];
    uint64_t rows, added;
    finished_open(&f);
    finished_run(&f, "all.db", NARROW, NULL);
    finished_run(&f, "all.db", FORWARD, NULL);
    finished_run(&f, "all.db", WIDE, NULL);
    msw_store *all = open_at(&f, "all.db", MSW_STORE_READ);
    msw_digest wanted = digest_of(all, "wide", &rows);
    assert_int_equal(rows, 5);
    assert_true(count(all, "SELECT count(*) FROM points_null") == 5);
    msw_store_close(all, NULL);

    msw_store *one = open_at(&f, "one.db", MSW_STORE_WRITE);
    finished_path(&f, "all.db", path);
    assert_ok(msw_store_merge_sweep(one, path, plan_digest(WIDE), &added, &f.err), f.err);
    assert_int_equal(added, 5);
    assert_true(msw_digest_equal(digest_of(one, "wide", &rows), wanted));
    assert_true(count(one, "SELECT count(*) FROM points_null") == 5);
    assert_true(count(one, "SELECT count(*) FROM msw_sweep") == 1);
    assert_true(count(one, "SELECT count(*) FROM msw_run WHERE sweep <> 1") == 0);
    assert_true(count(one, "SELECT count(*) FROM points_null WHERE run NOT IN (SELECT id FROM "
                           "msw_run)") == 0);
    assert_true(count(one, "SELECT count(*) FROM msw_column WHERE name = 'distance'") == 1);
    assert_true(count(one, "SELECT count(*) FROM msw_column WHERE name = 'secret' OR table_name = "
                           "'points_null_forward'") == 0);
    assert_sound(one);
    msw_store_close(one, NULL);
    finished_close(&f);
}

static void the_one_that_shares_its_numbers_with_none(void **state)
{
    (void)state;
    finished f;
    char path[128];
    uint64_t rows, added;
    finished_open(&f);
    finished_run(&f, "all.db", WIDE, NULL);
    finished_run(&f, "all.db", NARROW, NULL);
    msw_store *one = open_at(&f, "one.db", MSW_STORE_WRITE);
    finished_path(&f, "all.db", path);
    assert_ok(msw_store_merge_sweep(one, path, plan_digest(NARROW), &added, &f.err), f.err);
    assert_int_equal(added, 3);
    digest_of(one, "narrow", &rows);
    assert_int_equal(rows, 3);
    assert_sound(one);
    assert_int_equal(msw_store_merge_sweep(one, path, (msw_digest){1, 2}, &added, &f.err), -1);
    assert_said(&f.err, "no sweep with the digest");
    msw_store_close(one, NULL);
    finished_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_of_three),
        cmocka_unit_test(the_one_that_shares_its_numbers_with_none),
    };
    return cmocka_run_group_tests_name("store_one_sweep", tests, NULL, NULL);
}
