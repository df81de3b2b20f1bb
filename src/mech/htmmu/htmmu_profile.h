/* Private to htmmu: what the closed form knows of a stream. */
#ifndef MEMSWEEP_HTMMU_PROFILE_H
#define MEMSWEEP_HTMMU_PROFILE_H

#include "htmmu_memory.h"

enum {
    HTMMU_BINS = 96,  /* of stack distances: exact below 16, then 4 per power of two */
    HTMMU_SIZES = 12, /* capacities 8 .. 2^14 pages */
    HTMMU_SIZE_FIRST = 3,
    HTMMU_SPANS = 17, /* requests since: below 1, 2, 4 .. 2^16 */
    HTMMU_RANKS = 9,  /* how manieth repeat: up to 1, 2, 4 .. 2^8 */
    HTMMU_LIMITS = 7,
    HTMMU_PARTS = 3,
    HTMMU_UPPER = 4,   /* levels above the leaf, at most */
    HTMMU_FILTERS = 4, /* capacities 2^4, 2^7, 2^10, 2^13 whose walks are followed by path */
};

/* Counts by stack distance: bin_of(d), those of keys never seen before apart. */
typedef struct htmmu_distances {
    double count[HTMMU_BINS];
    double cold, total;
} htmmu_distances;

/* A page is fresh for a TLB of c pages when c or more others were used since. The requests on it
 * that follow within a walk repeat it. */
typedef struct htmmu_part {
    htmmu_distances pages; /* of runs */
    double requests;
    double fresh[HTMMU_SIZES]; /* by capacity */
    /* Repeats less than 2^span requests after the fresh one, of those up to the 2^rank-th each. */
    double repeats[HTMMU_SIZES][HTMMU_SPANS][HTMMU_RANKS];
} htmmu_part;

/* A stream goes at different speeds where few, some or most of its runs are fresh: its units are
 * told apart by that. */
typedef struct htmmu_profile {
    htmmu_part parts[HTMMU_PARTS];
    const uint8_t *part; /* by unit */
    double requests;
    /* Fresh pages of a filter's capacity by how many other paths were walked since one that shares
     * the first level + 1 indices: their counts below each bin's floor. */
    double paths[HTMMU_FILTERS][HTMMU_UPPER][HTMMU_BINS];
    double walked[HTMMU_FILTERS];
    unsigned upper; /* levels above the leaf, of the smaller page */
} htmmu_profile;

/* How the banks of the first TLB meet the requests. */
typedef struct htmmu_banks {
    htmmu_distances home[HTMMU_PARTS];    /* each request in the bank its address names */
    htmmu_distances scatter[HTMMU_PARTS]; /* each in any bank */
    double busiest;                       /* share of the bank named most */
    double cycles;                        /* of dispatch in order, one request per bank and cycle */
    /* Misses in order until a bank has more than 1, 2, 4 .. 64, mean. */
    double until_full[HTMMU_LIMITS];
} htmmu_banks;

/* How page-table accesses meet the banks of memory, were walks made one after the other for pages
 * that 512 entries do not hold. */
typedef struct htmmu_rows {
    double hit_rate; /* of accesses, in an open row */
    double channels; /* over which they are spread evenly; 0: memory_model: fixed */
} htmmu_rows;

int htmmu_build_rows(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                     msw_err *err);
int htmmu_build_profile(const msw_task *task, const void *extra, msw_arena *arena,
                        const void **root, msw_err *err);
int htmmu_build_banks(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err);

/* Log2 of the pages that a walk brings into an entry. */
static inline unsigned htmmu_coalesce_shift(const htmmu_config *config, int64_t coalesce)
{
    unsigned shift = 0;
    while (config->coalesce_fill == HTMMU_FILL_BLOCK && coalesce >> shift > 1)
        shift++;
    return shift;
}

/* The block of 2^shift pages that a page lies in. */
static inline uint64_t htmmu_block(uint64_t page, unsigned shift)
{
    return page >> (6 + shift) << 6 | (page & 63);
}

static inline int htmmu_bin_of(uint32_t distance)
{
    unsigned octave = 4;
    if (distance < 16)
        return (int)distance;
    while (distance >> octave > 1)
        octave++;
    int bin = 16 + 4 * ((int)octave - 4) + (int)(distance >> (octave - 2) & 3);
    return bin < HTMMU_BINS ? bin : HTMMU_BINS - 1;
}

/* The smallest distance of a bin. */
static inline double htmmu_bin_floor(int bin)
{
    if (bin < 16)
        return bin;
    return (double)(4 + bin % 4) * (double)((uint64_t)1 << (bin / 4 - 2));
}

static inline double htmmu_bin_width(int bin)
{
    return bin < 16 ? 1 : (double)((uint64_t)1 << (bin / 4 - 2));
}

#endif
