/* SPDX-License-Identifier: MIT */
/* Describes a workload, the one thing for which `describe` reads files: the front end's own
 * lines, then what its product is: how much, over how many pages, and how soon addresses come
 * again. */
#include "cli/reading.h"

#include "memsweep/mech/engine.h"
#include "memsweep/sim/reuse.h"
#include "memsweep/sweep/content.h"
#include "memsweep/workload/accesses.h"
#include "memsweep/workload/pages.h"
#include "memsweep/workload/simt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKED_MAX = 1 << 24, SIZES = 3, TLBS = 4 };

static const unsigned SHIFTS[SIZES] = {12, 16, 21};
static const char *const PAGE_NAMES[SIZES] = {"4 KiB", "64 KiB", "2 MiB"};
static const uint32_t ENTRIES[TLBS] = {16, 64, 512, 2048};

/* Address of access i. */
typedef uint64_t address_fn(const void *product, uint64_t i);

static uint64_t stream_address(const void *product, uint64_t i)
{
    return ((const msw_accesses *)product)->addresses[i];
}

static uint64_t page_address(const void *product, uint64_t i)
{
    const msw_page_trace *t = product;
    return t->accesses[i].page * t->page_bytes;
}

/* One size of page: how many there are, and the share of accesses that the most recent ones hold.
 */
static int add_size(const void *product, address_fn *address, uint64_t count, int size,
                    msw_text *out, msw_err *err)
{
    char text[32];
    msw_arena arena = {0};
    msw_reuse reuse;
    void *memory = msw_arena_take(&arena, msw_reuse_bytes((uint32_t)count));
    int rc = memory ? msw_reuse_init(&reuse, (uint32_t)count, memory, err) : msw_fail_memory(err);
    for (uint64_t i = 0; rc == 0 && i < count; i++)
        rc = msw_reuse_add(&reuse, address(product, i) >> SHIFTS[size], err);
    if (rc == 0) {
        msw_text_add(out, "  %-8s %12s", PAGE_NAMES[size], msw_count_text(reuse.cold, text));
        for (int t = 0; t < TLBS; t++)
            msw_text_add(out, " %8.4f", (double)msw_reuse_hits(&reuse, ENTRIES[t]) / (double)count);
        msw_text_add(out, "\n");
    }
    msw_arena_free(&arena);
    return rc;
}

static int add_pages(const void *product, address_fn *address, uint64_t all, msw_text *out,
                     msw_err *err)
{
    char text[32];
    uint64_t count = all < LOOKED_MAX ? all : LOOKED_MAX;
    msw_text_add(out,
                 "\nPages%s%s%s, and the share of accesses whose page is one of the last N "
                 "different ones\n",
                 count < all ? " of the first " : "",
                 count < all ? msw_count_text(count, text) : "", count < all ? " accesses" : "");
    msw_text_add(out, "  %-8s %12s", "page", "touched");
    for (int t = 0; t < TLBS; t++)
        msw_text_add(out, "  N=%5u", ENTRIES[t]);
    msw_text_add(out, "\n");
    for (int size = 0; size < SIZES && count; size++)
        if (add_size(product, address, count, size, out, err))
            return -1;
    return 0;
}

static uint64_t written(const uint8_t *writes, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; writes && i < count; i++)
        sum += writes[i] != 0;
    return sum;
}

static int add_stream(const msw_accesses *a, const msw_summary *summary, msw_text *out,
                      msw_err *err)
{
    char count[4][32];
    msw_text_add(out, "\nRequests\n  %s, %s of them writes, %.3f MB, by %u requester%s\n",
                 msw_count_text(a->count, count[0]),
                 msw_count_text(written(a->writes, a->count), count[1]),
                 (double)summary->bytes / 1e6, a->stream_count > 1 ? a->stream_count : 1,
                 a->stream_count > 1 ? "s" : "");
    msw_text_add(out, "  from 0x%" PRIx64 " on, over a range of %.3f MB\n", a->base_address,
                 (double)a->footprint_bytes / 1e6);
    if (a->cycles && a->count)
        msw_text_add(out, "  at their own times, from cycle %s to %s\n",
                     msw_count_text(a->cycles[0], count[2]),
                     msw_count_text(a->cycles[a->count - 1], count[3]));
    return add_pages(a, stream_address, a->count, out, err);
}

