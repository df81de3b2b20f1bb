/* SPDX-License-Identifier: MIT */
/* The main thread of a rank above 0: asks for work, sends rows, listens. */
#include "memsweep/base/clock.h"
#include "run/coordinator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rows wait this long for others, so that rank 0 gets few messages. */
#define GATHER_SECONDS 0.2
/* Between looks at what rank 0 sent: soon where an answer is awaited, then less and less often;
 * rarely where none is. Workers with news end a nap. */
#define NAP_FIRST  0.0001
#define NAP_LAST   0.005
#define NAP_LONGER 1.5
#define NAP_IDLE   0.02

/* A rank above 0. It sends rows in messages of which at most MSW_WINDOW are unacknowledged, asks
 * for work before it runs out, and shows that it lives. */
typedef struct remote {
    msw_worker_pool *pool;
    const msw_ranks *ranks;
    msw_run_result *result;
    msw_batch *outbox;
    char *packed;
    size_t packed_capacity;
    double gathered_since, last_sent, last_heard, nap;
    int unacked;
    bool asked, parted, done;
} remote;

/* ---- sending ---- */

static void lose(remote *r, const msw_err *err)
{
    r->result->lost = r->done = true;
    msw_worker_pool_fail(r->pool, err);
}

static void say(remote *r, msw_message kind, const void *data, size_t size)
{
    msw_err err = {0};
    msw_mail mail = {0, kind, data, size};
    r->last_sent = msw_now();
    if (msw_comm_send(r->ranks->comm, &mail, &err))
        lose(r, &err);
}

static void send_rows(remote *r)
{
    size_t size = msw_batch_packed_size(r->outbox);
    if (size > r->packed_capacity) {
        char *bigger = realloc(r->packed, size);
        msw_err err = {0};
        if (!bigger) {
            msw_fail_memory(&err);
            lose(r, &err);
            return;
        }
        r->packed = bigger;
        r->packed_capacity = size;
    }
    msw_batch_pack(r->outbox, r->packed);
    say(r, MSW_SAY_ROWS, r->packed, size);
    msw_batch_clear(r->outbox);
    r->unacked++;
}

/* Moves finished rows to the outbox unless it is full: then the workers run out of batches and
 * wait until rank 0 has caught up. Returns whether there were any. */
static bool gather(remote *r, bool *finished)
{
    msw_err err = {0};
    if (r->outbox->count >= MSW_OUTBOX_ROWS)
        return false;
    msw_batch *batch = msw_worker_pool_collect(r->pool, finished);
    if (!batch)
        return false;
    if (!r->outbox->count)
        r->gathered_since = msw_now();
    r->result->evaluated += batch->count;
    if (msw_batch_append(r->outbox, batch, &err))
        lose(r, &err);
    msw_worker_pool_recycle(r->pool, batch);
    return true;
}

/* Waits a little for more rows, since a message costs the same however many rows it holds; not at
 * the end, where rank 0 answers a request for work only when it has everybody's rows. */
static bool post(remote *r, bool finished)
{
    if (!r->outbox->count || r->unacked == MSW_WINDOW)
        return false;
    bool last = finished || (r->asked && msw_worker_pool_is_dry(r->pool, false));
    if (!last && r->outbox->count < MSW_OUTBOX_ROWS &&
        msw_now() - r->gathered_since < GATHER_SECONDS)
        return false;
    send_rows(r);
    return true;
}

/* One request at a time: rank 0 sizes its grant by the pace reported here. */
static bool ask(remote *r)
{
    double pace;
    if (r->asked || !msw_worker_pool_wants_work(r->pool, &pace))
        return false;
    msw_request request = {pace, (uint64_t)r->pool->options->threads};
    say(r, MSW_SAY_REQUEST, &request, sizeof request);
    return r->asked = true;
}

static bool give_back(remote *r)
{
    msw_range range;
    if (!msw_worker_pool_give_back(r->pool, &range))
        return false;
    say(r, MSW_SAY_RETURN, &range, sizeof range);
    return true;
}

/* Passes the workers' notes and questions about kept artifacts to rank 0 as they are. */
static bool pass_on(remote *r)
{
    msw_err err = {0};
    msw_kept_note note;
    char *bytes;
    bool any = false;
    while (!r->done && msw_kept_requests_take(r->pool->requests, &note, &bytes)) {
        r->last_sent = msw_now();
        if (msw_message_send_kept(r->ranks->comm, 0, &note, bytes, &err))
            lose(r, &err);
        free(bytes);
        any = true;
    }
    return any;
}

/* The last message of this rank, which then stays and listens until rank 0 says that all are done.
 */
static void part(remote *r)
{
    msw_bye bye;
    memset(&bye, 0, sizeof bye);
    bye.stopped = msw_worker_pool_stopping(r->pool);
    bye.err = r->pool->broken;
    say(r, MSW_SAY_BYE, &bye, sizeof bye);
    r->parted = true;
}

