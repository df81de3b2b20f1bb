/* SPDX-License-Identifier: MIT */
/* Counts of the preset mpusim2023 against the plain referee (tests/support/mpu_referee), which
 * follows the public source of the authors' released simulator (GD06/mpu-sim_distribution) and
 * knows nothing of the mechanism: instructions and where they run, whole accesses, transactions,
 * register moves, beats on the TSVs by cause. */
#include "direct.h"
#include "mpu_referee.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PTX = 1 << 20 };

static const struct {
    const char *name;
    bool small; /* in the short form */
} KERNELS[] = {
    {"axpy/n=64Ki", true},
    {"knn/n=64Ki", true},
    {"pr/n=64Ki", true},
    {"blur/h=128,w=128", true},
    {"hist/n=64Ki", true},
    {"nw/pairs=256", true},
    {"kmeans/n=16Ki", true},
    {"conv/h=128,w=128", true},
    {"gemv/rows=256,cols=256", true},
    {"ttrans/h=128,w=128", true},
    {"maxp/h=64,w=256", true},
    {"upsamp/h=64,w=256", true},
    {"conv/h=1024,w=1024", false},
    {"nw/pairs=4096", false},
    {"hist/n=4Mi", false},
    {"gemv/rows=1024,cols=1024", false},
};

static char *read_ptx(const char *workload)
{
    char path[512];
    snprintf(path, sizeof path, "%s/workloads/simt/%.*s/paper.ptx", MEMSWEEP_SOURCE,
             (int)strcspn(workload, "/"), workload);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, MOST_PTX);
    assert_true(fread(text, 1, MOST_PTX - 1, file) > 0);
    fclose(file);
    return text;
}

/* CTAs of one warp that a core holds at once: 16 warps and 64 KiB of shared memory. Of CTAs with
 * four warps or more each warp keeps its unit, however many there are. */
static uint32_t resident(const program *p)
{
    uint64_t shared = 128;
    for (uint32_t i = 0; i < p->p->program->kernel_count; i++)
        if (p->p->program->kernels[i].shared_bytes > shared)
            shared = p->p->program->kernels[i].shared_bytes;
    return 65536 / shared < 16 ? (uint32_t)(65536 / shared) : 16;
}

static void judge(const char *workload, referee_rules rules, referee_counts *counts)
{
    program p;
    char *ptx = read_ptx(workload);
    assert_ok(program_named(&p, workload), p.err);
    assert_ok(program_build(&p), p.err);
    rules.resident = resident(&p);
    assert_ok(mpu_referee(&p, ptx, &rules, counts), p.err);
    program_close(&p);
    free(ptx);
}

static void open_preset(direct *d, const char *workload)
{
    msw_err err = {0};
    assert_ok(direct_open(d, msw_mech_find("mpu"), workload, &err), err);
    const msw_preset *preset = d->mech->presets;
    while (strcmp(preset->name, "mpusim2023") != 0)
        preset++;
    for (const msw_preset_value *v = preset->values; v->param; v++) {
        double value;
        assert_ok(
            msw_param_parse(msw_params_find(d->mech->params, v->param), v->value, &value, &err),
            err);
        direct_set(d, v->param, value);
    }
    direct_set(d, "remote_cache_bytes", 0);
}

static double metric(const direct *d, const char *name)
{
    int m = msw_metrics_find(d->mech->metrics, name);
    if (m < 0)
        fail_msg("no metric %s", name);
    return d->metrics[m];
}

/* What the model calls it, and what the referee counts; beats are of 8 bytes. */
static bool compare(const direct *d, const char *workload, const referee_counts *c)
{
    const struct {
        const char *name;
        uint64_t wanted;
    } ROWS[] = {
        {"instructions", c->insns},
        {"near_instructions", c->near_insns},
        {"loads", c->loads},
        {"stores", c->stores},
        {"whole_loads", c->whole_loads},
        {"whole_stores", c->whole_stores},
        {"shared_accesses", c->shared},
        {"moves_near", c->moves_near},
        {"moves_far", c->moves_far},
        {"dram_reads", c->reads},
        {"dram_writes", c->writes},
        {"tsv_offload", 8 * c->beats_offload},
        {"tsv_access", 8 * c->beats_access},
        {"tsv_data", 8 * c->beats_data},
        {"tsv_writeback", 8 * c->beats_result},
        {"tsv_move", 8 * c->beats_move},
        {"tsv_value", 8 * c->beats_store_value},
        {"tsv_commit", 8 * c->beats_commit},
    };
    bool same = true;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        if (metric(d, ROWS[i].name) == (double)ROWS[i].wanted)
            continue;
        print_error("%s: %s is %.17g, the referee counts %llu\n", workload, ROWS[i].name,
                    metric(d, ROWS[i].name), (unsigned long long)ROWS[i].wanted);
        same = false;
    }
    return same;
}

static void full_counts_what_the_referee_counts(void **state)
{
    (void)state;
    const referee_rules rules = {.near_shared = true,
                                 .hints = true,
                                 .cores = 128,
                                 .nbus = 4,
                                 .bank_io = 16,
                                 .nbu_bytes = 128};
    bool same = true;
    for (size_t i = 0; i < sizeof KERNELS / sizeof *KERNELS; i++) {
        direct d;
        referee_counts counts;
        if (!KERNELS[i].small && !getenv("MEMSWEEP_FULL"))
            continue;
        judge(KERNELS[i].name, rules, &counts);
        open_preset(&d, KERNELS[i].name);
        direct_run(&d, MSW_FULL, 1);
        if (d.answer.status != MSW_OK)
            fail_msg("%s: %s", KERNELS[i].name, d.answer.reason);
        same = compare(&d, KERNELS[i].name, &counts) && same;
        direct_close(&d);
    }
    assert_true(same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_counts_what_the_referee_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
