/* SPDX-License-Identifier: MIT */
#include "run/pool.h"
#include "memsweep/base/clock.h"

#include "memsweep/run/tasks.h"

#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

/* OpenMP has no way to wait for another thread without spinning. */
struct msw_lock {
    pthread_mutex_t mutex;
};

struct msw_signal {
    pthread_cond_t condition;
};

msw_lock *msw_lock_new(void)
{
    msw_lock *lock = malloc(sizeof *lock);
    if (lock)
        pthread_mutex_init(&lock->mutex, NULL);
    return lock;
}

void msw_lock_free(msw_lock *lock)
{
    if (!lock)
        return;
    pthread_mutex_destroy(&lock->mutex);
    free(lock);
}

void msw_lock_take(msw_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
}

void msw_lock_give(msw_lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

msw_signal *msw_signal_new(void)
{
    pthread_condattr_t attributes;
    msw_signal *signal = malloc(sizeof *signal);
    if (!signal)
        return NULL;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&signal->condition, &attributes);
    pthread_condattr_destroy(&attributes);
    return signal;
}

void msw_signal_free(msw_signal *signal)
{
    if (!signal)
        return;
    pthread_cond_destroy(&signal->condition);
    free(signal);
}

void msw_signal_send(msw_signal *signal)
{
    pthread_cond_broadcast(&signal->condition);
}

static struct timespec to_timespec(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    return t;
}

void msw_signal_wait(msw_signal *signal, msw_lock *lock, double seconds)
{
    /* It may wake early, and another thread may be first: callers test their condition again in a
     * loop. */
    struct timespec end = to_timespec(msw_now() + seconds);
    pthread_cond_timedwait(&signal->condition, &lock->mutex, &end);
}

/* Threads wait for one another spinning at the end of a parallel region, which takes processors
 * from other ranks: those that are done sleep until the coordinator is done too. */
typedef struct gate {
    pthread_mutex_t mutex;
    pthread_cond_t opened;
    bool open;
} gate;

static void gate_open(gate *g)
{
    pthread_mutex_lock(&g->mutex);
    g->open = true;
    pthread_cond_broadcast(&g->opened);
    pthread_mutex_unlock(&g->mutex);
}

static void gate_wait(gate *g)
{
    pthread_mutex_lock(&g->mutex);
    while (!g->open)
        pthread_cond_wait(&g->opened, &g->mutex);
    pthread_mutex_unlock(&g->mutex);
}

/* Thread 0 coordinates and the others work. OpenMP may give fewer threads than asked for; then
 * nobody does anything and the caller gets -1, because a coordinator without its workers would wait
 * forever. */
int msw_pool_run(int workers, void (*worker)(void *, int), void (*coordinator)(void *),
                 void *context)
{
    gate end = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
    int there = 0;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(workers + 1) shared(there, end)
    {
        int id = omp_get_thread_num(), count = omp_get_num_threads();
        if (id == 0)
            there = count;
        if (count == workers + 1 && id == 0) {
            coordinator(context);
            gate_open(&end);
        } else if (count == workers + 1) {
            worker(context, id - 1);
            gate_wait(&end);
        }
    }
    return there == workers + 1 ? 0 : -1;
}

/* Long tasks and short ones may be mixed: each thread takes the next that is left. */
void msw_tasks(size_t count, void (*task)(void *context, size_t number), void *context)
{
    int threads = omp_get_max_threads();
    if ((size_t)threads > count)
        threads = count ? (int)count : 1;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (size_t i = 0; i < count; i++)
        task(context, i);
}

void msw_nap(double seconds)
{
    struct timespec nap = to_timespec(seconds);
    nanosleep(&nap, NULL);
}
