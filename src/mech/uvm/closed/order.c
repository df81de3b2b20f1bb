/* SPDX-License-Identifier: MIT */
/* Orders pages by their first touch in waves: CTA c of a wave is on SM c modulo their number,
 * each warp does one record in its turn. An SM holds as many CTAs as its limits allow, and no
 * more than an even share of the grid. */
#include "mech/uvm/closed/closed.h"

#include "mech/uvm/learn/network.h"
#include "mech/uvm/model.h"

#include "memsweep/base/bits.h"

#include <string.h>

/* The same as one list: what an oracle knows. */
typedef struct uvm_future {
    const uint64_t *order; /* pages, each where it is touched first of all launches */
    size_t count;
} uvm_future;

uint32_t uvm_ctas_held(const uvm_config *c, const uvm_launch *l, msw_err *err)
{
    uint64_t registers = msw_align_up(l->kernel->registers, 8) * l->threads;
    uint64_t held = msw_min_u64((uint64_t)c->sm_ctas, (uint64_t)c->sm_warps / l->warps);
    if (l->held)
        held = msw_min_u64(held, l->held);
    if (l->shared)
        held = msw_min_u64(held, (uint64_t)c->sm_shared / l->shared);
    if (registers)
        held = msw_min_u64(held, (uint64_t)c->sm_registers / registers);
    if (!held)
        msw_fail_kind(
            err, MSW_ERR_UNFIT,
            "no CTA fits: it has %u warps, %llu B of shared memory and %llu registers, an SM "
            "%lld, %lld and %lld",
            l->warps, (unsigned long long)l->shared, (unsigned long long)registers,
            (long long)c->sm_warps, (long long)c->sm_shared, (long long)c->sm_registers);
    return (uint32_t)msw_min_u64(held, msw_div_up(l->ctas, (uint64_t)c->sms));
}

/* Rows that a warp has touched, + 1. */
typedef struct warp_rows {
    uint32_t touched[UVM_OPEN]; /* by access n % UVM_OPEN: the latest row of its pages */
    uint32_t accesses, after;   /* after: all that it has waited for */
    uint16_t number;            /* of its SM */
    bool joins;                 /* it has passed a barrier, and waits for what its CTA waited for */
} warp_rows;

typedef struct builder {
    const uvm_config *config;
    const uvm_stream *stream;
    const uvm_layout *layout;
    uint64_t *met; /* [page] SMs that have touched it, as bits modulo 64 */
    uint32_t *row; /* [page] of this launch + 1 */
    uvm_touch_row *rows;
    size_t room;
    uvm_reader *readers;
    warp_rows *warps;
    uint32_t *arrived;          /* [CTA of the wave]: what its warps had waited for at barriers */
    uint32_t wave, turn, visit; /* visit: the first turn of the rounds that are one visit */
    bool side_by_side, visits;
    bool *ended;
    uvm_heads heads;
    void *heads_memory;
    uvm_launch_order *out;
    msw_arena *work;
} builder;

/* Adds the row of a page. Returns 0, or -1. */
static int add_row(builder *b, uint64_t page, uint32_t sm, const warp_rows *warp)
{
    uvm_launch_order *o = b->out;
    if (o->count == b->room) {
        size_t room = 2 * b->room + 1024;
        uvm_touch_row *rows = msw_arena_take(b->work, room * sizeof *rows);
        if (!rows)
            return -1;
        if (o->count)
            memcpy(rows, b->rows, o->count * sizeof *rows);
        b->rows = rows;
        b->room = room;
    }
    b->rows[o->count++] = (uvm_touch_row){.page = page,
                                          .after = warp->after,
                                          .wave = b->wave,
                                          .turn = b->turn,
                                          .sm = (uint16_t)sm,
                                          .warp = warp->number};
    b->row[page] = (uint32_t)o->count;
    return 0;
}

/* Whether the last row of a page is that of an earlier visit. */
static bool visits_again(const builder *b, uint64_t page)
{
    const uvm_touch_row *last = &b->rows[b->row[page] - 1];
    return b->visits && (last->wave != b->wave || last->turn < b->visit);
}

/* A line of `warp`, the first of its access in this page or a further one. */
static int take_line(builder *b, uint64_t page, uint32_t sm, warp_rows *warp, bool write,
                     bool further)
{
    uvm_launch_order *o = b->out;
    if (b->layout->chunk_of[page] == UVM_NO_CHUNK)
        return 0;
    uint64_t bit = (uint64_t)1 << sm % 64;
    bool met = b->met[page] & bit;
    o->pairs += !met;
    o->managed++;
    b->met[page] |= bit;
    if ((!b->row[page] || visits_again(b, page)) && add_row(b, page, sm, warp))
        return -1;
    uint32_t *touched = &warp->touched[warp->accesses % UVM_OPEN];
    *touched = msw_max_u32(*touched, b->row[page]);
    uvm_touch_row *row = &b->rows[b->row[page] - 1];
    row->written |= write;
    row->last = b->turn;
    row->met |= !met;
    row->lines++;
    row->accesses += !further;
    return 0;
}

