/* SPDX-License-Identifier: MIT */
/* Defect 700. Can a memory whose refreshes leave no time to open a row and read it be set up? It
 * would serve nothing, for ever. And does one that leaves just that time serve all requests? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/dram.h"

#include "testing.h"

#include "lines_channel.h"

#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 200, REQUESTS = 20 };

static uint32_t below(msw_rng *rng, uint32_t n)
{
    return (uint32_t)msw_rng_below(rng, n);
}

/* Slow rows behind a short refresh. */
static void slow_rows(msw_rng *rng, msw_dram_timing *t)
{
    t->rcd = 1 + below(rng, 400);
    t->rp = 1 + below(rng, 400);
    t->ras = t->rcd + below(rng, 400);
    t->rc = t->ras + t->rp;
    t->rrd_l = t->rrd_s = 1 + below(rng, 8);
    t->faw = 4 * t->rrd_l;
}

static msw_dram_lines_config near_bank(msw_rng *rng)
{
    msw_dram_lines_config c = lines_config(1 + below(rng, 8), 1 + below(rng, 4));
    c.t = msw_dram_preset_find("mpu_nbu", NULL)->t;
    slow_rows(rng, &c.t);
    c.capacity = 32;
    c.t.rfc = below(rng, 300);
    c.t.refi = c.t.rfc + c.t.rp + c.t.ras + c.t.rcd + (c.banks - 1) * c.t.rrd_l;
    return c;
}

static void near_bank_channels(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < CHANNELS; i++) {
        msw_rng rng;
        msw_err err = {0};
        msw_rng_init(&rng, 700, i);
        msw_dram_lines_config c = near_bank(&rng);
        assert_int_equal(msw_dram_lines_check(&c, &err), -1);
        assert_non_null(strstr(err.text, "leave"));
        c.t.refi += 1 + below(&rng, 4);
        msw_dram_lines *lines = lines_start(&c);
        for (uint32_t r = 0; r < REQUESTS; r++) {
            msw_dram_lines_request request = {.arrival = below(&rng, 3000),
                                              .row = below(&rng, 3),
                                              .banks = (uint16_t)((1U << c.banks) - 1)};
            assert_true(msw_dram_lines_push(lines, &request));
        }
        msw_dram_lines_completion last;
        assert_int_equal(lines_take(lines, 1u << 24, &last), REQUESTS);
        free(lines);
    }
}

static msw_dram_config memory_of(msw_rng *rng)
{
    msw_dram_config c = *msw_dram_preset_find("mpu_nbu", NULL);
    slow_rows(rng, &c.t);
    uint32_t left = c.t.rp + c.t.ras + c.t.rcd;
    c.t.rfc = 300;
    c.t.refi = 300 + (left > 300 ? left : 300);
    return c;
}

static uint64_t served(const msw_dram_config *c, msw_rng *rng)
{
    msw_err err = {0};
    void *memory = aligned_alloc(64, (msw_dram_bytes(c) + 63) & ~(size_t)63);
    msw_dram *dram = msw_dram_init(memory, c, &err);
    assert_non_null(dram);
    uint64_t time = 0, ended = 0;
    msw_dram_completion done;
    for (uint64_t r = 0; r < REQUESTS; r++) {
        time += below(rng, 2000);
        while (msw_dram_next(dram, time, &done))
            ended++;
        {
            uint64_t address = (uint64_t)below(rng, 1u << 20) * c->burst_bytes;
            assert_true(msw_dram_push(dram, time, address, c->burst_bytes, false, r));
        }
    }
    while (msw_dram_next(dram, 1u << 24, &done))
        ended++;
    free(memory);
    return ended;
}

static void memories(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < CHANNELS; i++) {
        msw_rng rng;
        msw_err err = {0};
        msw_rng_init(&rng, 701, i);
        msw_dram_config c = memory_of(&rng);
        if (c.t.refi > 2 * c.t.rfc)
            assert_int_equal(msw_dram_check(&c, &err), -1);
        c.t.refi += 1 + below(&rng, 4);
        assert_int_equal(served(&c, &rng), REQUESTS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(near_bank_channels),
                                       cmocka_unit_test(memories)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
