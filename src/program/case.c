/* SPDX-License-Identifier: MIT */
/* The workloads of a program: names with texts for placeholders. They have no product, for the
 * program reads whatever it works on by itself. */
#include "memsweep/program/program.h"

static const msw_param NO_PARAMS[] = {{0}};
static const char *const NO_NAMES[] = {NULL};

static int never(const char *name, void *config, char *file, size_t file_size, msw_err *err)
{
    (void)name, (void)config, (void)file, (void)file_size, (void)err;
    return 0;
}

static int build(const void *content, const void *config, uint64_t seed, msw_arena *arena,
                 msw_product *product, msw_err *err)
{
    (void)content, (void)config, (void)seed, (void)arena, (void)err;
    *product = (msw_product){.data = NO_NAMES};
    return 0;
}

const msw_frontend msw_frontend_case = {
    .name = "case",
    .title = "a case of a program's definition",
    .version = 1,
    .params = NO_PARAMS,
    .config_size = 0,
    .names = NO_NAMES,
    .docs = NO_NAMES,
    .resolve = never,
    .build = build,
};

msw_digest msw_program_case_digest(const msw_program_set *one)
{
    msw_digest all = msw_hash_pair(msw_hash_string("case"), msw_hash_string(one->name));
    for (size_t i = 0; i < one->count; i++) {
        all = msw_hash_pair(all, msw_hash_string(one->pairs[i].name));
        all = msw_hash_pair(all, msw_hash_string(one->pairs[i].text));
    }
    return all;
}
