/* SPDX-License-Identifier: MIT */
/* Private to htmmu: what the closed form knows about a stream. */
#ifndef MSW_MECH_HTMMU_CLOSED_PROFILE_H
#define MSW_MECH_HTMMU_CLOSED_PROFILE_H

#include "mech/htmmu/stream.h"

#include "memsweep/base/map.h"

enum {
    HTMMU_BINS = 96,  /* of stack distances: exact below 16, then 4 per power of two */
    HTMMU_SIZES = 12, /* capacities 8 .. 2^14 pages */
    HTMMU_SIZE_FIRST = 3,
    HTMMU_UPPER = 4,   /* levels above the leaf, at most */
    HTMMU_FILTERS = 4, /* capacities 2^4, 2^7, 2^10, 2^13 whose walks are followed by path */
    HTMMU_SETS = 13,   /* numbers of sets 1, 2, 4 .. 2^12 */
    HTMMU_WAYS = 16,
    HTMMU_SPANS = 9,            /* walks since: below 1, 2, 4 .. 256 */
    HTMMU_ITEMS = 1320,         /* of a sample, at most; so many pages, too */
    HTMMU_AT_ONCE = 5,          /* walks at once that are compared: 1, 4, 16, 64, 256 */
    HTMMU_COMPARED = 8192,      /* walks by which they are */
    HTMMU_FAR = HTMMU_BINS + 1, /* bins; the last: keys never seen before */
};

/* Counts by stack distance: bin_of(d), those of keys never seen before apart. */
typedef struct htmmu_distances {
    double count[HTMMU_BINS];
    double cold, total;
} htmmu_distances;

/* Counts by stack distance within a set, for each number of sets; last: HTMMU_WAYS and more. */
typedef struct htmmu_sets {
    double count[HTMMU_SETS][HTMMU_WAYS + 1];
} htmmu_sets;

/* The pages used last, in order, in each set of each number of sets. */
typedef struct htmmu_stacks {
    uint64_t *keys[HTMMU_SETS]; /* + 1; 0: nothing */
    unsigned numbers;           /* of sets that are followed */
} htmmu_stacks;

/* Starts empty, with 1 .. 2^(numbers - 1) sets. Returns 0, or -1. */
int htmmu_stacks_open(htmmu_stacks *stacks, unsigned numbers, msw_arena *arena, msw_err *err);

/* Uses a page (or block of pages) and counts at which distances. */
void htmmu_stacks_use(htmmu_stacks *stacks, uint64_t page, htmmu_sets *counts);

/* Numbers for keys as they come: a hash table. */
typedef struct htmmu_numbering {
    msw_set keys;
    uint32_t *numbers; /* by the keys' slots */
    uint32_t count;
} htmmu_numbering;

/* Starts empty, for at most `most` keys. Returns 0, or -1. */
int htmmu_numbering_open(htmmu_numbering *numbering, uint64_t most, msw_arena *arena, msw_err *err);

/* Returns the number of a key, a new one if it has none. */
uint32_t htmmu_number_of(htmmu_numbering *numbering, uint64_t key);

/* The pages of each block: entries that hold only pages that were walked into them. */
typedef struct htmmu_parts {
    htmmu_numbering blocks;
    uint32_t
        *since;     /* by block and page: largest distance of the block since the page's last use */
    unsigned shift; /* log2 of the pages of a block; 0: nothing is followed */
} htmmu_parts;

/* Starts empty, for at most `most` blocks of an entry of `coalesce` pages. Returns 0, or -1. */
int htmmu_parts_open(htmmu_parts *parts, const htmmu_config *config, int64_t coalesce,
                     uint64_t most, msw_arena *arena, msw_err *err);

/* Uses a page whose block has this stack distance. Returns the distance of the page: its entry was
 * not dropped since its last use where all distances of the block since then were small enough. */
uint32_t htmmu_parts_use(htmmu_parts *parts, uint64_t page, uint32_t distance);

/* A visit to a page that was fetched not long ago, or is now. */
typedef struct htmmu_item {
    uint32_t gap; /* requests on other pages before it */
    uint32_t requests;
    uint32_t first;       /* number of its first access in the stream */
    uint16_t page, block; /* numbers within the sample */
    bool fresh;           /* c or more other pages were used since its last use */
} htmmu_item;

/* A sample of the misses of a TLB of c pages: stretches of the stream, each from one fresh visit to
 * before another, or all of it (sample.c). */
