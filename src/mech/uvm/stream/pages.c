/* SPDX-License-Identifier: MIT */
/* A page trace as a stream. With origins its CTAs and their warps are those of the program, and as
 * many are on an SM at once; without, CTA s is SM s of the trace with all its warps. A row is one
 * line at the begin of its page; rows of one access do not wait for each other, and the access
 * waits for all rows of the one `open` before it. */
#include "mech/uvm/stream/records.h"

#include "memsweep/workload/pages.h"

/* Of a launch. */
typedef struct page_grid {
    uint64_t ctas;
    uint32_t warps, slots; /* of a CTA; of an SM */
} page_grid;

enum { STARTS = 2 * UVM_OPEN };

typedef struct page_writer {
    const msw_page_trace *trace;
    page_grid grid;
    uint8_t *first_warp;      /* [CTA] the lowest of its SM */
    uint64_t starts[STARTS];  /* a ring: rows of the warp before its access n */
    uint64_t accesses, again; /* of the warp so far; number of the last one as recorded */
    uvm_tables tables;
    uint64_t *next, *order; /* of a launch, in order of SM and warp: [sm][warp] where they begin */
    uint64_t *first, *address, *step, *last, *moved; /* [slot], last: [warp][slot] */
    uint64_t *used, used_count;
    uint64_t body;
    uvm_bytes heads, records, whole;
    uvm_stream *stream;
    msw_arena *work;
} page_writer;

/* Looks for the grid of a launch. Warps of a CTA follow each other on their SM. */
static void measure_grid(page_writer *w, uint64_t begin, uint64_t end)
{
    const msw_page_trace *t = w->trace;
    const msw_page_origin *o = t->origins;
    w->grid = (page_grid){t->sms, t->warps, 0};
    if (!o)
        return;
    w->grid = (page_grid){0, 1, 0};
    for (uint64_t i = begin; i < end; i++)
        w->first_warp[o[i].cta] = UINT8_MAX; /* of this launch alone: all are a MiB */
    for (uint64_t i = begin; i < end; i++) {
        uint8_t *first = &w->first_warp[o[i].cta];
        *first = (uint8_t)msw_min_u64(*first, t->accesses[i].warp);
        w->grid.ctas = msw_max_u64(w->grid.ctas, o[i].cta + 1u);
    }
    for (uint64_t i = begin; i < end; i++) {
        uint32_t warp = t->accesses[i].warp, number = warp - w->first_warp[o[i].cta];
        w->grid.warps = number >= w->grid.warps ? number + 1 : w->grid.warps;
        w->grid.slots = warp >= w->grid.slots ? warp + 1 : w->grid.slots;
    }
}

/* The warp of an access among all of the launch. */
static size_t warp_of(const page_writer *w, uint64_t i)
{
    const msw_page_access *a = &w->trace->accesses[i];
    if (!w->trace->origins)
        return (size_t)a->sm * w->grid.warps + a->warp;
    size_t cta = w->trace->origins[i].cta;
    return cta * w->grid.warps + a->warp - w->first_warp[cta];
}

/* Sorts the accesses of a launch by CTA and warp, each warp's in its order. */
static void sort(page_writer *w, uint64_t begin, uint64_t end)
{
    size_t warps = (size_t)w->grid.ctas * w->grid.warps;
    memset(w->next, 0, (warps + 2) * sizeof *w->next);
    for (uint64_t i = begin; i < end; i++)
        w->next[warp_of(w, i) + 2]++;
    for (size_t i = 2; i < warps + 2; i++)
        w->next[i] += w->next[i - 1];
    for (uint64_t i = begin; i < end; i++)
        w->order[w->next[warp_of(w, i) + 1]++] = i;
}

static int put_record(page_writer *w, const uvm_site *site, uint64_t jump)
{
    uint32_t number = uvm_site_of(&w->tables, site, w->work);
    w->stream->instructions += site->after;
    w->stream->threads += site->threads;
    MSW_TRY(number == UINT32_MAX);
    MSW_TRY(uvm_put(&w->records, (uint64_t)number << 1 | (jump != 0), w->work));
    MSW_TRY(jump && uvm_put(&w->records, uvm_fold(jump), w->work));
    return 0;
}

/* Counts accesses of a warp. Returns whether row `number` of it begins one. */
static bool begins(page_writer *w, uint64_t i, uint64_t number)
{
    const msw_page_origin *o = w->trace->origins;
    if (number && o && o[i].access == w->again)
        return false;
    w->again = o ? o[i].access : 0;
    w->starts[w->accesses++ % STARTS] = number;
    return true;
}

