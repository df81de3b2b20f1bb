/* SPDX-License-Identifier: MIT */
/* hash: 128-bit digests (XXH3-128), for point keys, plans and results. */
#ifndef MEMSWEEP_BASE_HASH_H
#define MEMSWEEP_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct msw_digest {
    uint64_t hi, lo;
} msw_digest;

enum { MSW_DIGEST_TEXT = 33 }; /* 32 hexadecimal digits and the final zero */

/* Digests `size` bytes. Returns the digest. */
msw_digest msw_hash_bytes(const void *data, size_t size);

/* Digests a zero-terminated string. Returns the digest. */
msw_digest msw_hash_string(const char *string);

/* Folds `next` into `all`; order matters. Returns the digest of the pair. */
msw_digest msw_hash_pair(msw_digest all, msw_digest next);

/* Prints 32 hexadecimal digits into `buffer`. Returns `buffer`. */
const char *msw_digest_text(msw_digest digest, char buffer[MSW_DIGEST_TEXT]);

/* Writes the 16 bytes, most significant first, as they are stored in a database. */
void msw_digest_store(msw_digest digest, uint8_t bytes[16]);

/* Reads back what msw_digest_text wrote. Returns false for other texts. */
bool msw_digest_parse(const char *text, msw_digest *digest);

/* Reads back what msw_digest_store wrote. Returns the digest. */
msw_digest msw_digest_load(const uint8_t bytes[16]);

/* Compares two digests. Returns whether they are the same. */
bool msw_digest_equal(msw_digest a, msw_digest b);

/* The digest of bytes that come in pieces: the same as msw_hash_bytes of all of them. */
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
