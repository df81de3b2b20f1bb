/* Between two jumps a sample saw either a refresh of all banks at once or none: windows of a few
 * hundred cycles differed by a third. Where cores go on without time each is refreshed at its own
 * time from then on. */
#include "testing.h"

#include "memsweep/base/arena.h"
#include "memsweep/sim/dram_lines.h"

static msw_dram_lines_config config(void)
{
    return (msw_dram_lines_config){.banks = 4,
                                   .buffers = 1,
                                   .groups = 1,
                                   .window = 8,
                                   .controller = 1,
                                   .capacity = 16,
                                   .t = {.bl = 2,
                                         .cl = 14,
                                         .rcd = 14,
                                         .rp = 14,
                                         .ras = 33,
                                         .rc = 47,
                                         .ccd_s = 2,
                                         .ccd_l = 2,
                                         .rtp = 4,
                                         .rrd_s = 4,
                                         .rrd_l = 4,
                                         .faw = 16,
                                         .wr = 16,
                                         .wtr_s = 6,
                                         .wtr_l = 8,
                                         .rfc = 350,
                                         .refi = 3900}};
}

/* When the data of one bank's read that arrives at a time have come. */
static uint64_t read_at(msw_dram_lines *lines, uint64_t time)
{
    msw_dram_lines_request request = {.arrival = time, .row = 1, .banks = 1};
    msw_dram_lines_completion done;
    assert_true(msw_dram_lines_push(lines, &request));
    while (!msw_dram_lines_next(lines, msw_dram_lines_when(lines), &done)) {
    }
    return done.time;
}

static void a_refresh_can_be_put_off(void **state)
{
    (void)state;
    msw_arena arena = {0};
    msw_dram_lines_config c = config();
    uint64_t came[2];
    for (int off = 0; off < 2; off++) {
        void *memory = msw_arena_take(&arena, msw_dram_lines_bytes(&c));
        msw_dram_lines *lines = msw_dram_lines_init(memory, &c);
        if (off)
            msw_dram_lines_put_off(lines, 1000);
        came[off] = read_at(lines, 3950);
    }
    assert_true(came[0] >= 3900 + 350);
    assert_true(came[1] <= 3950 + 40);
    msw_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_refresh_can_be_put_off)};
    return cmocka_run_group_tests_name("refreshes apart", tests, NULL, NULL);
}
