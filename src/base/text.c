/* SPDX-License-Identifier: MIT */
#include "memsweep/base/text.h"

#include "memsweep/base/bits.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
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

/* Writes the digits of a number, as many as it has or at least so many, in front of `end`. Returns
 * where they begin. */
static char *put_digits(uint64_t number, int least, char *end)
{
    for (int i = 0; i < least || number; i++, number /= 10)
        *--end = (char)('0' + number % 10);
    return end;
}

static char *put_whole(int64_t value, char *end)
{
    char *at = put_digits(value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 1, end);
    if (value < 0)
        *--at = '-';
    return at;
}

void msw_text_add_whole(msw_text *text, int64_t value)
{
    char digits[24], *end = digits + sizeof digits, *at = put_whole(value, end);
    msw_text_add_bytes(text, at, (size_t)(end - at));
}

/* A decimal of at most 15 digits comes back from a double as it was: one try finds them all. */
static const char *try_lengths(double value, char buffer[32])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, 32, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    return buffer;
}

__extension__ typedef unsigned __int128 wide;

/* A number times 10^power, as it is: `digits`, 17 of them, and `rest` / 2^shift. */
typedef struct scaled {
    uint64_t digits;
    wide rest, unit; /* unit: 10^power, the gap between doubles on the scale of the rest */
    int shift, power;
    bool even;
} scaled;

/* Powers up to 10^38. */
static wide power_of_ten(int power)
{
    static const uint64_t POWERS[] = {
        UINT64_C(1),         UINT64_C(10),         UINT64_C(100),         UINT64_C(1000),
        UINT64_C(10000),     UINT64_C(100000),     UINT64_C(1000000),     UINT64_C(10000000),
        UINT64_C(100000000), UINT64_C(1000000000), UINT64_C(10000000000), UINT64_C(100000000000)};
    int half = power / 2;
    return (wide)POWERS[half] * POWERS[power - half];
}

static const uint64_t DIGITS_17 = UINT64_C(10000000000000000); /* the least number of them */

/* Scales a number from 10^-4 up to 10^15: 53 bits times at most 10^21 are 123. At powers of 2,
 * where the gap to the next double is not the same on both sides, it does not. */
static bool scale(double value, scaled *s)
{
    int exponent;
    double part = frexp(value, &exponent);
    uint64_t m = (uint64_t)ldexp(part, 53);
    s->shift = 53 - exponent;
    if (m == UINT64_C(1) << 52)
        return false;
    s->even = m % 2 == 0;
    s->power = 16 - (int)floor((exponent - 1) * 0.30102999566398120);
    if ((m * power_of_ten(s->power)) >> s->shift >= 10 * (wide)DIGITS_17)
        s->power--;
    s->unit = power_of_ten(s->power);
    s->digits = (uint64_t)((m * s->unit) >> s->shift);
    s->rest = m * s->unit - ((wide)s->digits << s->shift);
    return s->digits >= DIGITS_17 && s->digits < 10 * DIGITS_17;
}

/* Rounds to 17 digits less `dropped`, a tie to the even digit, as printf does. Returns 0 where that
 * takes one digit more; `*exact` is whether it reads back as the number. */
static uint64_t round_to(const scaled *s, int dropped, bool *exact)
{
    static const uint64_t STEPS[] = {1, 10, 100};
    uint64_t step = STEPS[dropped], digits = s->digits / step;
    wide rest = ((wide)(s->digits % step) << s->shift) + s->rest;
    wide back = ((wide)step << s->shift) - rest;
    bool up = rest > back || (rest == back && digits % 2);
    wide off = up ? back : rest;
    digits += up;
    *exact = 2 * off < s->unit || (2 * off == s->unit && s->even);
    return digits < 10 * DIGITS_17 / step ? digits : 0;
}

/* Writes digits with a point before the last `behind`, without zeros at the end. */
static void put_point(bool negative, uint64_t digits, int behind, char buffer[32])
{
    char all[32], *end = all + sizeof all;
    while (behind > 0 && digits % 10 == 0) {
        digits /= 10;
        behind--;
    }
    char *at = put_digits(digits, behind + 1, end), *out = buffer;
    size_t before = (size_t)(end - at) - (size_t)behind;
    if (negative)
        *out++ = '-';
    memcpy(out, at, before);
    out += before;
    if (behind > 0) {
        *out++ = '.';
        memcpy(out, at + before, (size_t)behind);
        out += behind;
    }
    *out = '\0';
}

static bool write_exact(double value, char buffer[32])
{
    scaled s;
    bool exact = false;
    double size = fabs(value);
    if (!(size >= 1e-4 && size < 1e15) || !scale(size, &s))
        return false;
    for (int dropped = 2; dropped >= 0; dropped--) {
        uint64_t digits = round_to(&s, dropped, &exact);
        if (!digits)
            return false;
        if (exact || !dropped) {
            put_point(value < 0, digits, s.power - dropped, buffer);
            return true;
        }
    }
    return false;
}

const char *msw_double_text(double value, char buffer[32])
{
    if (isnan(value))
        return memcpy(buffer, "nan", 4);
    if (value == floor(value) && fabs(value) < 1e15) {
        char digits[24], *end = digits + sizeof digits, *at = put_whole((int64_t)value, end);
        memcpy(buffer, at, (size_t)(end - at));
        buffer[end - at] = '\0';
        return buffer;
    }
    return write_exact(value, buffer) ? buffer : try_lengths(value, buffer);
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

/* How much of a word can be wrong: not the ending of a file that it has in common with a name. */
static size_t own_size(const char *wrong, const char *name)
{
    const char *end = strrchr(wrong, '.'), *other = strrchr(name, '.');
    return end && other && strcmp(end, other) == 0 ? (size_t)(end - wrong) : strlen(wrong);
}

const char *msw_nearest(const char *wrong, const char *const *names, size_t stride)
{
    const char *best = NULL;
    size_t best_distance = SIZE_MAX;
    for (const char *p = (const char *)names;; p += stride) {
        const char *name = *(const char *const *)p;
        if (!name)
            break;
        size_t distance = edit_distance(wrong, name), size = own_size(wrong, name);
        size_t limit = size / 3 + 1;
        /* A typed prefix of a long name is a good guess even when far in edits. */
        if (strlen(wrong) >= 3 && strncmp(wrong, name, strlen(wrong)) == 0 && distance > limit)
            distance = limit;
        if (distance <= limit && distance < size && distance < best_distance) {
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
