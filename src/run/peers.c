/* SPDX-License-Identifier: MIT */
/* Rank 0's dealings with the other ranks: grants, rows, acknowledgements, who is still there. */
#include "memsweep/base/clock.h"
#include "memsweep/store/leaf.h"
#include "run/coordinator.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Messages answered before the coordinator looks after its own pool again. */
enum { MAIL_AT_ONCE = 256 };
#define LOOK_SECONDS 1.0

typedef struct peer {
    msw_hello hello;
    uint64_t marks[MSW_WINDOW]; /* rows written when each uncommitted message was, oldest first */
    int unacked;
    uint64_t owed;       /* points granted whose rows have not come */
    bool gone;           /* said BYE */
    bool waits;          /* asked for work when there was none */
    msw_request request; /* then */
    double heard;
} peer;

struct msw_peers {
    const msw_ranks *ranks;
    msw_coordinator *coordinator;
    peer *peers;
    int present; /* others that have not said BYE */
    bool stop_told, lost;
    uint64_t committed; /* when acknowledgements were last looked at */
    double last_beat, last_look;
};

static void fail(msw_peers *peers, const msw_err *err)
{
    msw_worker_pool_fail(peers->coordinator->pool, err);
}

static void say(msw_peers *peers, int rank, msw_message kind, const void *data, size_t size)
{
    msw_err err = {0};
    msw_mail mail = {rank, kind, data, size};
    if (msw_comm_send(peers->ranks->comm, &mail, &err))
        fail(peers, &err);
}

static void say_to_all(msw_peers *peers, msw_message kind)
{
    for (int r = 1; r < peers->ranks->size; r++)
        if (!peers->peers[r].gone)
            say(peers, r, kind, NULL, 0);
}

/* ---- what arrives ---- */

/* The answer may be an empty range: then nothing is left, here or with any other rank. As long as
 * somebody has points and may give them back, the request waits. */
static bool grant(msw_peers *peers, int rank)
{
    msw_range range;
    peer *p = &peers->peers[rank];
    msw_worker_pool *pool = peers->coordinator->pool;
    if (!msw_worker_pool_give_up(pool, (int)p->request.workers, p->request.seconds_per_point,
                                 &range) &&
        !msw_worker_pool_stopping(pool) && !msw_worker_pool_is_dry(pool, true))
        return false;
    p->waits = false;
    p->owed += range.wanted;
    say(peers, rank, MSW_SAY_GRANT, &range, sizeof range);
    return true;
}

static void hear_request(msw_peers *peers, const msw_mail *mail)
{
    peer *from = &peers->peers[mail->rank];
    memcpy(&from->request, mail->data, sizeof from->request);
    from->waits = true;
    grant(peers, mail->rank);
}

static bool grant_waiting(msw_peers *peers)
{
    bool any = false;
    for (int r = 1; r < peers->ranks->size; r++)
        if (peers->peers[r].waits && !peers->peers[r].gone)
            any = grant(peers, r) || any;
    return any;
}

/* A rank has `points` fewer to answer for: their rows came, or it gives them back. */
static int settle(msw_peers *peers, int rank, uint64_t points, const msw_range *back, msw_err *err)
{
    peer *from = &peers->peers[rank];
    if (points > from->owed)
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "rank %d answers for more than it was given",
                             rank);
    from->owed -= points;
    return msw_worker_pool_abroad(peers->coordinator->pool, -(int64_t)points, back, err);
}

static void take_back(msw_peers *peers, const msw_mail *mail)
{
    msw_err err = {0};
    msw_range range;
    memcpy(&range, mail->data, sizeof range);
    if (settle(peers, mail->rank, range.wanted, range.wanted ? &range : NULL, &err))
        fail(peers, &err);
}

static bool is_of(const msw_batch *batch, const msw_worker_pool *pool)
{
    return pool->options->scan ? msw_scan_is_of(batch, pool->options->scan)
                               : msw_batch_is_of(batch, pool->plan);
}

/* Another rank's bytes are checked like a file's: a program of another version may have been
 * started there. */
