/* SPDX-License-Identifier: MIT */
/* Sets of quantities that no setting meets: docs/models/calibrate.md, section 4. A set is met by
 * nothing where it shares a quantity with what every setting violates. */
#include "memsweep/explore/calibrate.h"

#include "memsweep/base/bits.h"

#include <stdlib.h>
#include <string.h>

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    unsigned size_x = msw_bits_count(x), size_y = msw_bits_count(y);
    if (size_x != size_y)
        return size_x < size_y ? -1 : 1;
    return (x > y) - (x < y);
}

static bool holds_one(uint64_t mask, const uint64_t *masks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((masks[i] & ~mask) == 0)
            return true;
    return false;
}

size_t msw_masks_minimal(uint64_t *masks, size_t count)
{
    size_t kept = 0;
    if (count)
        qsort(masks, count, sizeof *masks, by_size);
    for (size_t i = 0; i < count; i++)
        if (!holds_one(masks[i], masks, kept))
            masks[kept++] = masks[i];
    return kept;
}

/* A search over sets that grow by a quantity of the first mask they do not hit. */
typedef struct search {
    const uint64_t *masks;
    size_t count;
    uint64_t *sets;
    size_t found, room;
    msw_err *err;
} search;

static int keep(search *s, uint64_t set)
{
    if (s->found == s->room) {
        size_t room = s->room ? 2 * s->room : 64;
        uint64_t *sets = realloc(s->sets, room * sizeof *sets);
        if (!sets)
            return msw_fail_memory(s->err);
        s->sets = sets;
        s->room = room;
    }
    s->sets[s->found++] = set;
    return 0;
}

/* `barred`: quantities that sets tried before hold in this place. */
static int grow(search *s, uint64_t set, uint64_t barred, unsigned left)
{
    size_t i = 0;
    while (i < s->count && (s->masks[i] & set))
        i++;
    if (i == s->count)
        return keep(s, set);
    if (left == 0)
        return 0;
    for (uint64_t rest = s->masks[i] & ~barred; rest; rest &= rest - 1) {
        uint64_t one = rest & -rest;
        if (grow(s, set | one, barred, left - 1))
            return -1;
        barred |= one;
    }
    return 0;
}

int msw_hitting_sets(const uint64_t *masks, size_t count, unsigned most, uint64_t **sets,
                     size_t *found, msw_err *err)
{
    search s = {.masks = masks, .count = count, .err = err};
    *sets = NULL;
    *found = 0;
    if (count == 0)
        return 0;
    if (grow(&s, 0, 0, most)) {
        free(s.sets);
        return -1;
    }
    *found = msw_masks_minimal(s.sets, s.found);
    *sets = s.sets;
    return 0;
}
