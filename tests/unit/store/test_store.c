/* SPDX-License-Identifier: MIT */
/* Does what is written come back: types, names, order, digests, and only once? */
#include "store/state.h"
#include "store_fixture.h"
#include "testing.h"

#include <unistd.h>

/* A fresh file with a plan in it. */
typedef struct bench {
    char path[64];
    toy_plan toy;
    msw_store *store;
    int64_t sweep, run;
    msw_err err;
} bench;

static void remove_files(const char *path)
{
    static const char *const SUFFIXES[] = {"", "-journal", ".lock", ".shard", ".shard-journal"};
    for (size_t i = 0; i < sizeof SUFFIXES / sizeof *SUFFIXES; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s%s", path, SUFFIXES[i]);
        unlink(name);
    }
}

static void open_write(bench *b)
{
    assert_ok(msw_store_open(b->path, MSW_STORE_WRITE, false, NULL, &b->store, &b->err), b->err);
}

static void add_plan(bench *b)
{
    assert_ok(msw_store_add_sweep(b->store, &b->toy.plan, &b->sweep, &b->err), b->err);
    assert_ok(msw_store_begin_run(b->store, b->sweep, &TOY_RUN, &b->run, &b->err), b->err);
}

static void set_up(bench *b, const char *name, uint64_t per_workload, size_t workloads)
{
    *b = (bench){0};
    snprintf(b->path, sizeof b->path, "/tmp/memsweep-%s-%ld.db", name, (long)getpid());
    remove_files(b->path);
    toy_plan_init(&b->toy, name, per_workload, workloads);
    open_write(b);
    add_plan(b);
}

static void close_store(bench *b)
{
    assert_ok(msw_store_close(b->store, &b->err), b->err);
    b->store = NULL;
}

static void tear_down(bench *b)
{
    close_store(b);
    toy_plan_free(&b->toy);
    remove_files(b->path);
}

static void write_points(bench *b, const toy_plan *toy, int64_t sweep, const uint64_t *points,
                         size_t count, msw_status status)
{
    msw_batch *batch = toy_batch(toy);
    for (size_t i = 0; i < count; i++)
        toy_row(toy, batch, points[i], status);
    assert_ok(msw_store_write(b->store, &toy->plan, sweep, b->run, batch, &b->err), b->err);
    assert_ok(msw_store_commit(b->store, &b->err), b->err);
    msw_batch_free(batch);
}

static void write_range(bench *b, uint64_t first, uint64_t last)
{
    uint64_t *points = malloc((last - first) * sizeof *points);
    for (uint64_t i = first; i < last; i++)
        points[i - first] = i;
    write_points(b, &b->toy, b->sweep, points, last - first, MSW_OK);
    free(points);
}

static msw_todo todo_of(bench *b, toy_plan *toy, int64_t sweep, bool retry)
{
    msw_todo todo;
    assert_ok(msw_todo_find(b->store, &toy->plan, sweep, retry, toy_key, toy, &todo, &b->err),
              b->err);
    return todo;
}

static int64_t integer(bench *b, const char *sql)
{
    int64_t value = -1;
    assert_ok(msw_view_make_named(b->store, NULL, &b->err), b->err);
    assert_ok(msw_sql_integer(b->store, sql, NULL, &value, &b->err), b->err);
    return value;
}

static msw_digest digest_of(bench *b, const char *sweep)
{
    msw_digest digest;
    uint64_t rows;
    assert_ok(msw_store_digest(b->store, sweep, &digest, &rows, &b->err), b->err);
    return digest;
}

/* ---- writing and reading back ---- */

