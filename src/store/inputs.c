/* SPDX-License-Identifier: MIT */
/* Inputs of sweeps: one table holds contents by their digest, compressed; the other says which of
 * them a plan was read from, under which paths. Both are made when the first inputs are kept. */
#include "memsweep/store/inputs.h"

#include "store/state.h"

#include "memsweep/sweep/bundle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* What inputs of one sweep unpack to at most, how many they are, and how far deflate compresses. */
#define TOTAL_MAX ((uint64_t)1 << 31)
enum { COUNT_MAX = 65535, RATIO_MAX = 1032, RATIO_SLACK = 64 };

void msw_inputs_free(msw_inputs *inputs)
{
    msw_text_free(&inputs->files);
    msw_text_free(&inputs->paths);
    *inputs = (msw_inputs){.seed = -1};
}

/* ---- keeping ---- */

/* Compresses a file; one that does not get smaller stays as it is. The caller frees `*packed`.
 * Returns its size, or 0 where it stays. */
static size_t pack(const msw_bundle_file *file, unsigned char **packed)
{
    uLongf size = compressBound((uLong)file->size);
    *packed = malloc(size);
    if (*packed &&
        compress(*packed, &size, (const unsigned char *)file->content, (uLong)file->size) == Z_OK &&
        size < file->size)
        return size;
    return 0;
}

/* Whether another sweep has kept the content: 1, 0, or -1. */
static int is_kept(msw_store *store, const uint8_t digest[16], msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    MSW_TRY(msw_sql_prepare(store, "SELECT 1 FROM main.msw_input WHERE digest = ?1", &stmt, err));
    sqlite3_bind_blob(stmt, 1, digest, 16, SQLITE_STATIC);
    int got = msw_sql_step(store, stmt, err);
    sqlite3_finalize(stmt);
    return got;
}

static int keep_content(msw_store *store, const msw_bundle_file *file, const uint8_t digest[16],
                        msw_inputs *inputs, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    unsigned char *packed = NULL;
    int rc = is_kept(store, digest, err);
    if (rc)
        return rc < 0 ? -1 : 0;
    rc = -1;
    MSW_TRY(msw_sql_prepare(
        store, "INSERT INTO main.msw_input(digest, size, bytes) VALUES(?1, ?2, ?3)", &stmt, err));
    size_t size = pack(file, &packed);
    const void *bytes = size ? (const void *)packed : file->content;
    sqlite3_bind_blob(stmt, 1, digest, 16, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 2, (int64_t)file->size);
    size = size ? size : file->size;
    if (sqlite3_bind_blob64(stmt, 3, bytes, size, SQLITE_STATIC) != SQLITE_OK)
        msw_sql_fail(store, err); /* SQLite has a limit for one value */
    else
        rc = msw_sql_run(store, stmt, err);
    if (rc == 0)
        inputs->stored += size;
    sqlite3_finalize(stmt);
    free(packed);
    return rc;
}

/* One line about the inputs of a plan. */
typedef struct source {
    const char *role; /* sweep, folder, fidelity, seed: `path` says it; file: it is `digest` */
    const char *path;
    size_t path_size;
    const uint8_t *digest;
} source;

typedef struct keeping {
    msw_store *store;
    char plan[MSW_DIGEST_TEXT];
    int64_t position;
    msw_err *err;
} keeping;

static int keep_source(keeping *k, source s)
{
    sqlite3_stmt *stmt = NULL;
    MSW_TRY(msw_sql_prepare(k->store,
                            "INSERT INTO main.msw_source(sweep, position, role, path, input) "
                            "VALUES(?1, ?2, ?3, ?4, ?5)",
                            &stmt, k->err));
    sqlite3_bind_text(stmt, 1, k->plan, -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 2, k->position++);
    sqlite3_bind_text(stmt, 3, s.role, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 4, s.path, (int)s.path_size, SQLITE_STATIC);
    if (s.digest)
        sqlite3_bind_blob(stmt, 5, s.digest, 16, SQLITE_STATIC);
    int rc = msw_sql_run(k->store, stmt, k->err);
    sqlite3_finalize(stmt);
    return rc;
}

