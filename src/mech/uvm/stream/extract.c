/* SPDX-License-Identifier: MIT */
/* Extracts the stream of a program: its stages in order. The CTAs of a launch run one after the
 * other, each of their warps as far as it can; every step becomes records. */
#include "mech/uvm/stream/records.h"

#include "memsweep/base/bits.h"

/* A launch being extracted. */
typedef struct uvm_extraction {
    msw_arena *work, *scratch, *arena; /* scratch: of one launch */
    msw_err *err;
    uvm_shapes *shapes;
    uvm_tables *tables;
    uvm_stream *stream; /* counts are added to */
    uvm_launch *launch;
    uvm_bytes heads;
} uvm_extraction;

enum { LATE_SLOT = 63 };

/* A warp being written. */
typedef struct warp_state {
    uvm_bytes body, used; /* used: its slots, in order of their first access */
    uint64_t *first, *address, *step;
    uint64_t *order;   /* [slot]: number of its last access, from 1; 0: none */
    uint64_t accesses; /* so far */
    uint32_t open;     /* bit d: the last access but d has not been waited for */
    uint32_t late;     /* bit d: it is of one of the slots that share the last bit */
    uint32_t slots_used;
    uvm_site site; /* the record under way: before, after, wait, threads */
} warp_state;

typedef struct launch_state {
    uvm_extraction *x;
    warp_state *warps;
    uint64_t *last, *moved; /* as in uvm_heads */
    uint64_t body;
} launch_state;

static int fail_memory(const uvm_extraction *x)
{
    return msw_fail_memory(x->err);
}

/* The accesses whose values an instruction needs and that are still open, as bits: 0 the last. */
static uint32_t needed(const uvm_tables *t, const warp_state *w, uint32_t insn)
{
    uint32_t mask = 0;
    for (uint64_t rest = t->loads_of[insn]; rest; rest &= rest - 1) {
        unsigned slot = msw_bits_lowest(rest);
        uint64_t distance = slot < LATE_SLOT ? w->accesses - w->order[slot] : 0;
        if (slot >= LATE_SLOT)
            mask |= w->late;
        else if (w->order[slot] && distance < 32)
            mask |= (uint32_t)1 << distance;
    }
    return mask & w->open;
}

/* Adds the instructions of a step to the record under way. */
static void add_instructions(const uvm_extraction *x, warp_state *w, const msw_simt_step *step)
{
    uint32_t lanes = msw_bits_count(step->mask), rest = step->count;
    for (uint32_t i = 0; i < step->count; i++) {
        uint32_t mask = needed(x->tables, w, step->first + i);
        if (mask && !w->site.wait) {
            w->site.before += i + w->site.after;
            w->site.after = 0;
            rest = step->count - i;
        }
        w->site.wait |= mask;
        w->open &= ~mask;
    }
    w->site.after += rest;
    w->site.threads += lanes * step->count;
    x->stream->instructions += step->count;
    x->stream->threads += (uint64_t)lanes * step->count;
}

static int put_record(uvm_extraction *x, warp_state *w, bool jumps, uint64_t jump)
{
    uint32_t site = uvm_site_of(x->tables, &w->site, x->work);
    w->site = (uvm_site){.wait = 0};
    if (site == UINT32_MAX || uvm_put(&w->body, (uint64_t)site << 1 | jumps, x->scratch) ||
        (jumps && uvm_put(&w->body, uvm_fold(jump), x->scratch)))
        return fail_memory(x);
    return 0;
}

static uvm_record kind_of(const msw_simt_insn *insn)
{
    return insn->is_atomic ? UVM_ATOMIC : insn->is_store ? UVM_STORE : UVM_LOAD;
}

