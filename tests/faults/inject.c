/* SPDX-License-Identifier: MIT */
#include "inject.h"

#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* The state of this process: stand-ins for functions of the system have no context. */
static struct {
    bool on, stacks;
    fault_plan plan;
    fault_record *record;
    uint64_t trace, random;
} now;

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool busy; /* telling where we are allocates, too */

void fault_begin(const fault_plan *plan, fault_record *record, bool stacks, uint64_t trace)
{
    memset(record, 0, offsetof(fault_record, stacks));
    void *frames[2];
    backtrace(frames, 2); /* loads what it needs */
    now.plan = *plan;
    now.record = record;
    now.stacks = stacks;
    now.trace = trace;
    now.random = plan->seed * 2 + 1;
    fault_clock_begin();
    fault_memory_begin();
    now.on = true;
}

void fault_end(void)
{
    now.on = false;
    fault_memory_end(now.record);
}

bool fault_is_on(void)
{
    return now.on;
}

uint64_t fault_memory_number(void)
{
    return now.record->calls[FAULT_MEMORY];
}

fault_kind fault_kind_now(void)
{
    return now.plan.kind;
}

int fault_errno(fault_call call)
{
    if (call == FAULT_MEMORY)
        return ENOMEM;
    if (call == FAULT_LOCK)
        return ENOLCK;
    return now.plan.kind == FAULT_IO ? EIO : ENOSPC;
}

static uint64_t hash_stack(void)
{
    void *frames[FAULT_FRAMES];
    int count = backtrace(frames, FAULT_FRAMES);
    uint64_t hash = 1469598103934665603u;
    for (int i = 0; i < count; i++)
        hash = (hash ^ (uint64_t)(uintptr_t)frames[i]) * 1099511628211u;
    return hash;
}

static void say_where(const char *what)
{
    void *frames[40];
    int count = backtrace(frames, 40);
    if (write(STDERR_FILENO, what, strlen(what)) > 0)
        backtrace_symbols_fd(frames, count, STDERR_FILENO);
}

static bool draw(void)
{
    now.random = now.random * 6364136223846793005u + 1442695040888963407u;
    return (double)(now.random >> 11) * 0x1p-53 < now.plan.rate;
}

static bool decide(fault_call call)
{
    uint64_t number = ++now.record->calls[call];
    if (call == FAULT_MEMORY && now.stacks && number < FAULT_STACKS)
        now.record->stacks[number] = hash_stack() << 1 | fault_is_writing();
    if (call == FAULT_MEMORY && now.trace && number == now.trace)
        say_where("-- allocated here:\n");
    if (call != now.plan.call)
        return false;
    bool hit = now.plan.rate > 0 ? draw()
                                 : now.plan.k && (number == now.plan.k ||
                                                  (now.plan.sticky && number > now.plan.k));
    if (hit && now.trace && !now.record->hits)
        say_where("-- fails here:\n");
    now.record->hits += hit;
    return hit;
}

bool fault_now(fault_call call)
{
    if (!now.on || busy)
        return false;
    busy = true;
    pthread_mutex_lock(&guard);
    bool hit = decide(call);
    pthread_mutex_unlock(&guard);
    busy = false;
    if (hit)
        errno = fault_errno(call);
    return hit;
}
