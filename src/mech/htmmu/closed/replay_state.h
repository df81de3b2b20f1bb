/* SPDX-License-Identifier: MIT */
/* Private to the replay: its state, and what its two halves ask of each other. */
#ifndef MSW_MECH_HTMMU_CLOSED_REPLAY_STATE_H
#define MSW_MECH_HTMMU_CLOSED_REPLAY_STATE_H

#include "mech/htmmu/closed/replay.h"

#include "memsweep/base/bits.h"

enum {
    MISSES = 4096, /* under way at once, at most; a power of two */
    WALKS = 2048,  /* and look-ups under way, at most; a power of two */
    NONE = 0xFFFF,
    PARKED_HIT = 0xFFFE, /* a request that will find its page in the second TLB */
};

#define NEVER 1e300

typedef struct miss {
    uint16_t page, block, next;
    uint8_t bank;
    bool registered; /* holds a register of its bank */
    double since;    /* its look-up */
    double looked;   /* when the second TLB has looked for it */
} miss;

typedef struct walk {
    double end;
    uint16_t page, block, items, first, last; /* first, last: of the misses it answers */
    bool look_up;                             /* of the second TLB, which holds the page */
} walk;

typedef struct page_state {
    uint16_t walk; /* the youngest of it, or NONE */
    bool walked;   /* since it was dropped */
    float read;    /* reads of all walks until its last one had made its own */
    uint16_t held; /* misses that wait in a register of another */
    uint16_t under_way;
    uint32_t banks;   /* that hold it */
    uint32_t pending; /* in which a register waits for it */
    uint32_t touched; /* that were asked for it since it was dropped */
} page_state;

typedef struct bank_state {
    uint16_t in_use, parked;
} bank_state;

typedef struct queue {
    uint16_t items[MISSES];
    uint32_t head, tail;
} queue;

typedef struct replayed_banks {
    uint32_t streams, open;            /* open: banks that are not blocked */
    uint32_t all, stalled, used, full; /* bit per bank */
    int64_t cycle;                     /* in which `used` holds */
    uint32_t turn;
    bank_state list[HTMMU_BANKS];
} replayed_banks;

typedef struct replayed_walks {
    double next_end; /* or NEVER */
    walk list[WALKS];
    uint16_t order[WALKS], free[WALKS]; /* order: a ring, by their ends */
    uint32_t head, tail, free_count;
    uint32_t under_way; /* of these, without look-ups */
} replayed_walks;

typedef struct replayer {
    const htmmu_pace *pace;
    const htmmu_config *config;
    htmmu_replay *result;
    double now, l1_rate, l2_cycles, l2_step, l2_free, step;
    double start;               /* of a walk that is begun now */
    uint32_t inside, window;    /* misses under way */
    uint32_t registers, in_use; /* of all banks */
    double lined;               /* other requests in the line of the second TLB */
    bool l2_stalled;
    uint32_t l2_open;
    htmmu_cause refusal;
    double park_debt, block_debt; /* parts of a request that parks, of one that is blocked */
    replayed_banks banks;
    uint16_t free_miss, miss_count;
    miss misses[MISSES];
    queue line, ptu; /* line: for the second TLB, while it is blocked */
    replayed_walks walks;
    uint8_t blocks[2 * HTMMU_ITEMS]; /* in the second TLB; two copies, as of the pages */
    page_state pages[2 * HTMMU_ITEMS];
} replayer;

static inline bool is_empty(const queue *q)
{
    return q->head == q->tail;
}

static inline void push(queue *q, uint16_t item)
{
    q->items[q->tail++ % MISSES] = item;
}

/* Takes a register for a miss, which goes on as far as it can. */
void htmmu_replay_take_register(replayer *r, uint16_t number);

/* A miss goes on as far as it can, beside the register that its bank holds for its page. */
void htmmu_replay_pass_register(replayer *r, uint16_t number);

/* The bank takes no requests. */
void htmmu_replay_stand(replayer *r, uint32_t bank);

/* Lets pass the time until walks end, and ends them. */
void htmmu_replay_wait(replayer *r, htmmu_cause cause);

/* Ends all walks that end by now, and lets go on what waited for them. */
void htmmu_replay_end_walks(replayer *r);

#endif