static void every_column_has_its_declared_type(void **state)
{
    (void)state;
    bench b;
    set_up(&b, "types", 50, 2);
    write_range(&b, 0, 100);
    sqlite3_stmt *columns;
    assert_int_equal(sqlite3_prepare_v2(b.store->db,
                                        "SELECT name, type FROM pragma_table_info('points_toy')",
                                        -1, &columns, NULL),
                     SQLITE_OK);
    int checked = 0;
    for (; sqlite3_step(columns) == SQLITE_ROW; checked++) {
        const char *name = (const char *)sqlite3_column_text(columns, 0);
        char sql[256];
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM points_toy WHERE typeof(%s) NOT IN ('null', lower('%s'))",
                 name, (const char *)sqlite3_column_text(columns, 1));
        if (integer(&b, sql) != 0)
            fail_msg("%s holds values of another type", name);
        snprintf(sql, sizeof sql, "SELECT count(%s) FROM points_toy", name);
        bool said = strcmp(name, "reason") == 0 || strcmp(name, "doubt") == 0 ||
                    strcmp(name, "error_stratum") == 0;
        if (!said && integer(&b, sql) == 0)
            fail_msg("%s is never filled", name);
    }
    assert_int_equal(checked, 1 + 16 + 7 + 7 + 6 + 1);
    sqlite3_finalize(columns);
    tear_down(&b);
}

static void values_come_back_in_plan_order(void **state)
{
    (void)state;
    bench b;
    msw_table table;
    set_up(&b, "order", 50, 2);
    for (uint64_t i = 100; i-- > 0;)
        write_points(&b, &b.toy, b.sweep, &i, 1, MSW_OK);
    msw_query query = {.columns = "point, cycles, policy, cycles - 1000 AS x, waste"};
    assert_ok(msw_store_read(b.store, &query, &table, &b.err), b.err);
    assert_int_equal(table.rows, 100);
    assert_int_equal(table.column_count, 5);
    assert_string_equal(table.columns[1].unit, "cycles");
    assert_int_equal(table.columns[1].goal, MSW_GOAL_LOWER);
    assert_string_equal(table.columns[3].name, "x");
    for (size_t i = 0; i < 100; i++) {
        assert_near(table.columns[0].values[i], (double)i, 0);
        assert_near(table.columns[3].values[i], (double)i, 0);
        const char *policy = table.columns[2].labels[(size_t)table.columns[2].values[i]];
        assert_string_equal(policy, i % 2 ? "fifo" : "lru");
    }
    assert_near(table.columns[4].values[6], 1006 * 2.0, 0);
    msw_table_free(&table);
    tear_down(&b);
}

static void nan_becomes_null_and_minus_zero_zero(void **state)
{
    (void)state;
    bench b;
    set_up(&b, "nan", 50, 2);
    write_range(&b, 0, 100);
    assert_int_equal(integer(&b, "SELECT count(*) FROM \"nan\" WHERE rate IS NULL"), 10);
    assert_int_equal(integer(&b, "SELECT count(*) FROM \"nan\" WHERE stall_hw IS NULL"), 10);
    msw_table table;
    msw_query query = {.columns = "stall", .filter = "point % 10 = 3"};
    assert_ok(msw_store_read(b.store, &query, &table, &b.err), b.err);
    assert_int_equal(table.rows, 10);
    for (size_t i = 0; i < table.rows; i++)
        assert_true(table.columns[0].values[i] == 0 && !signbit(table.columns[0].values[i]));
    msw_table_free(&table);
    tear_down(&b);
}

static void parameters_of_other_fronts_are_null(void **state)
{
    (void)state;
    bench b;
    set_up(&b, "fronts", 50, 2);
    write_range(&b, 0, 100);
    assert_int_equal(integer(&b, "SELECT count(*) FROM fronts WHERE workload = 'alpha/one' AND "
                                 "alpha_batch IS NOT NULL AND beta_tables IS NULL"),
                     50);
    assert_int_equal(integer(&b, "SELECT count(*) FROM fronts WHERE workload = 'beta/two' AND "
                                 "alpha_batch IS NULL AND beta_tables IS NOT NULL"),
                     50);
    assert_int_equal(integer(&b, "SELECT max(design_index) FROM fronts"), 49);
    tear_down(&b);
}

