/* SPDX-License-Identifier: MIT */
/* Order of use (LRU) or of fills (FIFO), in three forms that decide alike.
 *
 *   up to 8 ways   a matrix in one word: bit j of byte i says that way i is newer than way j.
 * Making a way the newest clears column i and sets row i, which a table by way does in two steps;
 * the oldest way is the row of 0. Rows past the ways keep their highest bit up to 16 ways  one word
 * of ways in order, 4 bits each, the newest lowest more           a doubly linked list
 * (assoc_index.c) */
#include "sim/cache/assoc_parts.h"

static bool is_matrix(const msw_assoc *assoc)
{
    return assoc->ways <= MSW_ASSOC_MATRIX_WAYS;
}

static uint64_t column(uint32_t way)
{
    return MSW_ASSOC_BYTES << way & ~((uint64_t)1 << 9 * way);
}

static msw_assoc_turn matrix_turn(uint32_t ways, uint32_t way)
{
    uint64_t row = msw_assoc_low_bits(ways) & ~((uint64_t)1 << way);
    return (msw_assoc_turn){.keep = ~column(way), .point = row << 8 * way};
}

static uint64_t first_matrix(const msw_assoc *assoc)
{
    uint64_t matrix = 0;
    for (uint32_t way = 0; way < assoc->ways; way++)
        matrix = (matrix & assoc->turns[way].keep) | assoc->turns[way].point;
    return matrix;
}

void msw_assoc_recency_init(msw_assoc *assoc)
{
    uint64_t first = 0xfedcba9876543210u;
    if (assoc->newer) {
        msw_assoc_list_init(assoc);
        return;
    }
    for (uint32_t way = 0; assoc->turns && way < assoc->ways; way++)
        assoc->turns[way] = matrix_turn(assoc->ways, way);
    if (is_matrix(assoc))
        first = first_matrix(assoc);
    for (uint32_t set = 0; set < assoc->sets; set++)
        assoc->state[set] = first;
}

/* Rows of ways that are not allowed are made to look new, columns of them are left out. */
static uint32_t matrix_oldest(uint64_t matrix, const uint64_t *ways)
{
    if (!ways)
        return msw_assoc_zero_byte(matrix);
    uint64_t mask = *ways & 255, hidden = ~(msw_assoc_spread(mask) * 255);
    return msw_assoc_zero_byte((matrix & mask * MSW_ASSOC_BYTES) | hidden);
}

static uint32_t order_oldest(uint64_t order, uint32_t count, const uint64_t *ways)
{
    uint32_t at = count - 1;
    while (!msw_assoc_allowed(ways, order >> 4 * at & 15))
        at--;
    return order >> 4 * at & 15;
}

static uint32_t list_oldest(const msw_assoc *assoc, uint32_t set, const uint64_t *ways)
{
    uint32_t base = set * assoc->ways, line = assoc->oldest[set];
    while (!msw_assoc_allowed(ways, line - base))
        line = assoc->newer[line];
    return line - base;
}

uint32_t msw_assoc_recency_victim(const msw_assoc *assoc, uint32_t set, const uint64_t *ways)
{
    if (assoc->newer)
        return list_oldest(assoc, set, ways);
    if (is_matrix(assoc))
        return matrix_oldest(assoc->state[set], ways);
    return order_oldest(assoc->state[set], assoc->ways, ways);
}

/* Moves a way behind the `count` - 1 others. */
static uint64_t order_last(uint64_t order, uint32_t count, uint32_t way)
{
    uint64_t newer = ((uint64_t)1 << msw_assoc_recency_find(order, way)) - 1;
    uint64_t used = msw_assoc_low_bits(4 * count), last = (uint64_t)way << 4 * (count - 1);
    return (order & ~used) | (order & newer) | ((order & used) >> 4 & ~newer) | last;
}

static void make_oldest(msw_assoc *assoc, uint32_t set, uint32_t line)
{
    uint32_t way = line - set * assoc->ways;
    uint64_t *state = assoc->state + set;
    if (assoc->newer)
        msw_assoc_list_oldest(assoc, set, line);
    else if (is_matrix(assoc))
        *state = (*state & ~((uint64_t)255 << 8 * way)) | column(way);
    else
        *state = order_last(*state, assoc->ways, way);
}

void msw_assoc_recency_rank(msw_assoc *assoc, uint32_t set, uint32_t line, msw_insert insert)
{
    uint32_t way = line - set * assoc->ways;
    uint64_t *state = assoc->state + set;
    if (insert == MSW_INSERT_DISTANT)
        make_oldest(assoc, set, line);
    else if (assoc->newer)
        msw_assoc_list_newest(assoc, set, line);
    else if (is_matrix(assoc))
        *state = (*state & assoc->turns[way].keep) | assoc->turns[way].point;
    else
        *state = msw_assoc_recency_newest(*state, way);
}
