/* SPDX-License-Identifier: MIT */
/* What a task was given: artifacts of its predictor. */
#include "mech/uvm/learn/record.h"

#include <string.h>

const uvm_learner *uvm_predictor_of(const msw_task *task)
{
    return &((const uvm_config *)task->config)->learner;
}

/* Two records have these artifacts, each at numbers of its own. */
const void *uvm_artifact_of(const msw_task *task, const char *name)
{
    for (size_t i = 0; task->mech->artifacts[i].name; i++)
        if (strcmp(task->mech->artifacts[i].name, name) == 0)
            return task->artifacts[i];
    return NULL;
}

uvm_taught *uvm_taught_of(const msw_task *task, msw_arena *arena)
{
    const uvm_learner *p = uvm_predictor_of(task);
    const uvm_tuned *tuned = uvm_is_tuned(p) ? uvm_artifact_of(task, "tuned_network") : NULL;
    uvm_taught *t = msw_arena_zero(arena, 1, sizeof *t);
    if (!t)
        return NULL;
    t->version[t->count++] =
        uvm_artifact_of(task, p->protocol == UVM_P3 ? "corpus_network" : "network");
    for (size_t v = 0; tuned && v < tuned->count; v++)
        t->version[t->count++] = tuned->version[v];
    t->every = tuned ? uvm_tune_every(p) : 0;
    return t;
}
