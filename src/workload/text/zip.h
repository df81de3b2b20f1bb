/* zip: one file of a zip archive in memory (PKWARE's APPNOTE 6.3: stored or deflated, zip64). */
#ifndef MSW_WORKLOAD_TEXT_ZIP_H
#define MSW_WORKLOAD_TEXT_ZIP_H

#include "memsweep/base/arena.h"
#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct msw_zip {
    const char *file; /* for messages */
    const uint8_t *bytes;
    size_t size;
    const uint8_t *next, *end; /* of the directory */
} msw_zip;

typedef struct msw_zip_entry {
    const char *name; /* not zero-terminated */
    size_t name_size;
    const uint8_t *data;
    size_t packed, unpacked;
    uint32_t crc;
    bool deflated;
} msw_zip_entry;

/* Finds the directory of an archive. Returns 0, or -1. */
int msw_zip_open(msw_zip *zip, const char *file, const char *bytes, size_t size, msw_err *err);

/* Reads the next entry of the directory. Returns 1, 0 at the end, or -1. */
int msw_zip_next(msw_zip *zip, msw_zip_entry *entry, msw_err *err);

/* Unpacks an entry, of at most `most` bytes, into the arena, and checks its sum. Returns its bytes,
 * zero-terminated, or NULL. */
const char *msw_zip_unpack(const msw_zip *zip, const msw_zip_entry *entry, size_t most,
                           msw_arena *arena, msw_err *err);

#endif
