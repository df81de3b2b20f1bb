/* SPDX-License-Identifier: MIT */
/* Private to pack: what the readers of an archive share. */
#ifndef MSW_PACK_PACKED_PARTS_H
#define MSW_PACK_PACKED_PARTS_H

#include "pack/parts.h"

/* source.c: a member by its name. Returns it, or NULL. */
msw_packed_entry *msw_packed_find(const msw_packed *packed, const char *name);

/* Unpacks one of at most `most` bytes onto the heap. Returns 0, or -1. */
int msw_packed_unpack(const msw_packed *packed, const msw_packed_entry *entry, size_t most,
                      char **data, size_t *size, msw_err *err);

/* The source of its files. Returns it. */
msw_file_source msw_packed_source(msw_packed *packed);

/* facts.c: reads versions.json and compares the files with their digests. Returns 0, or -1. */
int msw_packed_facts_read(msw_packed *packed, msw_err *err);

#endif
