/* Terms of checksums: each is a one-to-one mixture of 64 bits. */
#include "store/sql/term.h"

#include "memsweep/base/hash.h"

#include <string.h>

/* Rounds of multiplying and shifting as in generators of random numbers: every bit of the value
 * reaches every bit of the term. */
static inline uint64_t mix(uint64_t bits)
{
    bits *= 0x9e3779b97f4a7c15;
    bits ^= bits >> 32;
    bits *= 0xd6e8feb86659fd93;
    bits ^= bits >> 29;
    return bits * 0xff51afd7ed558ccd;
}

uint64_t msw_sum_seed(const char *column)
{
    return msw_hash_string(column).lo;
}

uint64_t msw_sum_integer(uint64_t seed, int64_t value)
{
    return mix((seed + SQLITE_INTEGER) ^ (uint64_t)value);
}

uint64_t msw_sum_real(uint64_t seed, double value)
{
    uint64_t bits;
    if (value != value)
        return 0;
    memcpy(&bits, &value, sizeof bits);
    return mix((seed + SQLITE_FLOAT) ^ bits);
}

uint64_t msw_sum_bytes(uint64_t seed, bool text, const void *bytes, size_t size)
{
    uint64_t hash = msw_hash_bytes(size ? bytes : "", size).lo;
    return mix((seed + (text ? SQLITE_TEXT : SQLITE_BLOB)) ^ hash);
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

int msw_sum_register(sqlite3 *db, msw_err *err)
{
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    int rc =
        sqlite3_create_function_v2(db, "msw_sum_of", -1, flags, NULL, sum_of, NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_create_function_v2(db, "msw_sum_swap", 4, flags, NULL, sum_swap, NULL, NULL,
                                        NULL);
    return rc == SQLITE_OK ? 0
                           : msw_fail_kind(err, MSW_ERR_INTERNAL, "cannot register functions: %s",
                                           sqlite3_errmsg(db));
}
