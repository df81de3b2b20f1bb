/* SPDX-License-Identifier: MIT */
/* direct: rows that are sound, found in the pages of the file (store/sql/pages.h). Whatever is not
 * plainly so, by structure, type or checksum, is none of them: SQL judges it (checker.c). */
#ifndef MSW_STORE_SUM_DIRECT_H
#define MSW_STORE_SUM_DIRECT_H

#include "store/sum/sum.h"

typedef struct msw_direct msw_direct;

/* Opens the tables of a checker that lives longer. Holds a reading transaction. Returns NULL where
 * they cannot be read so, or memory ran out. */
msw_direct *msw_direct_open(const msw_checker *checker, const char *schema);
void msw_direct_close(msw_direct *direct);

/* Looks for a row, fastest behind the one before. Returns the name of its status when it is sound;
 * NULL when that is not known. */
const char *msw_direct_find(msw_direct *direct, int64_t id);

#endif
