/* SPDX-License-Identifier: MIT */
#include "memsweep/base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static msw_digest from_xxh(XXH128_hash_t hash)
{
    return (msw_digest){hash.high64, hash.low64};
}

msw_digest msw_hash_bytes(const void *data, size_t size)
{
    return from_xxh(XXH3_128bits(data, size));
}

msw_digest msw_hash_string(const char *string)
{
    return msw_hash_bytes(string, strlen(string));
}

msw_digest msw_hash_pair(msw_digest all, msw_digest next)
{
    uint8_t bytes[32];
    msw_digest_store(all, bytes);
    msw_digest_store(next, bytes + 16);
    return msw_hash_bytes(bytes, sizeof bytes);
}

const char *msw_digest_text(msw_digest digest, char buffer[MSW_DIGEST_TEXT])
{
    snprintf(buffer, MSW_DIGEST_TEXT, "%016llx%016llx", (unsigned long long)digest.hi,
             (unsigned long long)digest.lo);
    return buffer;
}

static void store_word(uint64_t word, uint8_t *bytes)
{
    for (int i = 7; i >= 0; i--, word >>= 8)
        bytes[i] = (uint8_t)word;
}

static uint64_t load_word(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word = word << 8 | bytes[i];
    return word;
}

void msw_digest_store(msw_digest digest, uint8_t bytes[16])
{
    store_word(digest.hi, bytes);
    store_word(digest.lo, bytes + 8);
}

bool msw_digest_parse(const char *text, msw_digest *digest)
{
    char half[17] = "";
    if (strlen(text) != 32 || strspn(text, "0123456789abcdef") != 32)
        return false;
    memcpy(half, text, 16);
    *digest = (msw_digest){strtoull(half, NULL, 16), strtoull(text + 16, NULL, 16)};
    return true;
}

msw_digest msw_digest_load(const uint8_t bytes[16])
{
    return (msw_digest){load_word(bytes), load_word(bytes + 8)};
}

bool msw_digest_equal(msw_digest a, msw_digest b)
{
    return a.hi == b.hi && a.lo == b.lo;
}

/* ---- bytes in pieces ---- */

/* The state wants an alignment of its own, so the library makes it. */
msw_hash_stream *msw_hash_stream_new(void)
{
    XXH3_state_t *state = XXH3_createState();
    if (state)
        XXH3_128bits_reset(state);
    return (msw_hash_stream *)state;
}

void msw_hash_stream_add(msw_hash_stream *stream, const void *data, size_t size)
{
    XXH3_128bits_update((XXH3_state_t *)stream, data, size);
}

msw_digest msw_hash_stream_digest(const msw_hash_stream *stream)
{
    XXH128_hash_t hash = XXH3_128bits_digest((const XXH3_state_t *)stream);
    return (msw_digest){hash.high64, hash.low64};
}

void msw_hash_stream_free(msw_hash_stream *stream)
{
    XXH3_freeState((XXH3_state_t *)stream);
}