static int put_access(uvm_extraction *x, warp_state *w, const msw_simt_step *step)
{
    uint32_t insn = step->first + step->count - 1, slot = x->tables->slot_of[insn];
    uint64_t address = step->addresses[msw_bits_lowest(step->lanes)], jump = 0;
    w->site.kind = kind_of(&x->tables->kernel->insns[insn]);
    w->site.slot = slot;
    w->site.shape = uvm_shape_of(x->shapes, step, x->work);
    if (w->site.shape == UINT32_MAX)
        return fail_memory(x);
    w->accesses++;
    x->stream->accesses++;
    x->stream->lines += step->line_count;
    if (!w->order[slot]) {
        w->first[slot] = w->address[slot] = address;
        w->step[slot] = 0;
        w->slots_used++;
        if (uvm_put(&w->used, slot, x->scratch))
            return fail_memory(x);
    } else {
        jump = address - w->address[slot] - w->step[slot];
        w->step[slot] += jump;
        w->address[slot] = address;
    }
    w->order[slot] = w->accesses;
    w->open = w->open << 1 | 1;
    w->late = w->late << 1 | (slot >= LATE_SLOT);
    return put_record(x, w, jump != 0, jump);
}

static int put_plain(uvm_extraction *x, warp_state *w, uvm_record kind)
{
    w->site.kind = kind;
    return put_record(x, w, false, 0);
}

static bool is_global(const uvm_extraction *x, const msw_simt_step *step)
{
    return step->event == MSW_SIMT_EVENT_ACCESS && step->space == MSW_SIMT_GLOBAL && step->lanes &&
           x->tables->slot_of[step->first + step->count - 1] != MSW_SIMT_NONE;
}

static int run_warp(launch_state *l, msw_simt_cta *cta, uint32_t warp)
{
    uvm_extraction *x = l->x;
    warp_state *w = &l->warps[warp];
    msw_simt_step step;
    while (msw_simt_warp_now(cta, warp) == MSW_SIMT_READY) {
        if (msw_simt_run(cta, warp, UINT32_MAX, &step, x->err))
            return -1;
        add_instructions(x, w, &step);
        if (is_global(x, &step) && put_access(x, w, &step))
            return -1;
        if (step.event == MSW_SIMT_EVENT_BARRIER && put_plain(x, w, UVM_BARRIER))
            return -1;
    }
    return 0;
}

static void start_warp(launch_state *l, warp_state *w)
{
    size_t slots = l->x->tables->made->slots;
    w->body.count = w->used.count = 0;
    w->accesses = w->open = w->late = 0;
    w->slots_used = 0;
    w->site = (uvm_site){.wait = 0};
    if (slots)
        memset(w->order, 0, slots * sizeof *w->order);
}

/* The body begins with its slots. */
static int finish_warp(launch_state *l, uint32_t warp, uvm_bytes *whole)
{
    uvm_extraction *x = l->x;
    warp_state *w = &l->warps[warp];
    const unsigned char *at = w->used.data;
    uint64_t *last = l->last + (size_t)warp * x->tables->made->slots;
    void *data = whole->data;
    whole->count = 0;
    if (put_plain(x, w, UVM_END))
        return -1;
    if (uvm_grow(&data, 0, &whole->room, 10 + w->used.count + w->body.count, 1, x->scratch))
        return fail_memory(x);
    whole->data = data;
    if (uvm_put(whole, w->slots_used, x->scratch))
        return fail_memory(x);
    if (w->used.count)
        memcpy(whole->data + whole->count, w->used.data, w->used.count);
    memcpy(whole->data + whole->count + w->used.count, w->body.data, w->body.count);
    whole->count += w->used.count + w->body.count;
    uint32_t body = uvm_body_of(x->tables, whole, x->work);
    if (body == UINT32_MAX || uvm_put(&x->heads, uvm_fold(body - l->body), x->work))
        return fail_memory(x);
    l->body = body;
    for (uint32_t i = 0; i < w->slots_used; i++) {
        uint64_t slot = uvm_get(&at), moved = w->first[slot] - last[slot];
        if (uvm_put(&x->heads, uvm_fold(moved - l->moved[slot]), x->work))
            return fail_memory(x);
        l->moved[slot] = moved;
        last[slot] = w->first[slot];
    }
    return 0;
}

