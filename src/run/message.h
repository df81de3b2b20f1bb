/* SPDX-License-Identifier: MIT */
/* Private to run: what ranks say to one another while a run goes on.
 *
 * A rank asks for work (REQUEST) and gets a range (GRANT); an empty range is the last. A
 * rank whose points have become slow gives some back (RETURN, a range); so nobody is told that
 * nothing is left while others still have work. Its rows go to rank 0 (ROWS, a packed batch), which
 * says when they are committed (ACK). A rank that has nothing left says so (BYE) and stays until
 * everything is committed (DONE). STOP asks to finish the points in hand; BEAT only says that its
 * sender is alive. KEPT is about what is kept: a note (kept.h) and its bytes; a rank asks for a key
 * and gets bytes or the word to build it, at once or when whoever builds it is done or gone. */
#ifndef MSW_RUN_MESSAGE_H
#define MSW_RUN_MESSAGE_H

#include "memsweep/base/err.h"
#include "memsweep/run/queue.h"
#include "run/kept.h"

#include <stdbool.h>
#include <stddef.h>

/* Messages between ranks. Only the main thread of a rank may call these. */

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

typedef enum msw_message {
    MSW_SAY_REQUEST = 1,
    MSW_SAY_GRANT,
    MSW_SAY_RETURN,
    MSW_SAY_ROWS,
    MSW_SAY_ACK,
    MSW_SAY_BYE,
    MSW_SAY_DONE,
    MSW_SAY_STOP,
    MSW_SAY_BEAT,
    MSW_SAY_KEPT
} msw_message;

typedef struct msw_request {
    double seconds_per_point; /* as seen by this rank lately; 0: not known yet */
    uint64_t workers;
} msw_request;

typedef struct msw_ack {
    uint64_t messages; /* of rows, committed since the last one */
} msw_ack;

typedef struct msw_bye {
    uint64_t stopped; /* left before all was done */
    msw_err err;      /* why, if it broke */
} msw_bye;

/* Describes the layout of all messages: ranks whose text differs cannot talk. */
void msw_message_schema(char *text, size_t size);

/* Checks that a message has the size of its kind. Returns 0, or -1. */
int msw_message_check(const msw_mail *mail, msw_err *err);

/* Sends a note and its bytes to a rank. Returns 0, or -1. */
int msw_message_send_kept(msw_comm *comm, int rank, const msw_kept_note *note, const char *bytes,
                          msw_err *err);

/* Reads a note that was checked. Returns its bytes. */
const char *msw_message_kept(const msw_mail *mail, msw_kept_note *note);

/* What every rank says about itself when a run starts. */
typedef struct msw_hello {
    int64_t pid;
    int64_t workers;
    char host[48];
} msw_hello;

/* Returns what this rank says. */
msw_hello msw_hello_make(int workers);

#endif
