/* SPDX-License-Identifier: MIT */
/* lattice: the space of a search, as numbers of levels: which designs belong to it, which of them
 * are equal, and which factors decide whether others act. */
#ifndef MEMSWEEP_SWEEP_LATTICE_H
#define MEMSWEEP_SWEEP_LATTICE_H

#include "memsweep/sweep/sweep.h"

/* Whether factor `child` acts depends on factor `parent`. */
typedef struct msw_lattice_gate {
    uint32_t parent, child;
} msw_lattice_gate;

/* Belongs to one thread. */
typedef struct msw_lattice msw_lattice;

/* Makes that of a plan whose design is a search. Returns 0, or -1. */
int msw_lattice_new(const msw_plan *plan, msw_lattice **lattice, msw_err *err);
void msw_lattice_free(msw_lattice *lattice);

/* Whether neighbouring levels of a factor are alike. */
bool msw_lattice_ordered(const msw_plan *plan, size_t factor);

/* Lists the gates. Returns how many. */
size_t msw_lattice_gates(const msw_lattice *lattice, const msw_lattice_gate **gates);

/* Asks whether a design belongs to the space: `where` holds and its expressions have values. Then
 * `identity` is the same for all designs that differ from it in nothing that acts. Returns 1, 0,
 * or -1 when memory runs out. */
int msw_lattice_look(msw_lattice *lattice, const uint32_t *levels, msw_digest *identity,
                     msw_err *err);

#endif