/* Finds the record that a warp waits for before another. */
static void wait_for(builder *b, const uvm_site *site, warp_rows *w, uint32_t *arrived)
{
    if (w->joins)
        w->after = msw_max_u32(w->after, *arrived);
    w->joins = site->kind == UVM_BARRIER;
    for (uint32_t rest = site->wait; rest; rest &= rest - 1)
        w->after =
            msw_max_u32(w->after, w->touched[(w->accesses - 1 - msw_bits_lowest(rest)) % UVM_OPEN]);
    if (b->config->fault_wait == UVM_WAIT_ACCESS && w->accesses)
        w->after = msw_max_u32(w->after, w->touched[(w->accesses - 1) % UVM_OPEN]);
    if (site->kind == UVM_BARRIER)
        *arrived = msw_max_u32(*arrived, w->after);
}

/* One record of a warp. Returns 0, or -1. */
static int take_record(builder *b, const uvm_launch *l, uint64_t warp, uint32_t sm)
{
    uint64_t address, lines[UVM_LINES], last = UINT64_MAX;
    const uvm_site *site = uvm_read(&b->readers[warp], l->kernel, &address);
    warp_rows *w = &b->warps[warp];
    b->out->instructions += site->before + site->after;
    b->out->threads += site->threads;
    b->out->waits += site->wait != 0;
    b->ended[warp] = site->kind == UVM_END;
    wait_for(b, site, w, &b->arrived[warp / l->warps]);
    if (site->kind >= UVM_BARRIER)
        return 0;
    w->touched[w->accesses % UVM_OPEN] = 0;
    uint32_t count = uvm_lines(b->stream, site, address, lines);
    uint64_t pairs = b->out->pairs;
    b->out->lines += count;
    b->out->accesses++;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t page = ((lines[i] << UVM_LINE_SHIFT) - b->layout->base) >> b->layout->shift;
        if (take_line(b, page, sm, w, site->kind != UVM_LOAD, page == last))
            return -1;
        last = page;
    }
    w->accesses++;
    b->out->cold += b->out->pairs > pairs;
    return 0;
}

/* Warps of a wave wait for all that those before them in their places have touched. */
static void start_warps(builder *b, const uvm_launch *l, uint64_t ctas)
{
    for (uint64_t c = 0; c < ctas; c++) {
        uint32_t after = b->arrived[c] = 0;
        for (uint64_t w = c * l->warps; w < (c + 1) * l->warps && b->wave; w++) {
            after = msw_max_u32(after, b->warps[w].after);
            for (int i = 0; i < UVM_OPEN; i++)
                after = msw_max_u32(after, b->warps[w].touched[i]);
        }
        for (uint64_t w = c * l->warps; w < (c + 1) * l->warps; w++)
            b->warps[w] = (warp_rows){
                .after = after,
                .number = (uint16_t)(c / (uint64_t)b->config->sms * l->warps + w % l->warps)};
    }
}

/* The warp of a wave that is number i where SMs run side by side: the first of each, the second of
 * each. */
static uint64_t side_by_side(const builder *b, const uvm_launch *l, uint64_t ctas, uint64_t i)
{
    uint64_t sms = (uint64_t)b->config->sms, row = i / (sms * l->warps) * sms;
    uint64_t across = msw_min_u64(sms, ctas - row), at = i - row * l->warps;
    return (row + at % across) * l->warps + at / across;
}

/* Each MANY rows of a launch double the rounds of a visit. */
enum { MANY = 1 << 21 };

static int run_wave(builder *b, const uvm_launch *l, uint64_t ctas)
{
    uint64_t warps = ctas * l->warps, left = warps;
    for (uint64_t c = 0; c < ctas; c++)
        uvm_heads_next(&b->heads, b->readers + c * l->warps);
    start_warps(b, l, ctas);
    memset(b->ended, 0, warps);
    b->turn = b->visit = 0;
    for (uint64_t round = 0; left; b->turn++, round++) {
        uint64_t joined = (uint64_t)1 << msw_min_u64(b->out->count / MANY, 63);
        if (round % joined == 0)
            b->visit = b->turn;
        for (uint64_t i = 0; i < warps; i++) {
            b->turn += i && i % (uint64_t)b->config->sms == 0;
            uint64_t w = b->side_by_side ? side_by_side(b, l, ctas, i) : i;
            if (b->ended[w])
                continue;
            if (take_record(b, l, w, (uint32_t)(w / l->warps % (uint64_t)b->config->sms)))
                return -1;
            left -= b->ended[w];
        }
    }
    b->out->turns = msw_max_u64(b->out->turns, (uint64_t)b->turn + 1);
    return 0;
}