static int keep_paths(keeping *k, const msw_inputs *inputs)
{
    char seed[32];
    const char *role = "sweep";
    for (const char *at = msw_text_str(&inputs->paths); at; role = "folder") {
        size_t size = strcspn(at, "\n");
        MSW_TRY(keep_source(k, (source){role, at, size, NULL}));
        at = at[size] ? at + size + 1 : NULL;
    }
    const char *fidelity = inputs->fidelity;
    MSW_TRY(fidelity && keep_source(k, (source){"fidelity", fidelity, strlen(fidelity), NULL}));
    int size = snprintf(seed, sizeof seed, "%" PRId64, inputs->seed);
    MSW_TRY(inputs->seed >= 0 && keep_source(k, (source){"seed", seed, (size_t)size, NULL}));
    return 0;
}

static int keep_files(keeping *k, msw_inputs *inputs)
{
    msw_bundle_file file;
    for (size_t at = 0; msw_bundle_next(&inputs->files, &at, &file);) {
        uint8_t digest[16];
        msw_digest_store(msw_hash_bytes(file.content, file.size), digest);
        MSW_TRY(keep_content(k->store, &file, digest, inputs, k->err));
        MSW_TRY(keep_source(k, (source){"file", file.path, strlen(file.path), digest}));
        inputs->count++;
        inputs->bytes += file.size;
    }
    return 0;
}

static int keep(keeping *k, msw_inputs *inputs)
{
    int64_t known = 0;
    MSW_TRY(msw_inputs_make(k->store, k->err));
    MSW_TRY(msw_sql_integer(k->store, "SELECT count(*) FROM main.msw_source WHERE sweep = ?1",
                            k->plan, &known, k->err));
    if (known)
        return 0;
    MSW_TRY(keep_paths(k, inputs));
    return keep_files(k, inputs);
}

int msw_store_keep_inputs(msw_store *store, const msw_plan *plan, msw_inputs *inputs, msw_err *err)
{
    keeping k = {.store = store, .err = err};
    msw_digest_text(plan->digest, k.plan);
    inputs->count = inputs->bytes = inputs->stored = 0;
    MSW_TRY(msw_sql_begin(store, err));
    return msw_sql_end(store, keep(&k, inputs), err);
}

/* ---- reading ---- */

#define SOURCES                                                                                    \
    "SELECT s.role, s.path, i.size, i.bytes, s.input FROM main.msw_source AS s LEFT JOIN "         \
    "main.msw_input AS i ON i.digest = s.input WHERE "

static int refuse(const msw_store *store, const char *path, const char *why, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO, "%s: the input %.200s %s", store->path, path, why);
}

/* Unpacks the content of a row: columns 2 size, 3 bytes, 4 digest of the source. The caller frees
 * `*data`. Returns 0, or -1. */
static int unpack(const msw_store *store, sqlite3_stmt *row, char **data, size_t *size,
                  msw_err *err)
{
    uint8_t digest[16];
    const char *path = msw_sql_text(row, 1);
    const unsigned char *packed = sqlite3_column_blob(row, 3);
    size_t packed_size = (size_t)sqlite3_column_bytes(row, 3);
    int64_t told = sqlite3_column_int64(row, 2);
    uLongf whole = (uLongf)told;
    if (told < 0 || (uint64_t)told > (uint64_t)packed_size * RATIO_MAX + RATIO_SLACK)
        return refuse(store, path, "says a size that it cannot have", err);
    char *bytes = malloc(whole + 1);
    if (!bytes)
        return msw_fail_memory(err);
    bool sound = true;
    if (packed_size == whole)
        memcpy(bytes, packed ? (const void *)packed : "", whole);
    else
        sound = uncompress((unsigned char *)bytes, &whole, packed, packed_size) == Z_OK &&
                whole == (uLongf)told;
    msw_digest_store(msw_hash_bytes(bytes, sound ? whole : 0), digest);
    if (!sound || sqlite3_column_bytes(row, 4) != sizeof digest ||
        memcmp(sqlite3_column_blob(row, 4), digest, sizeof digest) != 0) {
        free(bytes);
        return refuse(store, path, "is damaged", err);
    }
    *data = bytes;
    *size = whole;
    return 0;
}

