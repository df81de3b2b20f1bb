/* SPDX-License-Identifier: MIT */
/* Defect 918. A machine in which nothing can happen any more said only that all warps wait for
 * each other. Does it say who waits, and for what? No program is known that comes to this, so a
 * controller is made to forget its request. */
#include "programs.h"
#include "testing.h"

#include "mech/mpu/machine/machine.h"

#include <string.h>

static const char TEXT[] =
    "title t\nptx t.ptx\narray a f32[4096]\nlaunch k grid(1) block(64) args(a)\n";

/* Warp 1 waits at the barrier for warp 0, and warp 0 for the line that it has loaded. */
static const char PTX[] =
    ".version 9.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 a) {\n"
    ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [a];\nmov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 31;\n@%p1 bra L;\n"
    "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.f32 %f1, [%rd3];\n"
    "add.f32 %f2, %f1, %f1;\nL:\nbar.sync 0;\nret;\n}\n";

typedef struct setup {
    program p;
    mpu_config config;
    mpu_program all;
    msw_arena arena;
    msw_task task;
    mpu_machine machine;
} setup;

static void start(setup *s, msw_err *err)
{
    memset(s, 0, sizeof *s);
    msw_params_defaults(mpu_params, &s->config);
    assert_ok(program_text(&s->p, "", TEXT, PTX), s->p.err);
    assert_ok(program_build(&s->p), s->p.err);
    s->task = (msw_task){.config = &s->config, .product = &s->p.product, .arena = &s->arena};
    assert_ok(mpu_program_make(s->p.p, &s->config, &s->arena, &s->all, err), *err);
    assert_ok(mpu_machine_init(&s->machine, &s->task, &s->all, false, err), *err);
    for (size_t i = 0; i < s->p.p->stage_count; i++)
        if (s->p.p->stages[i].kind == MSW_SIMT_STAGE_LAUNCH)
            assert_ok(mpu_launch_start(&s->machine, i, err), *err);
}

/* Runs until a controller has a request. Returns whether it came to that. */
static bool forget_request(mpu_machine *m, msw_err *err)
{
    for (uint64_t issued = 1; m->launch.active; issued++) {
        assert_ok(mpu_machine_run(m, issued, err), *err);
        for (uint32_t c = 0; c < m->core_count; c++)
            for (int64_t s = 0; s < m->config->subcores; s++)
                if (msw_dram_lines_waiting(m->cores[c].subs[s].lines)) {
                    m->cores[c].dram[s] = MPU_NEVER;
                    return true;
                }
    }
    return false;
}

static void the_message_says_what_waits(void **state)
{
    (void)state;
    setup s;
    msw_err err = {0};
    start(&s, &err);
    assert_true(forget_request(&s.machine, &err));
    assert_int_equal(mpu_machine_run(&s.machine, UINT64_MAX, &err), -1);
    assert_non_null(strstr(err.text, "kernel k: all warps wait for each other"));
    assert_non_null(strstr(err.text, "1 at barriers, the first in sub-core 1 of core 0;"));
    assert_non_null(
        strstr(err.text, "1 for values or accesses, the first in sub-core 0 of core 0;"));
    assert_non_null(strstr(err.text, "1 requests in memory controllers, the first in sub-core 0 "));
    assert_non_null(strstr(err.text, "messages under way: 0"));
    msw_arena_free(&s.arena);
    program_close(&s.p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_message_says_what_waits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
