/* SPDX-License-Identifier: MIT */
/* Archives as `memsweep pack` writes them, small and of any content, for tests of those who read
 * them. */
#ifndef MEMSWEEP_TESTS_PACK_FILE_H
#define MEMSWEEP_TESTS_PACK_FILE_H

#include "memsweep/base/text.h"

#include <stddef.h>

/* A file of an archive; versions.json lists those with a place in it. */
typedef struct pack_content {
    const char *name, *text;
} pack_content;

/* The sweep that all of them hold, as inputs/s.yaml. */
extern const char pack_sweep[];

/* Appends versions.json for files: `head` (NULL: a sound one) comes before their list. */
void pack_versions(const char *head, const pack_content *files, size_t count, msw_text *out);

/* Writes an archive of files in front of a versions.json (NULL: none). The caller frees `bytes`. */
void pack_archive(const char *versions, const pack_content *files, size_t count, char **bytes,
                  size_t *size);

#endif