static int take_file(const msw_store *store, sqlite3_stmt *row, msw_inputs *inputs, msw_err *err)
{
    char *data;
    size_t size;
    uint64_t told = (uint64_t)sqlite3_column_int64(row, 2);
    if (inputs->count == COUNT_MAX || told > TOTAL_MAX - inputs->bytes)
        return refuse(store, msw_sql_text(row, 1), "is more than files of a sweep may hold", err);
    if (sqlite3_column_type(row, 3) == SQLITE_NULL)
        return refuse(store, msw_sql_text(row, 1), "is not there", err);
    MSW_TRY(unpack(store, row, &data, &size, err));
    msw_bundle_add(&inputs->files, msw_sql_text(row, 1), data, size);
    inputs->count++;
    inputs->bytes += size;
    inputs->stored += (uint64_t)sqlite3_column_bytes(row, 3);
    free(data);
    return 0;
}

static int take_source(const msw_store *store, sqlite3_stmt *row, msw_inputs *inputs, msw_err *err)
{
    char *end;
    const char *role = msw_sql_text(row, 0), *path = msw_sql_text(row, 1);
    if (strcmp(role, "file") == 0)
        return take_file(store, row, inputs, err);
    if (strcmp(role, "fidelity") == 0) {
        msw_text_fit(inputs->given, sizeof inputs->given, path);
        inputs->fidelity = inputs->given;
    } else if (strcmp(role, "seed") == 0) {
        inputs->seed = strtoll(path, &end, 10);
    } else if (strcmp(role, inputs->paths.size ? "folder" : "sweep") == 0 && !strchr(path, '\n')) {
        msw_text_add(&inputs->paths, inputs->paths.size ? "\n%s" : "%s", path);
    } else {
        return refuse(store, path, "has a role that memsweep does not write", err);
    }
    return 0;
}

int msw_store_inputs(msw_store *store, msw_digest plan, msw_inputs *inputs, msw_err *err)
{
    char digest[MSW_DIGEST_TEXT];
    sqlite3_stmt *stmt = NULL;
    int64_t there = 0;
    *inputs = (msw_inputs){.seed = -1};
    MSW_TRY(msw_sql_integer(store, MSW_INPUTS_THERE("main"), NULL, &there, err));
    if (!there)
        return 0;
    MSW_TRY(msw_sql_prepare(store, SOURCES "s.sweep = ?1 ORDER BY s.position", &stmt, err));
    sqlite3_bind_text(stmt, 1, msw_digest_text(plan, digest), -1, SQLITE_STATIC);
    int got;
    while ((got = msw_sql_step(store, stmt, err)) > 0)
        if (take_source(store, stmt, inputs, err)) {
            got = -1;
            break;
        }
    sqlite3_finalize(stmt);
    if (got == 0 && (inputs->files.failed || inputs->paths.failed))
        got = msw_fail_memory(err);
    if (got)
        msw_inputs_free(inputs);
    return got ? -1 : inputs->paths.size && inputs->count;
}

/* ---- checking ---- */

int msw_inputs_check(msw_store *store, uint64_t *all, uint64_t *damaged, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    int64_t there = 0;
    MSW_TRY(msw_sql_integer(store, MSW_INPUTS_THERE("main"), NULL, &there, err));
    if (!there)
        return 0;
    MSW_TRY(msw_sql_prepare(store, SOURCES "s.role = 'file'", &stmt, err));
    int got;
    while ((got = msw_sql_step(store, stmt, err)) > 0) {
        char *data = NULL;
        size_t size;
        msw_err why = {0};
        *all += 1;
        if (sqlite3_column_type(stmt, 3) == SQLITE_NULL || unpack(store, stmt, &data, &size, &why))
            *damaged += 1;
        free(data);
    }
    sqlite3_finalize(stmt);
    return got;
}
