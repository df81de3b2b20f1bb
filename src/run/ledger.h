/* SPDX-License-Identifier: MIT */
/* Private to run: who builds what is kept, and who waits for it. Rank 0 keeps it; pure logic. */
#ifndef MSW_RUN_LEDGER_H
#define MSW_RUN_LEDGER_H

#include "memsweep/base/hash.h"
#include "memsweep/base/text.h"

typedef struct msw_ledger_entry {
    struct msw_ledger_entry *next;
    msw_digest key;
    bool looked; /* for in the database */
    bool whole;  /* `bytes` are all of it; else what an unfinished build saved last */
    msw_text bytes;
    int builder; /* rank; -1: nobody */
    int *waiting;
    size_t waiting_count;
} msw_ledger_entry;

typedef struct msw_ledger {
    msw_ledger_entry *first;
    int ranks;
} msw_ledger;

typedef enum msw_ledger_answer {
    MSW_LEDGER_BYTES, /* take them */
    MSW_LEDGER_BUILD, /* build it */
    MSW_LEDGER_WAIT   /* somebody builds it */
} msw_ledger_answer;

/* Frees all entries. */
void msw_ledger_close(msw_ledger *ledger);

/* Returns the entry of a key, made when it is new; NULL when memory runs out. */
msw_ledger_entry *msw_ledger_find(msw_ledger *ledger, msw_digest key);

/* A rank needs it. Returns the answer to give it; who builds or waits is remembered. */
msw_ledger_answer msw_ledger_ask(const msw_ledger *ledger, msw_ledger_entry *entry, int rank);

/* Takes bytes in place of those there were. Returns 0, or -1. */
int msw_ledger_take(msw_ledger_entry *entry, bool whole, const char *bytes, size_t size,
                    msw_err *err);

/* A rank that waits, which it then does no longer. Returns it, or -1: nobody waits. */
int msw_ledger_next(msw_ledger_entry *entry);

/* The rank does not build it any more. Returns the rank that builds it now, or -1. */
int msw_ledger_give_back(msw_ledger_entry *entry, int rank);

/* The rank neither builds nor waits any more. Returns the rank that builds it now instead, or -1.
 */
int msw_ledger_forget(msw_ledger_entry *entry, int rank);

#endif
