/* SPDX-License-Identifier: MIT */
#include "memsweep/base/text.h"

#include "memsweep/base/bits.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(msw_text *text, size_t extra)
{
    if (text->failed)
        return false;
    size_t needed = text->size + extra + 1;
    if (needed <= text->capacity)
        return true;
    size_t capacity = msw_max_u64(msw_bits_power(needed), 64);
    char *data = realloc(text->data, capacity);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void msw_text_add_bytes(msw_text *text, const char *bytes, size_t size)
{
    if (!reserve(text, size))
        return;
    if (size)
        memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void msw_text_add(msw_text *text, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    msw_text_add_args(text, fmt, args);
    va_end(args);
}

void msw_text_add_args(msw_text *text, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, fmt, args);
    if (size >= 0 && reserve(text, (size_t)size)) {
        vsnprintf(text->data + text->size, (size_t)size + 1, fmt, again);
        text->size += (size_t)size;
    }
    va_end(again);
}

void msw_text_add_double(msw_text *text, double value)
{
    char buffer[32];
    msw_double_text(value, buffer);
    msw_text_add_bytes(text, buffer, strlen(buffer));
}

int msw_text_check(const msw_text *text, msw_err *err)
{
    return text->failed ? msw_fail_memory(err) : 0;
}

const char *msw_text_str(const msw_text *text)
{
    return text->data ? text->data : "";
}

void msw_text_clear(msw_text *text)
{
    text->size = 0;
    if (text->data)
        text->data[0] = '\0';
}

void msw_text_free(msw_text *text)
{
    if (!text)
        return;
    free(text->data);
    *text = MSW_TEXT_EMPTY;
}

void msw_text_fit(char *buffer, size_t size, const char *string)
{
    size_t length = strlen(string);
    if (length >= size)
        length = size - 1;
    memcpy(buffer, string, length);
    buffer[length] = '\0';
}

char *msw_strdup(const char *string)
{
    size_t size = strlen(string) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, string, size) : NULL;
}

char *msw_strfmt(const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *string = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (string)
        vsnprintf(string, (size_t)size + 1, fmt, again);
    va_end(again);
    return string;
}

enum { NEAREST_MAX = 63 };

/* Optimal string alignment distance: a swap of neighbours, the commonest slip, counts once. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > NEAREST_MAX || m > NEAREST_MAX)
        return SIZE_MAX;
    size_t row[3][NEAREST_MAX + 1];
    for (size_t j = 0; j <= m; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = row[i % 3], *last = row[(i + 2) % 3], *older = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                older[j - 2] + 1 < best)
                best = older[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[n % 3][m];
}

const char *msw_nearest(const char *wrong, const char *const *names, size_t stride)
{
    const char *best = NULL;
    size_t best_distance = SIZE_MAX, limit = strlen(wrong) / 3 + 1;
    for (const char *p = (const char *)names;; p += stride) {
        const char *name = *(const char *const *)p;
        if (!name)
            break;
        size_t distance = edit_distance(wrong, name);
        /* A typed prefix of a long name is a good guess even when far in edits. */
        if (strlen(wrong) >= 3 && strncmp(wrong, name, strlen(wrong)) == 0 && distance > limit)
            distance = limit;
        if (distance <= limit && distance < best_distance) {
            best = name;
            best_distance = distance;
        }
    }
    return best;
}

bool msw_glob_match(const char *pattern, const char *name)
{
    return fnmatch(pattern, name, FNM_PATHNAME) == 0;
}

/* ---- numbers as people read them ---- */

const char *msw_count_text(uint64_t count, char buffer[32])
{
    char digits[24];
    int size = snprintf(digits, sizeof digits, "%" PRIu64, count);
    char *to = buffer;
    for (int i = 0; i < size; i++) {
        if (i && (size - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return buffer;
}

const char *msw_rate_text(double per_second, char buffer[32])
{
    if (per_second >= 100 && per_second < 1e15)
        return msw_count_text((uint64_t)(per_second + 0.5), buffer);
    snprintf(buffer, 32, "%.3g", per_second);
    return buffer;
}

const char *msw_duration_text(double seconds, char buffer[32])
{
    if (!(seconds < 1e9))
        snprintf(buffer, 32, "an unknown time");
    else if (seconds < 1)
        snprintf(buffer, 32, "%.2g s", seconds);
    else if (seconds < 60)
        snprintf(buffer, 32, "%.1f s", seconds);
    else if (seconds < 3600)
        snprintf(buffer, 32, "%d min %d s", (int)seconds / 60, (int)seconds % 60);
    else if (seconds < 172800)
        snprintf(buffer, 32, "%d h %d min", (int)seconds / 3600, (int)seconds % 3600 / 60);
    else
        snprintf(buffer, 32, "%.1f days", seconds / 86400);
    return buffer;
}
