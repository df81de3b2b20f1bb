/* SPDX-License-Identifier: MIT */
/* Merging on behalf of a caller: what is pending comes first. */
#include "store/merge/merge.h"

int msw_store_merge(msw_store *store, const char *path, msw_merge_rule rule, uint64_t *rows,
                    msw_err *err)
{
    *rows = 0;
    return msw_store_commit(store, err) ? -1 : msw_merge_file(store, path, rule, false, rows, err);
}

int msw_store_merge_sweep(msw_store *store, const char *path, msw_digest plan, uint64_t *rows,
                          msw_err *err)
{
    char digest[MSW_DIGEST_TEXT];
    msw_merge merge = {.store = store, .path = path, .only = msw_digest_text(plan, digest)};
    *rows = 0;
    return msw_store_commit(store, err) ? -1 : msw_merge_asked(&merge, false, rows, err);
}
