/* SPDX-License-Identifier: MIT */
/* Private to explore/seek: what a search knows. */
#ifndef MSW_EXPLORE_SEEK_SEEK_H
#define MSW_EXPLORE_SEEK_SEEK_H

#include "memsweep/analysis/process.h"
#include "memsweep/base/map.h"
#include "memsweep/base/rng.h"
#include "memsweep/explore/seek.h"

enum { SEEK_COSTS = MSW_SEEK_OBJECTIVES + 1 }; /* objectives and slack */

/* A design that was proposed. */
typedef struct seek_row {
    uint64_t hash;          /* of its levels */
    uint32_t parent, round; /* row it was made from, or MSW_NOWHERE */
    uint8_t move;
    bool told;
    msw_seek_answer answer;
} seek_row;

/* A member of the front, or a design near it that stands in where the front is small. */
typedef struct seek_member {
    uint32_t row, tried; /* moves made from it */
    uint32_t next;       /* of its neighbours */
    bool done;           /* all neighbours are known */
    double isolation;
} seek_member;

/* ---- effects.c: what changing a factor does ---- */

typedef struct seek_cell {
    float n, mean[SEEK_COSTS], square[SEEK_COSTS];
} seek_cell;

typedef struct seek_effects {
    size_t factors;
    unsigned costs;
    size_t *first; /* of each factor: its cells; then the cells of its directions */
    unsigned *width;
    seek_cell *cells;
    seek_cell all;
} seek_effects;

typedef struct seek_guess {
    double mean[SEEK_COSTS], variance[SEEK_COSTS];
} seek_guess;

int seek_effects_new(const msw_seek_space *space, seek_effects *effects, msw_err *err);
void seek_effects_free(seek_effects *effects);

/* Learns that changes from one design to another, `changes` of them, changed the costs so. */
void seek_effects_learn(seek_effects *e, const msw_seek_space *space, const uint32_t *from,
                        const uint32_t *to, const double *difference);

/* Adds what changing a factor from one level to another is expected to do. */
void seek_effects_add(const seek_effects *e, const msw_seek_space *space, size_t factor,
                      uint32_t from, uint32_t to, seek_guess *guess);

/* ---- the search ---- */

typedef struct seek_candidate {
    uint32_t *levels; /* in the pool */
    uint64_t hash;
    uint32_t parent;
    uint8_t move; /* that made it */
    double score;
    double cost[SEEK_COSTS]; /* as hoped for */
} seek_candidate;

typedef struct seek_pool {
    seek_candidate *items;
    uint32_t *levels;
    size_t count, room;
} seek_pool;

/* A process of each cost that is asked for. */
typedef struct seek_model {
    msw_process *fit[SEEK_COSTS];
    size_t tuned; /* rows when its lengths were found */
} seek_model;

/* Items there is room for. */
typedef struct seek_rooms {
    size_t rows, costs, levels, members, front;
} seek_rooms;

struct msw_seeker {
    msw_seek_space space;
    msw_seek_rules rules;
    msw_seek_method method;
    msw_rng rng; /* of the round */
    seek_row *rows;
    double *costs;    /* per row: costs as compared, then slack */
    uint32_t *levels; /* per row */
    size_t row_count, round_first;
    seek_rooms room;
    msw_map seen;  /* hashes of levels that are rows, or equal to one */
    msw_map known; /* identities */
    seek_member *members;
    size_t member_count, front_count; /* the front first, then stand-ins */
    double *front;                    /* costs of the front, member by member */
    double range[SEEK_COSTS];         /* of the front */
    bool plain[MSW_SEEK_OBJECTIVES];  /* an objective that had a value of 0 or less */
    seek_effects effects;
    seek_pool pool;
    seek_model model;
    double credit[MSW_SEEK_MOVES];
    uint64_t searched, audited, last_gain;
    uint32_t round;
    bool auditing;
    msw_seek_end end;
    msw_seek_statement statement;
};

static inline const uint32_t *seek_levels(const msw_seeker *s, uint32_t row)
{
    return s->levels + (size_t)row * s->space.factor_count;
}

static inline const double *seek_costs(const msw_seeker *s, uint32_t row)
{
    return s->costs + (size_t)row * SEEK_COSTS;
}

/* A hash that a change of one level changes by two terms. */
static inline uint64_t seek_term(size_t factor, uint32_t level)
{
    uint64_t x = ((uint64_t)factor << 32 | level) + UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static inline uint64_t seek_hash(const msw_seeker *s, const uint32_t *levels)
{
    uint64_t hash = 0;
    for (size_t f = 0; f < s->space.factor_count; f++)
        hash += seek_term(f, levels[f]);
    return hash;
}

/* ---- archive.c ---- */

/* A value of an objective as it is compared: lower is better. */
double seek_cost(const msw_seeker *s, unsigned k, double value);

/* Takes the rows of the round in: front, stand-ins, ranges. Returns 0, or -1. */
int seek_archive_take(msw_seeker *s, msw_err *err);

/* The least factor, in ranges of the front, by which every member is worse than a vector in some
 * cost; below 0 where one is at least as good in all. */
double seek_gap(const msw_seeker *s, const double *front, size_t count, const double *cost);

/* ---- moves.c ---- */

/* Proposes up to `count` designs. Returns 0, or -1. */
int seek_propose(msw_seeker *s, uint64_t count, msw_err *err);

/* Draws levels at random. */
void seek_draw(msw_seeker *s, uint32_t *levels);

/* Returns which candidate of the pool has the highest score, of equal ones the first. */
size_t seek_best_candidate(const msw_seeker *s);

/* Adds a design as a row, if it belongs to the space and equals no other. Returns 1, 0, or -1. */
int seek_add(msw_seeker *s, const uint32_t *levels, uint64_t hash, uint32_t parent,
             msw_seek_move move, msw_err *err);

#endif
