/* SPDX-License-Identifier: MIT */
/* Private to run: where workers ask the main thread of their rank for what is kept. */
#ifndef MSW_RUN_DESK_H
#define MSW_RUN_DESK_H

#include "memsweep/base/hash.h"
#include "memsweep/base/text.h"
#include "memsweep/store/kept.h"

/* What is said about one key; also the words of messages between ranks. */
typedef enum msw_kept_word {
    MSW_KEPT_WANT, /* up: somebody needs it */
    MSW_KEPT_KEEP, /* up: here it is, or what was saved of it so far */
    MSW_KEPT_BACK, /* up: it is not built here any more */
    MSW_KEPT_BAD,  /* up: the bytes are not what they should be */
    MSW_KEPT_HAVE, /* down: the bytes */
    MSW_KEPT_BUILD /* down: build it; with what was saved of it before */
} msw_kept_word;

typedef struct msw_kept_note {
    uint64_t word, size; /* of the bytes that follow */
    double seconds;      /* that it took to build, waiting left out */
    msw_kept kept;
} msw_kept_note;

typedef struct msw_desk msw_desk;

/* Who is notified when there is something to do, and who is asked whether to go on. */
typedef struct msw_desk_owner {
    void *context;
    void (*wake)(void *context);
    bool (*stopping)(void *context);
} msw_desk_owner;

msw_desk *msw_desk_new(const msw_desk_owner *owner);
void msw_desk_free(msw_desk *desk);

/* ---- workers ---- */

/* Asks for a key and waits for the answer. Returns whether there is one: HAVE or BUILD, with its
 * bytes; not when all are asked to stop. */
bool msw_desk_ask(msw_desk *desk, const msw_kept *kept, msw_kept_word *word, msw_text *bytes);

/* Puts a note on the desk. Returns 0, or -1 when memory runs out. */
int msw_desk_tell(msw_desk *desk, const msw_kept_note *note, const char *bytes, msw_err *err);

/* Whether all are asked to stop. */
bool msw_desk_stopping(const msw_desk *desk);

/* ---- the main thread ---- */

/* Takes the oldest note; its bytes are the caller's. Returns whether there was one. */
bool msw_desk_take(msw_desk *desk, msw_kept_note *note, char **bytes);

/* Answers whoever asked for the key. When nobody does any more a build is given back. */
void msw_desk_answer(msw_desk *desk, const msw_kept_note *note, const char *bytes);

/* Whether somebody waits for an answer. */
bool msw_desk_waits(msw_desk *desk);

#endif
