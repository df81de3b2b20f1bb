/* SPDX-License-Identifier: MIT */
/* Settings, content and product of the front end `simt`. */
#include "workload/simt/front/parts.h"

#include <string.h>

static const msw_param PARAMS[] = {
    MSW_ROW(.name = "simt_alignment", .kind = MSW_SIZE, .unit = "B", .min = MSW_SIMT_ALIGNMENT,
            .max = 1 << 30, .def = 2 << 20, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "every array starts at a multiple of this address", .source = MSW_UNKNOWN,
            .reference = "granule of a device allocator; 256 is the least that CUDA promises",
            .plausible_min = 256, .plausible_max = 2 << 20,
            .offset = offsetof(msw_simt_config, alignment)),
    {0},
};

static char *copy_bytes(const msw_workload_file *file, msw_arena *arena)
{
    char *copy = msw_arena_take(arena, file->size + 1);
    if (copy) {
        memcpy(copy, file->bytes, file->size);
        copy[file->size] = '\0';
    }
    return copy;
}

static char *copy_text(const char *text, msw_arena *arena)
{
    return copy_bytes(&(msw_workload_file){.bytes = text, .size = strlen(text)}, arena);
}

static int further(const char *name, const msw_workload_file *files, size_t count, char *next,
                   size_t next_size, msw_err *err)
{
    msw_arena arena = {0};
    msw_simt_tokens tokens;
    msw_simt_settings settings;
    size_t head;
    if (count > 1)
        return 0;
    int rc =
        msw_simt_settings_read(name, &settings, &head, err) ||
        msw_simt_tokens_read(files[0].path, files[0].bytes, files[0].size, &arena, &tokens, err) ||
        msw_simt_choose_ptx(&tokens, &settings, next, next_size, err);
    msw_arena_free(&arena);
    return rc ? -1 : 1;
}

/* Once the statements have run, what is wrong with them has been reported. */
static int try_out(const msw_simt_content *c, msw_digest *sizes, msw_err *err)
{
    msw_arena arena = {0};
    const msw_simt_reader *r = msw_simt_content_run(c, MSW_SIMT_ALIGNMENT, &arena, err);
    if (r)
        *sizes = r->sizes;
    msw_arena_free(&arena);
    return r ? 0 : -1;
}

static int assemble(const char *name, const msw_workload_file *files, size_t count,
                    msw_arena *arena, const void **content, msw_digest *settings, msw_err *err)
{
    size_t head;
    if (count != 2)
        return msw_fail(err, "%s: its PTX file was not read", files[0].path);
    msw_simt_content *c = msw_arena_zero(arena, 1, sizeof *c);
    const char *own_name = copy_text(name, arena), *file = copy_text(files[0].path, arena);
    const char *text = copy_bytes(&files[0], arena), *ptx_file = copy_text(files[1].path, arena);
    const char *ptx = copy_bytes(&files[1], arena);
    if (!c || !own_name || !file || !text || !ptx_file || !ptx)
        return msw_fail_memory(err);
    if (msw_simt_settings_read(own_name, &c->settings, &head, err) ||
        msw_simt_tokens_read(file, text, files[0].size, arena, &c->tokens, err))
        return -1;
    c->program = msw_simt_parse(ptx_file, ptx, files[1].size, arena, err);
    if (!c->program || try_out(c, settings, err))
        return -1;
    *content = c;
    return 0;
}

static int build(const void *content, const void *config, uint64_t seed, msw_arena *arena,
                 msw_product *product, msw_err *err)
{
    msw_simt_product *p = msw_arena_zero(arena, 1, sizeof *p);
    (void)seed;
    if (!p)
        return msw_fail_memory(err);
    if (msw_simt_product_make(content, config, arena, p, err))
        return -1;
    *product = (msw_product){.kind = MSW_PRODUCT_PROGRAM, .data = p};
    return msw_simt_summarise(p, arena, &product->summary, err);
}

/* Errors in the first CTAs are reported when the plan is made. */
static int check(const void *content, const void *config, msw_err *err)
{
    msw_arena arena = {0};
    msw_product product;
    int rc = build(content, config, 0, &arena, &product, err);
    msw_arena_free(&arena);
    return rc;
}

static const char *const OWN[] = {
    "workloads: [mine.simt, mine.simt/n=1Mi]: the path of a .simt file, beside the sweep file or "
    "from",
    "here, with sizes or without. It names the PTX beside it that 'nvcc -ptx' made, and says what",
    "surrounds the kernels:",
    "  ptx mine.ptx",
    "  size n = 1Mi in 1 .. 1Gi",
    "  array a f32[n] = uniform(i, 1)",
    "  launch mine grid(up(n, 256)) block(256) args(a, n)",
    "More: docs/models/simt.md.",
    NULL,
};

const msw_frontend msw_frontend_simt = {
    .name = "simt",
    .title = "Kernels compiled to PTX, run by warps of 32 lanes",
    .version = 1,
    .params = PARAMS,
    .config_size = sizeof(msw_simt_config),
    .product = MSW_PRODUCT_PROGRAM,
    .random = false,
    .names = msw_simt_workload_names,
    .docs = msw_simt_workload_docs,
    .own = OWN,
    .resolve = msw_simt_resolve,
    .further = further,
    .assemble = assemble,
    .describe = msw_simt_describe,
    .check = check,
    .build = build,
};
