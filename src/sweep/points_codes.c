/* SPDX-License-Identifier: MIT */
#include "sweep/points.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 64 };

static uint64_t mix(double value)
{
    uint64_t x;
    memcpy(&x, &value, sizeof x);
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    return x * UINT64_C(0xd6e8feb86659fd93) >> 16;
}

/* The slot of a value, or the free one where it belongs. The number of slots is a power of 2. */
static uint32_t *find(const msw_codes *c, double value)
{
    for (uint64_t at = mix(value);; at++) {
        uint32_t *slot = &c->slots[at & (c->slot_count - 1)];
        if (!*slot || c->values[*slot - 1] == value)
            return slot;
    }
}

static int grow_values(msw_codes *c)
{
    uint32_t room = c->room ? 2 * c->room : FIRST;
    double *values = room > c->room ? realloc(c->values, room * sizeof *values) : NULL;
    if (!values)
        return -1;
    c->values = values;
    c->room = room;
    free(c->slots);
    c->slot_count = 2 * room;
    c->slots = calloc(c->slot_count, sizeof *c->slots);
    for (uint32_t i = 0; c->slots && i < c->count; i++)
        *find(c, values[i]) = i + 1;
    return c->slots ? 0 : -1;
}

static uint32_t code_at(const msw_codes *c, size_t row)
{
    switch (c->width) {
    case 1:
        return ((const uint8_t *)c->codes)[row];
    case 2:
        return ((const uint16_t *)c->codes)[row];
    default:
        return ((const uint32_t *)c->codes)[row];
    }
}

static void set_code(void *codes, unsigned width, size_t row, uint32_t code)
{
    switch (width) {
    case 1:
        ((uint8_t *)codes)[row] = (uint8_t)code;
        return;
    case 2:
        ((uint16_t *)codes)[row] = (uint16_t)code;
        return;
    default:
        ((uint32_t *)codes)[row] = code;
    }
}

/* More rows, or wider codes. */
static int resize_codes(msw_codes *c, size_t room, unsigned width)
{
    void *codes = realloc(c->codes, room * width);
    if (!codes)
        return -1;
    c->codes = codes;
    c->code_room = room;
    for (size_t row = c->rows; width != c->width && row-- > 0;)
        set_code(codes, width, row, code_at(c, row));
    c->width = width;
    return 0;
}

int msw_codes_add(msw_codes *c, double value)
{
    value += 0.0; /* one zero, not two */
    if (c->count == c->room && grow_values(c))
        return -1;
    uint32_t *slot = find(c, value);
    if (!*slot) {
        c->values[c->count++] = value;
        *slot = c->count;
    }
    uint32_t code = *slot - 1;
    unsigned width = code >> 16 ? 4 : code >> 8 ? 2 : 1;
    width = width > c->width ? width : c->width;
    size_t room = c->rows < c->code_room ? c->code_room
                  : c->code_room         ? c->code_room + c->code_room / 2
                                         : FIRST;
    if ((room != c->code_room || width != c->width) && resize_codes(c, room, width))
        return -1;
    set_code(c->codes, c->width, c->rows++, code);
    return 0;
}

double msw_codes_at(const msw_codes *c, size_t row)
{
    return c->values[code_at(c, row)];
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int msw_codes_finish(msw_codes *c)
{
    double *sorted = malloc(c->count * sizeof *sorted + 1);
    uint32_t *now = malloc(c->count * sizeof *now + 1);
    int rc = sorted && now ? 0 : -1;
    free(c->slots);
    c->slots = NULL;
    if (rc == 0) {
        if (c->count)
            memcpy(sorted, c->values, c->count * sizeof *sorted);
        qsort(sorted, c->count, sizeof *sorted, by_value);
        for (uint32_t i = 0; i < c->count; i++)
            now[i] = (uint32_t)((double *)bsearch(&c->values[i], sorted, c->count, sizeof *sorted,
                                                  by_value) -
                                sorted);
        for (size_t row = 0; row < c->rows; row++)
            set_code(c->codes, c->width, row, now[code_at(c, row)]);
        free(c->values);
        c->values = sorted;
        sorted = NULL;
    }
    void *fitting = c->rows ? realloc(c->codes, c->rows * c->width) : NULL;
    c->codes = fitting ? fitting : c->codes;
    free(sorted);
    free(now);
    return rc;
}

void msw_codes_free(msw_codes *c)
{
    free(c->values);
    free(c->slots);
    free(c->codes);
    *c = (msw_codes){0};
}
