/* SPDX-License-Identifier: MIT */
/* Private to mpu: the data TSVs of a core, and the mesh of all cores with messages between them.
 *
 * A slot of the TSVs is a beat; what is sent takes the first free slots from its time on, so that
 * something reserved for later does not hold up what comes now.
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

enum { MPU_TSV_WORDS = 128, MPU_TSV_UP = 0, MPU_TSV_DOWN = 1 };

typedef struct mpu_tsv_way {
    uint64_t taken[MPU_TSV_WORDS]; /* bit per slot; a ring */
    uint64_t first;                /* word of the earliest slot stored */
    uint64_t full;                 /* slot from which all are free, when the ring overflows */
} mpu_tsv_way;

typedef struct mpu_tsv {
    mpu_tsv_way ways[2];
    bool duplex;
    uint32_t slot_bytes;
    double slots_per_cycle;
    uint32_t whole; /* the same, where it is a whole number; else 0 */
    uint32_t shift; /* of slot_bytes, where that is a power of two; else 64 */
    uint64_t slots; /* taken since the start */
    uint64_t delay; /* cycles */
} mpu_tsv;

void mpu_tsv_init(mpu_tsv *tsv, const mpu_config *config);

/* Slots before `now` are past. */
void mpu_tsv_pass(mpu_tsv *tsv, uint64_t now);

/* Sends bytes one way from `time` on. Returns the cycle at which they have arrived; 0 bytes arrive
 * after the delay. */
uint64_t mpu_tsv_send(mpu_tsv *tsv, int way, uint64_t time, uint64_t bytes);

/* A request, and later its answer. */
typedef struct mpu_message {
    uint64_t time; /* sent; then: arrives */
    uint64_t tail; /* on its way: its end has passed the last link */
    uint16_t x, y; /* on its way: next node */
    uint32_t from, to;
    uint32_t flight; /* of the requester */
    uint32_t next;   /* in an inbox, or of the free ones */
    uint32_t blocks; /* that it requests, of `to`; the requester's flight names them */
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
