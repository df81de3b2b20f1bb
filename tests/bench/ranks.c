/* SPDX-License-Identifier: MIT */
/* Requests a coordinator answers, rows it unpacks and rows it unpacks and stores per second,
 * without any work between them. Start it with mpirun -n 5; with --mca btl self,tcp the messages go
 * over TCP.
 */
#include "memsweep/base/clock.h"
#include "run/message.h"
#include "run/pool.h"
#include "store_fixture.h"

#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { AHEAD = 4, ROWS = 4096, MESSAGES = 256, POINTS = ROWS * MESSAGES };
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

typedef struct sink {
    msw_store *store; /* NULL: rows go nowhere */
    int64_t sweep, run;
    toy_plan toy;
} sink;

static void check(int result)
{
    if (result)
        fprintf(stderr, "bench_ranks: %s\n", err.text);
}

/* Receives and unpacks batches, and stores them. Returns the rows. */
static uint64_t take_rows(msw_comm *comm, sink *to)
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
        if (to->store)
            check(msw_store_write(to->store, &to->toy.plan, to->sweep, to->run, batch, &err));
        msw_batch_free(batch);
        send(comm, mail.rank, MSW_SAY_ACK, NULL, 0);
    }
    if (to->store)
        check(msw_store_commit(to->store, &err));
    return rows;
}

static void fill(const sink *to, msw_batch *batch, uint64_t first)
{
    msw_batch_clear(batch);
    for (uint64_t r = 0; r < ROWS; r++)
        toy_row(&to->toy, batch, first + r, MSW_OK);
}

/* Every rank sends its share of the points, a few messages ahead. */
static void send_rows(msw_comm *comm, const sink *to)
{
    msw_mail mail;
    msw_batch *batch = toy_batch(&to->toy);
    int waiting = 0, others = msw_comm_size(comm) - 1;
    fill(to, batch, 0);
    char *packed = malloc(msw_batch_packed_size(batch));
    for (int next = msw_comm_rank(comm) - 1; next < MESSAGES || waiting;) {
        if (waiting < AHEAD && next < MESSAGES) {
            fill(to, batch, (uint64_t)next * ROWS);
            msw_batch_pack(batch, packed);
            send(comm, 0, MSW_SAY_ROWS, packed, msw_batch_packed_size(batch));
            next += others;
            waiting++;
        }
        while (receive(comm, &mail))
            waiting--;
    }
    send(comm, 0, MSW_SAY_BYE, NULL, 0);
    free(packed);
    msw_batch_free(batch);
}

static void open_store(sink *to)
{
    unlink("bench_ranks.db");
    check(msw_store_open("bench_ranks.db", MSW_STORE_WRITE, false, NULL, &to->store, &err) ||
          msw_store_add_sweep(to->store, &to->toy.plan, &to->sweep, &err) ||
          msw_store_begin_run(to->store, to->sweep, &TOY_RUN, &to->run, &err));
}

static void report(const char *what, uint64_t count, double wall, double cpu)
{
    printf("%-44s %9.0f /s, %9.0f per CPU second of rank 0\n", what,
           (double)count / (msw_now() - wall), (double)count / (cpu_seconds() - cpu));
}

static void coordinate(msw_comm *comm, msw_queue *queue, sink *to)
{
    double start = msw_now(), cpu = cpu_seconds();
    report("requests answered", answer(comm, queue), start, cpu);
    start = msw_now(), cpu = cpu_seconds();
    report("rows of 33 columns unpacked", take_rows(comm, to), start, cpu);
    open_store(to);
    start = msw_now(), cpu = cpu_seconds();
    report("rows of 33 columns unpacked and stored", take_rows(comm, to), start, cpu);
    check(msw_store_close(to->store, &err));
    unlink("bench_ranks.db");
}

int main(void)
{
    msw_comm *comm = NULL;
    if (!getenv("OMPI_COMM_WORLD_SIZE") || msw_comm_open(&comm, &err)) {
        printf("ranks: start with mpirun -n 5\n");
        return 0;
    }
    const size_t block = 0;
    msw_schedule order = {UINT64_C(1) << 40, UINT64_C(1) << 40, 1, &block, 0};
    msw_queue queue;
    msw_queue_init(&queue, &order, NULL, order.points);
    sink to = {0};
    toy_plan_init(&to.toy, "bench", POINTS, 1);
    if (msw_comm_rank(comm)) {
        ask(comm);
        send_rows(comm, &to);
        send_rows(comm, &to);
    } else {
        coordinate(comm, &queue, &to);
    }
    toy_plan_free(&to.toy);
    msw_comm_close(comm);
    return 0;
}
