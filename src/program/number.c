/* SPDX-License-Identifier: MIT */
/* One number as programs print them. Strict, because what is half a number, of another unit or no
 * number at all would be a wrong answer in silence. */
#include "memsweep/program/program.h"

#include "memsweep/base/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NUMBER_MOST = 80 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Digits in groups of three behind the first: "1,234,567" and nothing like "1,23". */
static bool is_grouped(const char *text, size_t size, char separator)
{
    size_t digits = 0, first = true;
    for (size_t i = 0; i <= size; i++) {
        if (i < size && isdigit((unsigned char)text[i])) {
            digits++;
            continue;
        }
        bool here = i < size && text[i] == separator;
        if (!first && digits != 3)
            return false;
        if (!here)
            return true;
        if (first && (digits == 0 || digits > 3))
            return false;
        first = false;
        digits = 0;
    }
    return true;
}

/* Copies the number at the start of a text without separators. Returns its size in the text. */
static size_t take_number(const char *text, char separator, char out[NUMBER_MOST])
{
    size_t i = 0, size = 0;
    bool sign = text[0] == '-' || text[0] == '+';
    bool grouped = separator && is_grouped(text + sign, strlen(text + sign), separator);
    for (; text[i] && size + 1 < NUMBER_MOST; i++) {
        if (grouped && text[i] == separator && isdigit((unsigned char)text[i + 1]))
            continue;
        bool exponent =
            (text[i] == 'e' || text[i] == 'E') && i > 0 &&
            (isdigit((unsigned char)text[i + 1]) ||
             (strchr("+-", text[i + 1]) && text[i + 1] && isdigit((unsigned char)text[i + 2])));
        bool after = i > 0 && (text[i - 1] == 'e' || text[i - 1] == 'E');
        bool is_sign = (text[i] == '-' || text[i] == '+') && (i == 0 || after);
        if (!isdigit((unsigned char)text[i]) && text[i] != '.' && !exponent && !is_sign)
            break;
        out[size++] = text[i];
    }
    out[size] = '\0';
    return i;
}

static bool is_nothing(const char *text)
{
    text += *text == '-' || *text == '+';
    return strncasecmp(text, "nan", 3) == 0 || strncasecmp(text, "inf", 3) == 0;
}

/* The word behind a number, glued to it or not. */
static int convert(const char *number, const char *rest, const char *unit, double *value,
                   msw_err *err)
{
    char with_unit[2 * NUMBER_MOST], word[NUMBER_MOST];
    while (is_blank(*rest))
        rest++;
    size_t size = 0;
    while (rest[size] && !is_blank(rest[size]) && !strchr(",;)]", rest[size]))
        size++;
    if (!size)
        return msw_fail(err, "'%s' has no unit behind it, expected %s", number, unit);
    snprintf(word, sizeof word, "%.*s", (int)size, rest);
    if (strcmp(word, unit) == 0)
        return 0;
    snprintf(with_unit, sizeof with_unit, "%s%s", number, word);
    return msw_units_parse(with_unit, unit, value, err);
}

int msw_reader_number(const msw_reader *r, const char *text, const char *unit, double *value,
                      msw_err *err)
{
    char number[NUMBER_MOST], *end;
    while (is_blank(*text))
        text++;
    *value = NAN;
    if (is_nothing(text))
        return r->optional ? 0 : msw_fail(err, "'%.20s' is no number", text);
    size_t used = take_number(text, r->thousands, number);
    *value = strtod(number, &end);
    if (!used || end == number || *end || !isfinite(*value)) {
        *value = NAN;
        return msw_fail(err, "'%.40s' is no %s", text, used ? "finite number" : "number");
    }
    const char *rest = text + used;
    if (r->with_unit)
        MSW_TRY(convert(number, rest, unit, value, err));
    else if (*rest && !is_blank(*rest)) {
        *value = NAN;
        return msw_fail(err,
                        "'%.40s': the number has something glued to it (thousands: ',' takes "
                        "groups, unit: text a unit)",
                        text);
    }
    *value *= r->scale;
    return isfinite(*value) ? 0 : msw_fail(err, "'%.40s' is no finite number", text);
}
