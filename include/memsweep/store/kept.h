/* SPDX-License-Identifier: MIT */
/* kept: artifacts that are kept in a database, as plain bytes. */
#ifndef MEMSWEEP_STORE_KEPT_H
#define MEMSWEEP_STORE_KEPT_H

#include "memsweep/store/store.h"

enum { MSW_KEPT_NAME = 48 };

/* What is known about one in addition to its bytes. */
typedef struct msw_kept {
    msw_digest key;
    char mechanism[MSW_KEPT_NAME], name[MSW_KEPT_NAME];
    int64_t version; /* of the artifact */
    bool whole;      /* else what an unfinished build saved last */
} msw_kept;

/* Keeps an artifact and commits it; it takes the place of what the key had. Returns 0, or -1. */
int msw_store_keep(msw_store *store, const msw_kept *kept, const char *bytes, size_t size,
                   msw_err *err);

/* Appends the bytes of a key. Those whose digest is wrong are as good as none. Returns 1 and
 * whether they are whole, 0 when there are none, or -1. */
int msw_store_kept(msw_store *store, msw_digest key, bool *whole, msw_text *bytes, msw_err *err);

#endif
