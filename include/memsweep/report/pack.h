/* pack: columns of many rows as few bytes, for a page that unpacks them (docs/report.md).
 *
 * A cell becomes a code of 16 bits: 0 where nothing is there, else 1 + the number of its level, of
 * its label, or of its step on the column's scale. Numbers of at most as many levels as asked for
 * are exact; others are steps of 1/2046 of the scale, so no value is off by more than half of one.
 */
#ifndef MEMSWEEP_REPORT_PACK_H
#define MEMSWEEP_REPORT_PACK_H

#include "memsweep/base/table.h"
#include "memsweep/base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    MSW_PACK_STEPS = 2047,   /* codes of a scale: 11 bits with the one for nothing */
    MSW_PACK_LEVELS = 65534, /* codes of levels at most */
};

typedef struct msw_packer {
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
} msw_packer;

/* Looks at values before any of them is coded. Returns 0, or -1. */
int msw_packer_look(msw_packer *packer, const msw_column *column, size_t rows, msw_err *err);

/* Puts the levels in order; no more is looked at. Returns 0, or -1. */
int msw_packer_finish(msw_packer *packer, msw_err *err);

/* Code of a value that was looked at. Returns it. */
uint16_t msw_packer_code(msw_packer *packer, double value);

/* The value that a reader of a code sees; NaN for code 0. Returns it. */
double msw_packer_value(const msw_packer *packer, uint16_t code);

/* Frees what the packer holds. */
void msw_packer_free(msw_packer *packer);

/* Where bytes lie in the packed text, in characters; `bytes` as they unpack. */
typedef struct msw_packed {
    size_t at, size, bytes;
} msw_packed;

/* Appends bytes, deflated (zlib) and in base64, to a text. Returns 0, or -1. */
int msw_pack_bytes(const void *bytes, size_t size, msw_text *out, msw_packed *packed, msw_err *err);

/* The same for codes, the low bytes of all first, the high ones only where there are any; for whole
 * numbers, as the differences of neighbours, least significant bytes of all first; for doubles.
 * Return 0, or -1. */
int msw_pack_codes(const uint16_t *codes, size_t count, msw_text *out, msw_packed *packed,
                   msw_err *err);
int msw_pack_wholes(const uint32_t *numbers, size_t count, msw_text *out, msw_packed *packed,
                    msw_err *err);
int msw_pack_doubles(const double *numbers, size_t count, msw_text *out, msw_packed *packed,
                     msw_err *err);

#endif
