/* SPDX-License-Identifier: MIT */
/* Do warps part and meet again, wait, vote, share memory and touch the lines that a hand count
 * says? */
#include "testing.h"

#include "simt_flat.h"

#include <string.h>

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"
#define START                                                                                      \
    ".reg .pred %p<10>; .reg .b16 %h<10>; .reg .b32 %r<20>; .reg .f32 %f<10>; .reg .b64 "          \
    "%rd<10>;\n"                                                                                   \
    "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"                  \
    "add.s64 %rd3, %rd1, %rd2;\n"
#define KERNEL(body) HEAD ".visible .entry k(.param .u64 out) {\n" START body "}\n"

typedef struct run {
    ptx p;
    flat f;
    uint32_t events[4], lines;
    uint64_t issued;
    uint32_t lanes; /* of global accesses */
} run;

static int listen(void *self, const msw_simt_origin *origin, const msw_simt_step *step,
                  msw_err *err)
{
    run *r = self;
    (void)origin;
    (void)err;
    r->events[step->event]++;
    if (step->event == MSW_SIMT_EVENT_ACCESS && step->space == MSW_SIMT_GLOBAL) {
        r->lines += step->line_count;
        r->lanes += (uint32_t)__builtin_popcount(step->lanes);
    }
    return 0;
}

/* Runs one CTA of `threads`. */
static int run_text(run *r, const char *text, uint32_t threads, msw_simt_mode mode)
{
    uint64_t out = FLAT_BASE;
    *r = (run){0};
    msw_simt_listener listener = {.self = r, .step = listen};
    if (ptx_open(&r->p, text, NULL))
        return -1;
    flat_open(&r->f, true);
    memcpy(r->p.params, &out, sizeof out);
    r->p.launch.block[0] = threads;
    r->p.launch.mode = mode;
    r->p.launch.most_instructions = 100000;
    r->p.launch.dynamic_shared_bytes = 256;
    return ptx_run(&r->p, &r->f, &listener, &r->issued);
}

static void close_run(run *r)
{
    if (r->f.data)
        flat_close(&r->f);
    ptx_close(&r->p);
}

static void start(run *r, const char *text, uint32_t threads)
{
    if (run_text(r, text, threads, MSW_SIMT_VALUES))
        fail_msg("%s", r->p.err.text);
}

static uint32_t word(const run *r, uint32_t i)
{
    uint32_t value;
    memcpy(&value, r->f.data + 4 * i, sizeof value);
    return value;
}

/* Lane i goes round its loop i + 1 times and sums 1 ... i + 1. */
static void test_loops_of_different_length(void **state)
{
    (void)state;
    run r;
    start(&r,
          KERNEL("mov.u32 %r2, 0; mov.u32 %r3, 0;\n"
                 "again: add.u32 %r2, %r2, 1; add.u32 %r3, %r3, %r2;\n"
                 "setp.le.u32 %p1, %r2, %r1; @%p1 bra again;\n"
                 "st.global.u32 [%rd3], %r3; ret;\n"),
          32);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(word(&r, i), (i + 1) * (i + 2) / 2);
    assert_int_equal(r.lines, 1);                   /* all lanes met before the store */
    assert_int_equal(r.issued, 4 + 2 + 4 * 32 + 2); /* the loop is issued 32 times */
    close_run(&r);
}

/* A branch in a branch: each lane knows its way. */
static void test_nested_branches_meet(void **state)
{
    (void)state;
    run r;
    start(&r,
          KERNEL("and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; and.b32 %r3, %r1, 2;\n"
                 "setp.eq.u32 %p2, %r3, 0; mov.u32 %r4, 0;\n"
                 "@%p1 bra even; @%p2 bra one; add.u32 %r4, %r4, 3; bra meet;\n"
                 "one: add.u32 %r4, %r4, 1; bra meet;\n"
                 "even: @%p2 bra done; add.u32 %r4, %r4, 2; done: add.u32 %r4, %r4, 10;\n"
                 "meet: activemask.b32 %r5; st.global.u32 [%rd3], %r4;\n"
                 "st.global.u32 [%rd3+128], %r5; ret;\n"),
          32);
    for (uint32_t i = 0; i < 32; i++) {
        static const uint32_t WANTED[] = {10, 1, 12, 3};
        assert_int_equal(word(&r, i), WANTED[i % 4]);
        assert_int_equal(word(&r, 32 + i), UINT32_MAX);
    }
    close_run(&r);
}

