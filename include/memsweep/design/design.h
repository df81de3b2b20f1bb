/* SPDX-License-Identifier: MIT */
/* design: ways of choosing the points of a space.
 *
 * A design answers `point(i)` for any i in any order, so ranks exchange numbers and not
 * configurations. It sees factors only as a number of levels (0: continuous) and answers in
 * coordinates; param/space turns coordinates into parameter values. */
#ifndef MEMSWEEP_DESIGN_DESIGN_H
#define MEMSWEEP_DESIGN_DESIGN_H

#include "memsweep/param/space.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a design honours `where`. */
typedef enum msw_constrained {
    MSW_CONSTRAINED_FILTER, /* keeps the points that pass (grid, list) */
    MSW_CONSTRAINED_REJECT, /* draws on until enough points pass (random, lhs, sobol, halton) */
    MSW_CONSTRAINED_REFUSE  /* needs its groups whole: only when the user asks for conditional
                               sampling, and then draws on until enough groups pass entirely */
} msw_constrained;

/* Asks whether a point passes. Returns 1, 0, or -1 with `err`. */
typedef int (*msw_accept_fn)(void *context, const double *coords, msw_err *err);

/* One factor of a list: its values, and which of them each row has. */
typedef struct msw_list_column {
    const double *values; /* distinct, ascending */
    const void *codes;    /* row by row: position in `values` */
    unsigned width;       /* bytes of a code: 1, 2 or 4 */
} msw_list_column;

/* What a design is prepared from; the caller keeps the pointed-to data alive. */
typedef struct msw_design_input {
    size_t factor_count;
    const uint64_t *levels; /* of each factor; 0 = continuous */
    /* morris, saltelli: the group of each factor, where several vary as one. Groups are numbered by
     * their first factors; NULL: every factor is its own. */
    const unsigned *group_of;
    size_t group_count;
    uint64_t seed;
    const void *config;   /* the design's own settings, by its parameter table */
    msw_accept_fn accept; /* NULL: everything passes */
    void *accept_context;
    /* list only: a column per factor, as read by the sweep module */
    const msw_list_column *list_columns;
    size_t list_rows;
} msw_design_input;

/* A prepared design: immutable, shared by threads. */
typedef struct msw_design_state {
    uint64_t count;   /* accepted points */
    uint64_t drawn;   /* points drawn to find them (acceptance rate = count / drawn) */
    uint64_t group;   /* points per base row or trajectory; 0 = none */
    uint64_t *raw;    /* raw index of each accepted point; NULL when index = raw index */
    bool conditional; /* some base rows or trajectories were left out because a point failed */
    void *data;       /* the design's own, freed by `release` */
} msw_design_state;

typedef struct msw_design {
    const char *name, *title;
    int version; /* part of the plan: the same version gives the same points for ever */
    const msw_param *params;
    size_t config_size;
    msw_coords coords;
    msw_constrained constrained;
    bool distinct;     /* no two points are equal when every factor has distinct levels */
    bool needs_levels; /* every factor must have levels (grid) */
    bool searches;     /* points are chosen while the sweep runs (slots.h) */
    /* Structure for analysis: points per base row or trajectory. NULL: none. */
    uint64_t (*group_size)(const msw_design_input *input);
    /* Whether the user asked for conditional sampling. NULL unless `constrained` is REFUSE. */
    bool (*conditional)(const msw_design_input *input);
    /* Places a continuous factor can take (its settings given). NULL: any number. */
    uint64_t (*positions)(const void *config);
    /* Raw points before constraints; UINT64_MAX where drawing can go on for ever. */
    uint64_t (*raw_count)(const msw_design_input *input);
    /* Builds shared data (direction numbers, permutations). May be NULL. Returns 0 or -1. */
    int (*prepare)(const msw_design_input *input, void **data, msw_err *err);
    void (*release)(void *data);
    /* Coordinates of raw point i. No allocation, no failure, any order, any thread. */
    void (*point)(const msw_design_input *input, const void *data, uint64_t raw, double *coords);
    /* Points asked for (random-like: the `points` setting; grid: all). */
    uint64_t (*wanted)(const msw_design_input *input);
} msw_design;

/* All designs, ended by NULL. */
extern const msw_design *const msw_designs[];

/* Finds a design by name. Returns it, or NULL. */
const msw_design *msw_design_find(const char *name);

/* Prepares a design: counts, draws and filters. Refuses a space without points and constraints
 * that let (nearly) nothing through. Returns 0, or -1 with `err`. */
int msw_design_prepare(const msw_design *design, const msw_design_input *input,
                       msw_design_state *state, msw_err *err);

/* Coordinates of accepted point i < count. */
void msw_design_point(const msw_design *design, const msw_design_input *input,
                      const msw_design_state *state, uint64_t i, double *coords);

/* Frees what prepare made. */
void msw_design_release(const msw_design *design, msw_design_state *state);

#endif