typedef struct htmmu_sample {
    const htmmu_item *items;
    const uint64_t *pages; /* keys by number */
    uint32_t item_count, page_count, block_count;
    double requests, fresh; /* of it */
    double all_fresh;       /* of the stream */
    double touches[5];      /* first requests of fetched pages in each of 1, 2, 4, 8, 16 banks */
} htmmu_sample;

typedef struct htmmu_profile {
    htmmu_distances pages;  /* of visits */
    htmmu_distances blocks; /* the same, of their entries */
    htmmu_sets sets;        /* of visits, their entries */
    double requests;
    htmmu_sample samples[HTMMU_SIZES]; /* by capacity */
    /* Fresh pages of a filter's capacity by how many other paths were walked since one that shares
     * the first level + 1 indices: their counts below each bin's floor. */
    double paths[HTMMU_FILTERS][HTMMU_UPPER][HTMMU_BINS];
    double walked[HTMMU_FILTERS]; /* their pages */
    /* Of these, those that began less than 2^span walks behind the one that brought in their path's
     * first level + 1 indices. */
    double behind[HTMMU_FILTERS][HTMMU_UPPER][HTMMU_SPANS];
    unsigned upper;         /* levels above the leaf, of the smaller page */
    const uint8_t *filters; /* by visit: the filters that do not hold its page, first ones first */
    const uint8_t *bins;    /* by visit: of its distance */
} htmmu_profile;

/* Walks of which so many are under way, each. */
typedef struct htmmu_together {
    double accesses; /* that the path cache does not save */
    double reads;    /* of these, those that no line answers */
    double taken;    /* time, with what it waits for others' reads, in reads */
} htmmu_together;

/* Walks of the pages that a filter does not hold, made one after the other: what the path cache and
 * the lines of the table leave of their accesses. */
typedef struct htmmu_reads {
    double walks;
    double accesses;                       /* that the path cache does not save */
    double reads;                          /* of these, those that no line answers */
    htmmu_together at_once[HTMMU_AT_ONCE]; /* of the first HTMMU_COMPARED walks */
} htmmu_reads;

typedef struct htmmu_table {
    htmmu_reads filters[HTMMU_FILTERS]; /* without walks: nobody asks */
} htmmu_table;

/* Which bank takes a request: the one that its address names, or, with an adaptive router, the
 * banks in turn. */
enum { HTMMU_HOME, HTMMU_TURN, HTMMU_DEALS };

/* How the banks of the first TLB meet the requests. */
typedef struct htmmu_banks {
    htmmu_distances distances[HTMMU_DEALS]; /* of requests, within their bank */
    htmmu_distances blocks[HTMMU_DEALS];    /* the same, of their entries */
    htmmu_sets sets[HTMMU_DEALS];
    const uint8_t *bins[HTMMU_DEALS]; /* by visit: of the largest distance of its requests */
    double named[16];                 /* share of requests whose address names the bank */
    double cycles; /* of dispatch in order, one request per bank and cycle, to the named bank */
} htmmu_banks;

/* By how far visits are, at least, in the first TLB (by deal) and in the second. */
typedef struct htmmu_joint {
    float visits[HTMMU_DEALS][HTMMU_FAR][HTMMU_FAR];
    /* Their requests, of each visit so many at most. */
    float few[HTMMU_DEALS][HTMMU_FAR][HTMMU_FAR], many[HTMMU_DEALS][HTMMU_FAR][HTMMU_FAR];
} htmmu_joint;

enum { HTMMU_LOADS = 9 };     /* accesses under way: 1, 2, 4 .. 256 */
enum { HTMMU_CHANNELS = 64 }; /* of memory, at most */

/* How page-table accesses meet the banks of memory, were walks made one after the other for pages
 * that 512 entries do not hold. */
typedef struct htmmu_rows {
    double hit_rate[HTMMU_LOADS]; /* of accesses, in an open row, by load */
    double channels; /* over which their work is spread evenly; 0: memory_model: fixed */
    double share[HTMMU_CHANNELS]; /* of their work, by channel */
} htmmu_rows;

/* Takes the samples of all capacities. `distances`: stack distance of each visit. Returns 0, or -1.
 */
int htmmu_take_samples(htmmu_profile *profile, const htmmu_stream *stream,
                       const uint32_t *distances, unsigned coalesce, msw_arena *arena,
                       msw_err *err);

/* The block of 2^shift pages that a page lies in. */
static inline uint64_t htmmu_block(uint64_t page, unsigned shift)
{
    return page >> (6 + shift) << 6 | (page & 63);
}

static inline int htmmu_bin_of(uint32_t distance)
{
    if (distance < 16)
        return (int)distance;
    unsigned octave = msw_bits_log2(distance);
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
