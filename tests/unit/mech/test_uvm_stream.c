/* SPDX-License-Identifier: MIT */
/* Does the stream of a program say, warp by warp, what the interpreter does? And is it small? */
#include "kernel_results.h"
#include "testing.h"

#include "mech/uvm/stream/stream.h"

#include <stdlib.h>
#include <string.h>

enum { WARPS = 64 };

typedef struct account {
    msw_digest digest[WARPS];
    uint64_t instructions, threads;
} account;

static void add(account *a, uint32_t warp, const uint64_t *words, size_t count)
{
    a->digest[warp] = msw_hash_pair(a->digest[warp], msw_hash_bytes(words, count * sizeof *words));
}

static int take_step(void *self, const msw_simt_origin *origin, const msw_simt_step *step,
                     msw_err *err)
{
    account *a = self;
    uint64_t words[2 * MSW_SIMT_LANES + 1];
    (void)err;
    a->instructions += step->count;
    a->threads += step->count * msw_bits_count(step->mask);
    if (step->event == MSW_SIMT_EVENT_BARRIER)
        add(a, origin->warp, &(uint64_t){UINT64_MAX}, 1);
    if (step->event != MSW_SIMT_EVENT_ACCESS || step->space != MSW_SIMT_GLOBAL || !step->lanes)
        return 0;
    for (uint32_t i = 0; i < step->line_count; i++)
        words[i] = step->lines[i].address >> UVM_LINE_SHIFT;
    add(a, origin->warp, words, step->line_count);
    return 0;
}

static void read_warp(const uvm_stream *stream, const uvm_kernel *kernel, uvm_reader *reader,
                      uint32_t warp, account *a)
{
    for (;;) {
        uint64_t address, lines[UVM_LINES];
        const uvm_site *site = uvm_read(reader, kernel, &address);
        a->instructions += site->before + site->after;
        a->threads += site->threads;
        if (site->kind == UVM_END)
            return;
        if (site->kind == UVM_BARRIER)
            add(a, warp, &(uint64_t){UINT64_MAX}, 1);
        else
            add(a, warp, lines, uvm_lines(stream, site, address, lines));
    }
}

typedef struct replay {
    program p;
    msw_arena arena;
    const uvm_stream *stream;
    msw_simt_device *device;
    uint64_t *words;
    void *heads;
    uvm_reader readers[WARPS];
} replay;

static void open_replay(replay *r, const char *workload)
{
    *r = (replay){.arena = {0}};
    assert_ok(program_named(&r->p, workload), r->p.err);
    assert_ok(program_build(&r->p), r->p.err);
    r->stream = uvm_extract(r->p.p, &r->arena, &r->p.err);
    if (!r->stream)
        fail_msg("%s: %s", workload, r->p.err.text);
    r->device = msw_simt_device_new(r->p.p->arrays, r->p.p->array_count, 1 << 26, &r->p.err);
    assert_non_null(r->device);
    r->words = calloc(2 * WARPS, r->stream->slots_most * sizeof(uint64_t));
    r->heads = malloc(uvm_heads_bytes(r->stream));
    for (int w = 0; w < WARPS; w++) {
        r->readers[w].address = r->words + 2 * (size_t)w * r->stream->slots_most;
        r->readers[w].step = r->readers[w].address + r->stream->slots_most;
    }
}

static void close_replay(replay *r)
{
    msw_simt_device_free(r->device);
    msw_arena_free(&r->arena);
    free(r->words);
    free(r->heads);
    program_close(&r->p);
}

static void compare_launch(replay *r, const char *workload, size_t stage)
{
    static const msw_simt_sms SMS = {.sms = 1, .ctas = 1};
    msw_arena arena = {0};
    const uvm_launch *launch = r->stream->stages[stage].launch;
    msw_simt_launch decoded = msw_simt_stage_launch(
        r->p.p, &r->p.p->stages[stage], msw_simt_device_memory(r->device), MSW_SIMT_VALUES);
    const msw_simt_code *code = msw_simt_decode(&decoded, &arena, &r->p.err);
    uvm_heads heads;
    assert_non_null(code);
    uvm_heads_start(&heads, launch, r->heads);
    for (uint64_t c = 0; c < launch->ctas; c++) {
        account wanted = {.instructions = 0}, found = {.instructions = 0};
        msw_simt_listener listener = {.self = &wanted, .step = take_step};
        uint64_t issued;
        assert_ok(msw_simt_execute(code, &SMS, c, 1, &listener, &arena, &issued, &r->p.err),
                  r->p.err);
        uvm_heads_next(&heads, r->readers);
        for (uint32_t w = 0; w < launch->warps; w++)
            read_warp(r->stream, launch->kernel, &r->readers[w], w, &found);
        if (memcmp(&wanted, &found, sizeof wanted) != 0)
            fail_msg("%s: stage %d, CTA %d differs", workload, (int)stage, (int)c);
    }
    assert_ptr_equal(heads.at, launch->heads + launch->head_bytes);
    msw_arena_free(&arena);
}

static void compare(const kernel_case *cases)
{
    for (const kernel_case *k = cases; k->workload; k++) {
        replay r;
        open_replay(&r, k->workload);
        for (size_t s = 0; s < r.stream->stage_count; s++)
            if (r.stream->stages[s].kind == MSW_SIMT_STAGE_LAUNCH)
                compare_launch(&r, k->workload, s);
        close_replay(&r);
    }
}

static void test_the_stream_says_what_the_interpreter_does(void **state)
{
    (void)state;
    compare(managed_cases);
    compare(kernel_cases);
}

static void test_a_stream_takes_less_than_two_bytes_per_line(void **state)
{
    (void)state;
    static const char *const NAMES[] = {
        "uvm/addvectors",
        "uvm/streamtriad",
        "uvm/2dconv/h=256,w=256",
        "uvm/atax/n=600",
        "uvm/backprop/inputs=16384",
        "uvm/hotspot/side=256",
        "uvm/nw/n=512",
        "uvm/pathfinder/columns=5000",
        "uvm/srad_v2/side=256",
    };
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        replay r;
        open_replay(&r, NAMES[i]);
        print_message("%s: %.3f bytes per line\n", NAMES[i],
                      (double)r.stream->bytes / (double)r.stream->lines);
        assert_true(r.stream->bytes < 2 * r.stream->lines);
        close_replay(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_stream_says_what_the_interpreter_does),
        cmocka_unit_test(test_a_stream_takes_less_than_two_bytes_per_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
