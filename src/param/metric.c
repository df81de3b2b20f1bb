/* SPDX-License-Identifier: MIT */
#include "memsweep/param/metric.h"

#include "memsweep/param/param.h"

#include <math.h>
#include <string.h>

size_t msw_metrics_count(const msw_metric *table)
{
    size_t count = 0;
    while (table && table[count].name)
        count++;
    return count;
}

int msw_metrics_find(const msw_metric *table, const char *name)
{
    for (int i = 0; table && table[i].name; i++)
        if (strcmp(table[i].name, name) == 0)
            return i;
    return -1;
}

const char *msw_metric_kind_name(msw_metric_kind kind)
{
    static const char *const NAMES[] = {"total",    "ratio",   "paired",
                                        "quantile", "maximum", "derived"};
    return NAMES[kind];
}

static bool is_total(const msw_metric *table, const char *name)
{
    int i = name ? msw_metrics_find(table, name) : -1;
    return i >= 0 && table[i].kind == MSW_TOTAL;
}

static int check_kind(const msw_metric *table, const msw_metric *m, const char *owner, msw_err *err)
{
    bool needs_pair = m->kind == MSW_RATIO || m->kind == MSW_PAIRED;
    if (needs_pair && (!is_total(table, m->num) || !is_total(table, m->den)))
        return msw_fail(err, "%s: metric %s needs two totals, num and den", owner, m->name);
    if (m->kind == MSW_PAIRED && !m->reference)
        return msw_fail(err, "%s: metric %s names no reference", owner, m->name);
    if (m->kind == MSW_QUANTILE && (!m->num || !(m->level > 0 && m->level < 1)))
        return msw_fail(err, "%s: metric %s needs a histogram and a level in (0, 1)", owner,
                        m->name);
    if (m->least && (m->kind != MSW_DERIVED ||
                     strncmp(m->name, MSW_LEAST_PREFIX, strlen(MSW_LEAST_PREFIX)) != 0))
        return msw_fail(err, "%s: metric %s is least of a resource: derived, and called %s...",
                        owner, m->name, MSW_LEAST_PREFIX);
    if (m->kind == MSW_DERIVED && m->num && !is_total(table, m->num))
        return msw_fail(err, "%s: metric %s is a share of a total, num", owner, m->name);
    if (m->stack && m->kind != MSW_TOTAL)
        return msw_fail(err, "%s: metric %s is in the stack but is no total", owner, m->name);
    if (m->energy && strcmp(m->unit, "nJ") != 0)
        return msw_fail(err, "%s: metric %s is a part of the energy, but not in nJ", owner,
                        m->name);
    return 0;
}

static int check_predicted(const msw_metric *m, const char *owner, msw_err *err)
{
    const msw_metric_error *e = &m->predicted;
    if (e->largest == 0 && e->typical == 0 && e->jump >= 0)
        return 0;
    if (m->kind != MSW_TOTAL)
        return msw_fail(err, "%s: metric %s is predicted but is no total", owner, m->name);
    if (!(e->typical > 0 && e->typical <= e->largest && e->jump >= 0))
        return msw_fail(err, "%s: metric %s: 0 < typical <= largest, and jump >= 0, are allowed",
                        owner, m->name);
    return 0;
}

static int check_entry(const msw_metric *table, const msw_metric *m, const char *owner,
                       msw_err *err)
{
    if (msw_name_check(m->name, err))
        return msw_fail_prefix(err, "%s: metric ", owner);
    if (msw_metrics_find(table, m->name) != (int)(m - table))
        return msw_fail(err, "%s: metric %s is declared twice", owner, m->name);
    if (!m->unit || !m->doc || !*m->doc || m->doc[strlen(m->doc) - 1] == '.')
        return msw_fail(err, "%s: metric %s needs a unit and a doc line without final point", owner,
                        m->name);
    if (!(m->min <= m->max))
        return msw_fail(err, "%s: metric %s has an empty plausible range", owner, m->name);
    if (check_predicted(m, owner, err))
        return -1;
    return check_kind(table, m, owner, err);
}

int msw_metrics_check(const msw_metric *table, const char *owner, msw_err *err)
{
    if (!msw_metrics_count(table))
        return msw_fail(err, "%s: no metrics", owner);
    for (const msw_metric *m = table; m->name; m++)
        if (check_entry(table, m, owner, err))
            return -1;
    return 0;
}
