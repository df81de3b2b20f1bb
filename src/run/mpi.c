/* SPDX-License-Identifier: MIT */
/* All of MPI. A build without it has the same functions, which say so. */
#include "run/message.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifdef MEMSWEEP_HAVE_MPI

#include "run/pool.h"

#include "memsweep/base/vec.h"

#include <mpi.h>

/* A message on its way out. */
typedef struct parcel {
    struct parcel *next;
    MPI_Request request;
    size_t capacity;
    char *data;
} parcel;

struct msw_comm {
    MPI_Comm world;
    int rank, size;
    bool apart;
    parcel *sent, *spare;
    char *received;
    size_t capacity;
};

/* MPI counts in int. */
enum { CHUNK = 1 << 30 };

#define NAP_FIRST 0.00002
#define NAP_LAST  0.002

static int fail(int code, const char *what, msw_err *err)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int size = 0;
    MPI_Error_string(code, text, &size);
    return msw_fail_kind(err, MSW_ERR_IO, "MPI: %s: %s", what, text);
}

static int check(int code, const char *what, msw_err *err)
{
    return code == MPI_SUCCESS ? 0 : fail(code, what, err);
}

/* Ranks may be more than processors: who waits inside MPI takes one from those that are waited for.
 */
static int finish(MPI_Request *request, const char *what, msw_err *err)
{
    double nap = NAP_FIRST;
    for (int done = 0;;) {
        if (check(MPI_Test(request, &done, MPI_STATUS_IGNORE), what, err))
            return -1;
        if (done)
            return 0;
        msw_nap(nap);
        nap = nap < NAP_LAST ? 1.5 * nap : NAP_LAST;
    }
}

bool msw_comm_possible(void)
{
    return true;
}

static int join(msw_comm *comm, msw_err *err)
{
    int provided;
    if (check(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided), "starting", err))
        return -1;
    if (provided < MPI_THREAD_FUNNELED)
        return msw_fail_kind(err, MSW_ERR_IO, "this MPI library was built without threads");
    if (check(MPI_Comm_dup(MPI_COMM_WORLD, &comm->world), "starting", err))
        return -1;
    MPI_Comm_set_errhandler(comm->world, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm->world, &comm->rank);
    MPI_Comm_size(comm->world, &comm->size);
    return 0;
}

int msw_comm_open(msw_comm **comm, msw_err *err)
{
    msw_comm *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return msw_fail_memory(err);
    if (join(fresh, err)) {
        free(fresh);
        return -1;
    }
    *comm = fresh;
    return 0;
}

static void free_parcels(parcel *list)
{
    while (list) {
        parcel *next = list->next;
        free(list->data);
        free(list);
        list = next;
    }
}

/* A barrier before the end, so that no rank leaves MPI while another one still sends to it. */
void msw_comm_close(msw_comm *comm)
{
    msw_err ignored = {0};
    MPI_Request everybody;
    if (!comm)
        return;
    for (parcel *p = comm->sent; p; p = p->next)
        finish(&p->request, "sending", &ignored);
    if (MPI_Ibarrier(comm->world, &everybody) == MPI_SUCCESS)
        finish(&everybody, "leaving", &ignored);
    free_parcels(comm->sent);
    free_parcels(comm->spare);
    MPI_Comm_free(&comm->world);
    MPI_Finalize();
    free(comm->received);
    free(comm);
}

void msw_comm_abort(msw_comm *comm, int code)
{
    MPI_Abort(comm->world, code);
}

int msw_comm_part(msw_comm *comm)
{
    comm->apart = true;
    return -1;
}

bool msw_comm_is_apart(const msw_comm *comm)
{
    return comm->apart;
}

int msw_comm_rank(const msw_comm *comm)
{
    return comm->rank;
}

int msw_comm_size(const msw_comm *comm)
{
    return comm->size;
}

int msw_comm_share(msw_comm *comm, void *data, size_t size, msw_err *err)
{
    char *bytes = data;
    for (size_t at = 0; at < size; at += CHUNK) {
        MPI_Request request;
        int count = size - at < CHUNK ? (int)(size - at) : CHUNK;
        if (check(MPI_Ibcast(bytes + at, count, MPI_BYTE, 0, comm->world, &request), "sharing",
                  err) ||
            finish(&request, "sharing", err))
            return msw_comm_part(comm);
    }
    return 0;
}

