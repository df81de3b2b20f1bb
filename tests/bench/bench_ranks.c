/* Requests a coordinator answers and rows it unpacks per second, without any work between them.
 * Start it with mpirun -n 5; with --mca btl self,tcp the messages go over TCP. */
#include "memsweep/batch.h"
#include "run/comm.h"
#include "run/message.h"
#include "run/pool.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { AHEAD = 4, ROWS = 4096, COLUMNS = 33 };
#define SECONDS 2.0

static msw_err err;

static void send(msw_comm *comm, int rank, int kind, const void *data, size_t size)
{
    msw_mail mail = {rank, kind, data, size};
    if (msw_comm_send(comm, &mail, &err))
        fprintf(stderr, "%s\n", err.text);
}

/* Processors may be fewer than ranks: who has nothing to do lets others. */
static bool receive(msw_comm *comm, msw_mail *mail)
{
    bool got = msw_comm_receive(comm, mail, &err) > 0;
    if (!got)
        sched_yield();
    return got;
}

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Answers until the time is up, then lets everybody go. Returns the requests answered. */
static uint64_t answer(msw_comm *comm, msw_queue *queue)
{
    uint64_t answered = 0;
    msw_mail mail;
    msw_range range;
    int gone = 0;
    double end = msw_now() + SECONDS;
    while (gone < msw_comm_size(comm) - 1) {
        if (!receive(comm, &mail))
            continue;
        if (mail.kind == MSW_SAY_BYE) {
            gone++;
            continue;
        }
        range = (msw_range){0};
        if (msw_now() < end)
            msw_queue_take(queue, 1, &range);
        send(comm, mail.rank, MSW_SAY_GRANT, &range, sizeof range);
        answered++;
    }
    return answered;
}

static void ask(msw_comm *comm)
{
    msw_request request = {1e-6, 1};
    msw_range range = {.wanted = 1};
    msw_mail mail;
    int waiting = 0;
    for (bool going = true; going || waiting;) {
        for (; going && waiting < AHEAD; waiting++)
            send(comm, 0, MSW_SAY_REQUEST, &request, sizeof request);
        if (!receive(comm, &mail))
            continue;
        waiting--;
        range = *(const msw_range *)mail.data;
        going = going && range.wanted;
    }
    send(comm, 0, MSW_SAY_BYE, NULL, 0);
}

/* Receives and unpacks batches. Returns the rows. */
static uint64_t take_rows(msw_comm *comm)
{
    uint64_t rows = 0;
    msw_mail mail;
    msw_batch *batch;
    for (int gone = 0; gone < msw_comm_size(comm) - 1;) {
        if (!receive(comm, &mail))
            continue;
        gone += mail.kind == MSW_SAY_BYE;
        if (mail.kind != MSW_SAY_ROWS || msw_batch_unpack(mail.data, mail.size, &batch, &err))
            continue;
        rows += batch->count;
        msw_batch_free(batch);
        send(comm, mail.rank, MSW_SAY_ACK, NULL, 0);
    }
    return rows;
}

static void send_rows(msw_comm *comm)
{
    msw_mail mail;
    msw_batch *batch = msw_batch_new(ROWS, COLUMNS, 0);
    for (int r = 0; r < ROWS; r++)
        msw_batch_add(batch);
    size_t size = msw_batch_packed_size(batch);
    char *packed = malloc(size);
    double end = msw_now() + SECONDS;
    int waiting = 0;
    while (msw_now() < end || waiting) {
        if (waiting < AHEAD && msw_now() < end) {
            msw_batch_pack(batch, packed);
            send(comm, 0, MSW_SAY_ROWS, packed, size);
            waiting++;
        }
        while (receive(comm, &mail))
            waiting--;
    }
    send(comm, 0, MSW_SAY_BYE, NULL, 0);
    free(packed);
    msw_batch_free(batch);
}

int main(void)
{
    msw_comm *comm = NULL;
    if (!getenv("OMPI_COMM_WORLD_SIZE") || msw_comm_open(&comm, &err)) {
        printf("ranks: start with mpirun -n 5\n");
        return 0;
    }
    const size_t block = 0;
    msw_order order = {UINT64_C(1) << 40, UINT64_C(1) << 40, 1, &block, 0};
    msw_queue queue;
    msw_queue_init(&queue, &order, NULL, order.points);
    if (msw_comm_rank(comm)) {
        ask(comm);
        send_rows(comm);
    } else {
        double start = msw_now(), cpu = cpu_seconds();
        uint64_t requests = answer(comm, &queue);
        double middle = msw_now(), cpu_middle = cpu_seconds();
        uint64_t rows = take_rows(comm);
        printf("%d ranks ask: %.0f requests/s answered, %.0f per CPU second of rank 0\n",
               msw_comm_size(comm) - 1, (double)requests / (middle - start),
               (double)requests / (cpu_middle - cpu));
        printf("rows of %d columns: %.0f rows/s received and unpacked, %.0f per CPU second\n",
               COLUMNS, (double)rows / (msw_now() - middle),
               (double)rows / (cpu_seconds() - cpu_middle));
    }
    msw_comm_close(comm);
    return 0;
}
