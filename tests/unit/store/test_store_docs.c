/* SPDX-License-Identifier: MIT */
/* Does docs/store.md tell the truth: does every query in it run, is every column in it? */
#include "memsweep/workload/synth.h"
#include "store_fixture.h"
#include "testing.h"

#include <unistd.h>

typedef struct tour {
    char path[64];
    msw_store *store;
    char *text;
} tour;

static void make_rows(const msw_plan *plan, msw_batch *batch)
{
    void *block = calloc(1, plan->schema.size);
    msw_schema_defaults(&plan->schema, block);
    for (uint64_t i = 0; i < plan->points; i++) {
        msw_row *row = msw_batch_add(batch);
        double *values = msw_batch_values(batch, (size_t)i);
        row->index = i;
        row->key = msw_keyset_number(i);
        row->status = i == 3 ? MSW_FAILED : MSW_OK;
        row->units = row->measured = 100;
        row->bound_by = msw_metrics_find(plan->mech->metrics, "busy");
        for (size_t p = 0; p < plan->schema.count; p++)
            values[p] = msw_schema_get(&plan->schema, p, block);
        for (size_t m = 0; m < 2 * batch->metrics; m++)
            values[batch->params + m] = (double)(i + m + 1);
        if (i == 3)
            msw_batch_reason(batch, "out of patience");
    }
    free(block);
}

static void fill(msw_store *store)
{
    msw_err err = {0};
    const msw_mech *mech = msw_mech_find("null");
    const msw_frontend *frontends[] = {&msw_frontend_synth};
    char name[] = "tour", workload[] = "synth/even";
    char canonical[] = "sweep: tour\nworkloads:\n  - {name: synth/even}\n";
    msw_workload workloads[] = {{.name = workload, .frontend = &msw_frontend_synth}};
    size_t front_of[] = {0};
    msw_plan plan = {.name = name,
                     .canonical = canonical,
                     .mech = mech,
                     .frontend_count = 1,
                     .frontends = frontends,
                     .workload_count = 1,
                     .workloads = workloads,
                     .workload_frontend = front_of,
                     .replicates = 1,
                     .points = 20,
                     .design.kind = msw_design_find("grid")};
    const msw_param *tables[] = {mech->params, msw_frontend_synth.params};
    size_t sizes[] = {mech->config_size, msw_frontend_synth.config_size};
    int64_t sweep, run;
    assert_ok(msw_schema_init(&plan.schema, tables, sizes, 2, &err), err);
    assert_ok(msw_store_add_sweep(store, &plan, &sweep, &err), err);
    assert_ok(msw_store_begin_run(store, sweep, &TOY_RUN, &run, &err), err);
    msw_batch *batch = msw_batch_new(20, plan.schema.count, msw_metrics_count(mech->metrics));
    make_rows(&plan, batch);
    assert_ok(msw_store_write(store, &plan, sweep, run, batch, &err), err);
    assert_ok(msw_store_end_run(store, run, "finished", &err), err);
    msw_batch_free(batch);
    msw_schema_free(&plan.schema);
}

static int set_up(void **state)
{
    static tour t;
    msw_err err = {0};
    size_t size;
    snprintf(t.path, sizeof t.path, "/tmp/memsweep-docs-%ld.db", (long)getpid());
    unlink(t.path);
    assert_ok(msw_read_file(MEMSWEEP_SOURCE "/docs/store.md", &t.text, &size, &err), err);
    assert_ok(msw_store_open(t.path, MSW_STORE_WRITE, false, NULL, &t.store, &err), err);
    fill(t.store);
    *state = &t;
    return 0;
}

static int tear_down(void **state)
{
    tour *t = *state;
    free(t->text);
    int rc = msw_store_close(t->store, NULL);
    unlink(t->path);
    return rc;
}

static void every_query_of_the_page_finds_rows(void **state)
{
    tour *t = *state;
    int queries = 0;
    char *s = t->text, *end;
    for (; (s = strstr(s, "```sql\n")) != NULL; s = end + 3, queries++) {
        msw_err err = {0};
        msw_table table;
        s += 7;
        end = strstr(s, "```");
        char *sql = msw_strfmt("%.*s", (int)(end - s), s);
        msw_query query = {.sql = sql};
        if (msw_store_read(t->store, &query, &table, &err))
            fail_msg("%s: %s", sql, err.text);
        if (table.rows == 0)
            fail_msg("no rows: %s", sql);
        msw_table_free(&table);
        free(sql);
    }
    assert_true(queries >= 10);
}

static void every_catalogue_column_is_on_the_page(void **state)
{
    tour *t = *state;
    sqlite3_stmt *stmt;
    assert_int_equal(
        sqlite3_prepare_v2(t->store->db,
                           "SELECT m.name, c.name FROM sqlite_master AS m JOIN "
                           "pragma_table_info(m.name) AS c WHERE m.name LIKE 'msw_%' AND m.type = "
                           "'table' UNION ALL SELECT 'engine', name FROM msw_column WHERE role = "
                           "'engine'",
                           -1, &stmt, NULL),
        SQLITE_OK);
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        char quoted[100];
        snprintf(quoted, sizeof quoted, "`%s`", (const char *)sqlite3_column_text(stmt, 1));
        if (!strstr(t->text, quoted))
            fail_msg("%s of %s is missing", quoted, (const char *)sqlite3_column_text(stmt, 0));
    }
    sqlite3_finalize(stmt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_query_of_the_page_finds_rows),
        cmocka_unit_test(every_catalogue_column_is_on_the_page),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
