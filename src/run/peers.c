/* Rank 0's dealings with the other ranks: grants, rows, acknowledgements, who is still there. */
#include "run/coordinator.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Messages answered before the keeper looks after its own crew again. */
enum { MAIL_AT_ONCE = 256 };
#define LOOK_SECONDS 1.0

typedef struct peer {
    msw_hello hello;
    uint64_t marks[MSW_WINDOW]; /* rows written when each uncommitted message was, oldest first */
    int unacked;
    bool gone; /* said BYE */
    double heard;
} peer;

struct msw_office {
    const msw_ranks *ranks;
    msw_keeper *keeper;
    peer *peers;
    int present; /* others that have not said BYE */
    bool stop_told, lost;
    uint64_t committed; /* when acknowledgements were last looked at */
    double last_beat, last_look;
};

static void fail(msw_office *office, const msw_err *err)
{
    msw_crew_fail(office->keeper->crew, err);
}

static void say(msw_office *office, int rank, msw_message kind, const void *data, size_t size)
{
    msw_err err = {0};
    msw_mail mail = {rank, kind, data, size};
    if (msw_comm_send(office->ranks->comm, &mail, &err))
        fail(office, &err);
}

static void say_to_all(msw_office *office, msw_message kind)
{
    for (int r = 1; r < office->ranks->size; r++)
        if (!office->peers[r].gone)
            say(office, r, kind, NULL, 0);
}

/* ---- what arrives ---- */

static void grant(msw_office *office, const msw_mail *mail)
{
    msw_request request;
    msw_range range;
    memcpy(&request, mail->data, sizeof request);
    msw_crew_cede(office->keeper->crew, (int)request.workers, request.seconds_per_point, &range);
    say(office, mail->rank, MSW_SAY_GRANT, &range, sizeof range);
}

static void take_rows(msw_office *office, const msw_mail *mail)
{
    msw_err err = {0};
    msw_batch *batch = NULL;
    peer *from = &office->peers[mail->rank];
    if (from->unacked == MSW_WINDOW)
        msw_fail_kind(&err, MSW_ERR_INTERNAL, "rank %d sends too much at once", mail->rank);
    else
        msw_batch_unpack(mail->data, mail->size, &batch, &err);
    if (!batch) {
        fail(office, &err);
        return;
    }
    msw_keeper_take(office->keeper, batch);
    msw_batch_free(batch);
    from->marks[from->unacked++] = office->keeper->written;
}

/* A rank that was told to stop stops the whole run: the launcher means all of it. */
static void part(msw_office *office, const msw_mail *mail)
{
    msw_bye bye;
    memcpy(&bye, mail->data, sizeof bye);
    office->peers[mail->rank].gone = true;
    office->present--;
    if (bye.err.kind) {
        msw_fail_prefix(&bye.err, "rank %d: ", mail->rank);
        fail(office, &bye.err);
    } else if (bye.stopped) {
        msw_crew_halt(office->keeper->crew);
    }
}

static void answer(msw_office *office, const msw_mail *mail)
{
    msw_err err = {0};
    if (msw_message_check(mail, &err)) {
        fail(office, &err);
        return;
    }
    office->peers[mail->rank].heard = msw_now();
    if (mail->kind == MSW_SAY_REQUEST)
        grant(office, mail);
    else if (mail->kind == MSW_SAY_ROWS)
        take_rows(office, mail);
    else if (mail->kind == MSW_SAY_BYE)
        part(office, mail);
}

/* ---- what is due ---- */

static void acknowledge(msw_office *office)
{
    uint64_t committed = msw_keeper_committed(office->keeper);
    if (committed == office->committed)
        return;
    office->committed = committed;
    for (int r = 1; r < office->ranks->size; r++) {
        peer *p = &office->peers[r];
        int safe = 0;
        while (safe < p->unacked && p->marks[safe] <= committed)
            safe++;
        if (!safe)
            continue;
        p->unacked -= safe;
        memmove(p->marks, p->marks + safe, (size_t)p->unacked * sizeof *p->marks);
        msw_ack ack = {(uint64_t)safe};
        if (!p->gone)
            say(office, r, MSW_SAY_ACK, &ack, sizeof ack);
    }
}

