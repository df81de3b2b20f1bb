/* SPDX-License-Identifier: MIT */
/* Defect 969. A kernel with printf or assert could not be run although neither changes what it
 * computes. Are their calls refused by name with what to write, and left out where the file says
 * so, with the values of a kernel without them? */
#include "programs.h"
#include "testing.h"

#include <stdio.h>
#include <string.h>

/* out[tid] = tid + what printf returns; odd threads print, those beyond n assert. */
static const char PTX[] =
    ".version 9.0\n.target sm_75\n.address_size 64\n"
    ".extern .func (.param .b32 result) vprintf(.param .b64 a, .param .b64 b);\n"
    ".extern .func __assertfail(.param .b64 a, .param .b32 b);\n"
    ".global .align 1 .b8 words[4] = {37, 100, 10, 0};\n"
    ".visible .entry talk(.param .u64 out, .param .u32 n)\n{\n"
    ".reg .pred %p<3>;\n.reg .b32 %r<6>;\n.reg .b64 %rd<6>;\n"
    "ld.param.u64 %rd1, [out];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\n"
    "mov.u32 %r4, %r2;\nand.b32 %r3, %r2, 1;\nsetp.eq.s32 %p1, %r3, 0;\n@%p1 bra $quiet;\n"
    "mov.u64 %rd2, words;\ncvta.global.u64 %rd3, %rd2;\n"
    "{\n.param .b64 a;\nst.param.b64 [a+0], %rd3;\n.param .b64 b;\nst.param.b64 [b+0], 0;\n"
    ".param .b32 back;\ncall.uni (back), vprintf, (a, b);\nld.param.b32 %r5, [back+0];\n}\n"
    "add.s32 %r4, %r4, %r5;\n"
    "$quiet:\nsetp.lt.u32 %p2, %r2, %r1;\n@%p2 bra $good;\n"
    "{\n.param .b64 a;\nst.param.b64 [a+0], %rd1;\n.param .b32 b;\nst.param.b32 [b+0], 7;\n"
    "call.uni __assertfail, (a, b);\n}\n"
    "$good:\nmul.wide.u32 %rd4, %r2, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"
    "st.global.u32 [%rd5], %r4;\nret;\n}\n";

#define HEAD "ptx t.ptx\narray out u32[64]\n"
#define TAIL "launch talk grid(1) block(64) args(out, 64)\n"

static void refused(const char *text, const char *why)
{
    program p;
    if (program_text(&p, "", text, PTX) == 0)
        fail_msg("taken: %s", text);
    if (!strstr(p.err.text, why))
        fail_msg("%s: %s", text, p.err.text);
}

static void test_refused_by_name(void **state)
{
    (void)state;
    refused(HEAD TAIL, "kernel talk calls printf, which is not run; 'ignore printf'");
    refused(HEAD TAIL, "t.ptx:27: ");
    refused(HEAD "ignore printf\n" TAIL, "kernel talk calls assert, which is not run");
    refused(HEAD TAIL "ignore printf, assert\n", "before the launch");
    refused(HEAD "ignore trap\n" TAIL, "found 'trap', allowed: printf, assert");
}

static void test_left_out(void **state)
{
    (void)state;
    program p;
    msw_text text = MSW_TEXT_EMPTY, wanted = MSW_TEXT_EMPTY;
    if (program_text(&p, "", HEAD "ignore printf, assert\n" TAIL, PTX) || program_build(&p) ||
        msw_simt_print_values(p.p, "out", &text, &p.err))
        fail_msg("%s", p.err.text);
    for (int i = 0; i < 64; i++)
        msw_text_add(&wanted, "%d\t%d\n", i, i);
    assert_non_null(strstr(msw_text_str(&text), msw_text_str(&wanted)));
    msw_text_free(&text);
    msw_text_free(&wanted);
    program_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused_by_name),
                                       cmocka_unit_test(test_left_out)};
    return cmocka_run_group_tests_name("calls left out", tests, NULL, NULL);
}
