/* SPDX-License-Identifier: MIT */
/* Makes traces. Warps in turn: waves as in closed/order.c, CTA c of a wave is on SM c modulo
 * their number. In order of time: walks that a machine of the record's defaults makes (table 9),
 * as they end. Only what a trace depends on is taken from the point: the pages and the SMs. So
 * the trace is one for all policies, links and latencies that are looked at with what was learned
 * from it. */
#include "mech/uvm/learn/samples.h"

#include "mech/uvm/closed/closed.h"
#include "mech/uvm/machine/machine.h"
#include "mech/uvm/model.h"
#include "mech/uvm/pages/predict.h"
#include "mech/uvm/stream/records.h"

#include <string.h>

typedef struct listener {
    const uvm_traced *of;
    uvm_rows *rows;
    uvm_machine *machine;
    msw_arena *work;
    msw_err *err;
} listener;

static int hear(void *self, const uvm_event *event)
{
    listener *l = self;
    if (l->rows->count == l->of->most) {
        l->machine->stopped = true;
        return 0;
    }
    uvm_trace_row row = uvm_trace_row_of(l->of->layout, event);
    return uvm_rows_add(l->rows, row, l->work) ? msw_fail_memory(l->err) : 0;
}

static void make_config(const uvm_config *of, uvm_config *c)
{
    msw_params_defaults(uvm_params, c);
    c->prefetcher = of->learner.trace_order == UVM_TIMED_TREE ? UVM_TREE : UVM_NONE;
    c->page_trace = UVM_TRACE_WALK;
    c->page_size = of->page_size;
    c->sms = of->sms;
    c->sm_ctas = of->sm_ctas;
    c->sm_warps = of->sm_warps;
    c->sm_shared = of->sm_shared;
    c->sm_registers = of->sm_registers;
}

/* Fills `rows` with the walks of a machine. */
static int uvm_timed_rows(const uvm_traced *of, uvm_rows *rows, msw_arena *work, msw_err *err)
{
    uvm_config config = {0};
    const void *artifacts[UVM_ARTIFACT_PREDICTIONS + 1] = {NULL};
    uvm_machine *machine = msw_arena_zero(work, 1, sizeof *machine);
    msw_task task = *of->task;
    make_config(of->config, &config);
    task.config = &config;
    task.artifacts = artifacts;
    task.arena = work;
    task.details = NULL;
    task.event_budget = 0; /* a trace that is shared depends on no point's limits */
    task.deadline_ns = 0;
    artifacts[UVM_ARTIFACT_STREAM] = of->stream;
    artifacts[UVM_ARTIFACT_LAYOUT] = of->layout;
    if (!machine)
        return msw_fail_memory(err);
    if (uvm_build_link(&task, NULL, work, &artifacts[UVM_ARTIFACT_LINK], err) ||
        uvm_machine_init(machine, &task, err))
        return -1;
    listener l = {of, rows, machine, work, err};
    machine->tap.call = hear;
    machine->tap.self = &l;
    machine->apart = false; /* else SMs would run ahead of each other */
    return uvm_machine_run(machine);
}

typedef struct tracer {
    const uvm_traced *of;
    uint32_t *filled; /* [sm][page] turn + 1 */
    uvm_rows *rows;
    uvm_reader *readers;
    bool *ended;
    uvm_heads heads;
    void *heads_memory;
    const uvm_launch *launch;
    uint64_t threads;
    uint64_t first_cta; /* of the wave */
    uint32_t turn;
    uint16_t number, kernel;
    msw_arena *work;
} tracer;

static int touch(tracer *t, uint64_t page, uint64_t warp, uint32_t slot)
{
    const uvm_layout *layout = t->of->layout;
    uint64_t sms = (uint64_t)t->of->config->sms, cta = warp / t->launch->warps, sm = cta % sms;
    uint32_t *filled = &t->filled[sm * layout->pages + page];
    if (layout->chunk_of[page] == UVM_NO_CHUNK || (*filled && *filled != t->turn + 1))
        return 0;
    uvm_event event = {.page = page,
                       .cta = t->first_cta + cta,
                       .at = (uint32_t)(t->threads >> 10),
                       .launch = t->number,
                       .kernel = t->kernel,
                       .pc = slot,
                       .sm = (uint32_t)sm,
                       .warp = (uint32_t)(cta / sms * t->launch->warps + warp % t->launch->warps),
                       .hit = t->rows->met[page]};
    *filled = t->turn + 1;
    return uvm_rows_add(t->rows, uvm_trace_row_of(layout, &event), t->work);
}

