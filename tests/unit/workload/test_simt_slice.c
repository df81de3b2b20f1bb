/* SPDX-License-Identifier: MIT */
/* Does the slice give the same accesses, masks and barriers as all values do, and do both kinds of
 * loops and memories without direct pointers leave the same bits? Over kernels made by nvcc
 * (tests/bench/simt.ptx, its source beside it). */
#include "testing.h"

#include "memsweep/base/hash.h"
#include "memsweep/base/text.h"
#include "simt_flat.h"

#include <stdlib.h>
#include <string.h>

typedef struct trace {
    msw_digest hash;
    uint64_t steps, accesses, barriers, issued;
} trace;

static void add(trace *t, const void *data, size_t size)
{
    t->hash = msw_hash_pair(t->hash, msw_hash_bytes(data, size));
}

/* Where runs of instructions are cut does not count: how many there are, and what they touch. */
static int listen(void *self, const msw_simt_origin *origin, const msw_simt_step *step,
                  msw_err *err)
{
    trace *t = self;
    (void)err;
    uint64_t facts[4] = {origin->cta, origin->warp, step->first + step->count, step->event};
    t->steps++;
    t->barriers += step->event == MSW_SIMT_EVENT_BARRIER;
    if (step->event != MSW_SIMT_EVENT_ACCESS)
        return 0;
    t->accesses++;
    add(t, facts, sizeof facts);
    add(t, &step->lanes, sizeof step->lanes);
    add(t, step->lines, step->line_count * sizeof *step->lines);
    for (int i = 0; i < MSW_SIMT_LANES; i++)
        if (step->lanes >> i & 1)
            add(t, &step->addresses[i], sizeof step->addresses[i]);
    return 0;
}

static void fill_memory(flat *f)
{
    for (uint32_t i = 0; i < FLAT_BYTES / 4; i++) {
        float x = (float)(i * 7919u % 1000) / 1000;
        memcpy(f->data + 4 * i, &x, sizeof x);
    }
}

static void run_kernel(const msw_simt_kernel *kernel, msw_simt_mode mode, msw_simt_loops loops,
                       bool spans, trace *t, uint64_t *memory)
{
    flat f;
    ptx p = {.kernel = kernel};
    flat_open(&f, spans);
    fill_memory(&f);
    bool square = strstr(kernel->name, "blur") || strstr(kernel->name, "matmul");
    p.launch = (msw_simt_launch){.kernel = kernel,
                                 .grid = {2, 2, 1},
                                 .block = {16, 16, 1},
                                 .params = p.params,
                                 .mode = mode,
                                 .loops = loops};
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        uint64_t number = square ? 32 : 1500;
        uint64_t value = kernel->params[i].bytes == 8 ? FLAT_BASE + 65536u * i : number;
        memcpy(p.params + kernel->params[i].offset, &value, kernel->params[i].bytes);
    }
    msw_simt_listener listener = {.self = t, .step = listen};
    *t = (trace){0};
    if (ptx_run(&p, &f, &listener, &t->issued))
        fail_msg("%s: %s", kernel->name, p.err.text);
    *memory = msw_hash_bytes(f.data, FLAT_BYTES).lo;
    flat_close(&f);
    msw_arena_free(&p.arena);
}

static void compare_kernel(const msw_simt_kernel *kernel)
{
    trace values, slice, other;
    uint64_t wanted, memory;
    run_kernel(kernel, MSW_SIMT_VALUES, MSW_SIMT_LOOPS_BEST, true, &values, &wanted);
    run_kernel(kernel, MSW_SIMT_SLICE, MSW_SIMT_LOOPS_BEST, true, &slice, &memory);
    assert_true(values.accesses > 0);
    assert_int_equal(values.accesses, slice.accesses);
    assert_int_equal(values.issued, slice.issued);
    assert_int_equal(values.barriers, slice.barriers);
    assert_int_equal(values.hash.lo, slice.hash.lo);
    run_kernel(kernel, MSW_SIMT_VALUES, MSW_SIMT_LOOPS_BASE, true, &other, &memory);
    assert_int_equal(memory, wanted);
    run_kernel(kernel, MSW_SIMT_VALUES, MSW_SIMT_LOOPS_BEST, false, &other, &memory);
    assert_int_equal(memory, wanted);
}

static void test_slice_and_loops_on_kernels(void **state)
{
    (void)state;
    msw_arena arena = {0};
    msw_err err = {0};
    char *text;
    size_t size;
    assert_ok(msw_read_file(MEMSWEEP_SOURCE "/tests/bench/simt.ptx", &text, &size, &err), err);
    const msw_simt_program *program = msw_simt_parse("simt.ptx", text, size, &arena, &err);
    if (!program)
        fail_msg("%s", err.text);
    for (uint32_t k = 0; k < program->kernel_count; k++)
        compare_kernel(&program->kernels[k]);
    msw_arena_free(&arena);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slice_and_loops_on_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
