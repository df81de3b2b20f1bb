/* SPDX-License-Identifier: MIT */
/* Defect 927. CTAs that wait for each other's flags were run alone: after 2^26 instructions they
 * were refused as kernels without end, whatever they waited for. Do CTAs that run together go on,
 * with the values that follow, and is what waits for nobody refused soon, and with the reason? */
#include "programs.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
    "ptx joints.ptx\nsize n = 2Ki in 32 .. 1Mi\narray in u32[n] = random(i, 1, 100)\n"             \
    "array flag u32[n]\narray sum u32[n]\narray out u32[n]\n"

static char *ptx;

static int run(program *p, const msw_simt_sms *sms, uint64_t *issued, uint32_t *out)
{
    msw_arena arena = {0}, scratch = {0};
    const msw_simt_array *array = program_array(p, "out");
    msw_simt_device *device =
        msw_simt_device_in(&arena, p->p->arrays, p->p->array_count, 1 << 26, &p->err);
    assert_non_null(device);
    const msw_simt_memory *memory = msw_simt_device_memory(device);
    msw_simt_launch launch = msw_simt_stage_launch(p->p, &p->p->stages[0], memory, MSW_SIMT_VALUES);
    const msw_simt_code *code = msw_simt_decode(&launch, &scratch, &p->err);
    assert_non_null(code);
    int rc = msw_simt_execute(code, sms, 0, 0, NULL, &scratch, issued, &p->err);
    assert_true(rc == 0 || msw_simt_waits(code));
    if (rc == 0)
        assert_ok(memory->read(memory->self, array->address, array->bytes, out, &p->err), p->err);
    msw_arena_free(&scratch);
    msw_arena_free(&arena);
    return rc;
}

static void test_those_that_run_together_go_on(void **state)
{
    (void)state;
    static const char *const LAUNCHES[] = {
        "launch lookback grid(n / 64) block(64) args(in, flag, sum, out, n)\n",
        "launch ahead grid(n / 64) block(64) args(flag)\n",
        "launch all grid(n / 64) block(64) args(flag, out)\n"};
    static const msw_simt_sms SMS[] = {
        {.sms = 1, .ctas = 32}, {.sms = 4, .ctas = 8}, {.sms = 32, .ctas = 1, .run_limit = 3}};
    for (size_t l = 0; l < 3; l++)
        for (size_t m = 0; m < 3; m++) {
            program p;
            uint32_t out[2048] = {0}, sum = 0;
            uint64_t issued;
            char text[1000];
            snprintf(text, sizeof text, HEAD "%s", LAUNCHES[l]);
            if (program_text(&p, "", text, ptx) || program_build(&p) ||
                run(&p, &SMS[m], &issued, out))
                fail_msg("%s: %s", LAUNCHES[l], p.err.text);
            msw_simt_array in = *program_array(&p, "in");
            for (uint32_t i = 0; l == 0 && i < 2048; i++) {
                uint32_t own, of_cta;
                in.initial(in.context, i, 1, &own);
                assert_int_equal(out[i], own + sum);
                in.initial(in.context, i / 64, 1, &of_cta);
                sum += i % 64 == 63 ? of_cta : 0;
            }
            assert_true(l != 2 || out[2047] == 32);
            program_close(&p);
        }
}

static void test_what_waits_for_nobody_is_refused_soon(void **state)
{
    (void)state;
    static const struct {
        const char *launch;
        msw_simt_sms sms;
    } ROWS[] = {{"ahead grid(n / 64) block(64) args(flag)\n", {.sms = 2, .ctas = 8}},
                {"all grid(n / 64) block(64) args(flag, out)\n", {.sms = 1, .ctas = 31}}};
    for (size_t r = 0; r < 2; r++) {
        program p;
        uint32_t out[2048];
        uint64_t issued;
        char text[1000];
        snprintf(text, sizeof text, HEAD "launch %s", ROWS[r].launch);
        assert_ok(program_text(&p, "", text, ptx), p.err);
        assert_ok(program_build(&p), p.err);
        assert_int_equal(run(&p, &ROWS[r].sms, &issued, out), -1);
        assert_true(issued < 1 << 20);
        assert_non_null(
            strstr(p.err.text, "warp 0: waits in a loop for what no warp that runs with it does"));
        program_close(&p);
    }
    program p;
    assert_int_equal(program_text(&p, "", HEAD "launch never grid(4) block(64) args(flag)\n", ptx),
                     0);
    assert_int_equal(program_build(&p), -1);
    assert_non_null(strstr(p.err.text, "waits in a loop"));
    program_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_those_that_run_together_go_on),
        cmocka_unit_test(test_what_waits_for_nobody_is_refused_soon),
    };
    msw_err err = {0};
    size_t size;
    if (msw_read_file(MEMSWEEP_SOURCE "/tests/support/joints.ptx", &ptx, &size, &err))
        return 1;
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    free(ptx);
    return rc;
}
