/* bootstrap: resampled sums and the intervals made of them.
 *
 * A resample is a weight per unit (how often it was drawn). Every statistic is a function of sums
 * over units, so one weight vector times the matrix of moments serves all of them. Resample r uses
 * the random stream r of its seed: resamples can be computed in any order. */
#ifndef MSW_ANALYSIS_BOOTSTRAP_H
#define MSW_ANALYSIS_BOOTSTRAP_H

#include "memsweep/arena.h"
#include "memsweep/sensitivity.h"

enum { BOOTSTRAP_TILE = 4 };

/* Moments of each unit, stored in tiles of four columns: column c of unit i is at
 * tile[c / 4][4 i + c % 4]; columns that fill up the last tile are zero. */
typedef struct moments {
    size_t units;
    unsigned columns, tiles;
    double *tile;
} moments;

/* Takes zeroed memory. Returns 0, or -1 without memory. */
int moments_init(moments *table, size_t units, unsigned columns, msw_arena *arena);

static inline double *moments_at(const moments *table, size_t unit, unsigned column)
{
    return table->tile + (column / BOOTSTRAP_TILE * table->units + unit) * BOOTSTRAP_TILE +
           column % BOOTSTRAP_TILE;
}

/* Means of all columns over all units, each once. */
void moments_means(const moments *table, double *mean);

/* Means of all columns in every resample: resamples x columns. Returns 0, or -1 without memory. */
int bootstrap_means(const moments *table, const msw_resampling *how, double *mean,
                    msw_arena *arena);

/* Fills in the intervals of an estimate from its values in the resamples; NaN values are left out.
 * `values` is reordered. */
void bootstrap_interval(double *values, const msw_resampling *how, msw_estimate *estimate);

/* Checks the settings. Returns 0, or -1 with `err`. */
int bootstrap_check(const msw_resampling *how, msw_err *err);

#endif
