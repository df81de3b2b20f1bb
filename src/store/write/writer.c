/* SPDX-License-Identifier: MIT */
/* Flushes a batch in one transaction: all its rows, their details, their spans, through prepared
 * statements. */
#include "store/state.h"

#include "store/sum/sum.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void insert_text(const msw_store_columns *layout, const char *verb, msw_text *sql)
{
    msw_text_add(sql, "%s INTO %s(id", verb, layout->table);
    for (size_t i = 0; i < layout->count; i++)
        msw_text_add(sql, ", %s", layout->columns[i].name);
    msw_text_add(sql, ", " MSW_SUM_COLUMN ") VALUES(?1");
    for (size_t i = 0; i <= layout->count; i++)
        msw_text_add(sql, ", ?%zu", i + 2);
    msw_text_add(sql, ")");
}

static int prepare_insert(msw_store *store, const char *verb, sqlite3_stmt **stmt, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    insert_text(&store->writer.layout, verb, &sql);
    int result =
        sql.failed ? msw_fail_memory(err) : msw_sql_prepare(store, msw_text_str(&sql), stmt, err);
    msw_text_free(&sql);
    return result;
}

static int prepare_detail(msw_store *store, const msw_mech *mech, const msw_detail *detail,
                          sqlite3_stmt **stmt, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "REPLACE INTO detail_%s_%s(row_id, item", mech->name, detail->name);
    int width = 0;
    for (; detail->columns[width]; width++)
        msw_text_add(&sql, ", %s", detail->columns[width]);
    msw_text_add(&sql, ", " MSW_SUM_COLUMN ") VALUES(?1, ?2");
    for (int i = 0; i <= width; i++)
        msw_text_add(&sql, ", ?%d", i + 3);
    msw_text_add(&sql, ")");
    int result =
        sql.failed ? msw_fail_memory(err) : msw_sql_prepare(store, msw_text_str(&sql), stmt, err);
    msw_text_free(&sql);
    return result;
}

static int prepare_details(msw_store *store, const msw_mech *mech, msw_err *err)
{
    msw_writer *writer = &store->writer;
    size_t count = msw_detail_count(mech->details);
    writer->details = calloc(count + 1, sizeof(sqlite3_stmt *));
    if (!writer->details)
        return msw_fail_memory(err);
    for (writer->detail_count = 0; writer->detail_count < count; writer->detail_count++)
        if (prepare_detail(store, mech, &mech->details[writer->detail_count],
                           &writer->details[writer->detail_count], err))
            return -1;
    return 0;
}

/* Numbers continue after the largest in the file, but not below first_row, where the numbers of a
 * shard begin. */
static int find_next_row(msw_store *store, msw_err *err)
{
    int64_t last = 0;
    char *sql = msw_strfmt("SELECT max(id) FROM %s", store->writer.layout.table);
    int result = sql ? msw_sql_integer(store, sql, NULL, &last, err) : msw_fail_memory(err);
    free(sql);
    store->writer.next_row =
        (uint64_t)last < store->first_row ? store->first_row : (uint64_t)last + 1;
    return result;
}

static int prepare_all(msw_store *store, const msw_plan *plan, int64_t sweep, msw_err *err)
{
    msw_writer *writer = &store->writer;
    MSW_TRY(msw_store_columns_init(&writer->layout, plan, err));
    MSW_TRY(msw_cover_layout(store, writer, err));
    MSW_TRY(prepare_insert(store, "INSERT", &writer->insert, err));
    MSW_TRY(prepare_insert(store, "REPLACE", &writer->replace, err));
    MSW_TRY(msw_sql_prepare(store,
                            "UPDATE msw_run SET row_count = row_count + ?2, checksum = "
                            "msw_sum_swap(checksum, 'row_count', row_count, row_count + "
                            "?2) WHERE id = ?1",
                            &writer->run_count, err));
    MSW_TRY(prepare_details(store, plan->mech, err));
    MSW_TRY(plan->program &&
            msw_sql_prepare(store,
                            "INSERT OR IGNORE INTO main.msw_attempt(key, ended, host, how, wall_s, "
                            "cpu_s, memory_bytes, folder, said) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, "
                            "?8, ?9)",
                            &writer->attempt, err));
    MSW_TRY(find_next_row(store, err));
    MSW_TRY(msw_span_open(store, sweep, &writer->spans, err));
    return msw_span_resume(store, &writer->spans, writer->next_row, err);
}

