/* SPDX-License-Identifier: MIT */
#include "memsweep/base/hash_stream.h"

#include <xxhash.h>

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
