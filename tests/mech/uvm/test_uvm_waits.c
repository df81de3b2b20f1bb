/* SPDX-License-Identifier: MIT */
/* Defect 460. An instruction that needs two loads waits for both, not for the later one alone: the
 * earlier may have missed and the later not. */
#include "programs.h"
#include "testing.h"

#include "mech/uvm/stream/stream.h"

static void the_sum_waits_for_both(void **state)
{
    (void)state;
    program p;
    msw_arena arena = {0};
    bool both = false;
    assert_ok(program_named(&p, "uvm/addvectors/n=32"), p.err);
    assert_ok(program_build(&p), p.err);
    const uvm_stream *s = uvm_extract(p.p, &arena, &p.err);
    assert_non_null(s);
    const uvm_kernel *k = s->stages[0].launch->kernel;
    for (uint32_t i = 0; i < k->site_count; i++)
        both |= k->sites[i].kind == UVM_STORE && k->sites[i].wait == 3;
    assert_true(both);
    msw_arena_free(&arena);
    program_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_sum_waits_for_both)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
