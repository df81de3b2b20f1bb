/* SPDX-License-Identifier: MIT */
/* Terms of checksums: each is a one-to-one mixture of 64 bits. */
#include "store/sql/term.h"

#include "memsweep/base/hash.h"

#include <string.h>

uint64_t msw_sum_seed(const char *column)
{
    return msw_hash_string(column).lo;
}

/* Keys have sixteen bytes, and every row has one: no need of a hash. */
static uint64_t hash_bytes(const void *bytes, size_t size)
{
    uint64_t words[2];
    if (size != sizeof words)
        return msw_hash_bytes(size ? bytes : "", size).lo;
    memcpy(words, bytes, sizeof words);
    return msw_sum_mix(words[0]) + msw_sum_mix(words[1] ^ 0x2545f4914f6cdd1d);
}

uint64_t msw_sum_bytes(uint64_t seed, bool text, const void *bytes, size_t size)
{
    uint64_t type = text ? SQLITE_TEXT : SQLITE_BLOB;
    return msw_sum_mix((seed + type) ^ hash_bytes(bytes, size));
}

uint64_t msw_sum_text(uint64_t seed, const char *text)
{
    return text ? msw_sum_bytes(seed, true, text, strlen(text)) : 0;
}

uint64_t msw_sum_value(uint64_t seed, sqlite3_value *value)
{
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
        return msw_sum_integer(seed, sqlite3_value_int64(value));
    case SQLITE_FLOAT:
        return msw_sum_real(seed, sqlite3_value_double(value));
    case SQLITE_TEXT:
    case SQLITE_BLOB: {
        bool text = sqlite3_value_type(value) == SQLITE_TEXT;
        const void *bytes = sqlite3_value_blob(value);
        return msw_sum_bytes(seed, text, bytes, (size_t)sqlite3_value_bytes(value));
    }
    default:
        return 0;
    }
}

/* Both are as they lie there: asking for a string would copy them to put a zero behind. */
static bool is_neutral_text(sqlite3_value *neutral, const void *bytes, size_t size)
{
    if (!neutral || sqlite3_value_type(neutral) != SQLITE_TEXT)
        return false;
    const void *text = sqlite3_value_text(neutral);
    return text && (size_t)sqlite3_value_bytes(neutral) == size &&
           (!size || memcmp(text, bytes, size) == 0);
}

static uint64_t text_term(const msw_sum_column *c, const void *bytes, size_t size)
{
    return is_neutral_text(c->neutral, bytes, size) ? 0 : msw_sum_bytes(c->seed, true, bytes, size);
}

/* Each value is asked once for its type and once for itself: calls into SQLite are what costs. */
uint64_t msw_sum_term(const msw_sum_column *c, sqlite3_value *value)
{
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
        return msw_sum_integer_term(c, sqlite3_value_int64(value));
    case SQLITE_FLOAT:
        return msw_sum_real_term(c, sqlite3_value_double(value));
    case SQLITE_TEXT: {
        const void *bytes = sqlite3_value_blob(value);
        return text_term(c, bytes, (size_t)sqlite3_value_bytes(value));
    }
    default:
        return msw_sum_value(c->seed, value);
    }
}

/* ---- as functions of SQL ---- */

static uint64_t seed_of(sqlite3_value *name)
{
    const char *text = (const char *)sqlite3_value_text(name);
    return msw_sum_seed(text ? text : "");
}

static void sum_of(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    uint64_t sum = 0;
    for (int i = 0; i + 1 < argc; i += 2)
        sum += msw_sum_value(seed_of(argv[i]), argv[i + 1]);
    sqlite3_result_int64(context, (sqlite3_int64)sum);
}

static void sum_swap(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    uint64_t seed = seed_of(argv[1]), sum = (uint64_t)sqlite3_value_int64(argv[0]);
    sum += msw_sum_value(seed, argv[3]) - msw_sum_value(seed, argv[2]);
    if (sqlite3_value_type(argv[0]) != SQLITE_INTEGER)
        sqlite3_result_value(context, argv[0]);
    else
        sqlite3_result_int64(context, (sqlite3_int64)sum);
}

/* msw_sum_part(columns, number of the first, value, ...): all columns are there, those that are not
 * covered as NULL. */
static void sum_part(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const msw_sum_column *columns =
        argc < 2 ? NULL : sqlite3_value_pointer(argv[0], MSW_SUM_POINTER);
    if (!columns) {
        sqlite3_result_error(context, "msw_sum_part is called by memsweep alone", -1);
        return;
    }
    columns += sqlite3_value_int(argv[1]);
    uint64_t sum = 0;
    for (int i = 2; i < argc; i++)
        sum += msw_sum_term(&columns[i - 2], argv[i]);
    sqlite3_result_int64(context, (sqlite3_int64)sum);
}

int msw_sum_register(sqlite3 *db, msw_err *err)
{
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    int rc =
        sqlite3_create_function_v2(db, "msw_sum_of", -1, flags, NULL, sum_of, NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_create_function_v2(db, "msw_sum_swap", 4, flags, NULL, sum_swap, NULL, NULL,
                                        NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_create_function_v2(db, "msw_sum_part", -1, SQLITE_UTF8, NULL, sum_part, NULL,
                                        NULL, NULL);
    return rc == SQLITE_OK ? 0
           : rc == SQLITE_NOMEM
               ? msw_fail_memory(err)
               : msw_fail_kind(err, MSW_ERR_INTERNAL, "cannot register functions: %s",
                               sqlite3_errmsg(db));
}
