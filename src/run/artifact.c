/* SPDX-License-Identifier: MIT */
/* Artifacts: built once per key by whoever asks first, with the help of those that wait, and shared
 * immutable. */
#include "run/artifact.h"
#include "memsweep/base/clock.h"
#include "memsweep/base/vec.h"
#include "run/pool.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

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

/* Artifacts: built once per key by whoever asks first, shared immutable. Those nobody holds are
 * dropped when another one is built and memory is short: never while nothing new comes, so that
 * points which fetch the same large artifacts one after the other find them. */

enum { BUCKETS = 1024 };
#define DEFAULT_BYTES 1073741824.0
#define WAIT_SECONDS  0.05

typedef enum entry_state { BUILDING, READY, BROKEN } entry_state;

typedef struct artifact_entry {
    struct artifact_entry *next; /* in its bucket */
    msw_digest key;
    entry_state state;
    bool interrupted; /* broken because all are asked to stop */
    int holders;
    uint64_t last_use;
    msw_arena arena;
    const void *root;
    msw_err err;
} artifact_entry;

struct msw_artifacts {
    msw_lock *lock;
    msw_signal *news; /* something was built, or there is something to help with */
    msw_help help;
    msw_kept_requests *requests;
    const msw_plan *plan; /* of the answers */
    msw_answers *answers;
    artifact_entry *buckets[BUCKETS];
    double bytes, limit;
    uint64_t clock;
};

msw_artifacts *msw_artifacts_new(double bytes)
{
    msw_artifacts *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->lock = msw_lock_new();
    a->news = msw_signal_new();
    a->help = (msw_help){.lock = a->lock, .news = a->news};
    a->limit = bytes > 0 ? bytes : DEFAULT_BYTES;
    if (a->lock && a->news)
        return a;
    msw_artifacts_free(a);
    return NULL;
}

void msw_artifacts_set_requests(msw_artifacts *artifacts, msw_kept_requests *requests)
{
    artifacts->requests = requests;
}

msw_kept_requests *msw_artifacts_requests(const msw_artifacts *artifacts)
{
    return artifacts->requests;
}

msw_answers *msw_artifacts_answers(msw_artifacts *a, const msw_plan *plan, size_t metrics)
{
    msw_lock_take(a->lock);
    if (!a->answers) {
        a->plan = plan;
        a->answers = msw_answers_new(plan->points, metrics);
    }
    msw_answers *answers = a->plan == plan ? a->answers : NULL;
    msw_lock_give(a->lock);
    return answers;
}

static void entry_free(artifact_entry *entry)
{
    msw_arena_free(&entry->arena);
    free(entry);
}

void msw_artifacts_free(msw_artifacts *artifacts)
{
    if (!artifacts)
        return;
    for (int b = 0; b < BUCKETS; b++) {
        for (artifact_entry *e = artifacts->buckets[b]; e;) {
            artifact_entry *next = e->next;
            entry_free(e);
            e = next;
        }
    }
    msw_answers_free(artifacts->answers);
    msw_signal_free(artifacts->news);
    msw_lock_free(artifacts->lock);
    free(artifacts);
}

static artifact_entry **bucket_of(msw_artifacts *a, msw_digest key)
{
    return &a->buckets[key.lo % BUCKETS];
}

static artifact_entry *find(msw_artifacts *a, msw_digest key)
{
    for (artifact_entry *e = *bucket_of(a, key); e; e = e->next)
        if (msw_digest_equal(e->key, key))
            return e;
    return NULL;
}

/* The entry nobody holds that was used longest ago. */
static artifact_entry *oldest_idle(msw_artifacts *a)
{
    artifact_entry *oldest = NULL;
    for (int b = 0; b < BUCKETS; b++)
        for (artifact_entry *e = a->buckets[b]; e; e = e->next)
            if (!e->holders && e->state != BUILDING && (!oldest || e->last_use < oldest->last_use))
                oldest = e;
    return oldest;
}

/* Called after a build only. What somebody holds stays, so the limit may be exceeded for a while.
 * */
static void shrink(msw_artifacts *a)
{
    while (a->bytes > a->limit) {
        artifact_entry *victim = oldest_idle(a);
        if (!victim)
            return;
        artifact_entry **link = bucket_of(a, victim->key);
        while (*link != victim)
            link = &(*link)->next;
        *link = victim->next;
        a->bytes -= (double)victim->arena.total;
        entry_free(victim);
    }
}

/* Finds or adds the entry of a key and holds it. Sets `mine` when the caller has to build it. */
static artifact_entry *hold(msw_artifacts *a, msw_digest key, bool *mine)
{
    msw_lock_take(a->lock);
    artifact_entry *entry = find(a, key);
    *mine = !entry;
    if (!entry && (entry = calloc(1, sizeof *entry))) {
        entry->key = key;
        entry->next = *bucket_of(a, key);
        *bucket_of(a, key) = entry;
    }
    if (entry) {
        entry->holders++;
        entry->last_use = ++a->clock;
    }
    msw_lock_give(a->lock);
    return entry;
}

