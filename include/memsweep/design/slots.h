/* SPDX-License-Identifier: MIT */
/* slots: the points that a search has chosen so far, each by its number in a lattice.
 *
 * A space is a lattice: a factor has its levels, a continuous one steps from its first value to
 * its last. A design is one number of at most 127 bits. Slots are filled in the order
 * in which points are chosen, by one thread while no other reads. */
#ifndef MEMSWEEP_DESIGN_SLOTS_H
#define MEMSWEEP_DESIGN_SLOTS_H

#include "memsweep/design/design.h"

enum { MSW_LATTICE_STEPS = 1 << 20, MSW_LATTICE_FACTORS = 512, MSW_SEARCH_OBJECTIVES = 5 };

/* A number of 128 bits: levels as digits, the first factor's first. */
typedef struct msw_wide {
    uint64_t hi, lo;
} msw_wide;

typedef struct msw_slots {
    size_t factor_count;
    const uint64_t *levels; /* of each factor; 0: a continuous one */
    double designs;         /* of the lattice, about */
    msw_wide *list;
    uint64_t count, shared; /* filled; known to all ranks */
    size_t room;
} msw_slots;

/* Proposers of designs; auto: the model where a point is simulated. */
typedef enum msw_proposals {
    MSW_PROPOSALS_MOVES,
    MSW_PROPOSALS_MODEL,
    MSW_PROPOSALS_AUTO
} msw_proposals;

/* The settings of design search, by its parameter table. */
typedef struct msw_search_config {
    int64_t evaluations, batch, patience, audit, spare, proposals;
} msw_search_config;

extern const msw_design msw_design_search;

/* The slots of a prepared design, which must be a search. */
static inline msw_slots *msw_slots_of(const msw_design_state *state)
{
    return state->data;
}

/* Levels of a factor, those of a continuous one included. */
static inline uint32_t msw_slots_levels(const msw_slots *slots, size_t factor)
{
    uint64_t levels = slots->levels[factor];
    return levels ? (uint32_t)levels : MSW_LATTICE_STEPS;
}

msw_wide msw_wide_of(const msw_slots *slots, const uint32_t *levels);
void msw_wide_levels(const msw_slots *slots, msw_wide index, uint32_t *levels);

/* Coordinates (MSW_COORDS_UNIT) of levels. */
void msw_wide_coords(const msw_slots *slots, const uint32_t *levels, double *coords);

/* Fills the next slot. Returns 0, or -1. */
int msw_slots_add(msw_slots *slots, msw_wide index, msw_err *err);

#endif
