/* SPDX-License-Identifier: MIT */
/* Defect 450. Slots of the TSVs are reserved in a ring. What was sent behind its end was forgotten
 * when the ring moved on, so a core's TSVs that were asked for more than the ring holds carried
 * more than they can. Is the last of it there no sooner than all slots take? */
#include "testing.h"

#include "mech/mpu/machine/network.h"

enum { MESSAGES = 20000, BYTES = 8, STEP = 500 };

static void behind_the_ring_slots_stay_taken(void **state)
{
    (void)state;
    mpu_config config;
    mpu_tsv tsv;
    uint64_t last = 0, sent = 0;
    msw_params_defaults(mpu_params, &config);
    mpu_tsv_init(&tsv, &config);
    for (uint64_t now = 0; now < 4 * STEP; now += STEP) {
        mpu_tsv_pass(&tsv, now);
        for (int i = 0; i < MESSAGES; i++, sent++) {
            uint64_t end = mpu_tsv_send(&tsv, MPU_TSV_UP, now, BYTES);
            last = end > last ? end : last;
        }
    }
    mpu_tsv_pass(&tsv, 6000); /* most of the first ring is past */
    for (int i = 0; i < MESSAGES; i++, sent++) {
        uint64_t end = mpu_tsv_send(&tsv, MPU_TSV_UP, 6000, BYTES);
        last = end > last ? end : last;
    }
    assert_int_equal(tsv.slots, sent);
    assert_true((double)last >= (double)sent / tsv.slots_per_cycle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(behind_the_ring_slots_stay_taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
