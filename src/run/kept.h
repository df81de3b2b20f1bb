/* SPDX-License-Identifier: MIT */
/* Private to run: kept artifacts. Workers ask the main thread of their rank for them, rank 0 keeps
 * the books on who builds and who waits, with the databases behind it. */
#ifndef MSW_RUN_KEPT_H
#define MSW_RUN_KEPT_H

#include "memsweep/base/hash.h"
#include "memsweep/base/text.h"
#include "memsweep/run/run.h"
#include "memsweep/store/kept.h"

/* Where workers ask the main thread of their rank for what is kept. */

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

typedef struct msw_kept_requests msw_kept_requests;

/* Who is notified when there is something to do, and who is asked whether to go on. */
typedef struct msw_kept_requests_owner {
    void *context;
    void (*wake)(void *context);
    bool (*stopping)(void *context);
} msw_kept_requests_owner;

msw_kept_requests *msw_kept_requests_new(const msw_kept_requests_owner *owner);
void msw_kept_requests_free(msw_kept_requests *requests);

/* ---- the main thread ---- */

/* Takes the oldest note; its bytes are the caller's. Returns whether there was one. */
bool msw_kept_requests_take(msw_kept_requests *requests, msw_kept_note *note, char **bytes);

/* Answers whoever asked for the key. When nobody does any more a build is given back. */
void msw_kept_requests_answer(msw_kept_requests *requests, const msw_kept_note *note,
                              const char *bytes);

/* Whether somebody waits for an answer. */
bool msw_kept_requests_waits(msw_kept_requests *requests);

/* Who builds what is kept, and who waits for it. Rank 0 keeps it; pure logic. */

typedef struct msw_kept_owners_entry {
    struct msw_kept_owners_entry *next;
    msw_digest key;
    bool looked; /* for in the database */
    bool whole;  /* `bytes` are all of it; else what an unfinished build saved last */
    msw_text bytes;
    int builder; /* rank; -1: nobody */
    int *waiting;
    size_t waiting_count;
} msw_kept_owners_entry;

typedef struct msw_kept_owners {
    msw_kept_owners_entry *first;
    int ranks;
} msw_kept_owners;

typedef enum msw_kept_owners_answer {
    MSW_LEDGER_BYTES, /* take them */
    MSW_LEDGER_BUILD, /* build it */
    MSW_LEDGER_WAIT   /* somebody builds it */
} msw_kept_owners_answer;

/* Frees all entries. */
void msw_kept_owners_close(msw_kept_owners *owners);

/* Returns the entry of a key, made when it is new; NULL when memory runs out. */
msw_kept_owners_entry *msw_kept_owners_find(msw_kept_owners *owners, msw_digest key);

/* A rank needs it. Returns the answer to give it; who builds or waits is remembered. */
msw_kept_owners_answer msw_kept_owners_ask(const msw_kept_owners *owners,
                                           msw_kept_owners_entry *entry, int rank);

/* Takes bytes in place of those there were. Returns 0, or -1. */
int msw_kept_owners_take(msw_kept_owners_entry *entry, bool whole, const char *bytes, size_t size,
                         msw_err *err);

/* A rank that waits, which it then does no longer. Returns it, or -1: nobody waits. */
int msw_kept_owners_next(msw_kept_owners_entry *entry);

/* The rank does not build it any more. Returns the rank that builds it now, or -1. */
int msw_kept_owners_give_back(msw_kept_owners_entry *entry, int rank);

/* The rank neither builds nor waits any more. Returns the rank that builds it now instead, or -1.
 */
int msw_kept_owners_forget(msw_kept_owners_entry *entry, int rank);

/* Rank 0's side of what is kept: the owners, and the databases behind it. */

typedef struct msw_archive {
    msw_kept_owners owners;
    msw_kept_requests *requests; /* of rank 0 */
    msw_store *store;            /* where it is kept; NULL: nowhere */
    msw_store *other;            /* where it is looked for, too; or NULL */
    const msw_log *log;
    msw_run_result *result;
    void *context; /* of the next */
    void (*send)(void *context, int rank, const msw_kept_note *note, const char *bytes);
} msw_archive;

/* Answers what the workers of rank 0 said. Returns whether there was anything. */
bool msw_archive_serve(msw_archive *archive);

/* Answers what a rank said. */
void msw_archive_hear(msw_archive *archive, int rank, const msw_kept_note *note, const char *bytes);

/* The rank is gone: what it was building is dealt out again. */
void msw_archive_forget(msw_archive *archive, int rank);

void msw_archive_close(msw_archive *archive);

#endif
