/* SPDX-License-Identifier: MIT */
/* Defect 441. A counter that branches and near addresses read is annotated with both sides.
 * Wherever its addition ran, each turn moved it over the TSVs. both_side: both executes it on each
 * side, and nothing moves again. */
#include "testing.h"

#include "mech/mpu/kernel/kernel.h"

static const char LOOP[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                           ".visible .entry k(.param .u32 n)\n{\n"
                           ".reg .pred %p<2>;\n.reg .b32 %r<3>;\n.reg .f32 %f<2>;\n"
                           ".shared .align 4 .b8 s[4096];\n"
                           "mov.u32 %r1, 0;\n"
                           "$L1:\n"
                           "ld.shared.f32 %f1, [%r1];\n"
                           "add.s32 %r1, %r1, 4;\n"
                           "setp.lt.s32 %p1, %r1, 64;\n"
                           "@%p1 bra $L1;\n"
                           "ret;\n}\n";
enum { FIRST = 1, LAST = 4, ADD = 2, TURNS = 3 };

static void open_kernel(int64_t both_side, msw_arena *arena, mpu_config *config, mpu_kernel *kernel)
{
    msw_err err = {0};
    msw_params_defaults(mpu_params, config);
    config->both_side = both_side;
    const msw_simt_program *parsed = msw_simt_parse("loop.ptx", LOOP, sizeof LOOP - 1, arena, &err);
    if (!parsed)
        fail_msg("%s", err.text);
    assert_ok(mpu_kernel_make(&parsed->kernels[0], config, arena, kernel, &err), err);
}

/* Register moves of the last turn. `issue` is that of the addition. */
static unsigned moves_of_turn(int64_t both_side, mpu_issue *addition)
{
    msw_arena arena = {0};
    mpu_config config;
    mpu_kernel kernel;
    mpu_issue issue;
    uint64_t near_valid[1], far_valid[1];
    mpu_track track = {near_valid, far_valid};
    unsigned moves = 0;
    open_kernel(both_side, &arena, &config, &kernel);
    mpu_track_start(kernel.kernel, &track);
    mpu_track_issue(&config, &kernel, 0, &track, &issue);
    for (int turn = 0; turn < TURNS; turn++) {
        moves = 0;
        for (uint32_t i = FIRST; i <= LAST; i++) {
            mpu_track_issue(&config, &kernel, i, &track, &issue);
            moves += issue.move_count;
            if (i == ADD)
                *addition = issue;
        }
    }
    msw_arena_free(&arena);
    return moves;
}

static void nothing_moves(void **state)
{
    mpu_issue issue;
    (void)state;
    assert_int_equal(moves_of_turn(MPU_AT_TABLE, &issue), 1);
    assert_int_equal(moves_of_turn(MPU_AT_FAR, &issue), 1);
    assert_int_equal(moves_of_turn(MPU_AT_BOTH, &issue), 0);
    assert_true(issue.offloaded);
    assert_int_equal(issue.side, MPU_NEAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