/* Which rows before row `number`, the first of an access, it waits for; what is further back than
 * can be said has to be there anyway. */
static uint32_t waits_for(const page_writer *w, uint64_t number)
{
    uint64_t open = w->trace->open, access = w->accesses - 1;
    if (access < open)
        return 0;
    uint64_t from = w->starts[(access - open) % STARTS];
    uint64_t to = w->starts[(access - open + 1) % STARTS];
    uint64_t rows = to - from < 32 ? ((uint64_t)1 << (to - from)) - 1 : UINT32_MAX;
    return number - to < 32 ? (uint32_t)(rows << (number - to)) : 0;
}

static int put_access(page_writer *w, uint64_t i, uint64_t number)
{
    const msw_page_trace *t = w->trace;
    const msw_page_access *access = &t->accesses[i];
    bool first = begins(w, i, number);
    uint64_t address = MSW_SIMT_BASE_ADDRESS + msw_page_offset(t, access->page), jump = 0;
    uint32_t slot = access->pc, used = 0;
    uint32_t after = t->instructions_of ? t->instructions_of[slot] : t->instructions;
    uvm_site site = {.kind = access->write ? UVM_STORE : UVM_LOAD,
                     .slot = slot,
                     .after = first ? after : 0,
                     .wait = first ? waits_for(w, number) : 0,
                     .threads = first ? 32 * after : 0};
    while (used < w->used_count && w->used[used] != slot)
        used++;
    if (used == w->used_count) {
        w->used[w->used_count++] = slot;
        w->first[slot] = address;
        w->step[slot] = 0;
    } else {
        jump = address - w->address[slot] - w->step[slot];
        w->step[slot] += jump;
    }
    w->address[slot] = address;
    w->stream->accesses += first;
    w->stream->lines++;
    return put_record(w, &site, jump);
}

/* The body of a warp: its slots, then its records; and its head. */
static int put_warp(page_writer *w, uint64_t *last)
{
    w->whole.count = 0;
    if (uvm_put(&w->whole, w->used_count, w->work))
        return -1;
    for (uint64_t i = 0; i < w->used_count; i++)
        if (uvm_put(&w->whole, w->used[i], w->work))
            return -1;
    void *data = w->whole.data;
    if (uvm_grow(&data, w->whole.count, &w->whole.room, w->records.count, 1, w->work))
        return -1;
    w->whole.data = data;
    memcpy(w->whole.data + w->whole.count, w->records.data, w->records.count);
    w->whole.count += w->records.count;
    uint32_t body = uvm_body_of(&w->tables, &w->whole, w->work);
    if (body == UINT32_MAX || uvm_put(&w->heads, uvm_fold(body - w->body), w->work))
        return -1;
    w->body = body;
    for (uint64_t i = 0; i < w->used_count; i++) {
        uint64_t slot = w->used[i], moved = w->first[slot] - last[slot];
        if (uvm_put(&w->heads, uvm_fold(moved - w->moved[slot]), w->work))
            return -1;
        w->moved[slot] = moved;
        last[slot] = w->first[slot];
    }
    return 0;
}

static int write_warps(page_writer *w, uint32_t further)
{
    const uvm_site last = {.kind = UVM_END, .after = 1 + further, .threads = 32 * (1 + further)};
    const msw_page_trace *t = w->trace;
    uint64_t at = 0;
    for (size_t i = 0; i < (size_t)w->grid.ctas * w->grid.warps; i++) {
        uint64_t begin = at;
        w->records.count = 0;
        w->used_count = w->accesses = 0;
        for (; at < w->next[i + 1]; at++)
            if (put_access(w, w->order[at], at - begin))
                return -1;
        if (put_record(w, &last, 0) || put_warp(w, w->last + i % w->grid.warps * t->pcs))
            return -1;
    }
    return 0;
}

