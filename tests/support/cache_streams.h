/* SPDX-License-Identifier: MIT */
/* Streams of keys that caches are tested with: loops, scans, strides, random and Zipf draws,
 * mixtures, phases, and streams of the shipped workloads. */
#ifndef MEMSWEEP_TESTS_CACHE_STREAMS_H
#define MEMSWEEP_TESTS_CACHE_STREAMS_H

#include <stdint.h>

enum { CACHE_STREAMS = 40 };

/* Fills `keys` with `count` keys of stream number `stream`, made for a cache of `lines` lines.
 * Returns its name. */
const char *cache_stream(int stream, uint64_t lines, uint64_t *keys, int count);

#endif