static int run_cta(launch_state *l, msw_simt_cta *cta, uint32_t warps, uvm_bytes *whole)
{
    for (uint32_t w = 0; w < warps; w++)
        start_warp(l, &l->warps[w]);
    while (!msw_simt_cta_done(cta)) {
        bool moved = false;
        for (uint32_t w = 0; w < warps; w++) {
            moved |= msw_simt_warp_now(cta, w) == MSW_SIMT_READY;
            if (run_warp(l, cta, w))
                return -1;
        }
        if (!moved)
            return msw_fail(l->x->err, "kernel %s: a barrier that some warps never reach",
                            l->x->tables->kernel->name);
    }
    for (uint32_t w = 0; w < warps; w++)
        if (finish_warp(l, w, whole))
            return -1;
    return 0;
}

static int take_memory(launch_state *l, uint32_t warps)
{
    msw_arena *work = l->x->scratch;
    size_t slots = l->x->tables->made->slots + 1u;
    l->warps = msw_arena_zero(work, warps, sizeof *l->warps);
    l->last = msw_arena_zero(work, (warps + 1u) * slots, sizeof *l->last);
    if (!l->warps || !l->last)
        return fail_memory(l->x);
    l->moved = l->last + warps * (slots - 1);
    for (uint32_t w = 0; w < warps; w++) {
        uint64_t *words = msw_arena_zero(work, 4 * slots, sizeof *words);
        if (!words)
            return fail_memory(l->x);
        l->warps[w] = (warp_state){.first = words,
                                   .address = words + slots,
                                   .step = words + 2 * slots,
                                   .order = words + 3 * slots};
    }
    return 0;
}

/* Runs the CTAs of a launch and writes what they do. */
static int uvm_extract_launch(uvm_extraction *x, const msw_simt_code *code)
{
    launch_state l = {.x = x};
    uint32_t warps = msw_simt_cta_warps(code);
    uvm_bytes whole = {.count = 0};
    void *block = msw_arena_take(x->scratch, msw_simt_cta_bytes(code));
    if (!block)
        return fail_memory(x);
    if (take_memory(&l, warps))
        return -1;
    for (uint64_t c = 0; c < msw_simt_cta_count(code); c++)
        if (run_cta(&l, msw_simt_cta_start(code, c, block), warps, &whole))
            return -1;
    x->stream->warps += msw_simt_cta_count(code) * warps;
    return 0;
}

enum { MEMORY_MOST = 1 << 30 }; /* of device memory, for kernels whose addresses are data */

static int keep_shapes(uvm_stream *stream, const uvm_shapes *s, msw_arena *arena)
{
    stream->shape_count = (uint32_t)s->shape_count;
    stream->piece_count = (uint32_t)s->piece_count;
    stream->shapes = uvm_keep(s->shapes, s->shape_count * sizeof *s->shapes, arena);
    stream->pieces = uvm_keep(s->pieces, s->piece_count * sizeof *s->pieces, arena);
    stream->bytes += s->shape_count * sizeof *s->shapes + s->piece_count * sizeof *s->pieces;
    return stream->shapes && stream->pieces ? 0 : -1;
}

static uvm_tables *find_tables(uvm_tables **list, const msw_simt_kernel *kernel,
                               const uvm_extraction *x)
{
    for (uvm_tables *t = *list; t; t = t->next)
        if (t->kernel == kernel)
            return t;
    uvm_tables *made = uvm_tables_of(kernel, x->work, x->arena, x->err);
    if (made) {
        made->next = *list;
        *list = made;
    }
    return made;
}