static void take_rows(msw_peers *peers, const msw_mail *mail)
{
    msw_err err = {0};
    msw_batch *batch = NULL;
    peer *from = &peers->peers[mail->rank];
    if (from->unacked == MSW_WINDOW)
        msw_fail_kind(&err, MSW_ERR_INTERNAL, "rank %d sends too much at once", mail->rank);
    else if (msw_batch_unpack(mail->data, mail->size, &batch, &err) == 0 &&
             !is_of(batch, peers->coordinator->pool))
        msw_fail_kind(&err, MSW_ERR_INTERNAL, "rank %d sends rows of another plan", mail->rank);
    if (!batch || *err.text || settle(peers, mail->rank, batch->count, NULL, &err)) {
        msw_batch_free(batch);
        fail(peers, &err);
        return;
    }
    msw_coordinator_take(peers->coordinator, batch);
    msw_batch_free(batch);
    from->marks[from->unacked++] = peers->coordinator->written;
}

static void send_kept(void *context, int rank, const msw_kept_note *note, const char *bytes)
{
    msw_peers *peers = context;
    msw_err err = {0};
    if (!peers->peers[rank].gone &&
        msw_message_send_kept(peers->ranks->comm, rank, note, bytes, &err))
        fail(peers, &err);
}

static void hear_kept(msw_peers *peers, const msw_mail *mail)
{
    msw_kept_note note;
    const char *bytes = msw_message_kept(mail, &note);
    msw_archive_hear(&peers->coordinator->archive, mail->rank, &note, bytes);
}

/* A rank that was told to stop stops the whole run: the launcher means all of it. */
static void part(msw_peers *peers, const msw_mail *mail)
{
    msw_bye bye;
    memcpy(&bye, mail->data, sizeof bye);
    peers->peers[mail->rank].gone = true;
    peers->present--;
    msw_archive_forget(&peers->coordinator->archive, mail->rank);
    if (bye.err.kind) {
        msw_fail_prefix(&bye.err, "rank %d: ", mail->rank);
        fail(peers, &bye.err);
    } else if (bye.stopped) {
        msw_worker_pool_halt(peers->coordinator->pool);
    }
}

static void answer(msw_peers *peers, const msw_mail *mail)
{
    msw_err err = {0};
    if (msw_message_check(mail, &err)) {
        fail(peers, &err);
        return;
    }
    peers->peers[mail->rank].heard = msw_now();
    if (mail->kind == MSW_SAY_REQUEST)
        hear_request(peers, mail);
    else if (mail->kind == MSW_SAY_RETURN)
        take_back(peers, mail);
    else if (mail->kind == MSW_SAY_ROWS)
        take_rows(peers, mail);
    else if (mail->kind == MSW_SAY_BYE)
        part(peers, mail);
    else if (mail->kind == MSW_SAY_KEPT)
        hear_kept(peers, mail);
}

/* ---- what is due ---- */

/* A message is acknowledged when its rows are committed, not when they arrive. So a rank sends no
 * more than a window of rows that could be lost. After an error nothing is committed any more, and
 * who waits for room to send its last rows would wait for ever: they are acknowledged as they come.
 */
static void acknowledge(msw_peers *peers)
{
    msw_coordinator *k = peers->coordinator;
    uint64_t committed =
        msw_worker_pool_is_broken(k->pool) ? k->written : msw_coordinator_committed(k);
    if (committed == peers->committed)
        return;
    peers->committed = committed;
    for (int r = 1; r < peers->ranks->size; r++) {
        peer *p = &peers->peers[r];
        int safe = 0;
        while (safe < p->unacked && p->marks[safe] <= committed)
            safe++;
        if (!safe)
            continue;
        p->unacked -= safe;
        memmove(p->marks, p->marks + safe, (size_t)p->unacked * sizeof *p->marks);
        msw_ack ack = {(uint64_t)safe};
        if (!p->gone)
            say(peers, r, MSW_SAY_ACK, &ack, sizeof ack);
    }
}

/* A process of this host can be asked for directly, which is quicker than waiting for its silence.
 * */
