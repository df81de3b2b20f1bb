/* SPDX-License-Identifier: MIT */
/* How figures write a number: bytes by their unit, large ones by a prefix, none with zeros at its
 * end.
 */
#include "memsweep/figure/figure.h"

#include <math.h>
#include <string.h>

bool msw_plot_is_bytes(const msw_column *column)
{
    const char *unit = column->unit ? column->unit : "";
    return strcmp(unit, "B") == 0 || strcmp(unit, "bytes") == 0;
}

typedef struct prefix {
    double size;
    const char *name;
} prefix;

/* Bytes of whole KiB or MiB are written so; in between three digits are enough. */
static void add_bytes(double value, msw_text *out)
{
    static const prefix UNITS[] = {{1099511627776.0, "TiB"},
                                   {1073741824.0, "GiB"},
                                   {1048576.0, "MiB"},
                                   {1024.0, "KiB"},
                                   {1.0, "B"}};
    size_t i = 0;
    while (i + 1 < sizeof UNITS / sizeof *UNITS && fabs(value) < UNITS[i].size)
        i++;
    double shown = value / UNITS[i].size;
    msw_text_add(out, fmod(shown, 1) == 0 ? "%.0f %s" : "%.3g %s", shown, UNITS[i].name);
}

static void add_plain(double value, msw_text *out)
{
    static const prefix PREFIXES[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    for (size_t i = 0; fabs(value) >= 1e4 && fabs(value) < 1e15; i++)
        if (fabs(value) >= PREFIXES[i].size) {
            double shown = value / PREFIXES[i].size;
            if (fabs(shown - round(shown * 10) / 10) > 1e-9)
                break; /* a level stays exact */
            msw_text_add(out, "%.6g%s", shown, PREFIXES[i].name);
            return;
        }
    msw_text_add(out, fabs(value) < 1e-9 ? "0" : "%.10g", value);
}

void msw_plot_number(bool bytes, double value, msw_text *out)
{
    if (bytes && value == value && fabs(value) < 1e15)
        add_bytes(value, out);
    else
        add_plain(value, out);
}

void msw_plot_value(const msw_column *column, double value, msw_text *out)
{
    if (column->labels)
        msw_text_add(out, "%s", column->labels[(size_t)value]);
    else
        msw_plot_number(msw_plot_is_bytes(column), value, out);
}
