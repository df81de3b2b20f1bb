/* SPDX-License-Identifier: MIT */
#include "run/desk.h"

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

struct msw_desk {
    msw_desk_owner owner;
    msw_lock *lock;
    msw_signal *answers;
    told *first, **last;
    question *questions;
};

msw_desk *msw_desk_new(const msw_desk_owner *owner)
{
    msw_desk *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->owner = *owner;
    d->last = &d->first;
    d->lock = msw_lock_new();
    d->answers = msw_signal_new();
    if (d->lock && d->answers)
        return d;
    msw_desk_free(d);
    return NULL;
}

void msw_desk_free(msw_desk *desk)
{
    if (!desk)
        return;
    while (desk->first) {
        told *next = desk->first->next;
        free(desk->first->bytes);
        free(desk->first);
        desk->first = next;
    }
    msw_signal_free(desk->answers);
    msw_lock_free(desk->lock);
    free(desk);
}

bool msw_desk_stopping(const msw_desk *desk)
{
    return desk->owner.stopping(desk->owner.context);
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

static void append(msw_desk *desk, told *t)
{
    *desk->last = t;
    desk->last = &t->next;
}

int msw_desk_tell(msw_desk *desk, const msw_kept_note *note, const char *bytes, msw_err *err)
{
    told *t = told_new(note, bytes);
    if (!t)
        return msw_fail_memory(err);
    msw_lock_take(desk->lock);
    append(desk, t);
    msw_lock_give(desk->lock);
    desk->owner.wake(desk->owner.context);
    return 0;
}

static void unlink_question(msw_desk *desk, question *q)
{
    question **link = &desk->questions;
    while (*link != q)
        link = &(*link)->next;
    *link = q->next;
}

/* The question lies on the asker's stack. It is in the list before it is sent, or an answer could
 * come before anybody waits for it. */
bool msw_desk_ask(msw_desk *desk, const msw_kept *kept, msw_kept_word *word, msw_text *bytes)
{
    msw_kept_note note = {.word = MSW_KEPT_WANT, .kept = *kept};
    question q = {.key = kept->key, .bytes = bytes};
    msw_lock_take(desk->lock);
    q.next = desk->questions;
    desk->questions = &q;
    msw_lock_give(desk->lock);
    bool told_it = msw_desk_tell(desk, &note, NULL, NULL) == 0;
    msw_lock_take(desk->lock);
    while (told_it && !q.answered && !msw_desk_stopping(desk))
        msw_signal_wait(desk->answers, desk->lock, LOOK_SECONDS);
    unlink_question(desk, &q);
    msw_lock_give(desk->lock);
    *word = q.word;
    return q.answered && !bytes->failed;
}

/* ---- the main thread ---- */

bool msw_desk_take(msw_desk *desk, msw_kept_note *note, char **bytes)
{
    msw_lock_take(desk->lock);
    told *t = desk->first;
    if (t && !(desk->first = t->next))
        desk->last = &desk->first;
    msw_lock_give(desk->lock);
    if (!t)
        return false;
    *note = t->note;
    *bytes = t->bytes;
    free(t);
    return true;
}

/* Several workers may ask for one key: each answer goes to one question. */
static bool answer(msw_desk *desk, const msw_kept_note *note, const char *bytes)
{
    for (question *q = desk->questions; q; q = q->next) {
        if (q->answered || !msw_digest_equal(q->key, note->kept.key))
            continue;
        q->word = (msw_kept_word)note->word;
        msw_text_add_bytes(q->bytes, bytes, note->size);
        q->answered = true;
        return true;
    }
    return false;
}

void msw_desk_answer(msw_desk *desk, const msw_kept_note *note, const char *bytes)
{
    msw_lock_take(desk->lock);
    bool heard = answer(desk, note, bytes);
    msw_signal_send(desk->answers);
    msw_lock_give(desk->lock);
    /* Nobody waits any more for the right to build: it goes back, or other ranks would wait for
     * ever. */
    if (heard || note->word != MSW_KEPT_BUILD)
        return;
    msw_kept_note back = {.word = MSW_KEPT_BACK, .kept = note->kept};
    msw_desk_tell(desk, &back, NULL, NULL);
}

bool msw_desk_waits(msw_desk *desk)
{
    msw_lock_take(desk->lock);
    bool waits = desk->questions != NULL;
    msw_lock_give(desk->lock);
    return waits;
}
