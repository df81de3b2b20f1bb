/* SPDX-License-Identifier: MIT */
#include "run/artifact.h"

#include <stdatomic.h>

struct help_job {
    help_job *next;
    size_t n;
    void (*fn)(void *, size_t);
    void *context;
    atomic_size_t taken; /* numbers given out */
    int inside;          /* helpers at work on it */
};

#define WAIT_SECONDS 0.05

static void work_on(help_job *job)
{
    for (size_t i = atomic_fetch_add(&job->taken, 1); i < job->n;
         i = atomic_fetch_add(&job->taken, 1))
        job->fn(job->context, i);
}

static help_job *open_job(const msw_help *help)
{
    for (help_job *job = help->jobs; job; job = job->next)
        if (atomic_load(&job->taken) < job->n)
            return job;
    return NULL;
}

static void close_job(msw_help *help, help_job *job)
{
    help_job **link = &help->jobs;
    msw_lock_take(help->lock);
    while (job->inside)
        msw_signal_wait(help->news, help->lock, WAIT_SECONDS);
    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    msw_lock_give(help->lock);
}

void msw_help_each(msw_help *help, size_t n, void (*fn)(void *context, size_t i), void *context)
{
    help_job job = {.n = n, .fn = fn, .context = context};
    msw_lock_take(help->lock);
    bool alone = !help->waiting || n < 2;
    if (!alone) {
        job.next = help->jobs;
        help->jobs = &job;
        msw_signal_send(help->news);
    }
    msw_lock_give(help->lock);
    work_on(&job);
    if (!alone)
        close_job(help, &job);
}

void msw_help_wait(msw_help *help, double seconds)
{
    help_job *job = open_job(help);
    help->waiting++;
    if (!job) {
        msw_signal_wait(help->news, help->lock, seconds);
    } else {
        job->inside++;
        msw_lock_give(help->lock);
        work_on(job);
        msw_lock_take(help->lock);
        job->inside--;
        msw_signal_send(help->news);
    }
    help->waiting--;
}
