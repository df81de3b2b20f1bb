/* SPDX-License-Identifier: MIT */
/* Codes the values of a column (what it holds is measured once, then every value is coded) and
 * packs bytes as text that a page can hold: deflated, then base64. */
#include "memsweep/report/code.h"

#include "memsweep/base/math.h"
#include "memsweep/base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- distinct values ---- */

/* Slots hold number + 1 of a level. */
static uint32_t *find_slot(const msw_coder *p, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    size_t at = (size_t)(((bits ^ bits >> 32) * UINT64_C(0x9e3779b97f4a7c15)) >> 20);
    for (;; at++) {
        uint32_t *slot = &p->slots[at & (p->slot_count - 1)];
        if (!*slot || p->levels[*slot - 1] == value)
            return slot;
    }
}

/* A quarter of the slots is used at most. */
static int make_slots(msw_coder *p, msw_err *err)
{
    p->slot_count = 16;
    while (p->slot_count < 4 * (p->level_most + 1))
        p->slot_count *= 2;
    p->slots = calloc(p->slot_count, sizeof *p->slots);
    p->levels = malloc((p->level_most + 1) * sizeof *p->levels);
    return p->slots && p->levels ? 0 : msw_fail_memory(err);
}

static void forget_levels(msw_coder *p)
{
    free(p->levels);
    free(p->slots);
    p->levels = NULL;
    p->slots = NULL;
    p->level_count = 0;
}

static void add_level(msw_coder *p, double value)
{
    uint32_t *slot = find_slot(p, value);
    if (*slot)
        return;
    if (p->level_count == p->level_most) {
        p->steps = true;
        forget_levels(p);
        return;
    }
    p->levels[p->level_count++] = value;
    *slot = (uint32_t)p->level_count;
}

/* ---- looking ---- */

static void look_at(msw_coder *p, double value)
{
    if (!isfinite(value) || (p->looked && value == p->last))
        return;
    p->looked = true;
    p->last = value;
    p->low = fmin(p->low, value);
    p->high = fmax(p->high, value);
    if (!p->steps)
        add_level(p, value + 0.0); /* -0 is 0 */
}

int msw_coder_look(msw_coder *p, const msw_column *column, size_t rows, msw_err *err)
{
    bool text = column->labels != NULL;
    if (!p->slots && !p->steps && !p->text) {
        p->low = INFINITY;
        p->high = -INFINITY;
        if (make_slots(p, err))
            return -1;
    }
    p->mixed = p->mixed || (p->looked && text != p->text);
    p->text = text;
    if (text) {
        p->labels = column->label_count;
        p->looked = true;
    }
    for (size_t i = 0; i < rows && !text; i++)
        look_at(p, column->values[i]);
    return 0;
}

/* ---- coding ---- */

int msw_coder_finish(msw_coder *p, msw_err *err)
{
    p->last = NAN;
    if (p->text || p->steps || !p->slots)
        return 0;
    msw_sort_f64(p->levels, p->level_count);
    memset(p->slots, 0, p->slot_count * sizeof *p->slots);
    for (size_t i = 0; i < p->level_count; i++)
        *find_slot(p, p->levels[i]) = (uint32_t)i + 1;
    return p->level_count <= MSW_CODE_LEVELS ? 0 : msw_fail(err, "more levels than codes");
}

static double place(const msw_coder *p, double value)
{
    if (!(p->high > p->low))
        return 0;
    return p->log ? msw_math_log(value / p->low) / msw_math_log(p->high / p->low)
                  : (value - p->low) / (p->high - p->low);
}

static uint16_t find_code(const msw_coder *p, double value)
{
    if (p->text)
        return (uint16_t)(value + 1);
    if (!p->steps)
        return (uint16_t)*find_slot(p, value + 0.0);
    double step = floor(place(p, value) * (MSW_CODE_STEPS - 1) + 0.5);
    return (uint16_t)(1 + fmin(fmax(step, 0), MSW_CODE_STEPS - 1));
}

uint16_t msw_coder_code(msw_coder *p, double value)
{
    if (!isfinite(value))
        return 0;
    if (value != p->last) {
        p->last = value;
        p->last_code = find_code(p, value);
    }
    return p->last_code;
}

double msw_coder_value(const msw_coder *p, uint16_t code)
{
    if (!code)
        return NAN;
    if (p->text)
        return code - 1;
    if (!p->steps)
        return p->levels[code - 1];
    double share = (code - 1) / (double)(MSW_CODE_STEPS - 1);
    return p->log ? p->low * msw_math_exp(share * msw_math_log(p->high / p->low))
                  : p->low + share * (p->high - p->low);
}

void msw_coder_free(msw_coder *p)
{
    forget_levels(p);
    *p = (msw_coder){0};
}

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
