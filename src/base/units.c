/* SPDX-License-Identifier: MIT */
#include "memsweep/base/units.h"

#include "memsweep/base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct suffix {
    const char *unit;   /* the declared unit this suffix belongs to */
    const char *suffix; /* as written */
    double factor;      /* written x factor = declared */
} suffix;

static const suffix SUFFIXES[] = {
    {"B", "B", 1},
    {"B", "KiB", 1024.0},
    {"B", "MiB", 1048576.0},
    {"B", "GiB", 1073741824.0},
    {"B", "TiB", 1099511627776.0},
    {"B", "kB", 1e3},
    {"B", "MB", 1e6},
    {"B", "GB", 1e9},
    {"ns", "ps", 1e-3},
    {"ns", "ns", 1},
    {"ns", "us", 1e3},
    {"ns", "ms", 1e6},
    {"ns", "s", 1e9},
    {"cycles", "cycles", 1},
    {"GHz", "GHz", 1},
    {"GHz", "MHz", 1e-3},
    {"GHz", "kHz", 1e-6},
    {"GHz", "Hz", 1e-9},
    {"GB/s", "GB/s", 1},
    {"GB/s", "MB/s", 1e-3},
    {"GB/s", "TB/s", 1e3},
    {"GB/s", "GiB/s", 1.073741824},
    {"%", "%", 1},
    {"", "%", 0.01},
};

enum { SUFFIX_COUNT = sizeof SUFFIXES / sizeof *SUFFIXES };

/* The suffixes that go with a declared unit, for messages; "" where there are none. */
static const char *list_suffixes(const char *unit)
{
    static const struct {
        const char *unit, *list;
    } LISTS[] = {
        {"B", "B, KiB, MiB, GiB, TiB, kB, MB, GB"},
        {"ns", "ps, ns, us, ms, s"},
        {"cycles", "cycles"},
        {"GHz", "Hz, kHz, MHz, GHz"},
        {"GB/s", "MB/s, GB/s, GiB/s, TB/s"},
        {"%", "%"},
        {"", "%"},
    };
    for (size_t i = 0; i < sizeof LISTS / sizeof *LISTS; i++)
        if (strcmp(unit, LISTS[i].unit) == 0)
            return LISTS[i].list;
    return "";
}

static const suffix *find_suffix(const char *unit, const char *written)
{
    for (size_t i = 0; i < SUFFIX_COUNT; i++)
        if (strcmp(SUFFIXES[i].unit, unit) == 0 && strcmp(SUFFIXES[i].suffix, written) == 0)
            return &SUFFIXES[i];
    return NULL;
}

/* The suffix that was probably meant: "KB", "k" and "kib" are KiB, "NS" is ns. A letter alone, or
 * with B, is taken for a power of two: that is what sizes of memories are written in. */
static const char *nearest_suffix(const char *unit, const char *written)
{
    static const char *const BINARY[] = {"KiB", "MiB", "GiB", "TiB", NULL};
    for (size_t i = 0; strcmp(unit, "B") == 0 && BINARY[i]; i++)
        if (tolower((unsigned char)*written) == tolower((unsigned char)*BINARY[i]) &&
            (!written[1] || strcasecmp(written + 1, "B") == 0 || strcasecmp(written + 1, "i") == 0))
            return BINARY[i];
    for (size_t i = 0; i < SUFFIX_COUNT; i++)
        if (strcmp(SUFFIXES[i].unit, unit) == 0 && strcasecmp(SUFFIXES[i].suffix, written) == 0)
            return SUFFIXES[i].suffix;
    return NULL;
}

static int fail_suffix(const char *text, const char *unit, const char *written, msw_err *err)
{
    const char *allowed = list_suffixes(unit);
    if (!*allowed)
        return msw_fail(err, "'%s': '%s' is not a unit here, write a plain number of %s", text,
                        written, unit);
    const char *best = nearest_suffix(unit, written);
    size_t digits = strlen(text) - strlen(strstr(text, written));
    if (best)
        return msw_fail(err, "'%s': '%s' is not a unit here, did you mean '%.*s%s'? allowed: %s",
                        text, written, (int)digits, text, best, allowed);
    return msw_fail(err, "'%s': '%s' is not a unit here, allowed: %s", text, written, allowed);
}

int msw_units_parse(const char *text, const char *unit, double *value, msw_err *err)
{
    char *end;
    double number = strtod(text, &end);
    /* strtod also reads "inf", "nan" and hexadecimal: none of them is a setting. */
    if (end == text || !isfinite(number) || strpbrk(text, "xX"))
        return msw_fail(err, "'%s' is not a number", text);
    while (isspace((unsigned char)*end))
        end++;
    char written[16];
    size_t size = strcspn(end, " \t\r\n");
    if (size >= sizeof written || end[size + strspn(end + size, " \t\r\n")] != '\0')
        return msw_fail(err, "'%s' is not a number with a unit", text);
    memcpy(written, end, size);
    written[size] = '\0';
    if (size == 0) {
        *value = number;
        return 0;
    }
    const suffix *found = find_suffix(unit, written);
    if (!found)
        return fail_suffix(text, unit, written, err);
    /* Dividing by a whole number rounds once: 95% is 0.95, as if it had been written so. */
    *value = found->factor < 1 ? number / round(1 / found->factor) : number * found->factor;
    return 0;
}

static const char *print_scaled(double value, const char *const *names, double step, char *buffer)
{
    int i = 0;
    while (fabs(value) >= step && names[i + 1]) {
        value /= step;
        i++;
    }
    char number[32];
    snprintf(number, sizeof number, "%.6g", value);
    snprintf(buffer, 48, "%s %s", number, names[i]);
    return buffer;
}

const char *msw_units_print(double value, const char *unit, char buffer[48])
{
    static const char *const BYTES[] = {"B", "KiB", "MiB", "GiB", "TiB", NULL};
    static const char *const TIMES[] = {"ns", "us", "ms", "s", NULL};
    if (strcmp(unit, "B") == 0)
        return print_scaled(value, BYTES, 1024, buffer);
    if (strcmp(unit, "ns") == 0)
        return print_scaled(value, TIMES, 1000, buffer);
    char number[32];
    msw_double_text(value, number);
    snprintf(buffer, 48, "%s%s%s", number, *unit ? " " : "", unit);
    return buffer;
}