int msw_writer_open(msw_store *store, const msw_plan *plan, int64_t sweep, msw_err *err)
{
    if (store->writer.spans.sweep == sweep)
        return 0;
    msw_writer_close(&store->writer);
    if (prepare_all(store, plan, sweep, err) == 0)
        return 0;
    msw_writer_close(&store->writer);
    return -1;
}

void msw_writer_close(msw_writer *writer)
{
    sqlite3_finalize(writer->insert);
    sqlite3_finalize(writer->replace);
    msw_span_close(&writer->spans);
    sqlite3_finalize(writer->run_count);
    sqlite3_finalize(writer->attempt);
    for (size_t i = 0; i < writer->detail_count; i++)
        sqlite3_finalize(writer->details[i]);
    free(writer->details);
    msw_cover_free(writer);
    msw_store_columns_free(&writer->layout);
    *writer = (msw_writer){0};
}

/* A batch on its way in. */
typedef struct flush {
    msw_store *store;     /* the file it goes to */
    msw_session *session; /* of the main file */
    msw_bind bind;
    uint64_t *details, *records; /* see msw_cover_details */
    uint32_t *order;             /* rows of the batch by point */
    uint64_t *ids;               /* row id of each, 0: not written */
    msw_links links;             /* points that get a row for the first time */
    uint64_t written;
    size_t inserted; /* last row bound to the INSERT, SIZE_MAX: none */
} flush;

static msw_bind_target target(const flush *f, bool replace)
{
    msw_writer *writer = &f->store->writer;
    return replace ? (msw_bind_target){writer->replace, &writer->replace_sum}
                   : (msw_bind_target){writer->insert, &writer->insert_sum};
}

/* How the program of a row ran: a history by key, which later tries add to. */
static int put_attempts(flush *f, size_t i, msw_err *err)
{
    uint8_t key[16];
    sqlite3_stmt *stmt = f->store->writer.attempt;
    const char *at = msw_batch_attempts_text(f->bind.batch, i);
    msw_digest_store(f->bind.batch->rows[i].key, key);
    for (; stmt && *at; at += *at == '\n') {
        sqlite3_bind_blob(stmt, 1, key, sizeof key, SQLITE_STATIC);
        for (int field = 0; field < MSW_ATTEMPT_FIELDS; field++) {
            size_t size = strcspn(at, "\t\n");
            sqlite3_bind_text(stmt, field + 2, at, (int)size, SQLITE_STATIC);
            at += size + (at[size] == '\t');
        }
        MSW_TRY(msw_sql_run(f->store, stmt, err));
    }
    return 0;
}

static int put_row(flush *f, size_t i, uint64_t id, bool replace, msw_err *err)
{
    msw_bind_target to = target(f, replace);
    msw_bind_row(&f->bind, to, id, i, replace ? SIZE_MAX : f->inserted);
    f->inserted = replace ? f->inserted : i;
    f->ids[i] = id;
    f->written++;
    MSW_TRY(msw_sql_run(f->store, to.stmt, err));
    return put_attempts(f, i, err);
}

static int link_point(flush *f, uint64_t point, uint64_t id, msw_err *err)
{
    if (msw_bit(f->session->done, point))
        return 0;
    if (msw_links_add(&f->links, point, id, err))
        return -1;
    msw_bit_set(f->session->done, point);
    return 0;
}

