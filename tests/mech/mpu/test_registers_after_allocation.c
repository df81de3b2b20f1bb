/* SPDX-License-Identifier: MIT */
/* Defect 442. Figure 14 could be counted on the registers of the PTX alone. What the authors'
 * allocator makes of them is counted, too: by kind of name and side, whatever the width. */
#include "testing.h"

#include "mech/mpu/kernel/kernel.h"

/* Three far addresses one after the other: one name. Two values at once: two. One predicate. */
static const char CHAIN[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                            ".visible .entry k(.param .u64 a)\n{\n"
                            ".reg .pred %p<2>;\n.reg .f32 %f<4>;\n.reg .b64 %rd<4>;\n"
                            "ld.param.u64 %rd1, [a];\n"
                            "add.s64 %rd2, %rd1, 128;\n"
                            "add.s64 %rd3, %rd2, 128;\n"
                            "setp.eq.s64 %p1, %rd3, 0;\n"
                            "@%p1 bra $L1;\n"
                            "ld.global.f32 %f1, [%rd3];\n"
                            "ld.global.f32 %f2, [%rd3+4];\n"
                            "add.f32 %f3, %f1, %f2;\n"
                            "st.global.f32 [%rd3], %f3;\n"
                            "$L1:\nret;\n}\n";

static void kinds_apart(void **state)
{
    msw_arena arena = {0};
    msw_err err = {0};
    mpu_config config;
    mpu_kernel kernel;
    (void)state;
    msw_params_defaults(mpu_params, &config);
    const msw_simt_program *parsed =
        msw_simt_parse("chain.ptx", CHAIN, sizeof CHAIN - 1, &arena, &err);
    if (!parsed)
        fail_msg("%s", err.text);
    assert_ok(mpu_kernel_make(&parsed->kernels[0], &config, &arena, &kernel, &err), err);
    assert_int_equal(kernel.regs_at[MPU_NEAR], 3);
    assert_int_equal(kernel.regs_at[MPU_FAR], 4);
    assert_int_equal(kernel.named_at[MPU_NEAR], 2);
    assert_int_equal(kernel.named_at[MPU_FAR], 2); /* an address, a predicate */
    assert_int_equal(kernel.named_at[MPU_BOTH], 0);
    msw_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