static int run_launch(builder *b, const uvm_launch *l, uvm_launch_order *out, msw_arena *arena,
                      msw_err *err)
{
    uint64_t held = uvm_ctas_held(b->config, l, err), wave = held * (uint64_t)b->config->sms;
    if (!held)
        return -1;
    b->out = out;
    *out = (uvm_launch_order){.ctas = l->ctas, .warps = l->warps * l->ctas};
    out->sms = msw_min_u64((uint64_t)b->config->sms, l->ctas);
    out->waves = msw_div_up(l->ctas, wave);
    uvm_heads_start(&b->heads, l, b->heads_memory);
    b->wave = 0;
    for (uint64_t at = 0; at < l->ctas; at += wave, b->wave++)
        if (run_wave(b, l, msw_min_u64(wave, l->ctas - at)))
            return msw_fail_memory(err);
    uvm_touch_row *rows = msw_arena_take(arena, (out->count + 1) * sizeof *rows);
    if (!rows)
        return msw_fail_memory(err);
    if (out->count)
        memcpy(rows, b->rows, out->count * sizeof *rows);
    for (size_t i = 0; i < out->count; i++)
        b->row[rows[i].page] = 0;
    out->rows = rows;
    return 0;
}

static int take_memory(builder *b)
{
    size_t slots = b->stream->slots_most + 1u;
    size_t warps = (size_t)(b->config->sms * b->config->sm_warps);
    uint64_t *words = msw_arena_take(b->work, 2 * warps * slots * sizeof *words);
    b->met = msw_arena_zero(b->work, b->layout->pages, sizeof *b->met);
    b->row = msw_arena_zero(b->work, b->layout->pages, sizeof *b->row);
    b->readers = msw_arena_take(b->work, warps * sizeof *b->readers);
    b->ended = msw_arena_take(b->work, warps * sizeof *b->ended);
    b->warps = msw_arena_take(b->work, warps * sizeof *b->warps);
    b->arrived = msw_arena_take(b->work, warps * sizeof *b->arrived);
    b->heads_memory = msw_arena_take(b->work, uvm_heads_bytes(b->stream) + 1);
    if (!words || !b->met || !b->row || !b->readers || !b->ended || !b->heads_memory || !b->warps ||
        !b->arrived)
        return -1;
    for (size_t w = 0; w < warps; w++)
        b->readers[w] = (uvm_reader){NULL, words + 2 * w * slots, words + (2 * w + 1) * slots};
    return 0;
}

/* Builds it, SMs side by side or CTA after CTA, pages with one row or with all visits. Returns 0,
 * or -1. */
static int build_order(const msw_task *task, bool side_by_side, bool visits, msw_arena *arena,
                       const void **root, msw_err *err)
{
    msw_arena work = {0};
    builder b = {.config = task->config,
                 .stream = task->artifacts[UVM_ARTIFACT_STREAM],
                 .layout = task->artifacts[UVM_ARTIFACT_LAYOUT],
                 .side_by_side = side_by_side,
                 .visits = visits,
                 .work = &work};
    uvm_order *order = msw_arena_zero(arena, 1, sizeof *order);
    uvm_launch_order *launches = msw_arena_zero(arena, b.stream->stage_count + 1, sizeof *launches);
    int rc = order && launches && take_memory(&b) == 0 ? 0 : msw_fail_memory(err);
    for (size_t s = 0; s < b.stream->stage_count && rc == 0; s++)
        if (b.stream->stages[s].kind == MSW_SIMT_STAGE_LAUNCH)
            rc = run_launch(&b, b.stream->stages[s].launch, &launches[order->count++], arena, err);
    msw_arena_free(&work);
    if (rc)
        return -1;
    order->launches = launches;
    *root = order;
    return 0;
}

int uvm_build_order(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                    msw_err *err)
{
    (void)extra;
    return build_order(task, true, false, arena, root, err);
}

int uvm_build_visits(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                     msw_err *err)
{
    (void)extra;
    return build_order(task, true, true, arena, root, err);
}

int uvm_build_future(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                     msw_err *err)
{
    const uvm_layout *layout = task->artifacts[UVM_ARTIFACT_LAYOUT];
    msw_arena work = {0};
    const void *built = NULL;
    (void)extra;
    uvm_future *future = msw_arena_zero(arena, 1, sizeof *future);
    uint64_t *order = msw_arena_take(arena, (layout->pages + 1) * sizeof *order);
    bool *met = msw_arena_zero(&work, layout->pages + 1, sizeof *met);
    int rc = future && order && met ? build_order(task, false, false, &work, &built, err)
                                    : msw_fail_memory(err);
    const uvm_order *all = built;
    for (size_t l = 0; rc == 0 && l < all->count; l++)
        for (size_t i = 0; i < all->launches[l].count; i++) {
            uint64_t page = all->launches[l].rows[i].page;
            if (!met[page])
                order[future->count++] = page;
            met[page] = true;
        }
    msw_arena_free(&work);
    if (rc)
        return -1;
    future->order = order;
    *root = future;
    return 0;
}

uvm_foreseen uvm_foreseen_of(const msw_task *task)
{
    const uvm_future *future = task->artifacts[UVM_ARTIFACT_FUTURE];
    const uvm_named *named = task->artifacts[UVM_ARTIFACT_PREDICTIONS];
    return (uvm_foreseen){.order = future ? future->order : NULL,
                          .count = future ? future->count : 0,
                          .named = named ? named->page : NULL,
                          .bytes = named ? named->bytes : 0};
}