static void test_lanes_that_leave_early(void **state)
{
    (void)state;
    run r;
    start(&r,
          KERNEL("setp.ge.u32 %p1, %r1, 40; @%p1 ret; bar.sync 0;\n"
                 "st.global.u32 [%rd3], %r1; ret;\n"),
          70);
    assert_int_equal(word(&r, 39), 39);
    assert_int_equal(word(&r, 40), 0);
    assert_int_equal(r.events[MSW_SIMT_EVENT_BARRIER], 2); /* the third warp has left */
    assert_int_equal(r.lanes, 40);
    close_run(&r);
}

/* Threads turn a row of 64 round through shared memory. */
static void test_barrier_and_shared_memory(void **state)
{
    (void)state;
    run r;
    start(&r,
          HEAD ".extern .shared .align 4 .b8 room[];\n"
               ".visible .entry k(.param .u64 out) { .shared .u32 pad[3];\n" START
               "mov.u32 %r2, room; shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3; mov.u32 %r9, pad;\n"
               "st.shared.u32 [%r4], %r1; bar.sync 0; sub.u32 %r5, 63, %r1; shl.b32 %r5, %r5, 2;\n"
               "add.u32 %r5, %r5, %r2; cvt.u64.u32 %rd5, %r5; cvta.shared.u64 %rd5, %rd5;\n"
               "ld.u32 %r6, [%rd5]; st.global.u32 [%rd3], %r6; ret; }\n",
          64);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(word(&r, i), 63 - i);
    close_run(&r);
}

static void test_barrier_with_reduction(void **state)
{
    (void)state;
    run r;
    start(&r,
          KERNEL("setp.lt.u32 %p1, %r1, 37; bar.red.popc.u32 %r2, 0, %p1;\n"
                 "bar.red.and.pred %p2, 0, %p1; bar.red.or.pred %p3, 0, 96, %p1;\n"
                 "selp.u32 %r3, 100, 0, %p2; selp.u32 %r4, 1000, 0, %p3; add.u32 %r2, %r2, %r3;\n"
                 "add.u32 %r2, %r2, %r4; st.global.u32 [%rd3], %r2; ret;\n"),
          96);
    for (uint32_t i = 0; i < 96; i++)
        assert_int_equal(word(&r, i), 1037);
    close_run(&r);
}

static void test_atomics_return_what_was_there(void **state)
{
    (void)state;
    run r;
    start(&r,
          KERNEL(
              "atom.global.add.u32 %r2, [%rd1+256], 2; st.global.u32 [%rd3], %r2;\n"
              "red.global.max.s32 [%rd1+260], %r1; atom.global.cas.b32 %r3, [%rd1+264], 0, 7;\n"
              "atom.global.inc.u32 %r3, [%rd1+268], 9; atom.global.exch.b32 %r3, [%rd1+272], %r1;\n"
              "atom.add.f32 %f1, [%rd1+276], 0f3F000000; red.global.xor.b32 [%rd1+280], %r1;\n"
              "ret;\n"),
          32);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(word(&r, i), 2 * i);
    assert_int_equal(word(&r, 64), 64);
    assert_int_equal(word(&r, 65), 31);
    assert_int_equal(word(&r, 66), 7);
    assert_int_equal(word(&r, 67), 2); /* 32 mod 10 */
    assert_int_equal(word(&r, 68), 31);
    assert_int_equal(word(&r, 69), 0x41800000); /* 16 */
    assert_int_equal(word(&r, 70), 0);
    close_run(&r);
}

