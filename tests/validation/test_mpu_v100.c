/* SPDX-License-Identifier: MIT */
/* The V100 that mpu is compared with: its constants are frozen, and figure 1 of the paper is held
 * against what it says of the twelve kernels. */
#include "programs.h"
#include "testing.h"

#include "mech/mpu/model.h"
#include "memsweep/base/hash.h"

#include <string.h>

static const char *const KERNELS[] = {"axpy", "blur", "conv", "gemv", "hist",   "kmeans",
                                      "knn",  "maxp", "nw",   "pr",   "ttrans", "upsamp"};
enum { COUNT = sizeof KERNELS / sizeof *KERNELS, HIST = 4, NW = 8 };

static void run_one(const char *name, mpu_v100 *out)
{
    program p;
    msw_arena arena = {0};
    assert_ok(program_named(&p, name), p.err);
    assert_ok(program_build(&p), p.err);
    assert_ok(mpu_v100_run(p.p, &arena, out, &p.err), p.err);
    msw_arena_free(&arena);
    program_close(&p);
}

/* Written down before the first number of the mechanism was seen. */
static void constants_are_frozen(void **state)
{
    char text[4096] = "", digest[MSW_DIGEST_TEXT];
    (void)state;
    for (int i = 0; i < V100_CONSTANTS; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s=%.17g\n",
                 mpu_v100_constants[i].name, mpu_v100_constants[i].value);
    msw_digest_text(msw_hash_string(text), digest);
    assert_string_equal(digest, "b2016648e1dcaf67f6f23ff281cb401f");
}

/* Figure 1: 503.1 GB/s and 55.9 % of 900 GB/s on average, HIST and NW the lowest. */
static void figure_1(void **state)
{
    double bandwidth[COUNT], mean = 0, alu = 0;
    (void)state;
    for (int k = 0; k < COUNT; k++) {
        mpu_v100 v;
        run_one(KERNELS[k], &v);
        bandwidth[k] = v.dram_bytes / v.seconds * 1e-9;
        mean += bandwidth[k] / COUNT;
        alu += v.flops / v.seconds / 15.67e12 / COUNT;
        printf("%-7s %7.1f GB/s %8.1f us, %5.1f MB, bound by %.0f %.0f %.0f %.0f %.0f us\n",
               KERNELS[k], bandwidth[k], v.seconds * 1e6, v.dram_bytes * 1e-6,
               v.bound_seconds[0] * 1e6, v.bound_seconds[1] * 1e6, v.bound_seconds[2] * 1e6,
               v.bound_seconds[3] * 1e6, v.bound_seconds[4] * 1e6);
    }
    printf("mean %.1f GB/s (503.1), ALU %.2f %% (2.57)\n", mean, 100 * alu);
    for (int k = 0; k < COUNT; k++)
        assert_true(k == HIST || k == NW ||
                    (bandwidth[k] > bandwidth[HIST] && bandwidth[k] > bandwidth[NW]));
    assert_true(alu > 0.8 * 0.0257 && alu < 1.2 * 0.0257);
    /* The mean is a third above the paper's: eight kernels reach what DRAM gives. No constant is
     * moved for that; speed-ups are reported against this and against 503.1 GB/s. */
    assert_true(mean > 1.2 * 503.1 && mean < 1.4 * 503.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_frozen),
        cmocka_unit_test(figure_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
