/* SPDX-License-Identifier: MIT */
/* Memory: of SQLite by an allocator given to it, our own by the linker (--wrap). What is allocated
 * and not freed is known at the end by its address: the C library frees what it allocated itself
 * past us, so only what came through here counts. */
#include "inject.h"

#include "memsweep/store/store.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 1 << 13 };

typedef struct slot {
    uintptr_t address; /* 0: free, 1: was in use */
    size_t size;
    uint64_t number;
} slot;

static slot slots[SLOTS];
static sqlite3_mem_methods usual;
static long sqlite_live;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_realpath(const char *path, char *resolved);
FILE *__real_open_memstream(char **data, size_t *size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_realpath(const char *path, char *resolved);
FILE *__wrap_open_memstream(char **data, size_t *size);
void __wrap_free(void *p);

static size_t place_of(const void *p)
{
    return ((uintptr_t)p >> 4) * 0x9e3779b97f4a7c15u >> 51;
}

static void remember(void *p, size_t size)
{
    if (!p || !fault_is_on())
        return;
    pthread_mutex_lock(&guard);
    size_t at = place_of(p);
    while (slots[at].address > 1)
        at = (at + 1) % SLOTS;
    slots[at] = (slot){(uintptr_t)p, size, fault_memory_number()};
    pthread_mutex_unlock(&guard);
}

/* Slots in front of a free one need no mark that they were in use. */
static void clear(size_t at)
{
    slots[at].address = 1;
    if (slots[(at + 1) % SLOTS].address)
        return;
    for (; slots[at].address == 1; at = (at + SLOTS - 1) % SLOTS)
        slots[at].address = 0;
}

static void forget(void *p)
{
    if (!p || !fault_is_on())
        return;
    pthread_mutex_lock(&guard);
    for (size_t at = place_of(p); slots[at].address; at = (at + 1) % SLOTS)
        if (slots[at].address == (uintptr_t)p) {
            clear(at);
            break;
        }
    pthread_mutex_unlock(&guard);
}

void *__wrap_malloc(size_t size)
{
    void *p = fault_now(FAULT_MEMORY) ? NULL : __real_malloc(size);
    remember(p, size);
    return p;
}

void *__wrap_calloc(size_t n, size_t size)
{
    void *p = fault_now(FAULT_MEMORY) ? NULL : __real_calloc(n, size);
    remember(p, n * size);
    return p;
}

void *__wrap_realloc(void *p, size_t size)
{
    if (fault_now(FAULT_MEMORY))
        return NULL;
    forget(p);
    void *bigger = __real_realloc(p, size);
    remember(bigger ? bigger : p, size);
    return bigger;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    void *p = fault_now(FAULT_MEMORY) ? NULL : __real_aligned_alloc(alignment, size);
    remember(p, size);
    return p;
}

char *__wrap_realpath(const char *path, char *resolved)
{
    return fault_now(FAULT_MEMORY) ? NULL : __real_realpath(path, resolved);
}

FILE *__wrap_open_memstream(char **data, size_t *size)
{
    return fault_now(FAULT_MEMORY) ? NULL : __real_open_memstream(data, size);
}

void __wrap_free(void *p)
{
    forget(p);
    __real_free(p);
}

/* ---- SQLite's ---- */

static void *take(int size)
{
    void *p = fault_now(FAULT_MEMORY) ? NULL : usual.xMalloc(size);
    sqlite_live += p && fault_is_on();
    return p;
}

static void *change(void *p, int size)
{
    return fault_now(FAULT_MEMORY) ? NULL : usual.xRealloc(p, size);
}

static void give(void *p)
{
    sqlite_live -= p && fault_is_on();
    usual.xFree(p);
}

void fault_memory_install(void)
{
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual);
    sqlite3_mem_methods ours = usual;
    ours.xMalloc = take;
    ours.xRealloc = change;
    ours.xFree = give;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &ours);
}

void fault_memory_begin(void)
{
    sqlite_live = 0;
}

void fault_memory_end(fault_record *record)
{
    record->sqlite_live = sqlite_live;
    for (size_t i = 0; i < SLOTS; i++)
        if (slots[i].address > 1) {
            record->live++;
            record->live_bytes += slots[i].size;
            if (!record->leaked_at || slots[i].number < record->leaked_at)
                record->leaked_at = slots[i].number;
        }
}

/* ---- whether the store writes rows now: what fails there may lose them ---- */

static _Thread_local int writing;

bool fault_is_writing(void)
{
    return writing > 0;
}

int __real_msw_store_write(msw_store *store, const msw_plan *plan, int64_t sweep, int64_t run,
                           msw_batch *batch, msw_err *err);
int __real_msw_store_commit(msw_store *store, msw_err *err);
int __wrap_msw_store_write(msw_store *store, const msw_plan *plan, int64_t sweep, int64_t run,
                           msw_batch *batch, msw_err *err);
int __wrap_msw_store_commit(msw_store *store, msw_err *err);

int __wrap_msw_store_write(msw_store *store, const msw_plan *plan, int64_t sweep, int64_t run,
                           msw_batch *batch, msw_err *err)
{
    writing++;
    int rc = __real_msw_store_write(store, plan, sweep, run, batch, err);
    writing--;
    return rc;
}

int __wrap_msw_store_commit(msw_store *store, msw_err *err)
{
    writing++;
    int rc = __real_msw_store_commit(store, err);
    writing--;
    return rc;
}