/* A row may answer several points of the plan (aliases): all of them are linked to it. */
static int put_new(flush *f, size_t i, msw_err *err)
{
    uint64_t point = f->bind.batch->rows[i].index, id = f->store->writer.next_row++;
    if (put_row(f, i, id, false, err) || link_point(f, point, id, err))
        return -1;
    const msw_links *aliases = &f->session->aliases;
    for (size_t a = msw_links_first(aliases, point);
         a < aliases->count && aliases->list[a].row == point; a++)
        if (link_point(f, aliases->list[a].point, id, err))
            return -1;
    return 0;
}

static int delete_details(flush *f, uint64_t id, msw_err *err)
{
    const msw_mech *mech = f->bind.plan->mech;
    for (size_t d = 0; d < f->store->writer.detail_count; d++) {
        msw_text sql = MSW_TEXT_EMPTY;
        msw_text_add(&sql, "DELETE FROM detail_%s_%s WHERE row_id = %" PRIu64, mech->name,
                     mech->details[d].name, id);
        if (msw_sql_exec_text(f->store, &sql, err))
            return -1;
    }
    return 0;
}

static bool is_shard(const flush *f)
{
    return f->session != &f->store->session;
}

/* A point that has a row: an answer stays as it is, anything else is replaced in place. A shard
 * takes it as a new row; merging puts it in place. */
static int put_again(flush *f, size_t i, msw_err *err)
{
    uint64_t point = f->bind.batch->rows[i].index;
    const uint32_t *row = msw_keyset_find(&f->session->unanswered, msw_keyset_number(point));
    if (!row || *row == MSW_ANSWERED)
        return 0;
    if (is_shard(f)) {
        msw_bit_clear(f->session->done, point);
        return put_new(f, i, err);
    }
    MSW_TRY(delete_details(f, *row, err));
    return put_row(f, i, *row, true, err);
}

static int put_rows(flush *f, msw_err *err)
{
    f->inserted = SIZE_MAX;
    msw_bind_constants(&f->bind, target(f, false));
    msw_bind_constants(&f->bind, target(f, true));
    for (size_t n = 0; n < f->bind.batch->count; n++) {
        size_t i = f->order[n];
        uint64_t point = f->bind.batch->rows[i].index;
        if (point >= f->session->points)
            return msw_fail_kind(err, MSW_ERR_INTERNAL, "a row for point %" PRIu64 " of %" PRIu64,
                                 point, f->session->points);
        if ((msw_bit(f->session->done, point) ? put_again : put_new)(f, i, err))
            return -1;
    }
    return 0;
}

static int put_detail(flush *f, const double *record, uint64_t row, uint64_t item, uint64_t sum,
                      msw_err *err)
{
    sqlite3_stmt *stmt = f->store->writer.details[(size_t)record[MSW_DETAIL_TABLE]];
    sqlite3_bind_int64(stmt, 1, (sqlite3_int64)row);
    sqlite3_bind_int64(stmt, 2, (sqlite3_int64)item);
    for (int v = 0; v < (int)record[MSW_DETAIL_WIDTH]; v++)
        sqlite3_bind_double(stmt, v + 3, record[MSW_DETAIL_HEAD + v] + 0.0);
    sqlite3_bind_int64(stmt, (int)record[MSW_DETAIL_WIDTH] + 3, (sqlite3_int64)sum);
    return msw_sql_run(f->store, stmt, err);
}

static int put_details(flush *f, msw_err *err)
{
    const msw_batch *batch = f->bind.batch;
    uint64_t item = 0, last = 0;
    for (size_t at = 0, n = 0; at < batch->detail_size; n++) {
        const double *record = batch->details + at;
        uint64_t row = f->ids[(size_t)record[MSW_DETAIL_ROW]];
        item = row == last ? item + 1 : 0;
        last = row;
        if (row && put_detail(f, record, row, item, f->records[n], err))
            return -1;
        at += MSW_DETAIL_HEAD + (size_t)record[MSW_DETAIL_WIDTH];
    }
    return 0;
}

static int count_rows(flush *f, msw_err *err)
{
    sqlite3_stmt *stmt = f->store->writer.run_count;
    sqlite3_bind_int64(stmt, 1, f->bind.run);
    sqlite3_bind_int64(stmt, 2, (sqlite3_int64)f->written);
    return msw_sql_run(f->store, stmt, err);
}