static void details_go_with_their_rows(void **state)
{
    (void)state;
    bench b;
    set_up(&b, "details", 20, 1);
    msw_batch *batch = toy_batch(&b.toy);
    size_t widths[] = {2};
    msw_detail_row *second = calloc(1, sizeof *second + 2 * sizeof(double));
    msw_detail_row *first = calloc(1, sizeof *first + 2 * sizeof(double));
    assert_true(first && second);
    first->next = second;
    for (uint64_t i = 20; i-- > 0;) {
        toy_row(&b.toy, batch, i, MSW_OK);
        memcpy(first->values, (double[]){0, (double)i}, 16);
        memcpy(second->values, (double[]){1, (double)i + 0.5}, 16);
        assert_int_equal(msw_batch_details(batch, first, widths), 0);
    }
    free(first);
    free(second);
    assert_ok(msw_store_write(b.store, &b.toy.plan, b.sweep, b.run, batch, &b.err), b.err);
    assert_ok(msw_store_commit(b.store, &b.err), b.err);
    msw_batch_free(batch);
    assert_int_equal(integer(&b, "SELECT count(*) FROM details JOIN detail_toy_tenant USING "
                                 "(row_id) WHERE latency = point + 0.5 * tenant AND item = tenant"),
                     40);
    tear_down(&b);
}

static void view_reads_rows_by_range(void **state)
{
    (void)state;
    bench b;
    set_up(&b, "plan", 50, 2);
    sqlite3_stmt *plan;
    assert_ok(msw_view_make_named(b.store, NULL, &b.err), b.err);
    assert_int_equal(sqlite3_prepare_v2(b.store->db,
                                        "EXPLAIN QUERY PLAN SELECT waste FROM \"plan\" WHERE ways "
                                        "> 3",
                                        -1, &plan, NULL),
                     SQLITE_OK);
    char all[1000] = "";
    while (sqlite3_step(plan) == SQLITE_ROW) {
        strcat(all, (const char *)sqlite3_column_text(plan, 3));
        strcat(all, "; ");
    }
    sqlite3_finalize(plan);
    const char *outer = strstr(all, "USING PRIMARY KEY (sweep=?)");
    const char *inner = strstr(all, "USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)");
    assert_true(outer && inner && outer < inner);
    assert_null(strstr(all, "MATERIALIZE"));
    tear_down(&b);
}

/* Parts are groups of design points, over all workloads; the copy needs no right to write. */
static void parts_of_a_design_are_found_by_number(void **state)
{
    (void)state;
    bench b;
    msw_table table;
    set_up(&b, "parts", 50, 2);
    write_range(&b, 0, 100);
    close_store(&b);
    assert_ok(msw_store_open(b.path, MSW_STORE_READ, false, NULL, &b.store, &b.err), b.err);
    /* A table of the name of a sweep does not stand in its way. */
    assert_ok(msw_store_divide(b.store, "parts", "parts", 10, &b.err), b.err);
    assert_ok(msw_store_divide(b.store, "parts", "p", 10, &b.err), b.err);
    msw_query query = {.sql = "SELECT point FROM temp.\"@p\" WHERE part = 2 ORDER BY point"};
    assert_ok(msw_store_read(b.store, &query, &table, &b.err), b.err);
    assert_int_equal(table.rows, 20);
    for (size_t i = 0; i < 20; i++)
        assert_near(table.columns[0].values[i], (double)(i < 10 ? 20 + i : 60 + i), 0);
    msw_table_free(&table);
    assert_int_equal(msw_store_divide(b.store, "none", "q", 10, &b.err), -1);
    tear_down(&b);
}

/* ---- digests and spans ---- */

static void digest_does_not_depend_on_the_order_of_writing(void **state)
{
    (void)state;
    bench b;
    set_up(&b, "digest", 50, 2);
    write_range(&b, 0, 100);
    assert_int_equal(integer(&b, "SELECT count(*) FROM msw_span"), 1);
    msw_digest forward = digest_of(&b, "digest");
    close_store(&b);
    remove_files(b.path);
    open_write(&b);
    add_plan(&b);
    for (uint64_t i = 0; i < 100; i++) {
        uint64_t point = i * 37 % 100;
        write_points(&b, &b.toy, b.sweep, &point, 1, MSW_OK);
    }
    assert_true(msw_digest_equal(forward, digest_of(&b, "digest")));
    assert_true(integer(&b, "SELECT count(*) FROM msw_span") > 50);
    assert_ok(
        msw_sql_exec(b.store, "UPDATE points_toy SET stall = stall + 1 WHERE id = 40", &b.err),
        b.err);
    assert_false(msw_digest_equal(forward, digest_of(&b, "digest")));
    tear_down(&b);
}