static int take_record(tracer *t, uint64_t warp)
{
    uint64_t address, lines[UVM_LINES], last = UINT64_MAX;
    const uvm_site *site = uvm_read(&t->readers[warp], t->launch->kernel, &address);
    t->threads += site->threads;
    t->ended[warp] = site->kind == UVM_END;
    if (site->kind >= UVM_BARRIER)
        return 0;
    uint32_t count = uvm_lines(t->of->stream, site, address, lines);
    for (uint32_t i = 0; i < count; i++) {
        const uvm_layout *layout = t->of->layout;
        uint64_t page = ((lines[i] << UVM_LINE_SHIFT) - layout->base) >> layout->shift;
        if (page != last && touch(t, page, warp, site->slot))
            return -1;
        last = page;
    }
    return 0;
}

static int run_wave(tracer *t, uint64_t ctas)
{
    uint64_t warps = ctas * t->launch->warps, left = warps;
    for (uint64_t c = 0; c < ctas; c++)
        uvm_heads_next(&t->heads, t->readers + c * t->launch->warps);
    memset(t->ended, 0, warps);
    for (; left && t->rows->count < t->of->most; t->turn++)
        for (uint64_t w = 0; w < warps; w++) {
            if (t->ended[w])
                continue;
            if (take_record(t, w))
                return -1;
            left -= t->ended[w];
        }
    return 0;
}

static int run_launch(tracer *t, const uvm_launch *l, msw_err *err)
{
    const uvm_config *c = t->of->config;
    uint64_t held = uvm_ctas_held(c, l, err), wave = held * (uint64_t)c->sms;
    if (!held)
        return -1;
    t->launch = l;
    uvm_heads_start(&t->heads, l, t->heads_memory);
    for (t->first_cta = 0; t->first_cta < l->ctas && t->rows->count < t->of->most;
         t->first_cta += wave)
        if (run_wave(t, msw_min_u64(wave, l->ctas - t->first_cta)))
            return msw_fail_memory(err);
    return 0;
}

static int take_memory(tracer *t)
{
    const uvm_config *c = t->of->config;
    size_t slots = t->of->stream->slots_most + 1u, warps = (size_t)(c->sms * c->sm_warps);
    uint64_t *vocabulary = msw_arena_take(t->work, 2 * warps * slots * sizeof *vocabulary);
    t->filled = msw_arena_zero(t->work, (size_t)c->sms * t->of->layout->pages, sizeof *t->filled);
    t->readers = msw_arena_take(t->work, warps * sizeof *t->readers);
    t->ended = msw_arena_take(t->work, warps * sizeof *t->ended);
    t->heads_memory = msw_arena_take(t->work, uvm_heads_bytes(t->of->stream) + 1);
    if (!vocabulary || !t->filled || !t->readers || !t->ended || !t->heads_memory)
        return -1;
    for (size_t w = 0; w < warps; w++)
        t->readers[w] =
            (uvm_reader){NULL, vocabulary + 2 * w * slots, vocabulary + (2 * w + 1) * slots};
    return 0;
}

static int run_stages(tracer *t, msw_err *err)
{
    const uvm_stream *s = t->of->stream;
    if (take_memory(t))
        return msw_fail_memory(err);
    for (size_t i = 0; i < s->stage_count && t->rows->count < t->of->most; i++) {
        if (s->stages[i].kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        t->kernel = uvm_kernel_number(s, i);
        if (run_launch(t, s->stages[i].launch, err))
            return -1;
        t->number++;
    }
    return 0;
}

static int fill(const uvm_traced *of, uvm_rows *rows, msw_arena *work, msw_err *err)
{
    tracer t = {.of = of, .work = work, .rows = rows};
    rows->met = msw_arena_zero(work, of->layout->pages + 1, 1);
    if (!rows->met)
        return msw_fail_memory(err);
    return of->config->learner.trace_order == UVM_IN_TURN ? run_stages(&t, err)
                                                          : uvm_timed_rows(of, rows, work, err);
}

const uvm_trace *uvm_trace_of(const uvm_traced *of, msw_arena *arena, msw_err *err)
{
    msw_arena work = {0};
    uvm_rows found = {0};
    uvm_trace *trace = msw_arena_zero(arena, 1, sizeof *trace);
    int rc = trace ? fill(of, &found, &work, err) : msw_fail_memory(err);
    if (rc == 0) {
        size_t count = found.count;
        uvm_trace_row *rows = msw_arena_take(arena, (count + 1) * sizeof *rows);
        if (rows && count)
            memcpy(rows, found.list, count * sizeof *rows);
        *trace = (uvm_trace){rows, count, count ? found.list[count - 1].at + 1 : 1};
        rc = rows ? 0 : msw_fail_memory(err);
    }
    msw_arena_free(&work);
    return rc == 0 ? trace : NULL;
}
