/* SPDX-License-Identifier: MIT */
/* Parses a trace into the arrays that its requests need. One reader per format turns the fields
 * of a line into requests. */
#include "workload/trace/parts.h"

#include <string.h>

enum { MSW_TRACE_PER_LINE = 2 };

/* The reader of memsweep's own format: one request per line. */
msw_trace_reader msw_trace_text;

enum { BYTES_MAX = 1 << 20, STREAMS_MAX = 65535 };

static const char ADDRESS[] = "an address below 2^48, decimal or after 0x hexadecimal";
static const char BYTES[] = "a size from 1 to 1048576 bytes, r or w";
static const char CYCLE[] = "r, w or a cycle below 2^43";
static const char STREAM[] = "a stream from 0 to 65535";
static const char FIELDS[] = "address [size] [r|w] [cycle] [stream]";

typedef struct line_reader {
    msw_trace_request *request;
    msw_field *bad;
    const char **allowed;
} line_reader;

static int refuse(const line_reader *r, msw_field field, const char *allowed)
{
    *r->bad = field;
    *r->allowed = allowed;
    return -1;
}

/* Addresses of the upper half, as a kernel has them, are kept by their low 48 bits. */
static bool fold(uint64_t *address)
{
    if (*address >= UINT64_C(0xffff800000000000))
        *address &= ((uint64_t)1 << 48) - 1;
    return *address >> 48 == 0;
}

static int set_address(const line_reader *r, msw_field field)
{
    if (msw_field_number(field, &r->request->address) && fold(&r->request->address))
        return 0;
    return refuse(r, field, ADDRESS);
}

/* Whether a word says read or write: 0, 1, or -1 for other words. */
static int direction(msw_field field)
{
    static const struct {
        char word[6];
        int write;
    } WORDS[] = {{"r", 0}, {"w", 1}, {"read", 0}, {"write", 1}, {"ld", 0}, {"st", 1}};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        size_t c = 0;
        while (c < field.size && (field.text[c] | 0x20) == WORDS[i].word[c])
            c++;
        if (c == field.size && !WORDS[i].word[c])
            return WORDS[i].write;
    }
    return -1;
}

static int set_bytes(const line_reader *r, msw_field field)
{
    if (msw_field_number(field, &r->request->bytes) && r->request->bytes - 1 < BYTES_MAX)
        return 0;
    return refuse(r, field, BYTES);
}

static int set_cycle(const line_reader *r, msw_field field)
{
    r->request->has_cycle = true;
    if (msw_field_number(field, &r->request->cycle) && r->request->cycle >> 43 == 0)
        return 0;
    return refuse(r, field, CYCLE);
}

static int set_stream(const line_reader *r, msw_field field)
{
    if (msw_field_number(field, &r->request->stream) && r->request->stream <= STREAMS_MAX)
        return 0;
    return refuse(r, field, STREAM);
}

/* What may follow an address: [size] [r|w] [cycle] [stream]. Behind r or w there is no size. */
static int read_rest(const line_reader *r, const msw_field *fields, int count)
{
    static int (*const SET[])(const line_reader *, msw_field) = {set_bytes, set_cycle, set_stream};
    int next = 0;
    bool directed = false;
    for (int i = 0; i < count; i++) {
        int write = direction(fields[i]);
        if (write >= 0 && !directed && next < 2) {
            r->request->write = write;
            directed = true;
            next = 1;
        } else if (next == 3 || write >= 0) {
            return refuse(r, fields[i], FIELDS);
        } else if (SET[next++](r, fields[i])) {
            return -1;
        }
    }
    return 1;
}

/* FIELDS, or with the direction in front: "r|w address [size] [cycle] [stream]". */
int msw_trace_text(const msw_field *fields, int count, uint64_t *time, msw_trace_request *requests,
                   msw_field *bad, const char **allowed)
{
    line_reader r = {requests, bad, allowed};
    (void)time;
    if (count > 5)
        return refuse(&r, fields[5], FIELDS);
    int write = direction(fields[0]);
    if (write < 0)
        return set_address(&r, fields[0]) ? -1 : read_rest(&r, fields + 1, count - 1);
    if (count < 2)
        return refuse(&r, fields[0], FIELDS);
    requests->write = write;
    MSW_TRY(set_address(&r, fields[1]));
    return read_rest(&r, fields + 2, count - 2);
}

/* Ramulator: "address r|w", or "bubble address [address written back]": so many instructions go
 * before the request, one per cycle. */
static int read_ramulator(const msw_field *fields, int count, uint64_t *time,
                          msw_trace_request *requests, msw_field *bad, const char **allowed)
{
    line_reader r = {requests, bad, allowed};
    uint64_t bubble;
    if (count < 2 || count > 3 || direction(fields[1]) >= 0 || direction(fields[0]) >= 0)
        return msw_trace_text(fields, count, time, requests, bad, allowed);
    if (!msw_field_number(fields[0], &bubble) || bubble >> 40)
        return refuse(&r, fields[0], "a number of instructions below 2^40");
    if (set_address(&r, fields[1]))
        return -1;
    *time += bubble;
    requests[0].cycle = (*time)++;
    requests[0].has_cycle = true;
    if (count == 2)
        return 1;
    requests[1] = requests[0];
    requests[1].write = true;
    r.request = &requests[1];
    return set_address(&r, fields[2]) ? -1 : 2;
}

/* Lackey: "I  address,size", " L ...", " S ...", " M ..." with hexadecimal addresses; what valgrind
 * says beside starts with "==". Instructions are no data. */
static int read_lackey(const msw_field *fields, int count, uint64_t *time,
                       msw_trace_request *requests, msw_field *bad, const char **allowed)
{
    line_reader r = {requests, bad, allowed};
    (void)time;
    if (fields[0].size > 2 && memcmp(fields[0].text, "==", 2) == 0)
        return 0;
    const char *kind = fields[0].size == 1 ? memchr("ILSM", fields[0].text[0], 4) : NULL;
    if (!kind || count != 3)
        return refuse(&r, fields[0], "I, L, S or M, then address,size");
    if (!msw_field_hex(fields[1], &requests->address) || !fold(&requests->address))
        return refuse(&r, fields[1], "a hexadecimal address below 2^48");
    if (set_bytes(&r, fields[2]))
        return -1;
    if (*kind == 'I')
        return 0;
    requests->write = *kind == 'S';
    if (*kind != 'M')
        return 1;
    requests[1] = requests[0];
    requests[1].write = true;
    return 2;
}

static bool looks_like_lackey(msw_line line)
{
    msw_field fields[MSW_FIELDS_MAX];
    msw_trace_request requests[MSW_TRACE_PER_LINE];
    msw_field bad;
    const char *allowed;
    uint64_t time = 0;
    int count = msw_line_split(line, fields);
    return count > 0 && memchr(line.text, ',', line.size) &&
           read_lackey(fields, count, &time, requests, &bad, &allowed) >= 0;
}

/* The reader for a file, by its name or, where that says nothing, by its first line of data. */
static msw_trace_reader *msw_trace_choose(const char *file, msw_line line)
{
    if (msw_lines_named(file, ".ramulator"))
        return read_ramulator;
    bool valgrind = line.size > 2 && memcmp(line.text, "==", 2) == 0;
    if (msw_lines_named(file, ".lackey") || valgrind || looks_like_lackey(line))
        return read_lackey;
    return msw_trace_text;
}

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

static int allocate_addresses(parser *p, uint64_t lines, msw_err *err)
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
    if (choose(p, err) || msw_lines_count(&p->lines, &lines, err) ||
        allocate_addresses(p, lines, err))
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