static void neighbours_from_several_batches_share_a_span(void **state)
{
    (void)state;
    bench b;
    set_up(&b, "spans", 1000, 1);
    for (uint64_t i = 0; i < 1000; i += 100)
        write_range(&b, i, i + 100);
    assert_int_equal(integer(&b, "SELECT count(*) FROM msw_span"), 1);
    close_store(&b);
    open_write(&b);
    assert_int_equal(todo_of(&b, &b.toy, b.sweep, false).answered, 1000);
    tear_down(&b);
}

static void a_point_written_twice_is_one_row(void **state)
{
    (void)state;
    bench b;
    set_up(&b, "twice", 100, 1);
    write_range(&b, 0, 60);
    write_range(&b, 40, 100);
    assert_int_equal(integer(&b, "SELECT count(*) FROM points_toy"), 100);
    assert_int_equal(integer(&b, "SELECT count(DISTINCT point) FROM twice"), 100);
    tear_down(&b);
}

/* ---- what is left to do ---- */

static void nothing_stored_means_everything(void **state)
{
    (void)state;
    bench b;
    set_up(&b, "fresh", 100, 1);
    msw_todo todo = todo_of(&b, &b.toy, b.sweep, false);
    assert_true(todo.everything);
    assert_int_equal(todo.missing, 100);
    assert_null(todo.bitmap);
    tear_down(&b);
}

static int no_key(void *context, uint64_t point, msw_digest *key, msw_err *err)
{
    (void)context, (void)point, (void)key, (void)err;
    fail_msg("a key was asked for");
    return -1;
}

static void resuming_asks_for_no_key(void **state)
{
    (void)state;
    bench b;
    msw_todo todo;
    set_up(&b, "resume", 100, 1);
    write_range(&b, 10, 30);
    close_store(&b);
    open_write(&b);
    assert_ok(msw_todo_find(b.store, &b.toy.plan, b.sweep, false, no_key, NULL, &todo, &b.err),
              b.err);
    assert_int_equal(todo.missing, 80);
    assert_int_equal(todo.answered, 20);
    assert_true(msw_bit(todo.bitmap, 9) && !msw_bit(todo.bitmap, 10) && msw_bit(todo.bitmap, 30));
    msw_todo_free(&todo);
    tear_down(&b);
}

static void rows_of_another_sweep_are_reused(void **state)
{
    (void)state;
    bench b;
    toy_plan second;
    int64_t sweep;
    set_up(&b, "first", 100, 1);
    write_range(&b, 20, 100);
    toy_plan_init(&second, "second", 150, 1);
    assert_ok(msw_store_add_sweep(b.store, &second.plan, &sweep, &b.err), b.err);
    msw_todo todo = todo_of(&b, &second, sweep, false);
    assert_int_equal(todo.reused, 80);
    assert_int_equal(todo.missing, 70);
    msw_todo_free(&todo);
    assert_int_equal(integer(&b, "SELECT count(*) FROM second WHERE cycles = 1000 + point"), 80);
    assert_int_equal(integer(&b, "SELECT count(*) FROM msw_span WHERE sweep = 2"), 1);
    todo = todo_of(&b, &second, sweep, false);
    assert_int_equal(todo.answered, 80);
    msw_todo_free(&todo);
    toy_plan_free(&second);
    tear_down(&b);
}

static void equal_points_of_a_plan_are_computed_once(void **state)
{
    (void)state;
    bench b;
    set_up(&b, "aliases", 100, 1);
    b.toy.period = 25;
    b.toy.plan.distinct = false;
    msw_todo todo = todo_of(&b, &b.toy, b.sweep, false);
    assert_int_equal(todo.missing, 25);
    assert_int_equal(todo.repeated, 75);
    write_range(&b, 0, 25);
    msw_todo_free(&todo);
    assert_int_equal(integer(&b, "SELECT count(*) FROM points_toy"), 25);
    assert_int_equal(integer(&b, "SELECT count(*) FROM aliases WHERE cycles = 1000 + point % 25"),
                     100);
    close_store(&b);
    open_write(&b);
    todo = todo_of(&b, &b.toy, b.sweep, false);
    assert_int_equal(todo.answered, 100);
    assert_int_equal(todo.missing, 0);
    tear_down(&b);
}

