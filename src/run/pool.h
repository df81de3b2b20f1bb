/* SPDX-License-Identifier: MIT */
/* Private to run: threads, locks and signals. The one place that knows OpenMP is pool.c. */
#ifndef MSW_RUN_POOL_H
#define MSW_RUN_POOL_H

typedef struct msw_lock msw_lock;
msw_lock *msw_lock_new(void);
void msw_lock_free(msw_lock *lock);
void msw_lock_take(msw_lock *lock);
void msw_lock_give(msw_lock *lock);

/* What threads that hold the lock wait for, and what wakes them all. */
typedef struct msw_signal msw_signal;
msw_signal *msw_signal_new(void);
void msw_signal_free(msw_signal *signal);
void msw_signal_send(msw_signal *signal);

/* Gives the lock away until the signal comes or some time is over, or sooner. */
void msw_signal_wait(msw_signal *signal, msw_lock *lock, double seconds);

/* Runs `coordinator` on the calling thread and `worker(context, 0 .. workers-1)` at the same time;
 * returns when all have returned. Returns 0, or -1 when the threads could not be had. */
int msw_pool_run(int workers, void (*worker)(void *, int), void (*coordinator)(void *),
                 void *context);

/* A short sleep. */
void msw_nap(double seconds);

#endif
