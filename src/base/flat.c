/* SPDX-License-Identifier: MIT */
#include "memsweep/base/flat.h"

#include <string.h>

enum { WORD = 8 };

void msw_flat_add_u64(msw_text *bytes, uint64_t value)
{
    char word[WORD];
    for (int i = 0; i < WORD; i++)
        word[i] = (char)(unsigned char)(value >> 8 * i);
    msw_text_add_bytes(bytes, word, WORD);
}

void msw_flat_add_real(msw_text *bytes, double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    msw_flat_add_u64(bytes, word);
}

msw_flat msw_flat_open(const void *bytes, size_t size)
{
    return (msw_flat){bytes, size, false};
}

uint64_t msw_flat_u64(msw_flat *flat)
{
    uint64_t value = 0;
    if (flat->left < WORD) {
        flat->short_of = true;
        return 0;
    }
    for (int i = 0; i < WORD; i++)
        value |= (uint64_t)flat->at[i] << 8 * i;
    flat->at += WORD;
    flat->left -= WORD;
    return value;
}

double msw_flat_real(msw_flat *flat)
{
    uint64_t word = msw_flat_u64(flat);
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

bool msw_flat_done(const msw_flat *flat)
{
    return !flat->short_of && flat->left == 0;
}