static void failed_points_are_tried_again_only_when_asked(void **state)
{
    (void)state;
    bench b;
    uint64_t failed[] = {3, 4}, late[] = {7}, wrong[] = {9};
    set_up(&b, "failed", 10, 1);
    write_points(&b, &b.toy, b.sweep, failed, 2, MSW_FAILED);
    write_points(&b, &b.toy, b.sweep, late, 1, MSW_TIMEOUT);
    write_points(&b, &b.toy, b.sweep, wrong, 1, MSW_INFEASIBLE);
    write_range(&b, 0, 3);
    msw_todo todo = todo_of(&b, &b.toy, b.sweep, false);
    assert_int_equal(todo.failed, 2);
    assert_int_equal(todo.timeout, 1);
    assert_int_equal(todo.answered, 4);
    assert_int_equal(todo.missing, 3);
    msw_todo_free(&todo);
    todo = todo_of(&b, &b.toy, b.sweep, true);
    assert_int_equal(todo.missing, 6);
    assert_true(msw_bit(todo.bitmap, 3) && msw_bit(todo.bitmap, 7) && !msw_bit(todo.bitmap, 9));
    msw_todo_free(&todo);
    write_range(&b, 3, 9);
    assert_int_equal(integer(&b, "SELECT count(*) FROM points_toy"), 10);
    assert_int_equal(
        integer(&b, "SELECT count(*) FROM failed WHERE status = 'ok' AND reason IS NULL"), 9);
    write_points(&b, &b.toy, b.sweep, failed, 2, MSW_TIMEOUT);
    assert_int_equal(integer(&b, "SELECT count(*) FROM failed WHERE status = 'ok'"), 9);
    tear_down(&b);
}

static msw_plan *parse(const char *text)
{
    static const char *const DIRS[] = {MEMSWEEP_SOURCE, NULL};
    msw_plan_options options = {.data_dirs = DIRS, .seed = -1};
    msw_messages messages = {0};
    msw_plan *plan = NULL;
    if (msw_plan_parse("test.yaml", text, strlen(text), &options, &plan, &messages))
        fail_msg("%s", msw_text_str(&messages.text));
    return plan;
}

/* Writes all points of a plan as infeasible: an answer without numbers. */
static void answer_all(bench *b, const msw_plan *plan, int64_t sweep)
{
    msw_pointer *pointer;
    msw_point point;
    msw_batch *batch = msw_batch_new(16, plan->schema.count, msw_plan_metrics(plan));
    assert_ok(msw_pointer_new(plan, &pointer, &b->err), b->err);
    for (uint64_t i = 0; i < plan->points; i++) {
        msw_row *row = msw_batch_add(batch);
        assert_ok(msw_pointer_at(pointer, i, true, &point, &b->err), b->err);
        row->index = i;
        row->key = point.key;
        row->status = MSW_INFEASIBLE;
        for (size_t p = 0; p < plan->schema.count; p++)
            msw_batch_values(batch, i)[p] = msw_schema_get(&plan->schema, p, point.block);
    }
    assert_ok(msw_store_write(b->store, plan, sweep, b->run, batch, &b->err), b->err);
    assert_ok(msw_store_commit(b->store, &b->err), b->err);
    msw_pointer_free(pointer);
    msw_batch_free(batch);
}

static void plans_from_sweep_files_share_rows(void **state)
{
    (void)state;
    bench b;
    int64_t first, second;
    msw_todo todo;
    msw_plan *small = parse("sweep: small\nmechanism: null\nfidelity: analytic\ndesign: grid\n"
                            "vary: {x1: [0, 0.5], x2: [0.25, 0.75]}\n");
    msw_plan *large = parse("sweep: large\nmechanism: null\nfidelity: analytic\ndesign: grid\n"
                            "vary: {x1: [0, 0.25, 0.5], x2: [0.25, 0.75, 1]}\n");
    set_up(&b, "files", 10, 1);
    assert_ok(msw_store_add_sweep(b.store, small, &first, &b.err), b.err);
    assert_ok(msw_store_todo(b.store, small, first, false, &todo, &b.err), b.err);
    assert_true(todo.everything);
    answer_all(&b, small, first);
    assert_ok(msw_store_add_sweep(b.store, large, &second, &b.err), b.err);
    assert_ok(msw_store_todo(b.store, large, second, false, &todo, &b.err), b.err);
    assert_int_equal(todo.reused, 4);
    assert_int_equal(todo.missing, 5);
    assert_int_equal(integer(&b, "SELECT count(*) FROM large WHERE x1 IN (0, 0.5) AND x2 < 1"), 4);
    msw_todo_free(&todo);
    msw_plan_free(small);
    msw_plan_free(large);
    tear_down(&b);
}

