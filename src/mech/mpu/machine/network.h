/* SPDX-License-Identifier: MIT */
/* Private to mpu: the mesh of all cores, and messages between them.
 *
 * Cores and cubes are one rectangle; messages go first along x, then along y. A link serves them in
 * the order in which they reach it: a message of b bytes that reaches link k at time a starts at
 * s = max(a, free_k), holds it for ceil(b / width_k) cycles, and its head reaches the next link at
 * s + hop_k. It has arrived when its tail has left the last link. */
#ifndef MSW_MECH_MPU_MACHINE_NETWORK_H
#define MSW_MECH_MPU_MACHINE_NETWORK_H

#include "mech/mpu/config.h"
#include "memsweep/base/arena.h"
#include "memsweep/sim/event.h"

/* A request, and later its answer. */
typedef struct mpu_message {
    uint64_t time; /* sent; then: arrives */
    uint64_t tail; /* on its way: its end has passed the last link */
    uint16_t x, y; /* on its way: next node */
    uint32_t from, to;
    uint32_t flight; /* of the requester */
    uint32_t next;   /* in an inbox, or of the free ones */
    uint32_t blocks; /* that it asks for, of `to`; the requester's flight names them */
    uint64_t bytes, answer_bytes;
    bool is_answer;
} mpu_message;

typedef struct mpu_inbox {
    uint32_t first, last; /* by time of arrival */
} mpu_inbox;

typedef struct mpu_network {
    uint32_t width, height, tile_width, tile_height, cores_per_cube, columns;
    double on_bytes, off_bytes; /* per core cycle */
    uint64_t hop;               /* core cycles */
    uint64_t least;             /* cycles from any core to another */
    uint64_t *free;             /* [node * 4 + way] */
    mpu_message *messages;
    uint32_t message_count, used_messages, free_message, under_way;
    msw_event_queue hops; /* heads that reach a node */
    msw_event_queue arrivals;
    uint64_t last_active;
} mpu_network;

/* Prepares it. Memory comes from the arena. Returns 0, or -1 when it runs out. */
int mpu_network_init(mpu_network *network, const mpu_config *config, uint32_t messages,
                     msw_arena *arena);

/* Takes a free message. Returns its number, UINT32_MAX when there is none. */
uint32_t mpu_message_new(mpu_network *network);
void mpu_message_free(mpu_network *network, uint32_t message);

/* Put a message last into an inbox; take the first one out. */
void mpu_inbox_put(mpu_network *network, mpu_inbox *inbox, uint32_t message);
uint32_t mpu_inbox_take(mpu_network *network, mpu_inbox *inbox);

/* Hands a message over, to be sent at its time. */
void mpu_network_post(mpu_network *network, uint32_t message);

/* Moves heads on that reach a node before `until`. None arrives before `earliest`. */
void mpu_network_move(mpu_network *network, uint64_t until, uint64_t earliest);

#endif
