/* SPDX-License-Identifier: MIT */
/* The cycle model of mpu on programs of a few instructions, whose cycles can be worked by hand from
 * the rules in its README; and what it moves against what is counted, over the shipped kernels.
 *
 * With the defaults: front end 4, operands 2, result 1, write-back 2, TSV 0.5 a beat and 1 on its
 * way, LSU 3. */
#include "programs.h"
#include "testing.h"

#include "mech/mpu/machine/machine.h"

#include <stdlib.h>
#include <string.h>

#define HEAD ".version 9.0\n.target sm_75\n.address_size 64\n.visible .entry k("
#define REGS ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n"
#define ADDRESS                                                                                    \
    "ld.param.u64 %rd1, [a];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\n"                  \
    "add.s64 %rd3, %rd1, %rd2;\n"

typedef struct run {
    program p;
    mpu_config config;
    mpu_machine machine;
    double totals[MPU_METRICS];
} run;

static void defaults(run *r)
{
    memset(r, 0, sizeof *r);
    msw_params_defaults(mpu_params, &r->config);
}

static void simulate(run *r)
{
    msw_err err = {0};
    mpu_program all;
    msw_arena arena = {0};
    msw_task task = {.config = &r->config, .product = &r->p.product, .arena = &arena};
    assert_ok(mpu_program_make(r->p.p, &r->config, &arena, &all, &err), err);
    assert_ok(mpu_machine_init(&r->machine, &task, &all, false, &err), err);
    for (size_t s = 0; s < r->p.p->stage_count; s++) {
        if (r->p.p->stages[s].kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        assert_ok(mpu_launch_start(&r->machine, s, &err), err);
        assert_ok(mpu_machine_run(&r->machine, UINT64_MAX, &err), err);
        assert_false(r->machine.launch.active);
    }
    mpu_machine_totals(&r->machine);
    memcpy(r->totals, r->machine.counts.totals, sizeof r->totals);
    mpu_count_sums(r->totals);
    msw_arena_free(&arena);
    program_close(&r->p);
}

/* One CTA of `threads` threads on a body of PTX. Returns its cycles. */
static uint64_t cycles_of(run *r, uint32_t threads, const char *body)
{
    char text[512], ptx[8192];
    snprintf(text, sizeof text,
             "title t\nptx t.ptx\narray a f32[4096]\nlaunch k grid(1) block(%u) args(a)\n",
             threads);
    snprintf(ptx, sizeof ptx, "%s%s}\n", HEAD ".param .u64 a) {\n" REGS, body);
    assert_ok(program_text(&r->p, "", text, ptx), r->p.err);
    assert_ok(program_build(&r->p), r->p.err);
    simulate(r);
    return r->machine.now;
}

/* Fetched in 4, operands and commit 2 + 1. */
static void an_exit_takes_seven_cycles(void **state)
{
    (void)state;
    run r;
    defaults(&r);
    assert_int_equal(cycles_of(&r, 32, "ret;\n"), 7);
    assert_int_equal((int)r.totals[MPU_INSNS], 1);
}

/* Each result is there 2 + 1 + 2 cycles after its issue. */
static void a_dependent_chain_goes_by_its_latency(void **state)
{
    (void)state;
    run r;
    defaults(&r);
    const char *body = "add.s32 %r1, %r1, %r2;\nadd.s32 %r1, %r1, %r2;\nadd.s32 %r1, %r1, %r2;\n"
                       "add.s32 %r1, %r1, %r2;\nret;\n";
    r.config.policy = MPU_POLICY_FAR;
    assert_int_equal(cycles_of(&r, 32, body), 4 + 4 * 5);
    /* near: 1 to the engine, half a beat, 1 on its way, collectors 2: 2 + 2 + 1 + 2 behind issue,
     * and 1 for the commit to come down */
    defaults(&r);
    r.config.policy = MPU_POLICY_NEAR;
    assert_int_equal(cycles_of(&r, 32, body), 4 + 4 * 8 + 1);
    assert_int_equal((int)r.totals[MPU_TSV_OFFLOAD], 4 * 8);
    assert_int_equal((int)r.totals[MPU_INSNS_NEAR], 4);
}

/* Four far instructions in a row give the address at 20; operands 2, LSU 3, TSV 2, LSU-extension 1:
 * 28 at the near-bank unit; a closed line takes 43; write-back 2, and 1 for the commit. */
static void one_load_of_one_warp(void **state)
{
    (void)state;
    run r;
    defaults(&r);
    uint64_t cycles = cycles_of(&r, 32, ADDRESS "ld.global.f32 %f1, [%rd3];\nret;\n");
    assert_int_equal(cycles, 28 + 43 + 2 + 1);
    assert_int_equal((int)r.totals[MPU_WHOLE_LOADS], 1);
    assert_int_equal((int)r.totals[MPU_READS], 4);
    assert_int_equal((int)r.totals[MPU_ROW_CLOSED], 4);
    assert_int_equal((int)r.totals[MPU_TSV_ACCESS], 8);
    assert_int_equal((int)r.totals[MPU_TSV_BYTES], 8);
}

/* Half a warp's load is no whole one: two blocks of 32 bytes come down, the register goes up. */
static void a_load_of_half_a_warp_is_gathered(void **state)
{
    (void)state;
    run r;
    defaults(&r);
    cycles_of(&r, 16, ADDRESS "ld.global.f32 %f1, [%rd3];\nret;\n");
    assert_int_equal((int)r.totals[MPU_WHOLE_LOADS], 0);
    assert_int_equal((int)r.totals[MPU_READS], 2);
    assert_int_equal((int)r.totals[MPU_TSV_DATA], 64);
    assert_int_equal((int)r.totals[MPU_TSV_WRITEBACK], 128);
}

/* A loaded value is wanted far by a store's address: the register crosses once, 128 bytes. */
static void one_register_move(void **state)
{
    (void)state;
    run r, far;
    defaults(&r);
    uint64_t near = cycles_of(&r, 32,
                              ADDRESS "ld.global.u32 %r2, [%rd3];\n"
                                      "mul.wide.u32 %rd4, %r2, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"
                                      "st.global.f32 [%rd5], %f2;\nret;\n");
    assert_int_equal((int)(r.totals[MPU_MOVES_FAR] + r.totals[MPU_MOVES_NEAR]), 1);
    assert_int_equal((int)r.totals[MPU_TSV_MOVE], 128);
    /* with everything far there is nothing to move */
    defaults(&far);
    far.config.pipeline = MPU_PIPELINE_BASE;
    cycles_of(&far, 32,
              ADDRESS "ld.global.u32 %r2, [%rd3];\n"
                      "mul.wide.u32 %rd4, %r2, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"
                      "st.global.f32 [%rd5], %f2;\nret;\n");
    assert_int_equal((int)far.totals[MPU_TSV_MOVE], 0);
    assert_true(near > 0);
}

/* Both warps arrive at 7, go on at 8, are fetched anew in 4 and leave 3 later. */
static void a_barrier_of_two_warps(void **state)
{
    (void)state;
    run r;
    defaults(&r);
    assert_int_equal(cycles_of(&r, 64, "bar.sync 0;\nret;\n"), 8 + 4 + 3);
    assert_int_equal((int)r.totals[MPU_INSNS], 4);
}

/* Eight CTAs of a warp on two cores of four sub-cores of one side: all run at once, a warp on
 * each. */
static void warps_go_to_sub_cores_in_turn(void **state)
{
    (void)state;
    run one, r;
    defaults(&one);
    uint64_t alone = cycles_of(&one, 32, "ret;\n");
    defaults(&r);
    r.config.processors = r.config.processor_columns = 1;
    r.config.cores = r.config.core_columns = 2;
    r.config.dies = 1;
    r.config.warps = 1;
    assert_ok(program_text(&r.p, "", "title t\nptx t.ptx\nlaunch k grid(8) block(32) args()\n",
                           HEAD ") {\nret;\n}\n"),
              r.p.err);
    assert_ok(program_build(&r.p), r.p.err);
    simulate(&r);
    assert_int_equal(r.machine.now, alone);
}

/* ---- conservation ---- */

static const char *const SHIPPED[] = {
    "axpy/n=8Ki",          "blur/h=64,w=64", "conv/h=64,w=64",     "gemv/rows=64,cols=128",
    "hist/n=8Ki",          "kmeans/n=8Ki",   "knn/n=8Ki",          "maxp/h=8,w=128",
    "nw/pairs=64,ctas=64", "pr/n=8Ki",       "axpy/natural/n=4Ki", "upsamp/h=8,w=128",
    "ttrans/h=64,w=64"};

static void assert_conserved(run *r, const char *name)
{
    double *t = r->totals, stack = 0, slots = 0;
    for (int c = 0; c < MPU_CAUSES; c++)
        stack += r->machine.counts.stack[c];
    slots = t[MPU_TSV_BUSY] * (double)r->machine.core_count * mpu_tsv_bytes_per_cycle(&r->config);
    print_message("%s: %.0f instructions, %llu cycles\n", name, t[MPU_INSNS],
                  (unsigned long long)r->machine.now);
    assert_true(t[MPU_READS] + t[MPU_WRITES] == t[MPU_ROW_HITS] + t[MPU_ROW_MISSES]);
    /* a refresh may close a row that was opened for a line before the line is read */
    assert_true(t[MPU_ACTIVATES] >= t[MPU_ROW_MISSES]);
    assert_true(t[MPU_ACTIVATES] <= t[MPU_ROW_MISSES] + t[MPU_REFRESHES]);
    assert_true(t[MPU_TSV_BYTES] == slots);
    assert_true(t[MPU_INSNS] == t[MPU_INSNS_NEAR] + t[MPU_INSNS_FAR]);
    assert_true(t[MPU_INSNS] == (double)r->machine.counts.issued);
    assert_true(stack == (double)r->machine.now * (double)mpu_unit_count(&r->config));
    assert_int_equal(r->machine.network.under_way, 0);
}

/* What differs most in the released simulator. */
static void as_released(mpu_config *c)
{
    c->banks = 8;
    c->bank_io_bytes = 16;
    c->bank_buses = MPU_BUSES_OWN;
    c->row_placement = MPU_ROWS_LRU;
    c->commit_bytes = c->gathered_bytes = 8;
    c->tsv_duplex = c->store_update = c->immediates_far = 1;
    c->open_ahead = 0;
    c->cta_refill = MPU_REFILL_BATCH;
}

static void what_is_moved_is_what_is_counted(void **state)
{
    (void)state;
    static const int64_t PIPELINES[] = {MPU_PIPELINE_HYBRID, MPU_PIPELINE_BASE, MPU_PIPELINE_DRAM};
    for (size_t i = 0; i < sizeof SHIPPED / sizeof *SHIPPED; i++)
        for (size_t k = 0; k < (i % 4 == 0 ? 3 : 1); k++) {
            run *r = malloc(sizeof *r);
            defaults(r);
            r->config.pipeline = PIPELINES[k];
            if (i % 3 == 1)
                as_released(&r->config);
            r->config.processors = 2;
            r->config.processor_columns = 2;
            assert_ok(program_named(&r->p, SHIPPED[i]), r->p.err);
            assert_ok(program_build(&r->p), r->p.err);
            simulate(r);
            assert_conserved(r, SHIPPED[i]);
            free(r);
        }
}

/* Every core has the same to do, with its own banks. */
static void some_cores_stand_for_all(void **state)
{
    (void)state;
    uint64_t cycles[2];
    for (int i = 0; i < 2; i++) {
        run *r = malloc(sizeof *r);
        double stack = 0;
        defaults(r);
        r->config.simulated_cores = i ? 4 : 0;
        assert_ok(program_named(&r->p, "axpy/n=64Ki"), r->p.err);
        assert_ok(program_build(&r->p), r->p.err);
        simulate(r);
        cycles[i] = r->machine.now;
        for (int c = 0; c < MPU_CAUSES; c++)
            stack += r->machine.counts.stack[c];
        double cores = i ? 4 : 128;
        assert_true(stack == (double)cycles[i] * cores * (double)r->config.subcores);
        assert_true(r->totals[MPU_INSNS] * r->machine.launch.scale == 63488);
        free(r);
    }
    assert_int_equal(cycles[0], cycles[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exit_takes_seven_cycles),
        cmocka_unit_test(a_dependent_chain_goes_by_its_latency),
        cmocka_unit_test(one_load_of_one_warp),
        cmocka_unit_test(a_load_of_half_a_warp_is_gathered),
        cmocka_unit_test(one_register_move),
        cmocka_unit_test(a_barrier_of_two_warps),
        cmocka_unit_test(warps_go_to_sub_cores_in_turn),
        cmocka_unit_test(some_cores_stand_for_all),
        cmocka_unit_test(what_is_moved_is_what_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
