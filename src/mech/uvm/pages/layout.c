/* SPDX-License-Identifier: MIT */
/* Chunks begin at the allocation. Where arrays share a page, or the rounding reaches into the next
 * array, the first to claim a page has it. */
#include "mech/uvm/pages/pager.h"

#include "mech/uvm/model.h"

#include <string.h>

/* The last chunk of an allocation: this many blocks, rounded up to a power of two. */
static uint32_t leaves_of(uint64_t bytes, uint64_t block)
{
    uint64_t blocks = msw_div_up(bytes, block);
    return (uint32_t)((uint64_t)1 << msw_bits_log2_up(blocks));
}

static uint32_t claim(uint32_t *chunk_of, uint64_t first, uint64_t count, uint64_t pages,
                      uint32_t chunk)
{
    uint64_t taken = 0;
    while (taken < count && first + taken < pages && chunk_of[first + taken] == UVM_NO_CHUNK)
        chunk_of[first + taken++] = chunk;
    return (uint32_t)taken;
}

/* Adds the chunks of a managed array. */
static void add_chunks(uvm_layout *l, uint32_t *chunk_of, uvm_chunk *chunks,
                       const msw_simt_array *array)
{
    uint64_t page = (uint64_t)1 << l->shift, block = page * l->block_pages;
    uint64_t chunk_bytes = msw_max_u64(UVM_CHUNK_BYTES, block);
    uint64_t first = (array->address - l->base) >> l->shift;
    uint64_t end = (array->address - l->base + array->bytes + page - 1) >> l->shift;
    while (first < end && chunk_of[first] != UVM_NO_CHUNK)
        first++;
    while (first < end) {
        uint64_t left = (end - first) << l->shift;
        uvm_chunk *c = &chunks[l->chunk_count];
        uint32_t leaves = leaves_of(msw_min_u64(left, chunk_bytes), block);
        *c = (uvm_chunk){.first = first, .leaves = leaves, .array = l->arrays};
        c->pages =
            claim(chunk_of, first, (uint64_t)leaves * l->block_pages, l->pages, l->chunk_count);
        l->chunk_count++;
        first += msw_min_u64(end - first, c->pages);
    }
    l->arrays++;
}

/* Marks the pages of all managed arrays. The rounding of one may have claimed those of the next. */
static void mark(uvm_layout *l, const msw_simt_product *p, uint64_t *exists)
{
    for (size_t a = 0; a < p->array_count; a++) {
        const msw_simt_array *array = &p->arrays[a];
        if (!array->managed || !array->bytes)
            continue;
        uint64_t last = (array->address - l->base + array->bytes - 1) >> l->shift;
        for (uint64_t i = (array->address - l->base) >> l->shift; i <= last; i++) {
            l->managed += !(exists[i / 64] >> i % 64 & 1);
            exists[i / 64] |= (uint64_t)1 << i % 64;
        }
    }
    l->exists = exists;
}

static void measure(const uvm_layout *l, uvm_chunk *chunks)
{
    for (uint32_t n = 0; n < l->chunk_count; n++)
        for (uint32_t i = 0; i < chunks[n].pages; i++)
            if (uvm_exists(l, chunks[n].first + i))
                chunks[n].real = i + 1;
}

/* Pages of all arrays, with room for the rounding behind the last one. */
static uint64_t pages_of(const msw_simt_product *p, const uvm_layout *l)
{
    const msw_simt_array *last = &p->arrays[p->array_count - 1];
    uint64_t end = last->address + last->bytes + UVM_CHUNK_BYTES;
    return (end - l->base + ((uint64_t)1 << l->shift)) >> l->shift;
}

const uvm_layout *uvm_layout_of(const msw_simt_product *p, uint64_t page_size, msw_arena *arena,
                                msw_err *err)
{
    uvm_layout *l = msw_arena_zero(arena, 1, sizeof *l);
    uint64_t bytes = 0;
    if (!l) {
        msw_fail_memory(err);
        return NULL;
    }
    l->base = MSW_SIMT_BASE_ADDRESS;
    l->shift = msw_bits_log2(page_size);
    l->block_pages = (uint32_t)msw_max_u64(1, UVM_BLOCK_BYTES >> l->shift);
    for (size_t a = 0; a < p->array_count; a++)
        bytes += p->arrays[a].bytes;
    l->pages = p->array_count ? pages_of(p, l) : 1;
    uint32_t *chunk_of = msw_arena_take(arena, l->pages * sizeof *chunk_of);
    uvm_chunk *chunks =
        msw_arena_take(arena, (bytes / UVM_CHUNK_BYTES + p->array_count + 1) * sizeof *chunks);
    uint64_t *exists = msw_arena_zero(arena, l->pages / 64 + 1, sizeof *exists);
    if (!chunk_of || !chunks || !exists) {
        msw_fail_memory(err);
        return NULL;
    }
    memset(chunk_of, 0xff, l->pages * sizeof *chunk_of);
    for (size_t a = 0; a < p->array_count; a++)
        if (p->arrays[a].managed && p->arrays[a].bytes)
            add_chunks(l, chunk_of, chunks, &p->arrays[a]);
    mark(l, p, exists);
    measure(l, chunks);
    l->chunk_of = chunk_of;
    l->chunks = chunks;
    return l;
}

/* The runs of a page trace are managed arrays. */
static const uvm_layout *of_trace(const msw_page_trace *t, uint64_t page_size, msw_arena *arena,
                                  msw_err *err)
{
    msw_arena work = {0};
    const uvm_layout *made = NULL;
    msw_simt_array *arrays = msw_arena_zero(&work, t->run_count, sizeof *arrays);
    for (uint64_t i = 0; arrays && i < t->run_count; i++) {
        arrays[i].address = MSW_SIMT_BASE_ADDRESS + t->runs[i].offset;
        arrays[i].bytes = t->runs[i].pages * t->page_bytes;
        arrays[i].managed = true;
    }
    if (arrays)
        made = uvm_layout_of(
            &(msw_simt_product){.arrays = arrays, .array_count = (size_t)t->run_count}, page_size,
            arena, err);
    else
        msw_fail_memory(err);
    msw_arena_free(&work);
    return made;
}

int uvm_build_layout(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                     msw_err *err)
{
    const uvm_config *c = task->config;
    (void)extra;
    if (task->product->kind == MSW_PRODUCT_PAGES)
        *root = of_trace(task->product->data, (uint64_t)c->page_size, arena, err);
    else
        *root = uvm_layout_of(task->product->data, (uint64_t)c->page_size, arena, err);
    return *root ? 0 : -1;
}
