/* SPDX-License-Identifier: MIT */
/* Kept artifacts on a rank: workers ask the main thread for the bytes, or build them and hand them
 * in. */
#include "run/kept.h"
#include "memsweep/base/clock.h"
#include "run/artifact.h"
#include "run/pool.h"

#include <stdlib.h>
#include <string.h>

/* A waiting thread checks this often whether everybody was asked to stop. */
#define LOOK_SECONDS 0.05

typedef struct told {
    struct told *next;
    msw_kept_note note;
    char *bytes;
} told;

typedef struct question {
    struct question *next;
    msw_digest key;
    bool answered;
    msw_kept_word word;
    msw_text *bytes;
} question;

struct msw_kept_requests {
    msw_kept_requests_owner owner;
    msw_lock *lock;
    msw_signal *answers;
    told *first, **last;
    question *questions;
};

msw_kept_requests *msw_kept_requests_new(const msw_kept_requests_owner *owner)
{
    msw_kept_requests *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->owner = *owner;
    d->last = &d->first;
    d->lock = msw_lock_new();
    d->answers = msw_signal_new();
    if (d->lock && d->answers)
        return d;
    msw_kept_requests_free(d);
    return NULL;
}

void msw_kept_requests_free(msw_kept_requests *requests)
{
    if (!requests)
        return;
    while (requests->first) {
        told *next = requests->first->next;
        free(requests->first->bytes);
        free(requests->first);
        requests->first = next;
    }
    msw_signal_free(requests->answers);
    msw_lock_free(requests->lock);
    free(requests);
}

/* Whether all are asked to stop. */
static bool are_stopping(const msw_kept_requests *requests)
{
    return requests->owner.stopping(requests->owner.context);
}

/* ---- workers ---- */

static told *told_new(const msw_kept_note *note, const char *bytes)
{
    told *t = calloc(1, sizeof *t);
    char *copy = malloc(note->size + 1);
    if (!t || !copy) {
        free(t);
        free(copy);
        return NULL;
    }
    if (note->size)
        memcpy(copy, bytes, note->size);
    t->note = *note;
    t->bytes = copy;
    return t;
}

static void append(msw_kept_requests *requests, told *t)
{
    *requests->last = t;
    requests->last = &t->next;
}

/* Adds a note to the requests. Returns 0, or -1 when memory runs out. */
static int tell_note(msw_kept_requests *requests, const msw_kept_note *note, const char *bytes,
                     msw_err *err)
{
    told *t = told_new(note, bytes);
    if (!t)
        return msw_fail_memory(err);
    msw_lock_take(requests->lock);
    append(requests, t);
    msw_lock_give(requests->lock);
    requests->owner.wake(requests->owner.context);
    return 0;
}

static void unlink_question(msw_kept_requests *requests, question *q)
{
    question **link = &requests->questions;
    while (*link != q)
        link = &(*link)->next;
    *link = q->next;
}

/* The question lies on the asker's stack. It is in the list before it is sent, or an answer could
 * come before anybody waits for it. */
static bool ask_for(msw_kept_requests *requests, const msw_kept *kept, msw_kept_word *word,
                    msw_text *bytes)
{
    msw_kept_note note = {.word = MSW_KEPT_WANT, .kept = *kept};
    question q = {.key = kept->key, .bytes = bytes};
    msw_lock_take(requests->lock);
    q.next = requests->questions;
    requests->questions = &q;
    msw_lock_give(requests->lock);
    bool told_it = tell_note(requests, &note, NULL, NULL) == 0;
    msw_lock_take(requests->lock);
    while (told_it && !q.answered && !are_stopping(requests))
        msw_signal_wait(requests->answers, requests->lock, LOOK_SECONDS);
    unlink_question(requests, &q);
    msw_lock_give(requests->lock);
    *word = q.word;
    return q.answered && !bytes->failed;
}

/* ---- the main thread ---- */

bool msw_kept_requests_take(msw_kept_requests *requests, msw_kept_note *note, char **bytes)
{
    msw_lock_take(requests->lock);
    told *t = requests->first;
    if (t && !(requests->first = t->next))
        requests->last = &requests->first;
    msw_lock_give(requests->lock);
    if (!t)
        return false;
    *note = t->note;
    *bytes = t->bytes;
    free(t);
    return true;
}

/* Several workers may ask for one key: each answer goes to one question. */
static bool answer(msw_kept_requests *requests, const msw_kept_note *note, const char *bytes)
{
    for (question *q = requests->questions; q; q = q->next) {
        if (q->answered || !msw_digest_equal(q->key, note->kept.key))
            continue;
        q->word = (msw_kept_word)note->word;
        msw_text_add_bytes(q->bytes, bytes, note->size);
        q->answered = true;
        return true;
    }
    return false;
}

void msw_kept_requests_answer(msw_kept_requests *requests, const msw_kept_note *note,
                              const char *bytes)
{
    msw_lock_take(requests->lock);
    bool heard = answer(requests, note, bytes);
    msw_signal_send(requests->answers);
    msw_lock_give(requests->lock);
    /* Nobody waits any more for the right to build: it goes back, or other ranks would wait for
     * ever. */
    if (heard || note->word != MSW_KEPT_BUILD)
        return;
    msw_kept_note back = {.word = MSW_KEPT_BACK, .kept = note->kept};
    tell_note(requests, &back, NULL, NULL);
}

bool msw_kept_requests_waits(msw_kept_requests *requests)
{
    msw_lock_take(requests->lock);
    bool waits = requests->questions != NULL;
    msw_lock_give(requests->lock);
    return waits;
}