/* A launch: the heads of its warps, from nothing as its reader begins. */
static int write_launch(page_writer *w, uint64_t begin, const msw_page_launch *l, uvm_stage *stage,
                        msw_arena *arena)
{
    const msw_page_trace *t = w->trace;
    uvm_launch *launch = msw_arena_zero(arena, 1, sizeof *launch);
    w->heads.count = 0;
    w->body = 0;
    memset(w->moved, 0, t->pcs * sizeof *w->moved);
    memset(w->last, 0, (size_t)t->pcs * t->warps * sizeof *w->last);
    measure_grid(w, begin, l->end);
    sort(w, begin, l->end);
    if (!launch || write_warps(w, l->further))
        return -1;
    *launch = (uvm_launch){.kernel = w->tables.made,
                           .ctas = w->grid.ctas,
                           .warps = w->grid.warps,
                           .threads = 32 * w->grid.warps,
                           .held = msw_div_up(w->grid.slots, w->grid.warps),
                           .heads = uvm_keep(w->heads.data, w->heads.count, arena),
                           .head_bytes = w->heads.count};
    *stage = (uvm_stage){.kind = MSW_SIMT_STAGE_LAUNCH, .launch = launch};
    w->stream->bytes += w->heads.count + sizeof *launch;
    w->stream->warps += w->grid.ctas * w->grid.warps;
    return launch->heads ? 0 : -1;
}

static int write_launches(page_writer *w, msw_arena *arena)
{
    const msw_page_trace *t = w->trace;
    const msw_page_launch whole = {.end = t->count};
    size_t count = t->launches ? (size_t)t->launch_count : 1;
    const msw_page_launch *launches = t->launches ? t->launches : &whole;
    uvm_stage *stages = msw_arena_zero(arena, count, sizeof *stages);
    if (!stages)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (write_launch(w, i ? launches[i - 1].end : 0, &launches[i], &stages[i], arena))
            return -1;
    w->stream->stages = stages;
    w->stream->stage_count = count;
    return 0;
}

/* Returns the most warps of a launch. */
static size_t most_warps(page_writer *w)
{
    const msw_page_trace *t = w->trace;
    uint64_t most = 0;
    for (uint64_t i = 0; t->origins && i < t->launch_count; i++) {
        measure_grid(w, i ? t->launches[i - 1].end : 0, t->launches[i].end);
        most = msw_max_u64(most, w->grid.ctas * w->grid.warps);
    }
    return most ? (size_t)most : (size_t)t->sms * t->warps;
}

static int take_memory(page_writer *w, uvm_kernel *kernel)
{
    w->first_warp = msw_arena_take(w->work, MSW_PAGES_CTAS);
    if (!w->first_warp)
        return -1;
    size_t slots = w->trace->pcs, warps = most_warps(w);
    uint64_t *words = msw_arena_zero(w->work, (6 + w->trace->warps) * slots, sizeof *words);
    w->next = msw_arena_zero(w->work, warps + 2, sizeof *w->next);
    w->order = msw_arena_take(w->work, (w->trace->count + 1) * sizeof *w->order);
    if (!words || !kernel || !w->next || !w->order)
        return -1;
    w->first = words;
    w->address = words + slots;
    w->step = words + 2 * slots;
    w->moved = words + 3 * slots;
    w->used = words + 4 * slots;
    w->last = words + 5 * slots;
    kernel->slots = (uint32_t)slots;
    w->tables = (uvm_tables){.made = kernel};
    return 0;
}

static int finish(page_writer *w, msw_arena *arena)
{
    const msw_page_trace *t = w->trace;
    uvm_shape *shape = msw_arena_zero(arena, 1, sizeof *shape);
    uvm_piece *piece = msw_arena_zero(arena, 1, sizeof *piece);
    uvm_stream *s = w->stream;
    if (!shape || !piece || uvm_keep_tables(&w->tables, &s->bytes, arena))
        return -1;
    *shape = (uvm_shape){.count = 1, .lanes = 1};
    *piece = (uvm_piece){.count = 1, .span = 4};
    s->shapes = shape;
    s->pieces = piece;
    s->shape_count = s->piece_count = 1;
    s->slots_most = t->pcs;
    s->warps_most = t->warps;
    return 0;
}

const uvm_stream *uvm_stream_of_pages(const msw_page_trace *trace, msw_arena *arena, msw_err *err)
{
    msw_arena work = {0};
    page_writer w = {.trace = trace, .work = &work};
    w.stream = msw_arena_zero(arena, 1, sizeof *w.stream);
    int rc = w.stream && take_memory(&w, msw_arena_zero(arena, 1, sizeof *w.tables.made)) == 0 &&
                     write_launches(&w, arena) == 0 && finish(&w, arena) == 0
                 ? 0
                 : -1;
    msw_arena_free(&work);
    if (rc == 0)
        return w.stream;
    msw_fail_memory(err);
    return NULL;
}