static int add_trace(const msw_page_trace *t, msw_text *out, msw_err *err)
{
    char count[3][32];
    uint64_t writes = 0, bytes = 0;
    for (uint64_t i = 0; i < t->count; i++)
        writes += t->accesses[i].write;
    for (uint64_t r = 0; r < t->run_count; r++)
        bytes += t->runs[r].pages * t->page_bytes;
    msw_text_add(out,
                 "\nAccesses\n  %s, %s of them writes, by %u SM%s of %u warp%s, from %u "
                 "place%s in the code\n",
                 msw_count_text(t->count, count[0]), msw_count_text(writes, count[1]), t->sms,
                 t->sms == 1 ? "" : "s", t->warps, t->warps == 1 ? "" : "s", t->pcs,
                 t->pcs == 1 ? "" : "s");
    msw_text_add(out, "  %s allocation%s of %.3f MB as far as the trace shows, %s launch%s\n",
                 msw_count_text(t->run_count, count[2]), t->run_count == 1 ? "" : "s",
                 (double)bytes / 1e6, t->launches ? msw_count_text(t->launch_count, count[0]) : "1",
                 t->launches && t->launch_count != 1 ? "es" : "");
    return add_pages(t, page_address, t->count, out, err);
}

/* Prints what is known about streams of addresses and of pages; nothing about other products.
 * */
static int describe_product(const msw_product *product, msw_text *out, msw_err *err)
{
    if (product->kind == MSW_PRODUCT_ACCESSES)
        return add_stream(product->data, &product->summary, out, err);
    if (product->kind == MSW_PRODUCT_PAGES)
        return add_trace(product->data, out, err);
    return 0;
}

static void add_params(const msw_frontend *frontend, const void *config, msw_text *out)
{
    if (frontend->params->name)
        msw_text_add(out, "\nParameters, as this workload sets them\n");
    for (const msw_param *p = frontend->params; p->name; p++) {
        char value[MSW_PARAM_TEXT];
        msw_text_add(out, "  %-20s %-12s %s\n", p->name,
                     msw_param_print(p, msw_param_get(p, config), value), p->doc);
    }
}

/* How a mechanism, with its default settings, maps the workload. */
static int add_mapping(const msw_mech *mech, msw_task *task, msw_text *out, msw_err *err)
{
    void *config = msw_arena_zero(task->arena, 1, mech->config_size);
    if (!config)
        return msw_fail_memory(err);
    msw_params_defaults(mech->params, config);
    task->mech = mech;
    task->config = config;
    msw_text_add(out, "\nMapping by %s, with its defaults\n", mech->name);
    return mech->mapping(task, out, err);
}

static bool maps(const msw_mech *mech, const msw_frontend *frontend)
{
    return mech->mapping && mech->accepts & frontend->product;
}

static int check_mapped(const char *name, const msw_frontend *frontend, msw_err *err)
{
    for (size_t i = 0; msw_mechs[i]; i++)
        if (maps(msw_mechs[i], frontend))
            return 0;
    return msw_fail(err, "workload '%s': no mechanism maps it; --mapping is for mixes of networks",
                    name);
}

static int add_mappings(const msw_workload *w, const void *config, const msw_product *product,
                        msw_arena *arena, msw_text *out, msw_err *err)
{
    msw_task task = {.workload = w, .workload_config = config, .product = product, .arena = arena};
    for (size_t i = 0; msw_mechs[i]; i++)
        if (maps(msw_mechs[i], w->frontend) && add_mapping(msw_mechs[i], &task, out, err))
            return -1;
    return 0;
}

