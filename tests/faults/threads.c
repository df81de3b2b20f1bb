/* SPDX-License-Identifier: MIT */
/* Threads that take turns: only one runs, and it hands over where it would wait. So the calls of a
 * run come in one order. Stands in for libgomp's parallel region (src/run/pool.c) and for waiting.
 */
#include "inject.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

enum { THREADS_MAX = 16 };

void __real_GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);
int __real_omp_get_thread_num(void);
int __real_omp_get_num_threads(void);
int __real_omp_get_max_threads(void);
int __real_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m);
int __real_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t);
void __wrap_GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);
int __wrap_omp_get_thread_num(void);
int __wrap_omp_get_num_threads(void);
int __wrap_omp_get_max_threads(void);
int __wrap_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m);
int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t);

static struct {
    bool on;
    unsigned count, turn;
    bool done[THREADS_MAX];
    void (*body)(void *);
    void *data;
    pthread_mutex_t guard;
    pthread_cond_t changed;
} turns = {.guard = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
static _Thread_local unsigned self;

void fault_threads_take_turns(bool on)
{
    turns.on = on;
}

bool fault_threads_by_turns(void)
{
    return turns.on;
}

static bool inside(void)
{
    return turns.on && turns.count > 0;
}

static void hand_over(void)
{
    for (unsigned i = 1; i <= turns.count; i++) {
        unsigned next = (self + i) % turns.count;
        if (!turns.done[next]) {
            turns.turn = next;
            break;
        }
    }
    pthread_cond_broadcast(&turns.changed);
}

static void wait_for_turn(void)
{
    while (turns.turn != self)
        __real_pthread_cond_wait(&turns.changed, &turns.guard);
}

static void yield(void)
{
    pthread_mutex_lock(&turns.guard);
    hand_over();
    wait_for_turn();
    pthread_mutex_unlock(&turns.guard);
}

static void end_turns(void)
{
    pthread_mutex_lock(&turns.guard);
    turns.done[self] = true;
    hand_over();
    pthread_mutex_unlock(&turns.guard);
}

static void *thread_main(void *number)
{
    self = (unsigned)(uintptr_t)number;
    pthread_mutex_lock(&turns.guard);
    wait_for_turn();
    pthread_mutex_unlock(&turns.guard);
    turns.body(turns.data);
    end_turns();
    return NULL;
}

void __wrap_GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags)
{
    pthread_t ids[THREADS_MAX];
    if (!turns.on || inside() || threads < 2 || threads > THREADS_MAX) {
        __real_GOMP_parallel(body, data, threads, flags);
        return;
    }
    self = turns.turn = 0;
    turns.body = body;
    turns.data = data;
    for (unsigned i = 0; i < threads; i++)
        turns.done[i] = false;
    turns.count = threads;
    for (unsigned i = 1; i < threads; i++)
        pthread_create(&ids[i], NULL, thread_main, (void *)(uintptr_t)i);
    body(data);
    end_turns();
    for (unsigned i = 1; i < threads; i++)
        pthread_join(ids[i], NULL);
    turns.count = 0;
}

int __wrap_omp_get_thread_num(void)
{
    return inside() ? (int)self : __real_omp_get_thread_num();
}

int __wrap_omp_get_num_threads(void)
{
    return inside() ? (int)turns.count : __real_omp_get_num_threads();
}

int __wrap_omp_get_max_threads(void)
{
    return turns.on ? 1 : __real_omp_get_max_threads();
}

int __wrap_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    if (!inside())
        return __real_pthread_cond_wait(c, m);
    pthread_mutex_unlock(m);
    yield();
    return pthread_mutex_lock(m);
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t)
{
    if (!inside())
        return __real_pthread_cond_timedwait(c, m, t);
    pthread_mutex_unlock(m);
    fault_clock_sleep(0.005);
    yield();
    pthread_mutex_lock(m);
    return ETIMEDOUT;
}
