/* SPDX-License-Identifier: MIT */
/* Spares evaluations: the worst of some workloads is at least as good as the worst of all. */
#include "explore/seek/stages.h"

#include "memsweep/base/vec.h"
#include "memsweep/design/slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* At fidelity auto every design needs its answers: one that the closed form sees dominated may be
 * bought in full. */
int seek_stages_new(const msw_plan *plan, seek_stages *s, msw_err *err)
{
    const msw_search_config *config = plan->design.config;
    const char *over = plan->automatic.over;
    *s = (seek_stages){.workloads = plan->workload_count,
                       .objectives = (unsigned)plan->view.objective_count,
                       .on = config->spare && over && strcmp(over, "worst") == 0 &&
                             plan->workload_count > 1 && plan->part == MSW_PART_NONE};
    for (unsigned k = 0; k < s->objectives; k++)
        s->higher[k] = plan->view.objectives[k].goal == MSW_GOAL_HIGHER;
    s->order = calloc(s->workloads + 1, sizeof *s->order);
    s->decided = calloc(s->workloads + 1, sizeof *s->decided);
    return s->order && s->decided ? 0 : msw_fail_memory(err);
}

void seek_stages_free(seek_stages *s)
{
    free(s->order);
    free(s->decided);
    free(s->designs);
}

/* Stable, and of few: the workloads that decide most often come first. */
static void sort_workloads(seek_stages *s)
{
    for (size_t w = 0; w < s->workloads; w++) {
        size_t at = w;
        for (; at > 0 && s->decided[s->order[at - 1]] < s->decided[w]; at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = w;
    }
}

int seek_stages_begin(seek_stages *s, uint64_t count, uint64_t shards, uint64_t shard, msw_err *err)
{
    MSW_TRY(msw_vec_reserve(&s->designs, &s->room, count, sizeof *s->designs, err));
    s->count = count;
    for (size_t i = 0; i < count; i++)
        s->designs[i] = (seek_staged){.mine = i % shards == shard % shards,
                                      .worst = {.state = MSW_SEEK_OK, .slack = -HUGE_VAL}};
    sort_workloads(s);
    return 0;
}

size_t seek_stages_end(const seek_stages *s, size_t first)
{
    size_t end = first ? 2 * first : 1;
    return end < s->workloads ? end : s->workloads;
}

bool seek_stages_want(const seek_stages *s, uint64_t design)
{
    return s->designs[design].mine && !s->designs[design].closed;
}

void seek_stages_take(seek_stages *s, uint64_t design, size_t workload, const msw_seek_answer *a)
{
    seek_staged *d = &s->designs[design];
    msw_seek_answer *worst = &d->worst;
    if (a->state != MSW_SEEK_OK && worst->state != MSW_SEEK_INFEASIBLE)
        worst->state = a->state;
    for (unsigned k = 0; k < s->objectives; k++) {
        bool better = s->higher[k] ? a->value[k] > worst->value[k] : a->value[k] < worst->value[k];
        if (d->asked && (better || a->value[k] == worst->value[k]))
            continue;
        worst->value[k] = a->value[k];
        d->decides[k] = workload;
    }
    worst->slack = fmax(worst->slack, a->slack);
    d->asked++;
}

void seek_stages_close(seek_stages *s, const msw_seeker *seeker)
{
    for (size_t i = 0; i < s->count; i++) {
        seek_staged *d = &s->designs[i];
        if (!d->mine || d->closed || d->asked == s->workloads)
            continue;
        d->closed = d->worst.state != MSW_SEEK_OK || msw_seeker_covers(seeker, d->worst.value);
        s->spared += d->closed ? s->workloads - d->asked : 0;
    }
}

void seek_stages_tell(seek_stages *s, msw_seeker *seeker, uint64_t first)
{
    for (size_t i = 0; i < s->count; i++) {
        const seek_staged *d = &s->designs[i];
        if (d->closed)
            msw_seeker_tell(seeker, first + i, &d->worst);
        for (unsigned k = 0; !d->closed && k < s->objectives; k++)
            s->decided[d->decides[k]]++;
    }
}
