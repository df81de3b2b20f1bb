/* SPDX-License-Identifier: MIT */
/* Zip archives as tests want them: entries one after the other, then the directory. */
#ifndef MEMSWEEP_TESTS_ZIP_FILE_H
#define MEMSWEEP_TESTS_ZIP_FILE_H

#include "memsweep/base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct zip_file {
    msw_text bytes, directory;
    unsigned entries;
    bool wide; /* sizes in 64 bits */
} zip_file;

/* Adds an entry as it is: method 0, or 8 as one block of deflate that is stored (up to 65,535
 * bytes). */
void zip_add(zip_file *zip, const char *name, const void *data, size_t size, unsigned method);

/* Ends the archive. */
void zip_end(zip_file *zip);

/* Little-endian number at an offset. */
void zip_patch(zip_file *zip, size_t at, uint64_t value, unsigned bytes);

void zip_free(zip_file *zip);

#endif
