/* SPDX-License-Identifier: MIT */
/* Pages of an array are kept in a table of two levels, each part made at the first write that needs
 * it. What is only read is computed into lines of a small cache, found by their address. */
#include "memsweep/workload/simt/device.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/search.h"

#include <inttypes.h>
#include <string.h>

enum { PAGE = MSW_SIMT_PAGE_BYTES, LINE = MSW_SIMT_COMPUTED_BYTES, GROUP = 512, CACHED = 4096 };

/* A page that is not in use is a link of a list. */
typedef union page {
    unsigned char bytes[PAGE];
    union page *next;
} page;

typedef struct page_group {
    page *pages[GROUP];
} page_group;

typedef struct cached_line {
    uint64_t address; /* of its first byte; 0: none */
    unsigned char *bytes;
} cached_line;

struct msw_simt_device {
    msw_simt_memory memory;
    msw_arena *arena;             /* holds the device itself, too */
    msw_arena own;                /* of a device that is freed */
    const msw_simt_device *under; /* NULL: none */
    bool slices;
    const msw_simt_array *arrays;
    size_t count;
    size_t last;           /* array of the last access */
    page_group ***written; /* of each array; NULL until its first write */
    page *unused;
    uint64_t written_bytes, most_bytes;
    cached_line cache[CACHED];
};

static bool holds(const msw_simt_array *a, uint64_t address)
{
    return address - a->address < a->bytes;
}

/* Finds the last array that begins at or below an address. Returns its number, or `count`. */
static size_t find(const msw_simt_device *d, uint64_t address)
{
    size_t after;
    MSW_SEARCH(after, 0, d->count, d->arrays[after].address <= address);
    return after > 0 ? after - 1 : d->count;
}

/* Makes the array of an address the last one. Returns whether there is one. */
static bool locate(msw_simt_device *d, uint64_t address)
{
    if (d->last < d->count && holds(&d->arrays[d->last], address))
        return true;
    size_t found = find(d, address);
    if (found == d->count || !holds(&d->arrays[found], address))
        return false;
    d->last = found;
    return true;
}

static int fail_outside(const msw_simt_device *d, uint64_t address, size_t bytes, msw_err *err)
{
    size_t found = find(d, address);
    if (found == d->count)
        return msw_fail(err, "found %zu bytes at address 0x%" PRIx64 ", which no array has", bytes,
                        address);
    const msw_simt_array *a = &d->arrays[found];
    return msw_fail(err,
                    "found %zu bytes at address 0x%" PRIx64 ", byte %" PRIu64
                    " of array '%s', which has %" PRIu64 " bytes",
                    bytes, address, address - a->address, a->name, a->bytes);
}

/* Is all from `address` on in one array? An access never spans two. */
static int find_room(msw_simt_device *d, uint64_t address, size_t bytes, msw_err *err)
{
    if (locate(d, address)) {
        const msw_simt_array *a = &d->arrays[d->last];
        if (bytes <= a->bytes - (address - a->address))
            return 0;
    }
    return fail_outside(d, address, bytes, err);
}

/* Computes `bytes` bytes of an array from a multiple of a line on; behind its last element are
 * zeroes. */
static void compute(const msw_simt_array *a, uint64_t offset, uint64_t bytes, unsigned char *out)
{
    uint64_t size = a->element_bytes;
    if (!a->initial || offset + bytes > a->bytes)
        memset(out, 0, bytes);
    uint64_t end = msw_min_u64(offset + bytes, a->bytes);
    for (; a->initial && offset < end; offset += LINE, out += LINE)
        a->initial(a->context, offset / size, msw_min_u64(LINE, end - offset) / size, out);
}

static page *page_of(const msw_simt_device *d, size_t array, uint64_t offset)
{
    page_group **groups = d->written[array];
    page_group *group = groups ? groups[offset / PAGE / GROUP] : NULL;
    return group ? group->pages[offset / PAGE % GROUP] : NULL;
}

static page *written_page(const msw_simt_device *d, uint64_t offset)
{
    return page_of(d, d->last, offset);
}

/* What the memory below has written there. */
static const page *page_under(const msw_simt_device *d, uint64_t offset)
{
    return d->under ? page_of(d->under, d->last, offset) : NULL;
}

/* The group of a page, made if need be. Returns NULL when memory runs out. */
static page_group *make_group(msw_simt_device *d, uint64_t offset)
{
    page_group ***groups = &d->written[d->last];
    if (!*groups) {
        uint64_t pages = msw_div_up(d->arrays[d->last].bytes, PAGE);
        *groups = msw_arena_zero(d->arena, msw_div_up(pages, GROUP), sizeof **groups);
    }
    if (!*groups)
        return NULL;
    page_group **group = &(*groups)[offset / PAGE / GROUP];
    if (!*group)
        *group = msw_arena_zero(d->arena, 1, sizeof **group);
    return *group;
}

