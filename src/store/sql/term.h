/* SPDX-License-Identifier: MIT */
/* term: what one value adds to the checksum of its row (store/sum/sum.h), in C and in SQL. */
#ifndef MSW_STORE_SQL_TERM_H
#define MSW_STORE_SQL_TERM_H

#include "store/sql/sql.h"

#include <string.h>

/* What the terms of a column begin with. Returns it. */
uint64_t msw_sum_seed(const char *column);

/* Rounds of multiplying and shifting as in generators of random numbers: every bit of the value
 * reaches every bit of the term. One-to-one. */
static inline uint64_t msw_sum_mix(uint64_t bits)
{
    bits *= 0x9e3779b97f4a7c15;
    bits ^= bits >> 32;
    bits *= 0xd6e8feb86659fd93;
    bits ^= bits >> 29;
    return bits * 0xff51afd7ed558ccd;
}

/* Terms of values. */
static inline uint64_t msw_sum_integer(uint64_t seed, int64_t value)
{
    return msw_sum_mix((seed + SQLITE_INTEGER) ^ (uint64_t)value);
}

/* 0 of NaN, which is stored as NULL. */
static inline uint64_t msw_sum_real(uint64_t seed, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? 0 : msw_sum_mix((seed + SQLITE_FLOAT) ^ bits);
}

uint64_t msw_sum_bytes(uint64_t seed, bool text, const void *bytes, size_t size);
uint64_t msw_sum_text(uint64_t seed, const char *text); /* 0 of NULL */
uint64_t msw_sum_value(uint64_t seed, sqlite3_value *value);

/* One column of a table as its checksums see it. */
typedef struct msw_sum_column {
    char *name;
    uint64_t seed;
    bool skip;              /* not covered: numbers of rows and runs, the checksum */
    sqlite3_value *neutral; /* NULL: none */
    double neutral_number;  /* NaN: none, or a text */
} msw_sum_column;

/* What a value in the column adds to the checksum. Returns it: 0 of the neutral value. */
static inline uint64_t msw_sum_integer_term(const msw_sum_column *column, int64_t value)
{
    return (double)value == column->neutral_number ? 0 : msw_sum_integer(column->seed, value);
}

static inline uint64_t msw_sum_real_term(const msw_sum_column *column, double value)
{
    return value == column->neutral_number ? 0 : msw_sum_real(column->seed, value);
}

/* The same of a value of any type: 0 of NULL, too. */
uint64_t msw_sum_term(const msw_sum_column *column, sqlite3_value *value);

/* The type of pointer by which statements learn a table's columns. */
#define MSW_SUM_POINTER "msw_sum_column"

/* Gives a connection msw_sum_of(name, value, ...), the checksum of a row of our own, and
 * msw_sum_swap(checksum, name, old, new), that of a row one of whose values changes; what was
 * damaged before stays so, and NULL stays NULL; and msw_sum_part(columns, number of the first,
 * value,
 * ...), what some columns of a row add to its checksum. Returns 0, or -1. */
int msw_sum_register(sqlite3 *db, msw_err *err);

#endif
