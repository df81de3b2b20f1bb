#include "pool.h"

#include <omp.h>
#include <stdlib.h>
#include <time.h>

struct msw_lock {
    omp_lock_t lock;
};

msw_lock *msw_lock_new(void)
{
    msw_lock *lock = malloc(sizeof *lock);
    if (lock)
        omp_init_lock(&lock->lock);
    return lock;
}

void msw_lock_free(msw_lock *lock)
{
    if (!lock)
        return;
    omp_destroy_lock(&lock->lock);
    free(lock);
}

void msw_lock_take(msw_lock *lock)
{
    omp_set_lock(&lock->lock);
}

void msw_lock_give(msw_lock *lock)
{
    omp_unset_lock(&lock->lock);
}

int msw_pool_run(int workers, void (*worker)(void *, int), void (*keeper)(void *), void *context)
{
    int missing = 0;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(workers + 1) shared(missing)
    {
#pragma omp master
        missing = omp_get_num_threads() != workers + 1;
#pragma omp barrier
        if (!missing) {
            int id = omp_get_thread_num();
            if (id == 0)
                keeper(context);
            else
                worker(context, id - 1);
        }
    }
    return missing ? -1 : 0;
}

double msw_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void msw_nap(double seconds)
{
    struct timespec nap = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&nap, NULL);
}
