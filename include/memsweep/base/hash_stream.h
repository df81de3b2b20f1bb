/* SPDX-License-Identifier: MIT */
/* hash_stream: the digest of bytes that come in pieces; the same as msw_hash_bytes of all of them.
 */
#ifndef MEMSWEEP_BASE_HASH_STREAM_H
#define MEMSWEEP_BASE_HASH_STREAM_H

#include "memsweep/base/hash.h"

typedef struct msw_hash_stream msw_hash_stream;

/* Starts one. Returns it, or NULL when memory runs out. */
msw_hash_stream *msw_hash_stream_new(void);

/* Takes the next bytes. */
void msw_hash_stream_add(msw_hash_stream *stream, const void *data, size_t size);

/* Returns the digest of all bytes so far. */
msw_digest msw_hash_stream_digest(const msw_hash_stream *stream);

/* Frees it; NULL is fine. */
void msw_hash_stream_free(msw_hash_stream *stream);

#endif
