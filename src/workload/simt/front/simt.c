/* SPDX-License-Identifier: MIT */
/* The front end `simt`: settings, content and product of a workload.
 *
 * Names: <kernel>, <kernel>/paper_counted, <kernel>/paper_unrolled, <kernel>/natural, uvm/<kernel>
 * (managed memory), or the path of a user's .simt file, each with or without sizes: axpy/n=16Mi. */
#include "workload/simt/front/parts.h"

#include "memsweep/base/text.h"

#include <stdio.h>
#include <string.h>

const char *const msw_simt_workload_names[] = {
    "axpy",
    "axpy/paper_counted",
    "axpy/paper_unrolled",
    "axpy/natural",
    "blur",
    "blur/paper_counted",
    "blur/paper_unrolled",
    "blur/natural",
    "conv",
    "conv/paper_counted",
    "conv/paper_unrolled",
    "conv/natural",
    "gemv",
    "gemv/paper_counted",
    "gemv/paper_unrolled",
    "gemv/natural",
    "hist",
    "hist/paper_counted",
    "hist/paper_unrolled",
    "hist/natural",
    "kmeans",
    "kmeans/paper_counted",
    "kmeans/paper_unrolled",
    "kmeans/natural",
    "knn",
    "knn/paper_counted",
    "knn/paper_unrolled",
    "knn/natural",
    "maxp",
    "maxp/paper_counted",
    "maxp/paper_unrolled",
    "maxp/natural",
    "nw",
    "nw/paper_counted",
    "nw/paper_unrolled",
    "nw/natural",
    "pr",
    "pr/paper_counted",
    "pr/paper_unrolled",
    "pr/natural",
    "ttrans",
    "ttrans/paper_counted",
    "ttrans/paper_unrolled",
    "ttrans/natural",
    "upsamp",
    "upsamp/paper_counted",
    "upsamp/paper_unrolled",
    "upsamp/natural",
    "uvm/addvectors",
    "uvm/atax",
    "uvm/backprop",
    "uvm/bfs",
    "uvm/bicg",
    "uvm/2dconv",
    "uvm/hotspot",
    "uvm/mvt",
    "uvm/nw",
    "uvm/pathfinder",
    "uvm/srad_v2",
    "uvm/sssp",
    "uvm/streamtriad",
    NULL,
};

