/* SPDX-License-Identifier: MIT */
/* code: columns of many rows as few bytes, for a page that unpacks them (docs/report.md).
 *
 * A cell becomes a code of 16 bits: 0 where nothing is there, else 1 + the number of its level, of
 * its label, or of its step on the column's scale. Numbers of at most as many levels as asked for
 * are exact; others are steps of 1/2046 of the scale, so no value is off by more than half of one.
 */
#ifndef MEMSWEEP_REPORT_CODE_H
#define MEMSWEEP_REPORT_CODE_H

#include "memsweep/base/table.h"
#include "memsweep/base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    MSW_CODE_STEPS = 2047,   /* codes of a scale: 11 bits with the one for nothing */
    MSW_CODE_LEVELS = 65534, /* codes of levels at most */
};

typedef struct msw_coder {
    size_t level_most;          /* set by the caller */
    bool text, steps, mixed;    /* labels; a scale; numbers and texts in one column: no codes */
    bool log;                   /* the scale is logarithmic: chosen by the caller after looking */
    double low, high;           /* of the finite values; low above high: there are none */
    size_t level_count, labels; /* distinct values; of texts, their labels */
    double *levels;             /* in rising order once finished */
    uint32_t *slots;            /* number + 1 of a level, by its bits */
    size_t slot_count;
    double last; /* of the value before: neighbours are often equal */
    uint16_t last_code;
    bool looked;
} msw_coder;

/* Looks at values before any of them is coded. Returns 0, or -1. */
int msw_coder_look(msw_coder *coder, const msw_column *column, size_t rows, msw_err *err);

/* Puts the levels in order; no more is looked at. Returns 0, or -1. */
int msw_coder_finish(msw_coder *coder, msw_err *err);

/* Code of a value that was looked at. Returns it. */
uint16_t msw_coder_code(msw_coder *coder, double value);

/* The value that a reader of a code sees; NaN for code 0. Returns it. */
double msw_coder_value(const msw_coder *coder, uint16_t code);

/* Frees what the coder holds. */
void msw_coder_free(msw_coder *coder);

/* Where bytes lie in the packed text, in characters; `bytes` as they unpack. */
typedef struct msw_coded {
    size_t at, size, bytes;
} msw_coded;

/* Appends bytes, deflated (zlib) and in base64, to a text. Returns 0, or -1. */
int msw_code_bytes(const void *bytes, size_t size, msw_text *out, msw_coded *packed, msw_err *err);

/* The same for codes, the low bytes of all first, the high ones only where there are any; for whole
 * numbers, as the differences of neighbours, least significant bytes of all first; for doubles.
 * Return 0, or -1. */
int msw_code_codes(const uint16_t *codes, size_t count, msw_text *out, msw_coded *packed,
                   msw_err *err);
int msw_code_wholes(const uint32_t *numbers, size_t count, msw_text *out, msw_coded *packed,
                    msw_err *err);
int msw_code_doubles(const double *numbers, size_t count, msw_text *out, msw_coded *packed,
                     msw_err *err);

#endif