/* ---- names, columns, queries ---- */

static void older_sweeps_of_a_name_keep_a_view(void **state)
{
    (void)state;
    bench b;
    toy_plan changed;
    int64_t sweep, again;
    set_up(&b, "name", 10, 1);
    write_range(&b, 0, 10);
    toy_plan_init(&changed, "name", 20, 1);
    changed.salt = 1;
    changed.plan.digest = msw_hash_string("changed");
    assert_ok(msw_store_add_sweep(b.store, &changed.plan, &sweep, &b.err), b.err);
    assert_int_equal(integer(&b, "SELECT count(*) FROM \"name\""), 0);
    char digest[MSW_DIGEST_TEXT], sql[100];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM \"name@%.8s\"",
             msw_digest_text(b.toy.plan.digest, digest));
    assert_int_equal(integer(&b, sql), 10);
    assert_ok(msw_store_add_sweep(b.store, &b.toy.plan, &again, &b.err), b.err);
    assert_int_equal(again, b.sweep);
    assert_int_equal(integer(&b, "SELECT count(*) FROM \"name\""), 10);
    toy_plan_free(&changed);
    tear_down(&b);
}

static void names_of_tables_are_refused(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"msw_run", "points_x", "sqlite_x", "a@b", "", "TAKEN"};
    bench b;
    set_up(&b, "taken", 10, 1);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        toy_plan bad;
        int64_t sweep;
        toy_plan_init(&bad, NAMES[i], 10, 1);
        assert_int_equal(msw_store_add_sweep(b.store, &bad.plan, &sweep, &b.err), -1);
        assert_int_equal(b.err.kind, MSW_ERR_USAGE);
        toy_plan_free(&bad);
    }
    tear_down(&b);
}

static void a_new_parameter_is_a_new_column(void **state)
{
    (void)state;
    bench b;
    toy_plan wider;
    int64_t sweep;
    set_up(&b, "narrow", 10, 1);
    write_range(&b, 0, 10);
    /* The same mechanism, one parameter, one front end and one metric richer. */
    msw_param params[TOY_PARAM_COUNT + 2];
    memcpy(params, TOY_PARAMS, sizeof TOY_PARAMS);
    params[TOY_PARAM_COUNT] = TOY_PARAMS[2];
    params[TOY_PARAM_COUNT].name = "colour";
    params[TOY_PARAM_COUNT].neutral = MSW_NEUTRAL(1);
    params[TOY_PARAM_COUNT + 1] = (msw_param){0};
    toy_plan_init(&wider, "wider", 10, 2);
    msw_schema_free(&wider.plan.schema);
    const msw_param *tables[] = {params, ALPHA_PARAMS, BETA_PARAMS};
    size_t sizes[] = {sizeof(toy_config), 8, 8};
    assert_ok(msw_schema_init(&wider.plan.schema, tables, sizes, 3, &b.err), b.err);
    assert_ok(msw_store_add_sweep(b.store, &wider.plan, &sweep, &b.err), b.err);
    assert_int_equal(integer(&b, "SELECT count(*) FROM points_toy WHERE colour = 'fifo'"), 10);
    assert_int_equal(integer(&b, "SELECT count(*) FROM points_toy WHERE beta_tables IS NULL"), 10);
    assert_int_equal(integer(&b, "SELECT count(*) FROM msw_column WHERE name = 'colour'"), 1);
    toy_plan_free(&wider);
    tear_down(&b);
}

