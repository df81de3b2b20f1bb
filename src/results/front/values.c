/* SPDX-License-Identifier: MIT */
/* Values of objectives as a user writes them: "slowdown=1.5, sram_bytes=8192". */
#include "memsweep/results/front.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Length of "f1=3", also with blanks around '=': a blank alone separates as a comma does. */
static size_t part_size(const char *part)
{
    size_t name = strcspn(part, " ,="), gap = strspn(part + name, " ");
    if (part[name + gap] != '=')
        return name;
    const char *value = part + name + gap + 1;
    value += strspn(value, " ");
    return (size_t)(value - part) + strcspn(value, " ,");
}

static int fail_part(const msw_front *j, const char *option, const char *part, size_t size)
{
    const char *equals = memchr(part, '=', size);
    msw_text known = MSW_TEXT_EMPTY;
    if (!equals)
        return msw_fail(j->err, "%s '%.*s': write objective=value,objective=value", option,
                        (int)size, part);
    for (size_t i = 0; i < j->objectives.count; i++)
        msw_text_add(&known, "%s%s", i ? ", " : "", j->objectives.names[i]);
    int rc = msw_fail(j->err, "%s: '%.*s' is no objective here; they are %s", option,
                      (int)strcspn(part, " ,="), part, msw_text_str(&known));
    msw_text_free(&known);
    return rc;
}

static int parse_part(const msw_front *j, const char *option, const char *part, size_t size,
                      double *values)
{
    const char *equals = memchr(part, '=', size);
    size_t name = strcspn(part, " ,=");
    for (size_t i = 0; equals && i < j->objectives.count; i++) {
        char *end;
        if (strlen(j->objectives.names[i]) != name ||
            strncmp(j->objectives.names[i], part, name) != 0)
            continue;
        values[i] = strtod(equals + 1, &end);
        return end == part + size && end != equals + 1
                   ? 0
                   : msw_fail(j->err, "%s '%.*s': not a number", option, (int)size, part);
    }
    return fail_part(j, option, part, size);
}

int msw_front_values(const msw_front *j, const char *option, const char *list, double *values)
{
    for (size_t i = 0; i < j->objectives.count; i++)
        values[i] = NAN;
    for (const char *at = list; *at;) {
        at += strspn(at, " ,");
        size_t size = part_size(at);
        if (size && parse_part(j, option, at, size, values))
            return -1;
        at += size;
    }
    return 0;
}