static void test_lanes_tell_each_other(void **state)
{
    (void)state;
    run r;
    start(&r,
          KERNEL(
              "shfl.sync.up.b32 %r2|%p1, %r1, 1, 0, -1; shfl.sync.down.b32 %r3, %r1, 2, 31, -1;\n"
              "shfl.sync.bfly.b32 %r4, %r1, 5, 31, -1; shfl.sync.idx.b32 %r5, %r1, 3, 0x181f, -1;\n"
              "setp.lt.u32 %p2, %r1, 5; vote.sync.ballot.b32 %r6, %p2, -1; and.b32 %r7, %r1, 3;\n"
              "vote.sync.any.pred %p3, %p2, -1; match.any.sync.b32 %r8, %r7, -1;\n"
              "redux.sync.add.s32 %r9, %r1, -1; selp.u32 %r10, 1, 0, %p1;\n"
              "st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5};\n"
              "mul.wide.u32 %rd4, %r1, 32; add.s64 %rd4, %rd4, %rd1;\n"
              "st.global.v4.u32 [%rd4+512], {%r2, %r3, %r4, %r5};\n"
              "st.global.v4.u32 [%rd4+528], {%r6, %r10, %r8, %r9}; ret;\n"),
          32);
    for (uint32_t i = 0; i < 32; i++) {
        const uint32_t wanted[] = {
            i ? i - 1 : 0, i < 30 ? i + 2 : i,   i ^ 5,      (i & 24) | 3, 31,
            i > 0,         0x11111111u << i % 4, 31 * 32 / 2};
        for (uint32_t k = 0; k < 8; k++)
            assert_int_equal(word(&r, 128 + 8 * i + k), wanted[k]);
    }
    close_run(&r);
}

/* Strides of 4, 8, 128 and 4 from an odd start; one address for all. */
static void test_lines_touched(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        uint32_t lines;
    } ROWS[] = {
        {KERNEL("ld.global.u32 %r2, [%rd3]; ret;"), 1},
        {KERNEL("ld.global.u32 %r2, [%rd3+4]; ret;"), 2},
        {KERNEL("mul.wide.u32 %rd4, %r1, 8; add.s64 %rd4, %rd4, %rd1; ld.global.u32 %r2, [%rd4]; "
                "ret;"),
         2},
        {KERNEL("mul.wide.u32 %rd4, %r1, 16; add.s64 %rd4, %rd4, %rd1;"
                "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd4]; ret;"),
         4},
        {KERNEL("mul.wide.u32 %rd4, %r1, 128; add.s64 %rd4, %rd4, %rd1; ld.global.u32 %r2, [%rd4]; "
                "ret;"),
         32},
        {KERNEL("ld.global.u32 %r2, [%rd1+124]; ret;"), 1},
        {KERNEL("setp.gt.u32 %p1, %r1, 30; @%p1 ld.global.u32 %r2, [%rd3+4]; ret;"), 1},
        {KERNEL("setp.gt.u32 %p1, %r1, 40; @%p1 ld.global.u32 %r2, [%rd3]; ret;"), 0},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        run r;
        start(&r, ROWS[i].code, 32);
        if (r.lines != ROWS[i].lines)
            fail_msg("%s: %u lines, wanted %u", ROWS[i].code, r.lines, ROWS[i].lines);
        close_run(&r);
    }
}

