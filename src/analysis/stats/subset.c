/* SPDX-License-Identifier: MIT */
#include "memsweep/analysis/subset.h"

#include "memsweep/base/rng.h"

#include <stdbool.h>
#include <stdlib.h>

/* First row of each block; the end behind the last. Returns how many blocks there are. */
static size_t find_blocks(size_t n, const uint64_t *block, size_t *first)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || !block || block[i] != block[i - 1])
            first[count++] = i;
    first[count] = n;
    return count;
}

/* Marks blocks in random order as long as they fit. */
static void mark_blocks(const size_t *first, size_t blocks, size_t most, uint64_t seed, bool *taken)
{
    size_t rows = 0;
    for (size_t r = 0; r < blocks; r++) {
        size_t b = msw_permute(r, blocks, seed), size = first[b + 1] - first[b];
        if (rows + size > most)
            break;
        taken[b] = true;
        rows += size;
    }
}

int msw_subset(size_t n, const uint64_t *block, size_t most, uint64_t seed, uint32_t *row,
               size_t *count, msw_err *err)
{
    size_t *first = malloc((n + 1) * sizeof *first);
    bool *taken = calloc(n + 1, sizeof *taken);
    int rc = -1;
    *count = 0;
    if (!first || !taken) {
        msw_fail_memory(err);
        goto done;
    }
    size_t blocks = find_blocks(n, block, first);
    mark_blocks(first, blocks, most, seed, taken);
    for (size_t b = 0; b < blocks; b++)
        for (size_t i = first[b]; taken[b] && i < first[b + 1]; i++)
            row[(*count)++] = (uint32_t)i;
    rc = 0;
done:
    free(first);
    free(taken);
    return rc;
}
