/* SPDX-License-Identifier: MIT */
/* Settings, names and product of the front end `trace`. */
#include "workload/trace/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FIELD(name) offsetof(msw_trace_config, name)
#define ANY         1099511627776.0

static const msw_param PARAMS[] = {
    MSW_ROW(.name = "trace_bytes", .kind = MSW_SIZE, .unit = "B", .min = 1, .max = 1048576,
            .def = 64, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "size of requests whose line gives none", .source = MSW_INFERRED,
            .reference = "the line of most caches", .offset = FIELD(bytes)),
    MSW_ROW(.name = "trace_skip", .kind = MSW_INTEGER, .unit = "requests", .min = 0, .max = ANY,
            .def = 0, .neutral = MSW_NO_NEUTRAL, .doc = "requests left out at the beginning",
            .source = MSW_INFERRED, .reference = "definition", .offset = FIELD(skip)),
    MSW_ROW(.name = "trace_limit", .kind = MSW_INTEGER, .unit = "requests", .min = 1, .max = ANY,
            .def = ANY, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG, .max_word = "unlimited",
            .doc = "most requests taken", .source = MSW_INFERRED, .reference = "definition",
            .offset = FIELD(limit)),
    MSW_ROW(.name = "trace_malformed", .kind = MSW_INTEGER, .unit = "lines", .min = 0, .max = ANY,
            .def = 0, .neutral = MSW_NO_NEUTRAL, .max_word = "unlimited",
            .doc = "lines that are no request and are passed over; more are an error",
            .source = MSW_INFERRED, .reference = "definition", .offset = FIELD(malformed)),
    {0},
};

static const char *const NAMES[] = {"trace/example", "trace/lackey", NULL};
static const char *const DOCS[] = {
    "12 requests in memsweep's own text format",
    "a program that looks words up in a hash table, recorded by valgrind's lackey",
    NULL,
};
static const char *const FILES[] = {"workloads/trace/example.trace",
                                    "workloads/trace/words.lackey.gz"};
static const char *const ENDS[] = {".trace", ".lackey", ".dramsim3", ".ramulator"};

static int name_file(const char *path, char *file, size_t file_size, msw_err *err)
{
    int size = snprintf(file, file_size, "%s", path);
    if (size >= 0 && (size_t)size < file_size)
        return 1;
    return msw_fail(err, "workload '%s': the file name is too long", path);
}

static int resolve(const char *name, void *config, char *file, size_t file_size, msw_err *err)
{
    (void)config;
    for (size_t n = 0; NAMES[n]; n++)
        if (strcmp(name, NAMES[n]) == 0)
            return name_file(FILES[n], file, file_size, err);
    for (size_t e = 0; e < sizeof ENDS / sizeof *ENDS; e++)
        if (msw_lines_named(name, ENDS[e]))
            return name_file(name, file, file_size, err);
    return 0;
}

/* "file:3:5: found 'zz', allowed: ...; 7 malformed lines in all (3, 8, 9, ...), ...". */
static int fail_malformed(const msw_trace_content *c, int64_t allowed, msw_err *err)
{
    char list[MSW_TRACE_BAD_SHOWN * 24] = "";
    size_t size = 0, shown = c->bad_count;
    if (shown > MSW_TRACE_BAD_SHOWN)
        shown = MSW_TRACE_BAD_SHOWN;
    for (size_t i = 0; i < shown; i++)
        size += (size_t)snprintf(list + size, sizeof list - size, "%s%" PRIu64, i ? ", " : "",
                                 c->bad[i].line);
    return msw_fail(err,
                    "%s:%" PRIu64 ":%" PRIu64 ": found '%s', allowed: %s; malformed lines: %" PRIu64
                    " (%s%s), trace_malformed allows %" PRId64,
                    c->file, c->bad[0].line, c->bad[0].column, c->bad[0].found, c->bad[0].allowed,
                    c->bad_count, list, c->bad_count > shown ? ", ..." : "", allowed);
}