static const char CALLS[] =
    HEAD ".global .align 4 .u32 bias = 5;\n.const .align 4 .u32 table[2] = {3, 4};\n"
         ".func (.param .b32 back) twice(.param .b32 x, .param .align 4 .b8 pair[8]) {\n"
         ".reg .b32 %r<4>; .reg .pred %q; ld.param.u32 %r1, [x]; ld.param.u32 %r2, [pair+4];\n"
         "setp.eq.u32 %q, %r1, 1; st.param.b32 [back], %r2; @%q ret; add.u32 %r3, %r1, %r1;\n"
         "add.u32 %r3, %r3, %r2; st.param.b32 [back+0], %r3; ret; }\n"
         ".visible .entry k(.param .u64 out) {\n" START
         "{ .param .b32 a; .param .align 4 .b8 b[8]; .param .b32 c; st.param.b32 [a], %r1;\n"
         "ld.const.u32 %r5, [table+4]; st.param.v2.b32 [b], {%r1, %r5};\n"
         "call.uni (c), twice, (a, b); ld.param.u32 %r6, [c]; }\n"
         "{ .reg .b32 %r6; mov.u32 %r6, 1000; }\n"
         "st.global.u32 [%rd3], %r6; ret; }\n";

/* 2 x + 4, but 4 for thread 1; the inner %r6 is another register. */
static void test_calls_are_inlined(void **state)
{
    (void)state;
    run r;
    start(&r, CALLS, 32);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(word(&r, i), i == 1 ? 4 : 2 * i + 4);
    close_run(&r);
}

static void test_what_goes_wrong_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *code, *message;
    } ROWS[] = {
        {KERNEL("ld.global.u32 %r2, [16]; ret;"), "address 0x10 is in no allocation"},
        {KERNEL("ld.global.u32 %r2, [%rd3+2]; ret;"), ", which is no multiple of 4"},
        {KERNEL("ld.shared.u32 %r2, [4096]; ret;"),
         "lane 0 reads 4 bytes at shared address 0x1000; 256 bytes are there"},
        {KERNEL("again: bra again;"), "t.ptx:8: kernel k, CTA 0,0,0, warp "},
        {KERNEL("setp.lt.u32 %p1, %r1, 32; @%p1 bra x; bar.sync 1; ret; x: bar.sync 2; ret;"),
         "waits at barrier"},
        {KERNEL("trap;"), "trap"},
        {KERNEL("brx.idx %r1, x;"), "'brx': indirect branches are not run"},
        {KERNEL("ad.s32 %r1, %r1, 1;"), "t.ptx:8: 'ad' is no operation that is run; did you mean"},
        {KERNEL("add.s32 %r1, %rd1, 1;"), "register %rd is of type b64"},
        {KERNEL("add.s32 %r77, %r1, 1;"), "'%r77' is neither declared"},
        {KERNEL("tex.1d.v4.f32.s32 {%f1,%f1,%f1,%f1}, [t, {%r1}];"), "'tex': textures are not run"},
        {KERNEL("mma.sync.aligned x;"), "'mma': matrix"},
        {KERNEL("cp.async.ca.shared.global [%r1], [%rd1], 4;"), "'cp': asynchronous copies"},
        {KERNEL("call x;"), "call of 'x', which is no function"},
        {KERNEL("call %rd1;"), "indirect calls are not run"},
        {KERNEL("bra nowhere;"), "no label 'nowhere'"},
        {KERNEL("mul.s32 %r1, %r1, 2;"), "lacks .lo, .hi or .wide"},
        {HEAD ".extern .func out(.param .b32 x);\n.entry k() { call out; }",
         "t.ptx:5: call of out, which has no body here: external calls are not run"},
        {HEAD ".func f() { call f; }\n.entry k() { call f; }", "recursion is not run"},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        run r;
        if (!run_text(&r, ROWS[i].code, 64, MSW_SIMT_VALUES))
            fail_msg("ran, wanted: %s", ROWS[i].message);
        if (!strstr(r.p.err.text, ROWS[i].message))
            fail_msg("wanted \"%s\", got \"%s\"", ROWS[i].message, r.p.err.text);
        close_run(&r);
    }
}