static bool is_lost(const msw_peers *peers, int rank, double now)
{
    const peer *p = &peers->peers[rank];
    if (p->gone)
        return false;
    if (strcmp(p->hello.host, peers->peers[0].hello.host) == 0 &&
        kill((pid_t)p->hello.pid, 0) != 0 && errno == ESRCH)
        return true;
    return now - p->heard > MSW_SILENCE_SECONDS;
}

static void look_for_lost(msw_peers *peers, double now)
{
    for (int r = 1; r < peers->ranks->size && !peers->lost; r++) {
        msw_err err = {0};
        if (!is_lost(peers, r, now))
            continue;
        msw_fail_kind(&err, MSW_ERR_IO,
                      "rank %d (process %" PRId64
                      " on %s) is gone: what was committed is kept; run the same command to go on",
                      r, peers->peers[r].hello.pid, peers->peers[r].hello.host);
        peers->lost = peers->coordinator->result->lost = true;
        fail(peers, &err);
    }
}

static void keep_order(msw_peers *peers)
{
    double now = msw_now();
    bool stopping = msw_worker_pool_stopping(peers->coordinator->pool);
    if (now - peers->last_look > LOOK_SECONDS || (stopping && !peers->stop_told)) {
        peers->last_look = now;
        look_for_lost(peers, now);
    }
    if (now - peers->last_beat > MSW_BEAT_SECONDS) {
        peers->last_beat = now;
        say_to_all(peers, MSW_SAY_BEAT);
    }
    if (stopping && !peers->stop_told) {
        peers->stop_told = true;
        say_to_all(peers, MSW_SAY_STOP);
    }
}

bool msw_peers_serve(msw_peers *peers)
{
    msw_err err;
    msw_mail mail;
    int count = 0, got = 0;
    msw_err_clear(&err);
    while (count < MAIL_AT_ONCE && (got = msw_comm_receive(peers->ranks->comm, &mail, &err)) > 0) {
        answer(peers, &mail);
        count++;
    }
    if (got < 0) {
        peers->lost = peers->coordinator->result->lost = true;
        fail(peers, &err);
    }
    bool granted = grant_waiting(peers);
    acknowledge(peers);
    keep_order(peers);
    return count > 0 || granted;
}

bool msw_peers_finished(const msw_peers *peers)
{
    return peers->lost || !peers->present;
}

void msw_peers_release(msw_peers *peers)
{
    if (peers->lost)
        return;
    for (int r = 1; r < peers->ranks->size; r++)
        say(peers, r, MSW_SAY_DONE, NULL, 0);
}

/* ---- opening ---- */

static int greet(msw_peers *peers, msw_err *err)
{
    int size = peers->ranks->size;
    msw_worker_pool *pool = peers->coordinator->pool;
    msw_hello mine = msw_hello_make(pool->options->threads);
    msw_hello *all = calloc((size_t)size, sizeof *all);
    if (!all)
        return msw_fail_memory(err);
    int rc = msw_comm_gather(peers->ranks->comm, &mine, all, sizeof mine, err);
    pool->takers = 0;
    for (int r = 0; r < size && rc == 0; r++) {
        peers->peers[r] = (peer){.hello = all[r], .heard = msw_now()};
        pool->takers += (int)all[r].workers;
    }
    free(all);
    return rc;
}

int msw_peers_open(msw_peers **peers, const msw_ranks *ranks, msw_coordinator *coordinator,
                   msw_err *err)
{
    msw_peers *o = calloc(1, sizeof *o);
    if (!o)
        return msw_fail_memory(err);
    *peers = o;
    o->ranks = ranks;
    o->coordinator = coordinator;
    coordinator->archive.context = o;
    coordinator->archive.send = send_kept;
    o->present = ranks->size - 1;
    o->last_beat = o->last_look = msw_now();
    o->peers = calloc((size_t)ranks->size, sizeof *o->peers);
    return o->peers ? greet(o, err) : msw_fail_memory(err);
}

void msw_peers_close(msw_peers *peers)
{
    if (!peers)
        return;
    free(peers->peers);
    free(peers);
}