/* ---- listening ---- */

static int hear(remote *r, const msw_mail *mail, msw_err *err)
{
    msw_range range;
    msw_ack ack;
    if (msw_message_check(mail, err))
        return -1;
    if (mail->kind == MSW_SAY_GRANT) {
        memcpy(&range, mail->data, sizeof range);
        r->asked = false;
        return msw_worker_pool_grant(r->pool, &range, err);
    }
    if (mail->kind == MSW_SAY_ACK) {
        memcpy(&ack, mail->data, sizeof ack);
        r->unacked -= (int)ack.messages;
    } else if (mail->kind == MSW_SAY_KEPT) {
        msw_kept_note note;
        const char *bytes = msw_message_kept(mail, &note);
        msw_kept_requests_answer(r->pool->requests, &note, bytes);
    } else if (mail->kind == MSW_SAY_STOP) {
        msw_worker_pool_halt(r->pool);
    } else if (mail->kind == MSW_SAY_DONE) {
        r->done = true;
    }
    return 0;
}

static bool listen(remote *r)
{
    msw_err err;
    msw_mail mail;
    bool any = false;
    int got;
    msw_err_clear(&err);
    while ((got = msw_comm_receive(r->ranks->comm, &mail, &err)) > 0) {
        any = true;
        r->last_heard = msw_now();
        if (hear(r, &mail, &err)) {
            got = -1;
            break;
        }
    }
    if (got < 0)
        lose(r, &err);
    return any;
}

/* Both sides watch for silence: a rank whose host died sends nothing, and MPI may not report it. */
static void watch(remote *r)
{
    msw_err err;
    double now = msw_now();
    if (now - r->last_sent > MSW_BEAT_SECONDS)
        say(r, MSW_SAY_BEAT, NULL, 0);
    if (now - r->last_heard < MSW_SILENCE_SECONDS)
        return;
    msw_err_clear(&err);
    msw_fail_kind(&err, MSW_ERR_IO, "rank 0 has been silent for %g s", now - r->last_heard);
    lose(r, &err);
}

/* Long messages leave piece by piece, whenever MPI is called, and rank 0 waits for the pieces. */
static double nap(const remote *r)
{
    if (msw_comm_sending(r->ranks->comm))
        return NAP_FIRST;
    return r->asked || r->unacked == MSW_WINDOW || msw_kept_requests_waits(r->pool->requests)
               ? r->nap
               : NAP_IDLE;
}

static void rest(remote *r, bool busy)
{
    if (busy) {
        r->nap = NAP_FIRST;
        return;
    }
    msw_worker_pool_wait(r->pool, nap(r));
    r->nap = fmin(NAP_LONGER * r->nap, NAP_LAST);
}

/* The thread that talks to MPI. No call blocks: each turn does whatever is possible and naps longer
 * and longer while nothing is. */
static void keep(void *context)
{
    remote *r = context;
    bool finished = false;
    while (!r->done) {
        bool busy = listen(r);
        busy = gather(r, &finished) || busy;
        busy = pass_on(r) || busy;
        busy = post(r, finished) || busy;
        busy = give_back(r) || busy;
        busy = ask(r) || busy;
        if (finished && !r->outbox->count && !r->parted)
            part(r);
        watch(r);
        rest(r, busy);
    }
    while (!finished) {
        msw_batch *batch = msw_worker_pool_collect(r->pool, &finished);
        if (batch)
            msw_worker_pool_recycle(r->pool, batch);
        else if (!finished)
            msw_worker_pool_wait(r->pool, NAP_IDLE);
    }
}

/* ---- starting ---- */

static int greet(const msw_ranks *ranks, int workers, msw_err *err)
{
    msw_hello mine = msw_hello_make(workers);
    msw_hello *all = calloc((size_t)ranks->size, sizeof *all);
    if (!all)
        return msw_fail_memory(err);
    int rc = msw_comm_gather(ranks->comm, &mine, all, sizeof mine, err);
    free(all);
    return rc;
}

int msw_remote_run(msw_worker_pool *pool, const msw_ranks *ranks, msw_run_result *result,
                   msw_err *err)
{
    remote r = {.pool = pool, .ranks = ranks, .result = result, .nap = NAP_FIRST};
    r.last_sent = r.last_heard = msw_now();
    r.outbox = msw_batch_new(MSW_OUTBOX_ROWS, pool->plan->schema.count,
                             msw_metrics_count(pool->plan->mech->metrics));
    int rc = r.outbox ? greet(ranks, pool->options->threads, err) : msw_fail_memory(err);
    if (rc == 0)
        rc = msw_worker_pool_work(pool, keep, &r, err);
    msw_batch_free(r.outbox);
    free(r.packed);
    return rc;
}