void msw_artifacts_each(void *artifacts, size_t n, void (*fn)(void *context, size_t i),
                        void *context)
{
    msw_help_each(&((msw_artifacts *)artifacts)->help, n, fn, context);
}

static int build_helped(msw_artifacts *a, artifact_entry *entry, msw_build_fn build,
                        const msw_task *task, const void *extra, const void **root)
{
    msw_build_help help = {.context = a, .each = msw_artifacts_each};
    if (!task)
        return build(NULL, extra, &entry->arena, root, &entry->err);
    msw_task own = *task;
    own.help = &help;
    own.doubt = NULL; /* of the points, not of what they share */
    return build(&own, extra, &entry->arena, root, &entry->err);
}

/* Nobody else touches an entry while it is BUILDING, so the build itself runs without the lock;
 * only the result is published under it. */
static void build_entry(msw_window *window, artifact_entry *entry, msw_build_fn build,
                        const msw_task *task, const void *extra)
{
    msw_artifacts *a = window->shared;
    const void *root = NULL;
    int rc = build_helped(a, entry, build, task, extra, &root);
    msw_lock_take(a->lock);
    entry->root = root;
    entry->state = rc ? BROKEN : READY;
    entry->interrupted = rc && window->interrupted;
    a->bytes += (double)entry->arena.total;
    shrink(a);
    msw_signal_send(a->news);
    msw_lock_give(a->lock);
}

/* A thread that waits for an artifact helps to build it, or another one, instead of sleeping. */
static entry_state wait_for(msw_artifacts *a, artifact_entry *entry)
{
    msw_lock_take(a->lock);
    while (entry->state == BUILDING)
        msw_help_wait(&a->help, WAIT_SECONDS);
    entry_state state = entry->state;
    msw_lock_give(a->lock);
    return state;
}

static void let_go(msw_artifacts *a, artifact_entry *entry)
{
    msw_lock_take(a->lock);
    entry->holders--;
    msw_lock_give(a->lock);
}

/* Without memory for the list the entry simply stays held until the end. */
static void drop_later(msw_window *window, artifact_entry *entry)
{
    if (msw_vec_reserve(&window->dropped, &window->dropped_capacity, window->dropped_count + 1,
                        sizeof *window->dropped, NULL))
        return;
    window->dropped[window->dropped_count++] = entry;
}

/* Puts an entry this worker holds into its window; what was there is let go after the point, as
 * is what is too large to be pinned by every worker that used it once. */
static void remember(msw_window *window, artifact_entry *entry)
{
    if (entry->arena.total > WINDOW_LARGEST) {
        drop_later(window, entry);
        return;
    }
    artifact_entry **slot = &window->slots[entry->key.hi % WINDOW_SLOTS];
    if (*slot)
        drop_later(window, *slot);
    *slot = entry;
}

static int fetch(msw_window *window, msw_digest key, msw_build_fn build, const msw_task *task,
                 const void *extra, const void **root, msw_err *err)
{
    bool mine;
    artifact_entry *entry = hold(window->shared, key, &mine);
    if (!entry)
        return msw_fail_memory(err);
    if (mine)
        build_entry(window, entry, build, task, extra);
    if (wait_for(window->shared, entry) == BROKEN) {
        if (err)
            *err = entry->err;
        window->interrupted = window->interrupted || entry->interrupted;
        let_go(window->shared, entry);
        return -1;
    }
    remember(window, entry);
    *root = entry->root;
    return 0;
}

/* A build may fetch other artifacts that it needs: the time of the outermost counts. */
int msw_window_get(void *context, msw_digest key, msw_build_fn build, const msw_task *task,
                   const void *extra, const void **root, void **handle, msw_err *err)
{
    msw_window *window = context;
    artifact_entry *entry = window->slots[key.hi % WINDOW_SLOTS];
    *handle = NULL;
    if (entry && msw_digest_equal(entry->key, key)) {
        *root = entry->root;
        return 0;
    }
    double start = window->depth++ ? 0 : msw_now();
    int rc = fetch(window, key, build, task, extra, root, err);
    if (--window->depth == 0)
        window->excused_ns += (int64_t)((msw_now() - start) * 1e9);
    return rc;
}

/* Nothing to do: the window holds what was fetched until after the point. */
void msw_window_put(void *context, void *handle)
{
    (void)context;
    (void)handle;
}

void msw_window_settle(msw_window *window)
{
    for (size_t i = 0; i < window->dropped_count; i++)
        let_go(window->shared, window->dropped[i]);
    window->dropped_count = 0;
}

void msw_window_close(msw_window *window)
{
    msw_window_settle(window);
    for (int s = 0; s < WINDOW_SLOTS; s++)
        if (window->slots[s])
            let_go(window->shared, window->slots[s]);
    memset(window->slots, 0, sizeof window->slots);
    free(window->dropped);
    window->dropped = NULL;
    window->dropped_capacity = 0;
}