/* What is reported of the product that mechanisms get. */
static int add_product(const msw_workload *w, const void *config, cli_describe_more more,
                       msw_text *out, msw_err *err)
{
    msw_arena arena = {0};
    msw_product product = {0};
    bool told = w->frontend->product & (MSW_PRODUCT_ACCESSES | MSW_PRODUCT_PAGES);
    int rc = told || more.mapping || more.values
                 ? w->frontend->build(w->content, config, 0, &arena, &product, err)
                 : 0;
    if (rc == 0 && told)
        rc = describe_product(&product, out, err);
    if (rc == 0 && more.values)
        rc = msw_simt_print_values(product.data, more.values, out, err);
    if (rc == 0 && more.mapping)
        rc = add_mappings(w, config, &product, &arena, out, err);
    msw_arena_free(&arena);
    return rc;
}

static int load(const cli *c, const char *file, msw_workload *w, msw_err *err)
{
    msw_plan_options options = {.data_dirs = c->context.data_dirs};
    if (!*file)
        return 0;
    char *path = msw_content_find(&options, file, err);
    int rc = path ? msw_content_load(&options, path, w, err) : -1;
    free(path);
    return rc;
}

/* Reads the workload's files and prints what they hold. */
static int add_content(const cli *c, const char *name, const msw_frontend *frontend, void *config,
                       const char *file, cli_describe_more more, msw_text *out, msw_err *err)
{
    msw_workload w = {.name = msw_strdup(name), .frontend = frontend};
    int rc = w.name ? load(c, file, &w, err) : msw_fail_memory(err);
    if (rc == 0 && frontend->describe)
        rc = frontend->describe(w.content, config, out, err);
    if (rc == 0)
        rc = add_product(&w, config, more, out, err);
    msw_workload_free(&w);
    return rc;
}

static int take_settings(const cli_words *words, const msw_frontend *frontend, void *config,
                         msw_err *err)
{
    for (size_t i = 0; i < words->count; i++) {
        char name[64];
        size_t size = strcspn(words->list[i], "=");
        double value;
        if (!words->list[i][size])
            return msw_fail(err, "found '%s', allowed: NAME=VALUE, e.g. %s=%g", words->list[i],
                            frontend->params->name, frontend->params->def);
        snprintf(name, sizeof name, "%.*s", (int)size, words->list[i]);
        char *dot = strchr(name, '.');
        if (dot)
            *dot = '_';
        const msw_param *param = msw_params_find(frontend->params, name);
        if (!param)
            return msw_fail(err, "front end '%s' has no parameter '%s' ('memsweep describe %s')",
                            frontend->name, name, frontend->name);
        MSW_TRY(msw_param_parse(param, words->list[i] + size + 1, &value, err));
        msw_param_set(param, config, value);
    }
    return 0;
}

int cli_describe_workload(const cli *c, const cli_named *named, cli_describe_more more,
                          msw_text *out, msw_err *err)
{
    _Alignas(uint64_t) char config[MSW_FRONTEND_CONFIG_MAX];
    char file[1024] = "";
    const msw_frontend *frontend =
        msw_workload_resolve(named->name, config, file, sizeof file, err);
    if (!frontend || (more.mapping && check_mapped(named->name, frontend, err)) ||
        take_settings(&more.settings, frontend, config, err))
        return -1;
    if (more.values && frontend != &msw_frontend_simt)
        return msw_fail(err, "workload '%s': --values is for programs (.simt)", named->name);
    cli_describe_head(named, out);
    msw_text_add(out, "  %-11s %s\n", "front end", frontend->title);
    if (*file)
        msw_text_add(out, "  %-11s %s\n", "file", file);
    add_params(frontend, config, out);
    return add_content(c, named->name, frontend, config, file, more, out, err);
}
