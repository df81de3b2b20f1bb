/* SPDX-License-Identifier: MIT */
/* ranks: the processes of one run, started together by mpirun or srun.
 *
 * Rank 0 reads files, hands out work and writes; the others get messages. A process that was
 * started alone is rank 0 of 1 and never touches MPI. */
#ifndef MEMSWEEP_RUN_RANKS_H
#define MEMSWEEP_RUN_RANKS_H

#include "memsweep/base/text.h"
#include "memsweep/store/store.h"
#include "memsweep/sweep/sweep.h"

struct msw_comm;

typedef struct msw_ranks {
    int rank, size;
    struct msw_comm *comm; /* NULL when alone */
} msw_ranks;

/* Joins the other ranks when a launcher started this process. Copies that were started side by side
 * without MPI are refused. Returns 0, or -1. */
int msw_ranks_open(msw_ranks *ranks, msw_err *err);

/* Leaves; fine when alone or never opened. */
void msw_ranks_close(msw_ranks *ranks);

/* Ends all ranks at once, when one of them cannot be reached any more. */
void msw_ranks_abort(const msw_ranks *ranks, int code);

/* Whether this rank failed where the others do not learn of it: they wait for it and have to be
 * ended. Returns the verdict. */
bool msw_ranks_are_apart(const msw_ranks *ranks);

/* Ranks of this run on this host, as far as the launcher says. Returns at least 1. */
int msw_ranks_beside(void);

/* Copies a text of rank 0 to all ranks. A `code` of rank 0 other than 0 says that there is none:
 * the others get it, so that all end alike. Returns 0; -1 everywhere when it failed, with `err`
 * untouched on the ranks that only received the news. */
int msw_ranks_share(const msw_ranks *ranks, int *code, msw_text *text, msw_err *err);

/* The same for what there is to do. */
int msw_ranks_share_todo(const msw_ranks *ranks, int *code, msw_todo *todo, msw_err *err);

/* Checks that `value` is the same on all ranks. Returns 0, or -1 everywhere, naming a rank that
 * differs. */
int msw_ranks_agree(const msw_ranks *ranks, const char *what, const char *value, msw_err *err);

/* Checks that all ranks made the same plan; NULL: this one could make none. Returns 0, or -1
 * everywhere. */
int msw_ranks_agree_plan(const msw_ranks *ranks, const msw_plan *plan, msw_err *err);

/* Checks that the ranks are of the same build: version, layout of messages, mechanisms, front
 * ends. Returns 0, or -1 everywhere. */
int msw_ranks_agree_build(const msw_ranks *ranks, msw_err *err);

#endif
