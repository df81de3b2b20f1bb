/* SPDX-License-Identifier: MIT */
/* Settings, names and product of the front end `pages`. */
#include "workload/pages/parts.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/search.h"
#include "memsweep/base/sort.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(name) offsetof(msw_pages_config, name)

enum { REGION = 2 << 20 };
#define PAGES_MOST ((uint64_t)1 << 28) /* in all runs together */

static const msw_param PARAMS[] = {
    MSW_ROW(.name = "pages_size", .kind = MSW_SIZE, .unit = "B", .min = 4096, .max = REGION,
            .def = 4096, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "of the pages of the file", .source = MSW_INFERRED, .reference = "definition",
            .offset = FIELD(size)),
    MSW_ROW(.name = "pages_open", .kind = MSW_INTEGER, .unit = "accesses", .min = 1, .max = 31,
            .def = 1, .neutral = MSW_NO_NEUTRAL,
            .doc = "of a warp under way at once: with 1 each waits for the one before",
            .source = MSW_UNKNOWN, .reference = "a trace does not say what waits for what",
            .plausible_min = 1, .plausible_max = 8, .offset = FIELD(open)),
    MSW_ROW(.name = "pages_instructions", .kind = MSW_INTEGER, .unit = "instructions", .min = 1,
            .max = 1 << 20, .def = 8, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,
            .doc = "of a warp for each access, itself included", .source = MSW_UNKNOWN,
            .reference = "a trace does not say; kernels have 6.7 (2DCONV) and more",
            .plausible_min = 1, .plausible_max = 100, .offset = FIELD(instructions)),
    {0},
};

static const char *const NAMES[] = {"pages/example", NULL};
static const char *const DOCS[] = {"two SMs of two warps that read two arrays and write a third",
                                   NULL};

static int resolve(const char *name, void *config, char *file, size_t file_size, msw_err *err)
{
    (void)config;
    bool own = msw_lines_named(name, ".pages") || msw_lines_named(name, ".pagebin") ||
               msw_lines_named(name, ".uvmsmart");
    if (strcmp(name, NAMES[0]) != 0 && !own)
        return 0;
    int size = snprintf(file, file_size, "%s", own ? name : "workloads/pages/example.pages");
    if (size >= 0 && (size_t)size < file_size)
        return 1;
    return msw_fail(err, "workload '%s': the file name is too long", name);
}

/* ---- runs ---- */

/* Pages in order, each once. Returns how many. */
static uint64_t sorted_pages(const msw_pages_content *c, uint64_t *pages)
{
    uint64_t count = 0, kept = 0;
    for (uint64_t i = 0; i < c->count; i++)
        if (i == 0 || c->accesses[i].page != c->accesses[i - 1].page)
            pages[count++] = c->accesses[i].page;
    msw_sort_u64(pages, count);
    for (uint64_t i = 0; i < count; i++)
        if (i == 0 || pages[i] != pages[i - 1])
            pages[kept++] = pages[i];
    return kept;
}

/* A run begins with 2 MiB, goes on while the next 2 MiB have a page, and ends with its last page.
 */
static int make_runs(msw_page_trace *t, const uint64_t *pages, uint64_t count, msw_arena *arena,
                     const char *file, msw_err *err)
{
    uint64_t region = REGION / t->page_bytes, total = 0;
    msw_page_run *runs = msw_arena_take(arena, count * sizeof *runs), *last = runs;
    if (!runs)
        return msw_fail_memory(err);
    for (uint64_t i = 0; i < count; i++) {
        if (i == 0 || pages[i] / region > pages[i - 1] / region + 1) {
            last = &runs[t->run_count++];
            *last = (msw_page_run){.first = pages[i] - pages[i] % region,
                                   .offset = total * t->page_bytes};
        }
        last->pages = pages[i] + 1 - last->first;
        total = last->offset / t->page_bytes + msw_align_up(last->pages, region);
        if (total > PAGES_MOST)
            return msw_fail(err, "%s: its pages lie on more than %" PRIu64 " in 2 MiB each", file,
                            PAGES_MOST);
    }
    t->runs = runs;
    return 0;
}

/* Launches, where the file says them. Returns 0, or -1. */
static int make_launches(msw_page_trace *t, const msw_pages_content *c, msw_arena *arena)
{
    if (!c->origins)
        return 0;
    msw_page_launch *launches = msw_arena_zero(arena, c->launches, sizeof *launches);
    for (uint64_t i = 0, launch = 0; launches && i < c->count; i++) {
        launch += i && c->origins[i].launch != c->origins[i - 1].launch;
        launches[launch].end = i + 1;
    }
    t->launches = launches;
    t->launch_count = c->launches;
    return launches ? 0 : -1;
}

