/* SPDX-License-Identifier: MIT */
/* record: the values of one record as it lies in a page (store/sql/pages.h), in their order. They
 * are defined here since one value takes about as long as a call. */
#ifndef MSW_STORE_SQL_RECORD_H
#define MSW_STORE_SQL_RECORD_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A record. */
typedef struct msw_record {
    int64_t id;             /* of the row; WITHOUT ROWID: the first value */
    const uint8_t *payload; /* NULL: not all of it is in the page */
    size_t size;
} msw_record;

/* Numbers of two and four bytes. */
static inline uint32_t msw_read_16(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 8 | bytes[1];
}

static inline uint32_t msw_read_32(const uint8_t *bytes)
{
    return msw_read_16(bytes) << 16 | msw_read_16(bytes + 2);
}

/* Up to nine bytes, the last of which counts whole. Returns what lies behind. */
static inline const uint8_t *msw_read_varint(const uint8_t *bytes, uint64_t *value)
{
    uint64_t v = 0;
    for (int i = 0; i < 8; i++) {
        v = v << 7 | (bytes[i] & 0x7f);
        if (!(bytes[i] & 0x80)) {
            *value = v;
            return bytes + i + 1;
        }
    }
    *value = v << 8 | bytes[8];
    return bytes + 9;
}

/* Values of a record, one after the other. */
typedef struct msw_values {
    const uint8_t *head, *head_end, *body, *end;
} msw_values;

typedef struct msw_value {
    int type; /* SQLITE_INTEGER, _FLOAT, _TEXT, _BLOB, _NULL */
    int64_t integer;
    double real;
    const uint8_t *bytes;
    size_t size;
} msw_value;

/* Begins with the first. Returns false when the record is not understood. */
static inline bool msw_values_begin(const msw_record *record, msw_values *values)
{
    uint64_t size;
    const uint8_t *end = record->payload + record->size;
    values->head = msw_read_varint(record->payload, &size);
    if (values->head > end || size > record->size)
        return false;
    values->head_end = values->body = record->payload + size;
    values->end = end;
    return values->head <= values->head_end;
}

/* A whole number of 1, 2, 3, 4, 6 or 8 bytes, the first of which has the sign. */
static inline int64_t msw_read_integer(const uint8_t *bytes, unsigned size)
{
    uint64_t value = bytes[0] & 0x80 ? UINT64_MAX : 0;
    for (unsigned i = 0; i < size; i++)
        value = value << 8 | bytes[i];
    return (int64_t)value;
}

static inline void msw_read_real(const uint8_t *bytes, msw_value *value)
{
    uint64_t bits = (uint64_t)msw_read_32(bytes) << 32 | msw_read_32(bytes + 4);
    memcpy(&value->real, &bits, sizeof bits);
    value->type = value->real != value->real ? SQLITE_NULL : SQLITE_FLOAT;
}

/* Reads the next. Returns 1, 0 behind the last, or -1 when it is not understood. */
static inline int msw_values_next(msw_values *v, msw_value *value)
{
    static const uint8_t SIZES[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
    uint64_t serial;
    if (v->head == v->head_end)
        return 0;
    v->head = msw_read_varint(v->head, &serial);
    uint64_t size = serial < 10 ? SIZES[serial] : (serial - 12) / 2;
    if (v->head > v->head_end || serial == 10 || serial == 11 ||
        size > (uint64_t)(v->end - v->body))
        return -1;
    const uint8_t *bytes = v->body;
    v->body += size;
    value->type = SQLITE_INTEGER;
    if (serial >= 12) {
        value->type = serial % 2 ? SQLITE_TEXT : SQLITE_BLOB;
        value->bytes = bytes;
        value->size = (size_t)size;
    } else if (serial == 7) {
        msw_read_real(bytes, value);
    } else if (serial == 0) {
        value->type = SQLITE_NULL;
    } else {
        value->integer = serial > 7 ? (int64_t)serial - 8 : msw_read_integer(bytes, (unsigned)size);
    }
    return 1;
}

#endif
