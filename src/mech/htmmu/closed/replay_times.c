/* SPDX-License-Identifier: MIT */
/* What the replay's walks take: reads by load, lines that are lost, walks at the same time. */
#include "mech/htmmu/closed/replay_state.h"

#include "memsweep/base/math.h"

#include <math.h>

/* How many walks are under way in a channel, as a power of two. */
static double load_of(const replayer *r)
{
    double load = (r->walking + 1) / r->pace->channels;
    return msw_math_log2(fmax(load, 1));
}

static double reading_time(const replayer *r, const htmmu_walk_pace *pace)
{
    if (r->pace->channels <= 0)
        return pace->reading[0];
    double step = load_of(r);
    int low = step < HTMMU_LOADS - 1 ? (int)step : HTMMU_LOADS - 2;
    double first = pace->reading[low], second = pace->reading[low + 1];
    return first + (second - first) * fmin(step - low, 1);
}

/* Part of the lines that a page's last walk read which others, or more lines than there are, have
 * driven out since. */
static double lost_lines(const replayer *r, const page_state *page)
{
    double since = r->result->reads - (double)page->read;
    return r->pace->again.reads > r->pace->lines ? 1 : fmin(since / r->pace->lines, 1);
}

/* Part of its reads that a walk of a page that was walked before makes itself: with that walk still
 * under way it waits for the same lines, as long as that goes on. */
static double own_part(const replayer *r, const page_state *page, double reading)
{
    double lost = lost_lines(r, page);
    if (page->walk == NONE || reading <= 0)
        return lost;
    double together = r->walks[page->walk].end - r->start - r->pace->again.search;
    return fmin(lost, fmax(1 - together / reading, 0));
}

double htmmu_replay_end_of(replayer *r, page_state *page)
{
    const htmmu_pace *p = r->pace;
    bool beside = page->walk != NONE, again = page->walked && (!beside || p->lines > 0);
    const htmmu_walk_pace *pace = again ? &p->again : &p->first;
    double reading = reading_time(r, pace), end = r->start + pace->search;
    double part = again && p->lines > 0 ? own_part(r, page, reading) : 1;
    r->result->reading += part * reading;
    r->result->accesses += pace->accesses;
    r->result->reads += part * pace->reads;
    page->read = (float)r->result->reads;
    r->result->redundant += beside;
    end += part * reading;
    return beside && again ? msw_max_f64(end, r->walks[page->walk].end) : end;
}