uint64_t msw_page_offset(const msw_page_trace *t, uint64_t page)
{
    uint64_t after;
    MSW_SEARCH(after, 1, t->run_count, t->runs[after].first <= page);
    const msw_page_run *run = &t->runs[after - 1];
    return run->offset + (page - run->first) * t->page_bytes;
}

/* Pages of a log of UVMSmart are kept as 4 KiB. */
static int check(const void *content, const void *config, msw_err *err)
{
    const msw_pages_content *c = content;
    const msw_pages_config *settings = config;
    if (!c || !msw_lines_named(c->file, ".uvmsmart") || settings->size == 4096)
        return 0;
    return msw_fail(err,
                    "%s: found pages_size %lld, allowed: 4096 (pages of a log of UVMSmart are kept "
                    "as 4 KiB)",
                    c->file, (long long)settings->size);
}

static int build(const void *content, const void *config, uint64_t seed, msw_arena *arena,
                 msw_product *product, msw_err *err)
{
    const msw_pages_content *c = content;
    const msw_pages_config *settings = config;
    msw_page_trace *t = msw_arena_zero(arena, 1, sizeof *t);
    uint64_t *pages = msw_arena_take(arena, c->count * sizeof *pages), written = 0;
    (void)seed;
    if (!t || !pages)
        return msw_fail_memory(err);
    *t = (msw_page_trace){.accesses = c->accesses,
                          .origins = c->origins,
                          .count = c->count,
                          .sms = c->sms,
                          .warps = c->warps,
                          .pcs = c->pc_count,
                          .page_bytes = (uint64_t)settings->size,
                          .open = (uint32_t)settings->open,
                          .instructions = (uint32_t)settings->instructions};
    uint64_t count = sorted_pages(c, pages);
    if (make_runs(t, pages, count, arena, c->file, err))
        return -1;
    if (make_launches(t, c, arena))
        return msw_fail_memory(err);
    for (uint64_t i = 0; i < c->count; i++)
        written += c->accesses[i].write;
    *product = (msw_product){.kind = MSW_PRODUCT_PAGES,
                             .data = t,
                             .summary = {.units = 1,
                                         .accesses = c->count,
                                         .footprint_bytes = count * t->page_bytes,
                                         .write_share = (double)written / (double)c->count}};
    return 0;
}

/* What the file does not say, and what that does to an answer. */
static int describe(const void *content, const void *config, msw_text *out, msw_err *err)
{
    const msw_pages_content *c = content;
    (void)config;
    (void)err;
    if (c->origins)
        msw_text_add(out,
                     "\nCTAs, launches and the lines of an access are as recorded. Lost: what "
                     "waits for what\n(pages_open), instructions (pages_instructions), barriers, "
                     "allocations\n");
    else
        msw_text_add(
            out, "\nLost: CTAs (all warps of an SM are one, and none follows), launches, which "
                 "lines are\none access (each waits for the one before), and what waits for "
                 "what. Columns cta launch\naccess keep the first three (docs/models/pages.md)\n");
    return 0;
}

static const char *const OWN[] = {
    "workloads: [mine.pages]: the path of a file, next to the sweep file or from here. Its ending",
    "says what it is:",
    "  .pages (.gz may follow)  an access per line: time sm warp pc page r|w",
    "                           and, where they are known: cta launch access",
    "  .pagebin                 the same, 24 or 36 bytes each",
    "  .uvmsmart (.gz)          UVMSmart's access log: page address size cycle is_read sm warp",
    "'memsweep eval uvm -w uvm/nw --details pages -f csv page_trace=walk' writes such a file.",
    "More: docs/models/pages.md.",
    NULL,
};

const msw_frontend msw_frontend_pages = {
    .name = "pages",
    .title = "Pages that warps touched, recorded by another program, read from a file",
    .version = 1,
    .params = PARAMS,
    .config_size = sizeof(msw_pages_config),
    .product = MSW_PRODUCT_PAGES,
    .random = false,
    .names = NAMES,
    .docs = DOCS,
    .own = OWN,
    .resolve = resolve,
    .parse = msw_pages_parse,
    .describe = describe,
    .check = check,
    .build = build,
};
