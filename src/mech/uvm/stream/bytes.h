/* SPDX-License-Identifier: MIT */
/* Private to uvm: strings of bytes that grow, and whole numbers in them. */
#ifndef MSW_MECH_UVM_BYTES_H
#define MSW_MECH_UVM_BYTES_H

#include "memsweep/base/arena.h"

#include <stdint.h>
#include <string.h>

typedef struct uvm_bytes {
    unsigned char *data;
    size_t count, room;
} uvm_bytes;

/* Makes room for `more` items of `size` bytes behind `count` of an array. Returns 0, or -1. */
static inline int uvm_grow(void **data, size_t count, size_t *room, size_t more, size_t size,
                           msw_arena *arena)
{
    if (count + more <= *room)
        return 0;
    size_t wanted = 2 * (count + more) + 64;
    void *grown = msw_arena_take(arena, wanted * size);
    if (!grown)
        return -1;
    if (count)
        memcpy(grown, *data, count * size);
    *data = grown;
    *room = wanted;
    return 0;
}

/* Appends a number, 7 bits a byte, the lowest first. Returns 0, or -1. */
static inline int uvm_put(uvm_bytes *bytes, uint64_t number, msw_arena *arena)
{
    void *data = bytes->data;
    if (uvm_grow(&data, bytes->count, &bytes->room, 10, 1, arena))
        return -1;
    bytes->data = data;
    for (; number > 127; number >>= 7)
        bytes->data[bytes->count++] = (unsigned char)(number | 128);
    bytes->data[bytes->count++] = (unsigned char)number;
    return 0;
}

static inline uint64_t uvm_get(const unsigned char **at)
{
    uint64_t number = *(*at)++;
    if (number < 128)
        return number;
    number &= 127;
    for (unsigned shift = 7;; shift += 7) {
        uint64_t byte = *(*at)++;
        number |= (byte & 127) << shift;
        if (byte < 128)
            return number;
    }
}

/* Small differences of either sign as small numbers, and back. */
static inline uint64_t uvm_fold(uint64_t difference)
{
    return difference >> 63 ? ~(difference << 1) : difference << 1;
}

static inline uint64_t uvm_unfold(uint64_t number)
{
    return number & 1 ? ~(number >> 1) : number >> 1;
}

#endif