int msw_comm_gather(msw_comm *comm, const void *mine, void *all, size_t size, msw_err *err)
{
    MPI_Request request;
    return check(MPI_Iallgather(mine, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, comm->world,
                                &request),
                 "gathering", err) ||
                   finish(&request, "gathering", err)
               ? msw_comm_part(comm)
               : 0;
}

/* Puts parcels that have left aside for the next ones. */
static int collect(msw_comm *comm, msw_err *err)
{
    for (parcel **link = &comm->sent; *link;) {
        parcel *p = *link;
        int left = 0;
        if (check(MPI_Test(&p->request, &left, MPI_STATUS_IGNORE), "sending", err))
            return -1;
        if (left) {
            *link = p->next;
            p->next = comm->spare;
            comm->spare = p;
        } else {
            link = &p->next;
        }
    }
    return 0;
}

/* MPI reads the bytes until the message has left, so each message has a copy of its own; parcels
 * are used again. */
static parcel *wrap(msw_comm *comm, const void *data, size_t size)
{
    parcel *p = comm->spare;
    if (p)
        comm->spare = p->next;
    else
        p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    if (msw_vec_reserve(&p->data, &p->capacity, size, 1, NULL)) {
        p->next = comm->spare;
        comm->spare = p;
        return NULL;
    }
    if (size)
        memcpy(p->data, data, size);
    return p;
}

int msw_comm_send(msw_comm *comm, const msw_mail *mail, msw_err *err)
{
    if (mail->size > INT_MAX)
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "a message of %zu bytes", mail->size);
    if (collect(comm, err))
        return -1;
    parcel *p = wrap(comm, mail->data, mail->size);
    if (!p)
        return msw_fail_memory(err);
    p->next = comm->sent;
    comm->sent = p;
    return check(MPI_Isend(p->data, (int)mail->size, MPI_BYTE, mail->rank, mail->kind, comm->world,
                           &p->request),
                 "sending", err);
}

bool msw_comm_sending(msw_comm *comm)
{
    msw_err err = {0};
    return collect(comm, &err) == 0 && comm->sent;
}

/* After the probe the message is there, so the receive does not wait. One thread receives, so that
 * nobody takes the message in between. */
int msw_comm_receive(msw_comm *comm, msw_mail *mail, msw_err *err)
{
    MPI_Status status;
    int there = 0, size = 0;
    if (check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm->world, &there, &status), "receiving",
              err))
        return -1;
    if (!there)
        return 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    if (msw_vec_reserve(&comm->received, &comm->capacity, (size_t)size, 1, NULL))
        return msw_fail_memory(err);
    if (check(MPI_Recv(comm->received, size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG,
                       comm->world, MPI_STATUS_IGNORE),
              "receiving", err))
        return -1;
    *mail = (msw_mail){status.MPI_SOURCE, status.MPI_TAG, comm->received, (size_t)size};
    return 1;
}

#else

bool msw_comm_possible(void)
{
    return false;
}

static int none(msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO, "this memsweep was built without MPI");
}

int msw_comm_open(msw_comm **comm, msw_err *err)
{
    *comm = NULL;
    return none(err);
}

void msw_comm_close(msw_comm *comm)
{
    (void)comm;
}

void msw_comm_abort(msw_comm *comm, int code)
{
    (void)comm;
    (void)code;
}

int msw_comm_part(msw_comm *comm)
{
    (void)comm;
    return -1;
}

bool msw_comm_is_apart(const msw_comm *comm)
{
    (void)comm;
    return false;
}

int msw_comm_rank(const msw_comm *comm)
{
    (void)comm;
    return 0;
}

int msw_comm_size(const msw_comm *comm)
{
    (void)comm;
    return 1;
}

int msw_comm_share(msw_comm *comm, void *data, size_t size, msw_err *err)
{
    (void)comm;
    (void)data;
    (void)size;
    return none(err);
}

int msw_comm_gather(msw_comm *comm, const void *mine, void *all, size_t size, msw_err *err)
{
    (void)comm;
    (void)mine;
    (void)all;
    (void)size;
    return none(err);
}

int msw_comm_send(msw_comm *comm, const msw_mail *mail, msw_err *err)
{
    (void)comm;
    (void)mail;
    return none(err);
}

bool msw_comm_sending(msw_comm *comm)
{
    (void)comm;
    return false;
}

int msw_comm_receive(msw_comm *comm, msw_mail *mail, msw_err *err)
{
    (void)comm;
    (void)mail;
    return none(err);
}

#endif
