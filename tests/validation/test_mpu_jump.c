/* SPDX-License-Identifier: MIT */
/* The cycle model of mpu where stretches go on without time: every instruction is issued once,
 * nothing is left under way, and the stretches in between still take their time. */
#include "programs.h"
#include "testing.h"

#include "mech/mpu/machine/machine.h"

#include <stdlib.h>

static const char *const KERNELS[] = {"axpy/n=32Ki", "blur/h=64,w=64",   "gemv/rows=64,cols=128",
                                      "hist/n=32Ki", "kmeans/n=8Ki",     "nw/pairs=64",
                                      "pr/n=32Ki",   "ttrans/h=64,w=64", "hist/natural/n=8Ki"};

typedef struct result {
    uint64_t issued, cycles;
} result;

/* In turns: `detail` instructions with time, `jump` without; jump 0: all with time. */
static void run_launch(mpu_machine *m, uint64_t detail, uint64_t jump)
{
    msw_err err = {0};
    while (m->launch.active) {
        uint64_t until = jump ? m->counts.issued + detail : UINT64_MAX;
        assert_ok(mpu_machine_run(m, until, &err), err);
        if (!m->launch.active)
            return;
        assert_ok(mpu_machine_jump(m, m->counts.issued + jump, &err), err);
        if (!m->launch.cta_count)
            assert_ok(mpu_machine_run(m, m->counts.issued, &err), err);
    }
}

static void assert_all_is_over(const mpu_machine *m)
{
    assert_int_equal(m->network.under_way, 0);
    for (uint32_t c = 0; c < m->core_count; c++) {
        for (uint32_t f = 0; f < m->flights; f++)
            assert_int_equal(m->cores[c].flights[f].kind, MPU_FLIGHT_FREE);
        for (int64_t s = 0; s < m->config->subcores; s++)
            assert_int_equal(m->cores[c].subs[s].warps, 0);
    }
}

static result simulate(const char *name, const mpu_config *config, uint64_t detail, uint64_t jump)
{
    program p;
    msw_err err = {0};
    mpu_program all;
    mpu_machine *m = malloc(sizeof *m);
    msw_arena arena = {0};
    assert_ok(program_named(&p, name), p.err);
    assert_ok(program_build(&p), p.err);
    msw_task task = {.config = config, .product = &p.product, .arena = &arena};
    assert_ok(mpu_program_make(p.p, config, &arena, &all, &err), err);
    assert_ok(mpu_machine_init(m, &task, &all, false, &err), err);
    for (size_t s = 0; s < p.p->stage_count; s++) {
        if (p.p->stages[s].kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        assert_ok(mpu_launch_start(m, s, &err), err);
        run_launch(m, detail, jump);
        assert_all_is_over(m);
    }
    result out = {m->counts.issued, m->now};
    free(m);
    msw_arena_free(&arena);
    program_close(&p);
    return out;
}

static void every_instruction_is_issued_once(void **state)
{
    (void)state;
    mpu_config config;
    msw_params_defaults(mpu_params, &config);
    config.processors = 2;
    config.processor_columns = 2;
    for (size_t i = 0; i < sizeof KERNELS / sizeof *KERNELS; i++) {
        config.cta_refill = i % 3 == 2 ? MPU_REFILL_BATCH : MPU_REFILL_EACH;
        result full = simulate(KERNELS[i], &config, 0, 0);
        result some = simulate(KERNELS[i], &config, 3000, 5000);
        result none = simulate(KERNELS[i], &config, 1, UINT64_MAX / 2);
        print_message("%s: %llu instructions, %llu cycles; with jumps %llu, %llu\n", KERNELS[i],
                      (unsigned long long)full.issued, (unsigned long long)full.cycles,
                      (unsigned long long)some.cycles, (unsigned long long)none.cycles);
        assert_int_equal(some.issued, full.issued);
        assert_int_equal(none.issued, full.issued);
        assert_true(some.cycles < full.cycles && none.cycles < full.cycles);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_instruction_is_issued_once)};
    return cmocka_run_group_tests_name("mpu jump", tests, NULL, NULL);
}
