/* SPDX-License-Identifier: MIT */
/* What a user says about the axes of metrics: scales, ranges, the width of a figure. */
#include "memsweep/figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const SCALES[] = {"auto", "linear", "log", "excess", NULL};

const char *msw_plot_scale_name(msw_plot_scale scale)
{
    return SCALES[scale];
}

/* One entry "name=value" of a list, or "value", which is meant for every metric. */
typedef struct entry {
    char *name, *value; /* name NULL: every metric */
} entry;

static void free_entry(entry *e)
{
    free(e->name);
    free(e->value);
}

static int read_entry(const char *at, size_t size, entry *e)
{
    const char *equals = memchr(at, '=', size);
    size_t name = equals ? (size_t)(equals - at) : 0, value = equals ? size - name - 1 : size;
    *e = (entry){equals ? msw_strfmt("%.*s", (int)name, at) : NULL,
                 msw_strfmt("%.*s", (int)value, equals ? equals + 1 : at)};
    return e->value && (e->name || !equals) ? 0 : -1;
}

/* Which of the metrics shown an entry means: `first` to before `last`. */
static int find_metrics(const msw_plot *p, const char *option, const entry *e, size_t *first,
                        size_t *last)
{
    *first = 0;
    *last = p->metric_count;
    if (!e->name)
        return 0;
    for (size_t i = 0; i < p->metric_count; i++)
        if (strcmp(p->metrics[i], e->name) == 0) {
            *first = i;
            *last = i + 1;
            return 0;
        }
    const char *names[MSW_PLOT_COLUMNS + 1] = {0};
    msw_text all = MSW_TEXT_EMPTY;
    for (size_t i = 0; i < p->metric_count; i++) {
        names[i] = p->metrics[i];
        msw_text_add(&all, "%s%s", i ? ", " : "", p->metrics[i]);
    }
    const char *best = msw_nearest(e->name, names, sizeof *names);
    msw_fail(p->err, "--%s: '%s' is no metric shown%s%s%s (shown: %s)", option, e->name,
             best ? ", did you mean '" : "", best ? best : "", best ? "'?" : "",
             msw_text_str(&all));
    msw_text_free(&all);
    return -1;
}

static int set_scale(msw_plot *p, const entry *e)
{
    size_t scale = 0, first, last;
    if (find_metrics(p, "scale", e, &first, &last))
        return -1;
    while (SCALES[scale] && strcmp(SCALES[scale], e->value) != 0)
        scale++;
    if (!SCALES[scale]) {
        const char *best = msw_nearest(e->value, SCALES, sizeof *SCALES);
        return msw_fail(
            p->err, "--scale: '%s' is no scale%s%s%s (allowed: auto, linear, log, excess)",
            e->value, best ? ", did you mean '" : "", best ? best : "", best ? "'?" : "");
    }
    for (size_t i = first; i < last; i++)
        p->scales[i] = (msw_plot_scale)scale;
    return 0;
}

/* One end of a range; what is left out is the end of the data. Returns whether it can be read. */
static bool read_end(const char *text, size_t size, double *end)
{
    char buffer[64], *stop;
    msw_text_fit(buffer, size + 1 < sizeof buffer ? size + 1 : sizeof buffer, text);
    *end = NAN;
    if (!size)
        return true;
    *end = strtod(buffer, &stop);
    return *stop == '\0' && isfinite(*end);
}

static int set_zoom(msw_plot *p, const entry *e)
{
    size_t first, last;
    double low = NAN, high = NAN;
    const char *colon = strchr(e->value, ':');
    if (find_metrics(p, "zoom", e, &first, &last))
        return -1;
    if (!e->name && p->metric_count > 1)
        return msw_fail(p->err, "--zoom: '%s' for which metric? write %s=%s", e->value,
                        p->metrics[0], e->value);
    if (!colon || !read_end(e->value, (size_t)(colon - e->value), &low) ||
        !read_end(colon + 1, strlen(colon + 1), &high) || low >= high)
        return msw_fail(
            p->err, "--zoom: '%s' is no range: write LOW:HIGH, e.g. 1:1.5; either may be left out",
            e->value);
    for (size_t i = first; i < last; i++) {
        p->zoom[i][0] = low;
        p->zoom[i][1] = high;
    }
    return 0;
}

static int read_list(msw_plot *p, const char *list, int (*set)(msw_plot *, const entry *))
{
    int rc = 0;
    for (const char *at = list; at && *at && rc == 0;) {
        at += strspn(at, " ,");
        size_t size = strcspn(at, " ,");
        entry e = {0};
        if (size && read_entry(at, size, &e))
            rc = msw_fail_memory(p->err);
        else if (size)
            rc = set(p, &e);
        free_entry(&e);
        at += size;
    }
    return rc;
}

int msw_plot_scales(msw_plot *p)
{
    for (size_t i = 0; i < MSW_PLOT_COLUMNS; i++)
        p->zoom[i][0] = p->zoom[i][1] = NAN;
    MSW_TRY(read_list(p, p->ask.scale, set_scale));
    MSW_TRY(read_list(p, p->ask.zoom, set_zoom));
    return 0;
}