static page *make_page(msw_simt_device *d)
{
    page *fresh = d->unused;
    if (d->most_bytes - d->written_bytes < PAGE)
        return NULL;
    if (fresh)
        d->unused = fresh->next;
    else
        fresh = msw_arena_take(d->arena, sizeof *fresh);
    if (fresh)
        d->written_bytes += PAGE;
    return fresh;
}

/* The page of an offset, allocated if need be. Returns NULL when memory runs out. */
static page *page_to_write(msw_simt_device *d, uint64_t offset)
{
    page *found = written_page(d, offset);
    if (found)
        return found;
    page_group *group = make_group(d, offset);
    page *fresh = group ? make_page(d) : NULL;
    if (!fresh)
        return NULL;
    const page *before = page_under(d, offset);
    if (before)
        memcpy(fresh->bytes, before->bytes, PAGE);
    else
        compute(&d->arrays[d->last], offset - offset % PAGE, PAGE, fresh->bytes);
    group->pages[offset / PAGE % GROUP] = fresh;
    return fresh;
}

/* Neighbouring lines and the same line of arrays that are a power of two apart fall apart. */
static size_t cache_index(uint64_t address)
{
    return (size_t)((address / LINE * UINT64_C(0x9e3779b97f4a7c15)) >> 52) % CACHED;
}

/* The line of an offset, computed if need be. Returns NULL when memory runs out. */
static const unsigned char *computed_line(msw_simt_device *d, uint64_t offset)
{
    const msw_simt_array *a = &d->arrays[d->last];
    uint64_t start = offset - offset % LINE;
    cached_line *slot = &d->cache[cache_index(a->address + start)];
    if (slot->address == a->address + start)
        return slot->bytes;
    if (!slot->bytes && !(slot->bytes = msw_arena_take(d->arena, LINE)))
        return NULL;
    compute(a, start, LINE, slot->bytes);
    slot->address = a->address + start;
    return slot->bytes;
}

/* What can be read from an offset on, up to the end of its line or page. */
static const unsigned char *readable(msw_simt_device *d, uint64_t offset, size_t *bytes)
{
    const page *found = written_page(d, offset);
    found = found ? found : page_under(d, offset);
    *bytes = found ? PAGE - offset % PAGE : LINE - offset % LINE;
    if (found)
        return found->bytes + offset % PAGE;
    const unsigned char *line = computed_line(d, offset);
    return line ? line + offset % LINE : NULL;
}

static bool is_dropped(const msw_simt_device *d)
{
    return d->slices && d->arrays[d->last].dropped;
}

static int fail_dropped(const msw_simt_device *d, msw_err *err)
{
    return msw_fail(err,
                    "array '%s' is read for an address or a predicate, but no argument of a kernel "
                    "leads there, so that what is stored in it was not computed",
                    d->arrays[d->last].name);
}

static int read(void *self, uint64_t address, size_t bytes, void *out, msw_err *err)
{
    msw_simt_device *d = self;
    unsigned char *to = out;
    if (find_room(d, address, bytes, err))
        return -1;
    if (is_dropped(d))
        return fail_dropped(d, err);
    uint64_t offset = address - d->arrays[d->last].address;
    for (size_t part; bytes; offset += part, to += part, bytes -= part) {
        const unsigned char *from = readable(d, offset, &part);
        if (!from)
            return msw_fail_memory(err);
        part = msw_min_u64(part, bytes);
        memcpy(to, from, part);
    }
    return 0;
}

static int fail_full(const msw_simt_device *d, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO,
                         "array '%s': no memory is left for what the program writes (%" PRIu64
                         " bytes so far, allowed: %" PRIu64 ")",
                         d->arrays[d->last].name, d->written_bytes, d->most_bytes);
}

static int write(void *self, uint64_t address, size_t bytes, const void *in, msw_err *err)
{
    msw_simt_device *d = self;
    const unsigned char *from = in;
    if (find_room(d, address, bytes, err))
        return -1;
    uint64_t offset = address - d->arrays[d->last].address;
    for (size_t part; bytes; offset += part, from += part, bytes -= part) {
        page *to = page_to_write(d, offset);
        if (!to)
            return fail_full(d, err);
        part = msw_min_u64(PAGE - offset % PAGE, bytes);
        memcpy(to->bytes + offset % PAGE, from, part);
    }
    return 0;
}

/* Pages are spans; bytes that are still computed are not. A page of the memory below is taken over
 * first: a span must not move. */
static bool span(void *self, uint64_t address, bool to_write, msw_simt_span *out)
{
    msw_simt_device *d = self;
    if (!locate(d, address))
        return false;
    const msw_simt_array *a = &d->arrays[d->last];
    uint64_t offset = address - a->address, start = offset - offset % PAGE;
    if (!to_write && is_dropped(d))
        return false;
    bool takes = to_write || page_under(d, offset);
    page *found = takes ? page_to_write(d, offset) : written_page(d, offset);
    if (!found)
        return false;
    *out = (msw_simt_span){.address = a->address + start,
                           .bytes = msw_min_u64(PAGE, a->bytes - start),
                           .data = found->bytes};
    return true;
}

