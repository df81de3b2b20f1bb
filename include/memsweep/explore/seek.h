/* SPDX-License-Identifier: MIT */
/* seek: a search for the front of a space that cannot be listed.
 *
 * A pure state machine: it says which designs to evaluate next, is told what came out, and ends
 * with a statement. No threads, no clock, no store: the same answers give the same choices on any
 * machine. src/explore/seek/README.md has the method and its equations. */
#ifndef MEMSWEEP_EXPLORE_SEEK_H
#define MEMSWEEP_EXPLORE_SEEK_H

#include "memsweep/base/err.h"
#include "memsweep/base/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MSW_SEEK_OBJECTIVES = 8 };

/* A factor is a number of levels; neighbouring ones are alike where it is ordered. */
typedef struct msw_seek_factor {
    uint32_t levels;
    bool ordered;
} msw_seek_factor;

/* Whether `child` acts depends on `parent`: both are numbers of factors. */
typedef struct msw_seek_gate {
    uint32_t parent, child;
} msw_seek_gate;

/* Whether a design belongs to the space, and who it is: designs that differ in nothing that acts
 * have one identity. Returns 1, 0, or -1. */
typedef int (*msw_seek_look_fn)(void *context, const uint32_t *levels, msw_digest *identity,
                                msw_err *err);

typedef struct msw_seek_space {
    size_t factor_count;
    const msw_seek_factor *factors;
    size_t gate_count;
    const msw_seek_gate *gates;
    unsigned objectives;
    bool higher[MSW_SEEK_OBJECTIVES]; /* is better */
    msw_seek_look_fn look;
    void *context;
} msw_seek_space;

/* Where a proposal comes from. */
typedef enum msw_seek_move {
    MSW_SEEK_START,  /* drawn at random before anything is known */
    MSW_SEEK_STEP,   /* a neighbour of an isolated member of the front */
    MSW_SEEK_EFFECT, /* a change that what was learned of changes favours */
    MSW_SEEK_CROSS,  /* of two members */
    MSW_SEEK_GATE,   /* a gate, together with what it makes act */
    MSW_SEEK_JUMP,   /* several changes at once */
    MSW_SEEK_AUDIT,  /* drawn at random at the end */
    MSW_SEEK_MOVES
} msw_seek_move;

/* Returns its word, as the column `role` has it. */
const char *msw_seek_move_name(msw_seek_move move);

/* Shares of the proposals of a round by move, and how bold predictions are taken. */
typedef struct msw_seek_method {
    double share[MSW_SEEK_MOVES];
    double bold;   /* deviations by which a prediction is better than its mean */
    bool isolated; /* the most isolated member goes first; else in turn */
    bool adapt;    /* half of each share goes to the moves that gain */
} msw_seek_method;

extern const msw_seek_method msw_seek_method_default;

typedef struct msw_seek_rules {
    uint64_t evaluations, batch, patience, audit;
    uint64_t seed;
    double confidence;             /* of the statement */
    bool model;                    /* points cost more than choosing them by a model does */
    const msw_seek_method *method; /* NULL: the default */
} msw_seek_rules;

/* `slack` is how far the limit that is missed most is missed,
 * relative to it, 0 or less where all are kept. Of a design that the front covers whatever else it
 * may do, values may be the best that it can have. */
typedef struct msw_seek_answer {
    enum { MSW_SEEK_OK, MSW_SEEK_INFEASIBLE, MSW_SEEK_FAILED } state;
    double value[MSW_SEEK_OBJECTIVES], slack;
} msw_seek_answer;

typedef struct msw_seek_round {
    uint32_t number; /* from 0 */
    bool audit;
    uint64_t first, count; /* slots */
} msw_seek_round;

typedef enum msw_seek_end {
    MSW_SEEK_GOES_ON,
    MSW_SEEK_SPENT,   /* all evaluations were made */
    MSW_SEEK_PATIENT, /* so many without a gain */
    MSW_SEEK_EMPTY    /* no design was found that is not known */
} msw_seek_end;

/* "With `confidence` at most the share `missed` of the space would extend the front." */
typedef struct msw_seek_statement {
    msw_seek_end end;
    uint64_t evaluated, front, infeasible, failed;
    uint64_t last_gain; /* evaluations when the front last grew */
    uint32_t rounds;
    uint64_t draws, found; /* of the audit; how many of them extend the front, or may */
    uint64_t lost;         /* of those, have no answer */
    double missed;         /* NaN: there was no audit */
    uint64_t made[MSW_SEEK_MOVES], gained[MSW_SEEK_MOVES];
} msw_seek_statement;

typedef struct msw_seeker msw_seeker;

/* Makes one; the space has to outlive it. `start` holds the levels of `start_count` designs that
 * the first round evaluates. Returns 0, or -1. */
int msw_seeker_new(const msw_seek_space *space, const msw_seek_rules *rules, const uint32_t *start,
                   size_t start_count, msw_seeker **seeker, msw_err *err);
void msw_seeker_free(msw_seeker *seeker);

/* The next round, after that before was told of. Returns 1, 0 at the end, or -1. */
int msw_seeker_next(msw_seeker *seeker, msw_seek_round *round, msw_err *err);

/* Levels of the design in a slot. */
const uint32_t *msw_seeker_levels(const msw_seeker *seeker, uint64_t slot);

/* Says what came out of a slot of the current round. */
void msw_seeker_tell(msw_seeker *seeker, uint64_t slot, const msw_seek_answer *answer);

/* Whether some member of the front is at least as good as these values in all objectives. */
bool msw_seeker_covers(const msw_seeker *seeker, const double *value);

/* Whether a slot's design is on the front. */
bool msw_seeker_on_front(const msw_seeker *seeker, uint64_t slot);

void msw_seeker_statement(const msw_seeker *seeker, msw_seek_statement *statement);

/* How the front grew: at up to `most` numbers of evaluations its size and its share of the last
 * hypervolume (log axes, from the nadir of the last front + 10 %). Returns how many, or -1. */
typedef struct msw_seek_growth {
    uint64_t evaluations, front;
    double hypervolume;
} msw_seek_growth;
int msw_seeker_growth(const msw_seeker *seeker, msw_seek_growth *growth, size_t most, msw_err *err);

#endif