static int check(const void *content, const void *config, msw_err *err)
{
    const msw_trace_content *c = content;
    const msw_trace_config *settings = config;
    if (c->bad_count && (c->bad_count > (uint64_t)settings->malformed || c->count == 0))
        return fail_malformed(c, settings->malformed, err);
    if (c->count <= (uint64_t)settings->skip)
        return msw_fail(err,
                        "%s: found %" PRIu64 " requests, of which trace_skip leaves out %" PRId64,
                        c->file, c->count, settings->skip);
    return 0;
}

/* Sizes with the setting in place of those that the file does not give. */
static int set_bytes(const msw_trace_content *c, const msw_trace_config *settings, msw_arena *arena,
                     msw_accesses *a, msw_err *err)
{
    uint32_t missing = (uint32_t)settings->bytes;
    a->request_bytes = c->first_bytes ? c->first_bytes : missing;
    if (!c->bytes)
        return 0;
    uint32_t *bytes = msw_arena_take(arena, a->count * sizeof *bytes);
    if (!bytes)
        return msw_fail_memory(err);
    for (uint64_t i = 0; i < a->count; i++) {
        uint32_t given = c->bytes[(uint64_t)settings->skip + i];
        bytes[i] = given ? given : missing;
    }
    a->bytes = bytes;
    return 0;
}

static void measure(msw_accesses *a, msw_summary *summary)
{
    uint64_t low = UINT64_MAX, high = 0, written = 0;
    for (uint64_t i = 0; i < a->count; i++) {
        uint64_t bytes = a->bytes ? a->bytes[i] : a->request_bytes, from = a->addresses[i];
        low = from < low ? from : low;
        high = from + bytes > high ? from + bytes : high;
        summary->bytes += bytes;
        written += a->writes && a->writes[i] ? bytes : 0;
    }
    a->base_address = low;
    a->footprint_bytes = high - low;
    summary->units = 1;
    summary->accesses = a->count;
    summary->footprint_bytes = high - low;
    summary->write_share = (double)written / (double)summary->bytes;
}

static int build(const void *content, const void *config, uint64_t seed, msw_arena *arena,
                 msw_product *product, msw_err *err)
{
    const msw_trace_content *c = content;
    const msw_trace_config *settings = config;
    msw_accesses *a = msw_arena_zero(arena, 1, sizeof *a);
    (void)seed;
    if (!a)
        return msw_fail_memory(err);
    if (check(content, config, err))
        return -1;
    uint64_t skip = (uint64_t)settings->skip, left = c->count - skip;
    a->count = left < (uint64_t)settings->limit ? left : (uint64_t)settings->limit;
    a->addresses = c->addresses + skip;
    a->writes = c->writes ? c->writes + skip : NULL;
    a->cycles = c->cycles ? c->cycles + skip : NULL;
    a->streams = c->streams ? c->streams + skip : NULL;
    a->stream_count = c->stream_count;
    a->batch_count = 1;
    *product = (msw_product){.kind = MSW_PRODUCT_ACCESSES, .data = a};
    if (set_bytes(c, settings, arena, a, err))
        return -1;
    measure(a, &product->summary);
    return 0;
}

static const char *const OWN[] = {
    "workloads: [mine.trace]: the path of a file, next to the sweep file or from here. Its ending",
    "says what it is; .gz may follow:",
    "  .trace, .dramsim3    a request per line: address [size] [r|w] [cycle] [stream],",
    "                       or with r or w in front; '0x1000 64 r'",
    "  .lackey              what 'valgrind --tool=lackey --trace-mem=yes' prints",
    "  .ramulator           Ramulator's",
    "More: docs/models/trace.md, 'Files'.",
    NULL,
};

const msw_frontend msw_frontend_trace = {
    .name = "trace",
    .title = "Memory requests recorded by another program, read from a file",
    .version = 1,
    .params = PARAMS,
    .config_size = sizeof(msw_trace_config),
    .product = MSW_PRODUCT_ACCESSES,
    .random = false,
    .names = NAMES,
    .docs = DOCS,
    .own = OWN,
    .resolve = resolve,
    .parse = msw_trace_parse,
    .check = check,
    .build = build,
};
