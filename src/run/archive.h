/* SPDX-License-Identifier: MIT */
/* Private to run: rank 0's side of what is kept: the ledger, and the databases behind it. */
#ifndef MSW_RUN_ARCHIVE_H
#define MSW_RUN_ARCHIVE_H

#include "run/desk.h"
#include "run/ledger.h"

#include "memsweep/run/run.h"

typedef struct msw_archive {
    msw_ledger ledger;
    msw_desk *desk;   /* of rank 0 */
    msw_store *store; /* where it is kept; NULL: nowhere */
    msw_store *other; /* where it is looked for, too; or NULL */
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