/* How often the saved state of an unfinished build reaches the database. */
#define SAVE_SECONDS 30.0

/* One thing to fetch. */
typedef struct fetching {
    msw_window *window;
    const msw_kept_build *how;
    msw_kept kept;
    double start, saved_at;
} fetching;

static msw_kept_requests *requests_of(const fetching *f)
{
    return msw_artifacts_requests(f->window->shared);
}

static int tell(const fetching *f, msw_kept_word word, const msw_text *bytes, msw_err *err)
{
    msw_kept_note note = {
        .word = word, .size = bytes ? bytes->size : 0, .seconds = msw_now() - f->start};
    note.kept = f->kept;
    return tell_note(requests_of(f), &note, bytes ? msw_text_str(bytes) : NULL, err);
}

static int interrupt(const fetching *f, msw_err *err)
{
    f->window->interrupted = true;
    return msw_fail(err, "interrupted");
}

/* ---- building ---- */

static int save_now(fetching *f, msw_flatten_fn save, const void *state, msw_err *err)
{
    msw_text bytes = MSW_TEXT_EMPTY;
    int rc = save(state, &bytes, err);
    if (rc == 0)
        rc = bytes.failed ? msw_fail_memory(err) : tell(f, MSW_KEPT_KEEP, &bytes, err);
    msw_text_free(&bytes);
    f->saved_at = msw_now();
    return rc ? -1 : 0;
}

static int pause_build(void *context, msw_flatten_fn save, const void *state, msw_err *err)
{
    fetching *f = context;
    bool stopping = are_stopping(requests_of(f));
    if (!stopping && msw_now() - f->saved_at < SAVE_SECONDS)
        return 0;
    if (save_now(f, save, state, err))
        return -1;
    return stopping ? interrupt(f, err) : 0;
}

static void each(void *context, size_t n, void (*fn)(void *context, size_t i), void *fn_context)
{
    msw_artifacts_each(((fetching *)context)->window->shared, n, fn, fn_context);
}

static int unflatten(const fetching *f, const msw_task *task, const msw_text *bytes,
                     msw_arena *arena, const void **root, msw_err *err)
{
    return f->how->artifact->unflatten(task, msw_text_str(bytes), bytes->size, arena, root, err);
}

/* Every artifact is made from its bytes, even one just built: so points get the same whether it was
 * built or read. */
static int hand_in(fetching *f, const msw_task *task, msw_arena *arena, msw_arena_mark before,
                   const void **root, msw_err *err)
{
    msw_text bytes = MSW_TEXT_EMPTY;
    int rc = f->how->artifact->flatten(*root, &bytes, err);
    if (rc == 0 && bytes.failed)
        rc = msw_fail_memory(err);
    msw_arena_release(arena, before);
    if (rc == 0)
        rc = unflatten(f, task, &bytes, arena, root, err);
    f->kept.whole = true;
    if (rc == 0)
        rc = tell(f, MSW_KEPT_KEEP, &bytes, err);
    msw_text_free(&bytes);
    return rc ? -1 : 0;
}

/* The build may not recognise saved bytes as its own: then it starts from the beginning. */
static int build_here(fetching *f, const msw_task *task, const msw_text *saved, msw_arena *arena,
                      const void **root, msw_err *err)
{
    msw_build_help help = {f, each, pause_build, NULL, saved->size};
    msw_arena_mark before = msw_arena_now(arena);
    msw_task own = *task;
    help.saved = saved->size ? saved->data : NULL;
    own.help = &help;
    own.doubt = NULL;
    f->start = f->saved_at = msw_now();
    int rc = f->how->build(&own, f->how->artifact, arena, root, err);
    if (rc == 0)
        rc = hand_in(f, task, arena, before, root, err);
    if (rc)
        tell(f, MSW_KEPT_BACK, NULL, NULL);
    return rc ? -1 : 0;
}

static int read_here(fetching *f, const msw_task *task, const msw_text *bytes, msw_arena *arena,
                     const void **root, bool *bad, msw_err *err)
{
    msw_arena_mark before = msw_arena_now(arena);
    *bad = unflatten(f, task, bytes, arena, root, NULL) != 0;
    if (!*bad)
        return 0;
    msw_arena_release(arena, before);
    return tell(f, MSW_KEPT_BAD, NULL, err);
}

static int build_kept(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    fetching f = *(const fetching *)extra;
    msw_kept_word word;
    bool again = true;
    int rc = 0;
    while (rc == 0 && again) {
        msw_text bytes = MSW_TEXT_EMPTY;
        again = false;
        if (!ask_for(requests_of(&f), &f.kept, &word, &bytes))
            rc = interrupt(&f, err);
        else if (word == MSW_KEPT_HAVE)
            rc = read_here(&f, task, &bytes, arena, root, &again, err);
        else
            rc = build_here(&f, task, &bytes, arena, root, err);
        msw_text_free(&bytes);
    }
    return rc;
}

int msw_window_get_kept(void *context, msw_digest key, const msw_kept_build *kept,
                        const msw_task *task, const void **root, void **handle, msw_err *err)
{
    msw_window *window = context;
    fetching f = {.window = window, .how = kept};
    if (!msw_artifacts_requests(window->shared))
        return msw_window_get(context, key, kept->build, task, kept->artifact, root, handle, err);
    f.kept = (msw_kept){.key = key, .version = kept->artifact->version};
    msw_text_fit(f.kept.mechanism, sizeof f.kept.mechanism, task->mech->name);
    msw_text_fit(f.kept.name, sizeof f.kept.name, kept->artifact->name);
    return msw_window_get(context, key, build_kept, task, &f, root, handle, err);
}
