/* SPDX-License-Identifier: MIT */
/* Writes numbers in decimal, so that they read back as the same number. */
#include "memsweep/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static void place_point(bool negative, uint64_t digits, int behind, char buffer[32])
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
            place_point(value < 0, digits, s.power - dropped, buffer);
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