static int take_launch(uvm_extraction *x, const msw_simt_product *p, const msw_simt_stage *stage,
                       const msw_simt_memory *memory, uvm_stage *out)
{
    msw_arena scratch = {0};
    msw_simt_launch launch = msw_simt_stage_launch(p, stage, memory, MSW_SIMT_SLICE);
    const msw_simt_code *code = msw_simt_decode(&launch, &scratch, x->err);
    int rc = code ? msw_simt_host_before(p, stage, memory, x->err) : -1;
    x->scratch = &scratch;
    x->launch = msw_arena_zero(x->arena, 1, sizeof *x->launch);
    if (rc == 0 && !x->launch)
        rc = msw_fail_memory(x->err);
    x->heads.count = 0;
    if (rc == 0)
        rc = uvm_extract_launch(x, code);
    if (rc == 0) {
        *x->launch = (uvm_launch){.kernel = x->tables->made,
                                  .ctas = msw_simt_cta_count(code),
                                  .warps = msw_simt_cta_warps(code),
                                  .threads = stage->block[0] * stage->block[1] * stage->block[2],
                                  .shared = msw_simt_cta_shared(code),
                                  .heads = uvm_keep(x->heads.data, x->heads.count, x->arena),
                                  .head_bytes = x->heads.count};
        x->stream->bytes += x->heads.count + sizeof *x->launch;
        x->stream->warps_most = msw_max_u32(x->stream->warps_most, x->launch->warps);
        x->stream->slots_most = msw_max_u32(x->stream->slots_most, x->launch->kernel->slots);
        out->launch = x->launch;
        rc = x->launch->heads ? 0 : msw_fail_memory(x->err);
    }
    msw_arena_free(&scratch);
    return rc;
}

static void take_host(const msw_simt_stage *stage, uvm_stage *out)
{
    if (stage->array) {
        out->address = stage->array->address + stage->first * stage->array->element_bytes;
        out->bytes = stage->count * stage->array->element_bytes;
    }
}

static int take_stages(uvm_extraction *x, const msw_simt_product *p, msw_simt_device *device,
                       uvm_stage *stages)
{
    uvm_tables *list = NULL;
    for (size_t s = 0; s < p->stage_count; s++) {
        const msw_simt_stage *stage = &p->stages[s];
        stages[s].kind = stage->kind;
        take_host(stage, &stages[s]);
        if (stage->kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        x->tables = find_tables(&list, stage->kernel, x);
        if (!x->tables || take_launch(x, p, stage, msw_simt_device_memory(device), &stages[s]))
            return -1;
    }
    for (; list; list = list->next)
        if (uvm_keep_tables(list, &x->stream->bytes, x->arena))
            return msw_fail_memory(x->err);
    return 0;
}

const uvm_stream *uvm_extract(const msw_simt_product *p, msw_arena *arena, msw_err *err)
{
    msw_arena work = {0};
    uvm_shapes shapes = {.shape_count = 0};
    uvm_stream *stream = msw_arena_zero(arena, 1, sizeof *stream);
    uvm_stage *stages = msw_arena_zero(arena, p->stage_count + 1, sizeof *stages);
    uvm_extraction x = {
        .work = &work, .arena = arena, .err = err, .shapes = &shapes, .stream = stream};
    msw_simt_device *device = msw_simt_device_new(p->arrays, p->array_count, MEMORY_MOST, err);
    int rc = device ? 0 : -1;
    if (device)
        msw_simt_device_slices(device);
    if (rc == 0 && (!stream || !stages))
        rc = msw_fail_memory(err);
    if (rc == 0)
        rc = take_stages(&x, p, device, stages);
    if (rc == 0 && keep_shapes(stream, &shapes, arena))
        rc = msw_fail_memory(err);
    msw_simt_device_free(device);
    msw_arena_free(&work);
    if (rc)
        return NULL;
    stream->stages = stages;
    stream->stage_count = p->stage_count;
    return stream;
}

int uvm_build_stream(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                     msw_err *err)
{
    (void)extra;
    *root = task->product->kind == MSW_PRODUCT_PAGES
                ? uvm_stream_of_pages(task->product->data, arena, err)
                : uvm_extract(task->product->data, arena, err);
    return *root ? 0 : -1;
}
