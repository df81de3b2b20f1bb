/* SPDX-License-Identifier: MIT */
/* Private to uvm: a predictor that is being taught or asked. */
#ifndef MSW_MECH_UVM_LESSON_H
#define MSW_MECH_UVM_LESSON_H

#include "mech/uvm/learn/network.h"

typedef struct lesson {
    const msw_task *task;
    uvm_samples *samples;
    const uvm_course *course; /* NULL: it is asked */
    msw_net *net;
    uint64_t *chosen;
    msw_net_answer *answers;
    uint64_t visits;
    double reached;
} lesson;

/* Makes a network with room for a batch, and for what is asked of it. Returns 0, or -1. */
int uvm_lesson_open(lesson *l, const uvm_learner *p, const uvm_network *n, msw_arena *work,
                    msw_err *err);

struct uvm_asker;

/* A task of replay: makes a predictor that is asked about the walks it is shown. Returns 0, or
 * -1 with `err`. */
int uvm_asker_open(const msw_task *task, struct uvm_asker *asker, msw_err *err);

/* The `call` of an msw_net_each whose self is a task. */
void uvm_call_task(const void *self, size_t n, void (*fn)(void *context, size_t i), void *context);

#endif