/* Which instructions must run is known by hand: the address, not the value. */
static void test_slice_by_hand(void **state)
{
    (void)state;
    run r;
    assert_ok(
        ptx_open(&r.p,
                 KERNEL("ld.global.u32 %r2, [%rd3]; add.u32 %r3, %r2, 1; cvt.rn.f32.u32 %f1, %r3;\n"
                        "ld.global.u32 %r4, [%rd3+128]; mul.wide.u32 %rd4, %r4, 4;\n"
                        "add.s64 %rd5, %rd1, %rd4; st.global.f32 [%rd5], %f1; ret;\n"),
                 NULL),
        r.p.err);
    const uint8_t *needed = msw_simt_slice_of(r.p.kernel, NULL, &r.p.arena, &r.p.err);
    /* param, tid, mul, add | ld, add, cvt, ld, mul, add, st, ret. The second load's value makes an
     * address, and the store may write what it reads: so the store's value is needed, too. */
    static const uint8_t WANTED[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    assert_non_null(needed);
    assert_memory_equal(needed, WANTED, sizeof WANTED);
    ptx_close(&r.p);
    assert_ok(
        ptx_open(&r.p,
                 KERNEL("ld.global.f32 %f1, [%rd3]; add.f32 %f2, %f1, %f1; add.u32 %r3, %r1, 1;\n"
                        "setp.lt.u32 %p1, %r3, 9; @%p1 st.global.f32 [%rd3+128], %f2; ret;\n"),
                 NULL),
        r.p.err);
    needed = msw_simt_slice_of(r.p.kernel, NULL, &r.p.arena, &r.p.err);
    static const uint8_t VALUES_LEFT_OUT[] = {1, 1, 1, 1, 0, 0, 1, 1, 0, 1};
    assert_memory_equal(needed, VALUES_LEFT_OUT, sizeof VALUES_LEFT_OUT);
    ptx_close(&r.p);
}

static void test_flow_by_hand(void **state)
{
    (void)state;
    ptx p;
    assert_ok(
        ptx_open(&p,
                 KERNEL("mov.u32 %r2, 0; again: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 9;\n"
                        "@%p1 bra again; st.global.u32 [%rd3], %r2; ret;\n"),
                 NULL),
        p.err);
    const msw_simt_kernel *k = p.kernel;
    assert_int_equal(k->block_count, 3);
    assert_int_equal(k->blocks[1].loop_depth, 1);
    assert_int_equal(k->blocks[2].loop_depth, 0);
    assert_int_equal(k->blocks[1].post_dominator, 2);
    assert_int_equal(k->blocks[2].post_dominator, MSW_SIMT_NONE);
    const msw_simt_dependences *d = msw_simt_dependences_of(k, &p.arena, &p.err);
    assert_non_null(d);
    uint32_t use = d->use_base[5]; /* add %r2: by mov before the loop, or by itself */
    assert_int_equal(d->first[use + 1] - d->first[use], 2);
    assert_int_equal(d->producers[d->first[use]] + d->producers[d->first[use] + 1], 4 + 5);
    const msw_simt_liveness *live = msw_simt_liveness_of(k, &p.arena);
    assert_non_null(live);
    /* After add.s64: %rd1 (8), %rd2 (8) and %r1 are dead; at the mul.wide %rd1 and %r1 live. */
    assert_int_equal(live->most_bytes, 16);
    ptx_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops_of_different_length),
        cmocka_unit_test(test_nested_branches_meet),
        cmocka_unit_test(test_lanes_that_leave_early),
        cmocka_unit_test(test_barrier_and_shared_memory),
        cmocka_unit_test(test_barrier_with_reduction),
        cmocka_unit_test(test_atomics_return_what_was_there),
        cmocka_unit_test(test_lanes_tell_each_other),
        cmocka_unit_test(test_lines_touched),
        cmocka_unit_test(test_calls_are_inlined),
        cmocka_unit_test(test_what_goes_wrong_is_told),
        cmocka_unit_test(test_slice_by_hand),
        cmocka_unit_test(test_flow_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