static void queries_are_checked(void **state)
{
    (void)state;
    static const msw_query BAD[] = {
        {.columns = "cylces"},
        {.filter = "\"no_such\" > 5"},
        {.order = "ways; DROP TABLE msw_run"},
        {.filter = "1) UNION SELECT (1"},
        {.sweep = "nosuch"},
        {.sql = "DELETE FROM points_toy"},
        {.sql = "SELECT 1; SELECT 2"},
        {.sql = "ATTACH '/tmp/x' AS x"},
        {.sql = "PRAGMA user_version = 9"},
        {.sql = ""},
    };
    bench b;
    set_up(&b, "query", 10, 1);
    write_range(&b, 0, 10);
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        msw_table table;
        b.err = (msw_err){0};
        if (msw_store_read(b.store, &BAD[i], &table, &b.err) != -1)
            fail_msg("query %zu was taken", i);
        assert_int_equal(b.err.kind, MSW_ERR_USAGE);
    }
    msw_table table;
    msw_query good = {.columns = "ways AS n, max(ways, 3)",
                      .order = "cycles DESC, ways",
                      .filter = "cycles >= 1002",
                      .limit = 3};
    assert_ok(msw_store_read(b.store, &good, &table, &b.err), b.err);
    assert_int_equal(table.rows, 3);
    assert_near(table.columns[0].values[0], 10, 0);
    assert_string_equal(table.columns[1].name, "max(ways, 3)");
    msw_table_free(&table);
    msw_query raw = {.sql = "SELECT workload, count(*) AS n FROM \"query\" GROUP BY workload"};
    assert_ok(msw_store_read(b.store, &raw, &table, &b.err), b.err);
    assert_string_equal(table.columns[0].labels[0], "alpha/one");
    msw_table_free(&table);
    tear_down(&b);
}

static void sweeps_are_listed_with_their_state(void **state)
{
    (void)state;
    bench b;
    msw_table table;
    msw_sweep_info info;
    set_up(&b, "listed", 10, 1);
    write_range(&b, 0, 4);
    assert_ok(msw_store_end_run(b.store, b.run, "interrupted", &b.err), b.err);
    assert_ok(msw_store_status(b.store, &table, &b.err), b.err);
    assert_int_equal(table.rows, 1);
    assert_near(table.columns[msw_table_find(&table, "answered")].values[0], 4, 0);
    assert_string_equal(table.columns[msw_table_find(&table, "state")].labels[0], "incomplete");
    msw_table_free(&table);
    assert_ok(msw_store_sweep(b.store, NULL, &info, &b.err), b.err);
    assert_string_equal(info.mechanism, "toy");
    assert_int_equal(info.objective_count, 2);
    assert_string_equal(info.objectives[1].name, "rate");
    assert_int_equal(info.objectives[1].goal, MSW_GOAL_HIGHER);
    assert_ok(msw_store_save_analysis(b.store, info.id, "pareto", "{}", "[1]", &b.err), b.err);
    assert_int_equal(integer(&b, "SELECT row_count FROM msw_run"), 4);
    msw_sweep_info_free(&info);
    tear_down(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_column_has_its_declared_type),
        cmocka_unit_test(values_come_back_in_plan_order),
        cmocka_unit_test(nan_becomes_null_and_minus_zero_zero),
        cmocka_unit_test(parameters_of_other_fronts_are_null),
        cmocka_unit_test(details_go_with_their_rows),
        cmocka_unit_test(view_reads_rows_by_range),
        cmocka_unit_test(parts_of_a_design_are_found_by_number),
        cmocka_unit_test(digest_does_not_depend_on_the_order_of_writing),
        cmocka_unit_test(neighbours_from_several_batches_share_a_span),
        cmocka_unit_test(a_point_written_twice_is_one_row),
        cmocka_unit_test(nothing_stored_means_everything),
        cmocka_unit_test(resuming_asks_for_no_key),
        cmocka_unit_test(rows_of_another_sweep_are_reused),
        cmocka_unit_test(equal_points_of_a_plan_are_computed_once),
        cmocka_unit_test(failed_points_are_tried_again_only_when_asked),
        cmocka_unit_test(plans_from_sweep_files_share_rows),
        cmocka_unit_test(older_sweeps_of_a_name_keep_a_view),
        cmocka_unit_test(names_of_tables_are_refused),
        cmocka_unit_test(a_new_parameter_is_a_new_column),
        cmocka_unit_test(queries_are_checked),
        cmocka_unit_test(sweeps_are_listed_with_their_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
