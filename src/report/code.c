/* SPDX-License-Identifier: MIT */
/* Bytes become text that a page can hold: deflated, then base64. */
#include "memsweep/report/code.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- text ---- */

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void add_base64(const uint8_t *bytes, size_t size, msw_text *out)
{
    char line[4096];
    size_t used = 0;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i < 3 ? size - i : 3;
        uint32_t group = (uint32_t)bytes[i] << 16;
        group |= left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        group |= left > 2 ? bytes[i + 2] : 0;
        for (size_t d = 0; d < 4; d++)
            line[used++] = d <= left ? DIGITS[group >> (18 - 6 * d) & 63] : '=';
        if (used == sizeof line) {
            msw_text_add_bytes(out, line, used);
            used = 0;
        }
    }
    msw_text_add_bytes(out, line, used);
}

int msw_code_bytes(const void *bytes, size_t size, msw_text *out, msw_coded *packed, msw_err *err)
{
    uLongf room = compressBound((uLong)size);
    uint8_t *small = malloc(room);
    *packed = (msw_coded){.at = out->size, .bytes = size};
    if (!small || compress2(small, &room, bytes, (uLong)size, 6) != Z_OK) {
        free(small);
        return msw_fail_memory(err);
    }
    add_base64(small, room, out);
    free(small);
    packed->size = out->size - packed->at;
    return out->failed ? msw_fail_memory(err) : 0;
}

/* ---- bytes of like weight side by side ---- */

int msw_code_codes(const uint16_t *codes, size_t count, msw_text *out, msw_coded *packed,
                   msw_err *err)
{
    uint8_t *bytes = malloc(2 * count + 1);
    unsigned high = 0;
    if (!bytes)
        return msw_fail_memory(err);
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (uint8_t)(codes[i] & 255);
        bytes[count + i] = (uint8_t)(codes[i] >> 8);
        high |= codes[i] >> 8;
    }
    int rc = msw_code_bytes(bytes, high ? 2 * count : count, out, packed, err);
    free(bytes);
    return rc;
}

int msw_code_wholes(const uint32_t *numbers, size_t count, msw_text *out, msw_coded *packed,
                    msw_err *err)
{
    uint8_t *bytes = malloc(4 * count + 1);
    if (!bytes)
        return msw_fail_memory(err);
    for (size_t i = 0; i < count; i++) {
        uint32_t step = numbers[i] - (i ? numbers[i - 1] : 0);
        for (unsigned b = 0; b < 4; b++)
            bytes[b * count + i] = (uint8_t)(step >> (8 * b) & 255);
    }
    int rc = msw_code_bytes(bytes, 4 * count, out, packed, err);
    free(bytes);
    return rc;
}

int msw_code_doubles(const double *numbers, size_t count, msw_text *out, msw_coded *packed,
                     msw_err *err)
{
    uint8_t *bytes = malloc(8 * count + 1);
    if (!bytes)
        return msw_fail_memory(err);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        for (unsigned b = 0; b < 8; b++)
            bytes[b * count + i] = (uint8_t)(bits >> (8 * b) & 255);
    }
    int rc = msw_code_bytes(bytes, 8 * count, out, packed, err);
    free(bytes);
    return rc;
}