const char *const msw_simt_workload_docs[] = {
    "c = a + b, 16 Mi elements",
    "c = a + b, 16 Mi elements, counted loops unrolled",
    "c = a + b, 16 Mi elements, loops unrolled",
    "c = a + b, 16 Mi elements, in the usual layout",
    "mean of 3 x 3 pixels of 4096 x 4096",
    "mean of 3 x 3 pixels of 4096 x 4096, counted loops unrolled",
    "mean of 3 x 3 pixels of 4096 x 4096, loops unrolled",
    "mean of 3 x 3 pixels of 4096 x 4096, in the usual layout",
    "3 x 3 convolution of 4096 x 4096, one channel",
    "3 x 3 convolution of 4096 x 4096, one channel, counted loops unrolled",
    "3 x 3 convolution of 4096 x 4096, one channel, loops unrolled",
    "3 x 3 convolution of 4096 x 4096, one channel, in the usual layout",
    "matrix of 4096 x 4096 times a vector",
    "matrix of 4096 x 4096 times a vector, counted loops unrolled",
    "matrix of 4096 x 4096 times a vector, loops unrolled",
    "matrix of 4096 x 4096 times a vector, in the usual layout",
    "256 bins of 16 Mi numbers",
    "256 bins of 16 Mi numbers, counted loops unrolled",
    "256 bins of 16 Mi numbers, loops unrolled",
    "256 bins of 16 Mi bytes, in the usual layout",
    "nearest of 4 centres, 1 Mi points of 4 features",
    "nearest of 4 centres, 1 Mi points of 4 features, counted loops unrolled",
    "nearest of 4 centres, 1 Mi points of 4 features, loops unrolled",
    "nearest of 4 centres, 1 Mi points of 4 features, in the usual layout",
    "distances of 16 Mi records to a point",
    "distances of 16 Mi records to a point, counted loops unrolled",
    "distances of 16 Mi records to a point, loops unrolled",
    "distances of 16 Mi records to a point, in the usual layout",
    "maximum of 2 x 2 pixels, 1024 x 1024 outputs",
    "maximum of 2 x 2 pixels, 1024 x 1024 outputs, counted loops unrolled",
    "maximum of 2 x 2 pixels, 1024 x 1024 outputs, loops unrolled",
    "maximum of 2 x 2 pixels, 1024 x 1024 outputs, in the usual layout",
    "Needleman-Wunsch alignment of 4096 pairs of length 32",
    "Needleman-Wunsch alignment of 4096 pairs of length 32, counted loops unrolled",
    "Needleman-Wunsch alignment of 4096 pairs of length 32, loops unrolled",
    "Needleman-Wunsch alignment of two sequences of length 2048, by anti-diagonals",
    "sum of 16 Mi numbers",
    "sum of 16 Mi numbers, counted loops unrolled",
    "sum of 16 Mi numbers, loops unrolled",
    "sum of 16 Mi numbers, in the usual layout",
    "transposition of 4096 x 4096",
    "transposition of 4096 x 4096, counted loops unrolled",
    "transposition of 4096 x 4096, loops unrolled",
    "transposition of 4096 x 4096, in the usual layout",
    "every pixel of 1024 x 1024 becomes 2 x 2",
    "every pixel of 1024 x 1024 becomes 2 x 2, counted loops unrolled",
    "every pixel of 1024 x 1024 becomes 2 x 2, loops unrolled",
    "every pixel of 1024 x 1024 becomes 2 x 2, in the usual layout",
    "y = x + y of 1 Mi elements in managed memory",
    "y = A^T (A x) of 1200 x 1200 in managed memory",
    "a layer of 131056 inputs, forward and back, in managed memory",
    "breadth-first search of a random graph of 65536 nodes, in managed memory",
    "s = A^T r and q = A p of 4096 x 4096 in managed memory",
    "3 x 3 convolution of 1024 x 1024 in managed memory",
    "temperatures of 1024 x 1024, eight steps, in managed memory",
    "x1 += A y1 and x2 += A^T y2 of 4096 x 4096 in managed memory",
    "alignment of two sequences of 1024 in managed memory",
    "cheapest way down a wall of 200 x 50000 in managed memory",
    "diffusion of an image of 1024 x 1024, four times, in managed memory",
    "shortest paths in a random graph of 65536 nodes, in managed memory",
    "z = x + 3 y of 1 Mi elements in managed memory",
    NULL,
};

/* Is it one of the names above? */
static bool is_shipped(const char *name, size_t size)
{
    for (size_t i = 0; msw_simt_workload_names[i]; i++)
        if (strlen(msw_simt_workload_names[i]) == size &&
            memcmp(msw_simt_workload_names[i], name, size) == 0)
            return true;
    return false;
}

/* PTX whose loops are unrolled belongs to the same workload file. */
static int name_file(const char *name, size_t size, char *file, size_t file_size)
{
    const char *slash = memchr(name, '/', size);
    size_t kernel = slash ? (size_t)(slash - name) : size;
    if (size > 4 && memcmp(name, "uvm/", 4) == 0)
        return snprintf(file, file_size, "workloads/simt/%.*s.simt", (int)size, name);
    bool natural = slash && slash[1] == 'n';
    return snprintf(file, file_size, "workloads/simt/%.*s/%s.simt", (int)kernel, name,
                    natural ? "natural" : "paper");
}

