/* SPDX-License-Identifier: MIT */
/* From a file to the arrays that its requests need. */
#include "workload/trace/parts.h"

#include <string.h>

typedef struct parser {
    msw_lines lines;
    msw_trace_content *content;
    msw_arena *arena;
    msw_trace_reader *read;
    uint64_t time; /* instructions so far, where the format counts them */
} parser;

static void note_bad(parser *p, msw_line line, msw_field field, const char *allowed)
{
    msw_trace_content *c = p->content;
    if (c->bad_count++ >= MSW_TRACE_BAD_SHOWN)
        return;
    msw_trace_bad *bad = &c->bad[c->bad_count - 1];
    *bad = (msw_trace_bad){.line = p->lines.line,
                           .column = (uint64_t)(field.text - line.text) + 1,
                           .allowed = allowed};
    size_t size = field.size < sizeof bad->found - 1 ? field.size : sizeof bad->found - 1;
    for (size_t i = 0; i < size; i++)
        bad->found[i] = field.text[i] >= ' ' && field.text[i] < 127 ? field.text[i] : '?';
}

/* An array for a property from now on: those before had `value` bytes of zero. */
static int need(parser *p, void *array, size_t size, msw_err *err)
{
    void *fresh = msw_arena_zero(p->arena, p->content->room, size);
    if (!fresh)
        return msw_fail_memory(err);
    memcpy(array, &fresh, sizeof fresh);
    return 0;
}

static int need_arrays(parser *p, const msw_trace_request *r, msw_err *err)
{
    msw_trace_content *c = p->content;
    if (c->count == 0)
        c->first_bytes = (uint32_t)r->bytes;
    if (!c->bytes && r->bytes != c->first_bytes) {
        if (need(p, &c->bytes, sizeof *c->bytes, err))
            return -1;
        for (uint64_t i = 0; i < c->count; i++)
            c->bytes[i] = c->first_bytes;
    }
    if (!c->writes && r->write && need(p, &c->writes, sizeof *c->writes, err))
        return -1;
    if (!c->cycles && r->has_cycle && need(p, &c->cycles, sizeof *c->cycles, err))
        return -1;
    return !c->streams && r->stream ? need(p, &c->streams, sizeof *c->streams, err) : 0;
}

static int choose(parser *p, msw_err *err)
{
    msw_field fields[MSW_FIELDS_MAX];
    msw_line line = {"", 0};
    int rc;
    while ((rc = msw_lines_next(&p->lines, &line, err)) > 0 && !msw_line_split(line, fields))
        ;
    p->read = msw_trace_choose(p->lines.file, line);
    return rc < 0 ? -1 : msw_lines_rewind(&p->lines, err);
}

static int grow(parser *p, uint64_t lines, msw_err *err)
{
    msw_trace_content *c = p->content;
    c->room = lines * (p->read == msw_trace_text ? 1 : MSW_TRACE_PER_LINE);
    c->addresses = msw_arena_take(p->arena, c->room * sizeof *c->addresses);
    return c->addresses ? 0 : msw_fail_memory(err);
}

static int keep(parser *p, const msw_trace_request *r, msw_err *err)
{
    msw_trace_content *c = p->content;
    if (need_arrays(p, r, err))
        return -1;
    c->addresses[c->count] = r->address;
    if (c->bytes)
        c->bytes[c->count] = (uint32_t)r->bytes;
    if (c->writes)
        c->writes[c->count] = r->write;
    if (c->cycles)
        c->cycles[c->count] = r->has_cycle || !c->count ? r->cycle : c->cycles[c->count - 1];
    if (c->streams)
        c->streams[c->count] = (uint16_t)r->stream;
    if (r->stream >= c->stream_count)
        c->stream_count = (uint32_t)r->stream + 1;
    c->count++;
    return 0;
}

static bool goes_back(const msw_trace_content *c, const msw_trace_request *r)
{
    return r->has_cycle && c->cycles && c->count && r->cycle < c->cycles[c->count - 1];
}

static int read_line(parser *p, msw_line line, msw_err *err)
{
    msw_field fields[MSW_FIELDS_MAX], bad = {line.text, line.size};
    msw_trace_request requests[MSW_TRACE_PER_LINE] = {0};
    const char *allowed = "";
    int count = msw_line_split(line, fields);
    if (count == 0)
        return 0;
    int found = p->read(fields, count, &p->time, requests, &bad, &allowed);
    if (found > 0 && goes_back(p->content, &requests[0])) {
        found = -1;
        bad = fields[0];
        allowed = "cycles that never go back";
    }
    if (found < 0)
        note_bad(p, line, bad, allowed);
    for (int i = 0; i < found; i++)
        if (keep(p, &requests[i], err))
            return -1;
    return 0;
}

static int read_all(parser *p, msw_err *err)
{
    uint64_t lines;
    msw_line line;
    int rc;
    if (choose(p, err) || msw_lines_count(&p->lines, &lines, err) || grow(p, lines, err))
        return -1;
    while ((rc = msw_lines_next(&p->lines, &line, err)) > 0)
        if (read_line(p, line, err))
            return -1;
    return rc;
}

int msw_trace_parse(const char *file, const char *bytes, size_t size, msw_arena *arena,
                    const void **content, msw_err *err)
{
    msw_trace_content *c = msw_arena_zero(arena, 1, sizeof *c);
    size_t length = strlen(file) + 1;
    char *name = msw_arena_take(arena, length);
    if (!c || !name)
        return msw_fail_memory(err);
    memcpy(name, file, length);
    c->file = name;
    parser p = {.content = c, .arena = arena};
    if (msw_lines_open(&p.lines, name, bytes, size, arena, err) || read_all(&p, err))
        return -1;
    if (c->count == 0 && c->bad_count == 0)
        return msw_fail(err,
                        "%s:1:1: found no request, allowed: lines '0x1000 64 r' and others "
                        "(docs/models/trace.md)",
                        file);
    *content = c;
    return 0;
}