static bool is_lost(const msw_office *office, int rank, double now)
{
    const peer *p = &office->peers[rank];
    if (p->gone)
        return false;
    if (strcmp(p->hello.host, office->peers[0].hello.host) == 0 &&
        kill((pid_t)p->hello.pid, 0) != 0 && errno == ESRCH)
        return true;
    return now - p->heard > MSW_SILENCE_SECONDS;
}

static void look_for_lost(msw_office *office, double now)
{
    for (int r = 1; r < office->ranks->size && !office->lost; r++) {
        msw_err err = {0};
        if (!is_lost(office, r, now))
            continue;
        msw_fail_kind(&err, MSW_ERR_IO,
                      "rank %d (process %" PRId64
                      " on %s) is gone: what was committed is kept; run the same command to go on",
                      r, office->peers[r].hello.pid, office->peers[r].hello.host);
        office->lost = office->keeper->result->lost = true;
        fail(office, &err);
    }
}

static void keep_order(msw_office *office)
{
    double now = msw_now();
    bool stopping = msw_crew_stopping(office->keeper->crew);
    if (now - office->last_look > LOOK_SECONDS || (stopping && !office->stop_told)) {
        office->last_look = now;
        look_for_lost(office, now);
    }
    if (now - office->last_beat > MSW_BEAT_SECONDS) {
        office->last_beat = now;
        say_to_all(office, MSW_SAY_BEAT);
    }
    if (stopping && !office->stop_told) {
        office->stop_told = true;
        say_to_all(office, MSW_SAY_STOP);
    }
}

bool msw_office_serve(msw_office *office)
{
    msw_err err;
    msw_mail mail;
    int count = 0, got = 0;
    msw_err_clear(&err);
    while (count < MAIL_AT_ONCE && (got = msw_comm_receive(office->ranks->comm, &mail, &err)) > 0) {
        answer(office, &mail);
        count++;
    }
    if (got < 0) {
        office->lost = office->keeper->result->lost = true;
        fail(office, &err);
    }
    acknowledge(office);
    keep_order(office);
    return count > 0;
}

bool msw_office_finished(const msw_office *office)
{
    return office->lost || !office->present;
}

void msw_office_dismiss(msw_office *office)
{
    if (office->lost)
        return;
    for (int r = 1; r < office->ranks->size; r++)
        say(office, r, MSW_SAY_DONE, NULL, 0);
}

/* ---- opening ---- */

static int greet(msw_office *office, msw_err *err)
{
    int size = office->ranks->size;
    msw_crew *crew = office->keeper->crew;
    msw_hello mine = msw_hello_make(crew->options->threads);
    msw_hello *all = calloc((size_t)size, sizeof *all);
    if (!all)
        return msw_fail_memory(err);
    int rc = msw_comm_gather(office->ranks->comm, &mine, all, sizeof mine, err);
    crew->takers = 0;
    for (int r = 0; r < size && rc == 0; r++) {
        office->peers[r] = (peer){.hello = all[r], .heard = msw_now()};
        crew->takers += (int)all[r].workers;
    }
    free(all);
    return rc;
}

int msw_office_open(msw_office **office, const msw_ranks *ranks, msw_keeper *keeper, msw_err *err)
{
    msw_office *o = calloc(1, sizeof *o);
    if (!o)
        return msw_fail_memory(err);
    *office = o;
    o->ranks = ranks;
    o->keeper = keeper;
    o->present = ranks->size - 1;
    o->last_beat = o->last_look = msw_now();
    o->peers = calloc((size_t)ranks->size, sizeof *o->peers);
    return o->peers ? greet(o, err) : msw_fail_memory(err);
}

void msw_office_close(msw_office *office)
{
    if (!office)
        return;
    free(office->peers);
    free(office);
}