/* Sorting by point makes rows of neighbouring points neighbours, whoever computed them. */
static int sort_points(flush *f, msw_err *err)
{
    const msw_batch *batch = f->bind.batch;
    msw_links row_ids = {0};
    for (size_t i = 0; i < batch->count; i++)
        if (msw_links_add(&row_ids, batch->rows[i].index, i, err)) {
            free(row_ids.list);
            return -1;
        }
    msw_links_sort(&row_ids);
    for (size_t i = 0; i < batch->count; i++)
        f->order[i] = row_ids.list[i].row;
    free(row_ids.list);
    return 0;
}

static int begin(flush *f, msw_err *err)
{
    size_t count = f->bind.batch->count;
    f->order = malloc(count * sizeof *f->order);
    f->ids = calloc(count, sizeof *f->ids);
    if (!f->order || !f->ids)
        return msw_fail_memory(err);
    int rc = msw_cover_details(f->bind.plan, f->bind.batch, &f->details, &f->records, err);
    f->bind.details = f->details;
    return rc ? -1 : sort_points(f, err);
}

/* A transaction fails as a whole: what the writer remembers of the file is then put back to before.
 * */
static int transact(flush *f, msw_err *err)
{
    msw_writer *writer = &f->store->writer;
    msw_span tail = writer->spans.tail;
    uint64_t next_row = writer->next_row;
    /* Waiting here would keep new readers out: whoever calls tries again later. */
    sqlite3_busy_timeout(f->store->db, 0);
    int result = msw_sql_begin(f->store, err);
    if (result == 0) {
        result = put_rows(f, err);
        if (result == 0)
            result = put_details(f, err);
        if (result == 0)
            result = msw_span_write(f->store, &writer->spans, &f->links, err);
        if (result == 0)
            result = count_rows(f, err);
        result = msw_sql_end(f->store, result, err);
    }
    sqlite3_busy_timeout(f->store->db, MSW_BUSY_MS);
    if (result) {
        writer->spans.tail = tail;
        writer->next_row = next_row;
    }
    return result;
}

/* After a rollback: points without any row are not done. */
static void forget_links(flush *f)
{
    for (size_t i = 0; i < f->links.count; i++) {
        uint64_t point = f->links.list[i].point;
        if (!msw_keyset_find(&f->session->unanswered, msw_keyset_number(point)))
            msw_bit_clear(f->session->done, point);
    }
}

static bool is_answer(uint64_t status)
{
    return status == MSW_OK || status == MSW_INFEASIBLE;
}

/* After the commit: a row that is no answer may be replaced if its point comes again. */
static int remember_row(flush *f, size_t i, msw_err *err)
{
    const msw_row *row = &f->bind.batch->rows[i];
    msw_digest point = msw_keyset_number(row->index);
    uint32_t *known = msw_keyset_find(&f->session->unanswered, point);
    if (is_answer(row->status)) {
        if (known)
            *known = MSW_ANSWERED;
        return 0;
    }
    if (!known && msw_keyset_add(&f->session->unanswered, point, &known, err))
        return -1;
    *known = (uint32_t)f->ids[i];
    return 0;
}

static int remember(flush *f, msw_err *err)
{
    for (size_t i = 0; i < f->bind.batch->count && !is_shard(f); i++)
        if (f->ids[i] && remember_row(f, i, err))
            return -1;
    return 0;
}

int msw_write_batch(msw_store *store, msw_session *session, const msw_plan *plan, int64_t run,
                    const msw_batch *batch, msw_err *err)
{
    flush f = {.store = store,
               .session = session,
               .bind = {plan, &store->writer.layout, batch, run, store->writer.covered, NULL}};
    int result = begin(&f, err);
    if (result == 0 && (result = transact(&f, err)) != 0)
        forget_links(&f);
    if (result == 0)
        result = remember(&f, err);
    free(f.order);
    free(f.details);
    free(f.records);
    free(f.ids);
    free(f.links.list);
    return result;
}
