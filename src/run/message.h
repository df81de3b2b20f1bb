/* SPDX-License-Identifier: MIT */
/* Private to run: what ranks say to one another while a run goes on.
 *
 * A rank asks for work (REQUEST) and gets a range (GRANT); an empty range is the last. A
 * rank whose points have become slow gives some back (RETURN, a range); so nobody is told that
 * nothing is left while others still have work. Its rows go to rank 0 (ROWS, a packed batch), which
 * says when they are committed (ACK). A rank that has nothing left says so (BYE) and stays until
 * everything is committed (DONE). STOP asks to finish the points in hand; BEAT only says that its
 * sender is alive. KEPT is about what is kept: a note (desk.h) and its bytes; a rank asks for a key
 * and gets bytes or the word to build it, at once or when whoever builds it is done or gone. */
#ifndef MSW_RUN_MESSAGE_H
#define MSW_RUN_MESSAGE_H

#include "run/comm.h"
#include "run/desk.h"

#include "memsweep/run/queue.h"

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
