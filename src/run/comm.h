/* SPDX-License-Identifier: MIT */
/* Private to run: messages between ranks. Only the main thread of a rank may call these. */
#ifndef MSW_RUN_COMM_H
#define MSW_RUN_COMM_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct msw_comm msw_comm;

/* Whether messages can be sent at all in this build. */
bool msw_comm_possible(void);

/* Joins the other ranks. Returns 0, or -1. */
int msw_comm_open(msw_comm **comm, msw_err *err);

/* Waits until what was sent has left, and leaves; NULL is fine. */
void msw_comm_close(msw_comm *comm);

/* Ends all ranks at once: when one of them can no longer be reached. */
void msw_comm_abort(msw_comm *comm, int code);

/* Notes that this rank failed where the others go on and do not learn of it. Returns -1. */
int msw_comm_part(msw_comm *comm);
bool msw_comm_is_apart(const msw_comm *comm);

int msw_comm_rank(const msw_comm *comm);
int msw_comm_size(const msw_comm *comm);

/* Copies `size` bytes of rank 0 to all ranks. Returns 0, or -1. */
int msw_comm_share(msw_comm *comm, void *data, size_t size, msw_err *err);

/* Gathers `size` bytes of every rank, in rank order, on every rank. Returns 0, or -1. */
int msw_comm_gather(msw_comm *comm, const void *mine, void *all, size_t size, msw_err *err);

typedef struct msw_mail {
    int rank, kind; /* to or from whom, and what it is */
    const void *data;
    size_t size;
} msw_mail;

/* Sends a copy without waiting for it to leave. Returns 0, or -1. */
int msw_comm_send(msw_comm *comm, const msw_mail *mail, msw_err *err);

/* Whether something sent is still on its way out. */
bool msw_comm_sending(msw_comm *comm);

/* Receives a message if one is there; its data lives until the next call. Returns 1, 0, or -1. */
int msw_comm_receive(msw_comm *comm, msw_mail *mail, msw_err *err);

#endif
