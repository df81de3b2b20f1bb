/* SPDX-License-Identifier: MIT */
/* The closed form of mpu answered in silence where it cannot know: launches that are steered by
 * what earlier ones wrote (breadth-first search: an eighth of the cycles), CTAs that crowd where
 * their data are. Does it say so there, and only there? */
#include "direct.h"
#include "mech/mpu/config.h"
#include "programs.h"
#include "testing.h"

/* out[i] = next[next[i]]: `next` steers. */
static const char PTX[] =
    ".version 9.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry walk(.param .u64 next, .param .u64 out)\n{\n"
    "    .reg .b32 %r<5>;\n    .reg .b64 %rd<8>;\n"
    "    ld.param.u64 %rd1, [next];\n    ld.param.u64 %rd2, [out];\n"
    "    mov.u32 %r1, %ctaid.x;\n    mov.u32 %r2, %tid.x;\n    mad.lo.s32 %r3, %r1, 128, %r2;\n"
    "    mul.wide.s32 %rd3, %r3, 4;\n    add.s64 %rd4, %rd1, %rd3;\n"
    "    ld.global.u32 %r4, [%rd4];\n    mul.wide.s32 %rd5, %r4, 4;\n"
    "    add.s64 %rd6, %rd1, %rd5;\n    ld.global.u32 %r4, [%rd6];\n"
    "    add.s64 %rd7, %rd2, %rd3;\n    st.global.u32 [%rd7], %r4;\n    ret;\n}\n";

#define ARRAYS                                                                                     \
    "ptx t.ptx\nsize n = 1Ki in 128 .. 1Mi\narray a s32[n] = permute(i, n, 1)\n"                   \
    "array b s32[n]\narray c s32[n]\n"
#define WALK(from, to) "launch walk grid(n / 128) block(128) args(" #from ", " #to ")\n"

/* What is said of a program. */
static void say(const char *text, msw_fidelity fidelity, char *doubt)
{
    direct d;
    program p;
    msw_err err = {0};
    assert_ok(program_text(&p, "", text, PTX), p.err);
    assert_ok(direct_open(&d, msw_mech_find("mpu"), "axpy/n=64Ki", &err), err);
    d.task.workload = &p.workload;
    d.task.workload_config = &p.config;
    direct_run(&d, fidelity, 1);
    assert_int_equal(d.answer.status, MSW_OK);
    strcpy(doubt, d.answer.doubt);
    direct_close(&d);
    program_close(&p);
}

static void flow_that_depends_on_what_is_written_is_said(void **state)
{
    (void)state;
    char doubt[MSW_DOUBT_BYTES];
    say(ARRAYS "for k = 1 .. 2\n" WALK(b, c) WALK(a, b) "end\n", MSW_ANALYTIC, doubt);
    assert_non_null(strstr(doubt, "array b"));
    say(ARRAYS WALK(a, b) WALK(b, c), MSW_FULL, doubt);
    assert_string_equal(doubt, "");
}

static void flow_that_is_given_is_not(void **state)
{
    (void)state;
    char doubt[MSW_DOUBT_BYTES];
    say(ARRAYS WALK(a, b) WALK(a, c), MSW_ANALYTIC, doubt);
    assert_string_equal(doubt, "");
    say(ARRAYS WALK(b, c) WALK(a, b), MSW_ANALYTIC, doubt); /* read, then written */
    assert_string_equal(doubt, "");
}

static double cycles_at(direct *d, msw_fidelity fidelity)
{
    direct_run(d, fidelity, 1);
    return d->metrics[MPU_CYCLES];
}

/* Arrays that lie in a few cores, in a launch too long to be run whole. */
static void places_where_work_crowds_are_said(void **state)
{
    (void)state;
    direct d;
    msw_err err = {0};
    assert_ok(direct_open(&d, msw_mech_find("mpu"), "axpy/n=1Mi", &err), err);
    direct_run(&d, MSW_ANALYTIC, 1);
    assert_string_equal(d.answer.doubt, "");
    direct_set(&d, "placement", 2);
    direct_run(&d, MSW_ANALYTIC, 1);
    assert_non_null(strstr(d.answer.doubt, "placement: bank"));
    direct_close(&d);
}

static void launches_that_are_short_have_the_cycles_of_the_machine(void **state)
{
    (void)state;
    direct d;
    msw_err err = {0};
    assert_ok(direct_open(&d, msw_mech_find("mpu"), "axpy/n=64Ki", &err), err);
    for (int place = 0; place < 3; place++) {
        direct_set(&d, "dispatch", 1);
        direct_set(&d, "placement", place);
        double closed = cycles_at(&d, MSW_ANALYTIC);
        assert_string_equal(d.answer.doubt, "");
        assert_float_equal(closed, cycles_at(&d, MSW_FULL), 1e-6 * closed);
    }
    direct_close(&d);
}

/* Each core has the CTAs whose data it holds: a stretch of an eighth speaks for the launch. */
static void a_stretch_speaks_for_ctas_at_their_data(void **state)
{
    (void)state;
    direct d;
    msw_err err = {0};
    assert_ok(direct_open(&d, msw_mech_find("mpu"), "gemv/rows=512", &err), err);
    direct_set(&d, "dispatch", 1);
    double closed = cycles_at(&d, MSW_ANALYTIC);
    print_message("%.0f by the stretch, %.0f at full\n", closed, cycles_at(&d, MSW_FULL));
    assert_string_equal(d.answer.doubt, "");
    assert_float_equal(closed / d.metrics[MPU_CYCLES], 1, 0.15);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flow_that_depends_on_what_is_written_is_said),
        cmocka_unit_test(flow_that_is_given_is_not),
        cmocka_unit_test(places_where_work_crowds_are_said),
        cmocka_unit_test(launches_that_are_short_have_the_cycles_of_the_machine),
        cmocka_unit_test(a_stretch_speaks_for_ctas_at_their_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