static int check(void *self, uint64_t address, size_t bytes, msw_err *err)
{
    return find_room(self, address, bytes, err);
}

static int check_array(const msw_simt_array *a, uint64_t after, msw_err *err)
{
    if (a->count == 0 || a->count > MSW_SIMT_END_ADDRESS || a->element_bytes == 0 ||
        a->bytes != a->count * a->element_bytes)
        return msw_fail(err, "array '%s': found %" PRIu64 " elements, allowed: 1 .. 2^46", a->name,
                        a->count);
    if (a->address < after || a->address % MSW_SIMT_ALIGNMENT ||
        a->address >= MSW_SIMT_END_ADDRESS || a->bytes > MSW_SIMT_END_ADDRESS - a->address)
        return msw_fail(err,
                        "array '%s': found %" PRIu64 " bytes at address 0x%" PRIx64
                        ", allowed: multiples of %d from 0x%" PRIx64 " to 2^46",
                        a->name, a->bytes, a->address, MSW_SIMT_ALIGNMENT, after);
    return 0;
}

static int check_arrays(const msw_simt_array *arrays, size_t count, msw_err *err)
{
    uint64_t after = MSW_SIMT_BASE_ADDRESS;
    for (size_t i = 0; i < count; after = arrays[i].address + arrays[i].bytes, i++)
        if (check_array(&arrays[i], after, err))
            return -1;
    return 0;
}

static msw_simt_device *make(msw_arena *arena, const msw_simt_array *arrays, size_t count,
                             uint64_t most_bytes)
{
    msw_simt_device *d = msw_arena_zero(arena, 1, sizeof *d);
    page_group ***written = msw_arena_zero(arena, count + 1, sizeof *written);
    if (!d || !written)
        return NULL;
    d->memory =
        (msw_simt_memory){.self = d, .read = read, .write = write, .check = check, .span = span};
    d->arena = arena;
    d->arrays = arrays;
    d->count = count;
    d->last = count;
    d->written = written;
    d->most_bytes = most_bytes;
    return d;
}

msw_simt_device *msw_simt_device_in(msw_arena *arena, const msw_simt_array *arrays, size_t count,
                                    uint64_t most_bytes, msw_err *err)
{
    if (check_arrays(arrays, count, err))
        return NULL;
    msw_simt_device *d = make(arena, arrays, count, most_bytes);
    if (!d)
        msw_fail_memory(err);
    return d;
}

msw_simt_device *msw_simt_device_new(const msw_simt_array *arrays, size_t count,
                                     uint64_t most_bytes, msw_err *err)
{
    msw_arena arena = {0};
    msw_simt_device *d = msw_simt_device_in(&arena, arrays, count, most_bytes, err);
    if (!d) {
        msw_arena_free(&arena);
        return NULL;
    }
    d->own = arena;
    d->arena = &d->own;
    return d;
}

msw_simt_device *msw_simt_device_over(msw_arena *arena, const msw_simt_device *under,
                                      uint64_t most_bytes, msw_err *err)
{
    msw_simt_device *d = make(arena, under->arrays, under->count, most_bytes);
    if (!d) {
        msw_fail_memory(err);
        return NULL;
    }
    d->under = under;
    d->slices = under->slices;
    return d;
}

void msw_simt_device_slices(msw_simt_device *device)
{
    device->slices = true;
}

void msw_simt_device_free(msw_simt_device *device)
{
    if (!device)
        return;
    msw_arena arena = device->own;
    msw_arena_free(&arena);
}

const msw_simt_memory *msw_simt_device_memory(msw_simt_device *device)
{
    return &device->memory;
}

static void drop_group(msw_simt_device *d, page_group *group)
{
    for (size_t i = 0; i < GROUP; i++) {
        if (!group->pages[i])
            continue;
        group->pages[i]->next = d->unused;
        d->unused = group->pages[i];
        group->pages[i] = NULL;
    }
}

void msw_simt_device_reset(msw_simt_device *device)
{
    for (size_t i = 0; i < device->count; i++) {
        uint64_t groups = msw_div_up(msw_div_up(device->arrays[i].bytes, PAGE), GROUP);
        for (uint64_t g = 0; device->written[i] && g < groups; g++)
            if (device->written[i][g])
                drop_group(device, device->written[i][g]);
    }
    device->written_bytes = 0;
}

const msw_simt_array *msw_simt_device_find(const msw_simt_device *device, uint64_t address)
{
    size_t found = find(device, address);
    return found < device->count && holds(&device->arrays[found], address) ? &device->arrays[found]
                                                                           : NULL;
}

uint64_t msw_simt_device_written(const msw_simt_device *device)
{
    return device->written_bytes;
}
