/* SPDX-License-Identifier: MIT */
/* verify: is what a file holds what was written to it? */
#ifndef MEMSWEEP_STORE_VERIFY_H
#define MEMSWEEP_STORE_VERIFY_H

#include "memsweep/store/store.h"

/* What was found out about one sweep. */
typedef struct msw_verified_sweep {
    char *name;
    uint64_t points, rows; /* of the plan; that are there for them */
    uint64_t damaged;      /* rows whose checksum is wrong */
    uint64_t lost;         /* rows that should be there and are not */
    uint64_t uncovered;    /* rows without a checksum: from an older memsweep */
} msw_verified_sweep;

/* What was found out about a file. */
typedef struct msw_verified {
    msw_verified_sweep *sweeps;
    size_t sweep_count;
    uint64_t records, records_damaged, records_uncovered; /* of the catalogue, kept artifacts */
    uint64_t damages;                                     /* all of them; 0: none was found */
    msw_text findings;                                    /* a line each */
} msw_verified;

/* Compares every row with its checksum, sweeps with their rows, and has SQLite look at the file's
 * structure; changes nothing. Returns 0, also when something is damaged, or -1. */
int msw_store_verify(msw_store *store, msw_verified *verified, msw_err *err);
void msw_verified_free(msw_verified *verified);

#endif