/* See msw_frontend. */
static int msw_simt_resolve(const char *name, void *config, char *file, size_t file_size,
                            msw_err *err)
{
    static const char END[] = ".simt";
    const char *slash = strrchr(name, '/');
    size_t head = slash && strchr(slash, '=') ? (size_t)(slash - name) : strlen(name);
    bool own = head > strlen(END) && memcmp(name + head - strlen(END), END, strlen(END)) == 0;
    msw_simt_settings settings;
    (void)config;
    file[0] = '\0';
    if (!own && !is_shipped(name, head))
        return 0;
    if (msw_simt_settings_read(name, &settings, &head, err))
        return -1;
    int size = own ? snprintf(file, file_size, "%.*s", (int)head, name)
                   : name_file(name, head, file, file_size);
    if ((size_t)size >= file_size)
        return msw_fail(err, "workload '%s': the file name is too long", name);
    return 1;
}

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
    int rc = -1;
    if (msw_simt_settings_read(name, &settings, &head, err) == 0 &&
        msw_simt_tokens_read(files[0].path, files[0].bytes, files[0].size, &arena, &tokens, err) ==
            0) {
        if (count > 1)
            rc = msw_simt_data_file(&tokens, count - 2, next, next_size, err);
        else
            rc = msw_simt_choose_ptx(&tokens, &settings, next, next_size, err) ? -1 : 1;
    }
    msw_arena_free(&arena);
    return rc;
}

/* Once the statements have run, what is wrong with them has been reported, and loops are counted.
 */
static int try_out(msw_simt_content *c, msw_arena *kept, msw_digest *sizes, msw_err *err)
{
    msw_arena arena = {0};
    const msw_simt_reader *r =
        msw_simt_content_run(c, MSW_SIMT_ALIGNMENT, msw_simt_find_element, &arena, err);
    int rc = r ? 0 : -1;
    if (r) {
        *sizes = r->sizes;
        c->ends = (msw_simt_list){msw_arena_take(kept, r->ends.count + 1), r->ends.count, 0};
        if (!c->ends.items)
            rc = msw_fail_memory(err);
        else if (r->ends.count)
            memcpy(c->ends.items, r->ends.items, r->ends.count);
    }
    msw_arena_free(&arena);
    return rc;
}

/* Files that arrays come from. */
static int copy_data(msw_simt_content *c, const msw_workload_file *files, size_t count,
                     msw_arena *arena, msw_err *err)
{
    msw_workload_file *own = msw_arena_zero(arena, count + 1, sizeof *own);
    if (!own)
        return msw_fail_memory(err);
    for (size_t i = 0; i < count; i++) {
        own[i] = (msw_workload_file){copy_text(files[i].path, arena), copy_bytes(&files[i], arena),
                                     files[i].size};
        if (!own[i].path || !own[i].bytes)
            return msw_fail_memory(err);
    }
    c->files = own;
    c->file_count = count;
    return 0;
}

static int assemble(const char *name, const msw_workload_file *files, size_t count,
                    msw_arena *arena, const void **content, msw_digest *settings, msw_err *err)
{
    size_t head;
    if (count < 2)
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
    c->ptx = ptx;
    c->program = msw_simt_parse(ptx_file, ptx, files[1].size, arena, err);
    if (!c->program || copy_data(c, files + 2, count - 2, arena, err) ||
        try_out(c, arena, settings, err))
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

/* See msw_frontend: blanks as one space. */
static void print_line(const void *content, uint64_t line, msw_text *out)
{
    const char *at = ((const msw_simt_content *)content)->ptx;
    for (; line > 1 && *at; at++)
        line -= *at == '\n';
    at += strspn(at, " \t");
    while (*at && !strchr("\r\n", *at)) {
        size_t blanks = strspn(at, " \t"), word = strcspn(at + blanks, " \t\r\n");
        msw_text_add_bytes(out, " ", blanks && word);
        msw_text_add_bytes(out, at + blanks, word);
        at += blanks + word;
    }
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
    .version = 2,
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
    .line = print_line,
    .check = check,
    .build = build,
};
