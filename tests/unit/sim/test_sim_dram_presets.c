/* SPDX-License-Identifier: MIT */
/* Are the presets what their standards say: sizes, peaks, streams that reach the peak, random
 * streams that keep to the row rules; does each number say where it comes from? */
#include "memsweep/base/text.h"
#include "memsweep/sim/dram.h"
#include "memsweep/sim/dram_lint.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

/* Peak in GB/s and GiB in all as published (JEDEC, vendors' pages): pins x Gb/s / 8. `map`: one
 * that spreads a stream over the groups, where the preset's own does not. `miss`: nanoseconds
 * between random reads of one channel, by hand: the largest of tRC / banks, tFAW / 4, tRRD and the
 * burst. */
static const struct {
    const char *name;
    double peak, gib;
    const char *map;
    double miss;
} KNOWN[] = {
    {"mpu_nbu", 16, 0.0625, NULL, 11.75}, /* 47 / 4 */
    {"hbm2", 256, 8, NULL, 7.5},          /* 30 / 4 */
    {"ddr4_3200", 25.6, 32, "row ch rank bank col bg",
     2.5},                                 /* burst 4 x 0.625; two ranks halve tFAW / 4 = 2.5 */
    {"ddr3_1600", 12.8, 4, NULL, 7.5},     /* 24 x 1.25 / 4 */
    {"ddr5_4800", 38.4, 16, NULL, 3.336},  /* 8 x 0.417: burst, tRRD and tFAW / 4 alike */
    {"lpddr5_6400", 51.2, 4, NULL, 5},     /* 16 x 1.25 / 4 */
    {"gddr6_14", 56, 1, NULL, 3.997},      /* 28 x 0.571 / 4 */
    {"gddr6_16", 64, 1, NULL, 4},          /* 32 x 0.5 / 4 */
    {"hbm2e_3200", 409.6, 8, NULL, 4.375}, /* 28 x 0.625 / 4 */
    {"hbm3_5200", 665.6, 16, NULL, 5.383}, /* 28 x 0.769 / 4 */
    {"hbm3_6400", 819.2, 16, NULL, 5},     /* 32 x 0.625 / 4 */
};

enum { PRESETS = sizeof KNOWN / sizeof *KNOWN };

static void sizes_and_peaks_are_the_published_ones(void **state)
{
    (void)state;
    for (size_t i = 0; i < PRESETS; i++) {
        msw_err err;
        const msw_dram_config *c = msw_dram_preset_find(KNOWN[i].name, &err);
        assert_non_null(c);
        msw_dram_stats none = {0};
        assert_relative(msw_dram_rates_of(&none, c, c->channels).peak_gbs, KNOWN[i].peak, 1e-3);
        double bytes = (double)c->channels * c->ranks * c->groups * c->banks * c->rows;
        assert_near(bytes * c->columns * c->burst_bytes / (1 << 30), KNOWN[i].gib, 1e-9);
    }
    assert_null(msw_dram_presets[PRESETS].name);
}

static void no_preset_has_settings_without_sense(void **state)
{
    (void)state;
    for (const msw_dram_preset *p = msw_dram_presets; p->name; p++) {
        msw_dram_finding found[4];
        if (msw_dram_lint(&p->config, found, 4))
            fail_msg("%s: %s: %s", p->name, found[0].rule, found[0].text);
    }
}

typedef struct measure {
    double cycles, bursts; /* per channel */
} measure;

static measure replay(const msw_dram_config *c, uint64_t (*address)(uint64_t, uint64_t *),
                      size_t per_channel)
{
    size_t count = per_channel * c->channels;
    uint64_t *list = malloc(count * sizeof *list), state = 88172645463325252u;
    void *memory = aligned_alloc(64, (msw_dram_bytes(c) + 63) / 64 * 64);
    msw_dram *dram = msw_dram_init(memory, c, NULL);
    for (size_t i = 0; i < count; i++)
        list[i] = address(i, &state) * c->burst_bytes;
    msw_dram_stream stream = {
        .address = list, .count = count, .bytes = c->burst_bytes, .window = 64 * c->channels};
    measure out = {(double)msw_dram_replay(dram, &stream, 0), (double)per_channel};
    free(memory);
    free(list);
    return out;
}

static uint64_t in_order(uint64_t i, uint64_t *state)
{
    (void)state;
    return i;
}

static uint64_t anywhere(uint64_t i, uint64_t *state)
{
    (void)i;
    *state ^= *state >> 12, *state ^= *state << 25, *state ^= *state >> 27;
    return *state * 2685821657736338717u >> 20;
}

/* What refresh costs a stream: REF, and closing and opening rows around it. */
static double refresh_loss(const msw_dram_timing *t)
{
    return (double)(t->rfc + t->rp + t->rtp + t->rcd) / t->refi;
}

static void sequential_streams_reach_the_peak_but_for_refresh(void **state)
{
    (void)state;
    for (size_t i = 0; i < PRESETS; i++) {
        msw_dram_config c = *msw_dram_preset_find(KNOWN[i].name, NULL);
        c.channels = 1; /* a stream offers one burst a cycle, and they are independent */
        c.map = KNOWN[i].map ? KNOWN[i].map : c.map;
        size_t bursts = 4 * c.t.refi / c.t.bl; /* about four refreshes */
        measure r = replay(&c, in_order, bursts);
        double reached = bursts * c.t.bl / r.cycles;
        print_message("%-12s sequential %.4f of the peak, refresh takes %.4f\n", KNOWN[i].name,
                      reached, refresh_loss(&c.t));
        assert_near(reached, 1 - refresh_loss(&c.t), 0.02);
    }
}

static void random_streams_keep_to_the_row_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < PRESETS; i++) {
        msw_dram_config c = *msw_dram_preset_find(KNOWN[i].name, NULL);
        c.read_depth = 64;
        c.t.refi = 0;
        c.channels = 1;
        measure r = replay(&c, anywhere, 20000);
        double ns = r.cycles / r.bursts * c.clock_ps / 1000;
        print_message("%-12s random %.3f ns a read, rules allow %.3f\n", KNOWN[i].name, ns,
                      KNOWN[i].miss);
        /* Rows that are hit by chance let a few more through. */
        assert_true(ns > KNOWN[i].miss * 0.995);
        assert_true(ns < KNOWN[i].miss * 1.1);
    }
}

/* At a slower clock no rule may become shorter in time, nor longer by more than a cycle (and what
 * sums of rounded times add), and what was sound stays so. */
static void another_clock_keeps_the_times(void **state)
{
    (void)state;
    for (const msw_dram_preset *p = msw_dram_presets; p->name; p++) {
        msw_err err;
        msw_dram_config c = msw_dram_at_clock(&p->config, 1000);
        assert_ok(msw_dram_check(&c, &err), err);
        const uint32_t ns[][2] = {{p->config.t.rc, c.t.rc},   {p->config.t.rcd, c.t.rcd},
                                  {p->config.t.rfc, c.t.rfc}, {p->config.t.ccd_l, c.t.ccd_l},
                                  {p->config.t.faw, c.t.faw}, {p->config.t.wtr_l, c.t.wtr_l}};
        for (size_t i = 0; i < sizeof ns / sizeof *ns; i++)
            assert_in_range(ns[i][1], (ns[i][0] * p->config.clock_ps + 999) / 1000,
                            (ns[i][0] * p->config.clock_ps + 999) / 1000 + 3);
        assert_int_equal(c.t.refi, (uint64_t)p->config.t.refi * p->config.clock_ps / 1000);
        assert_true(c.t.rc >= c.t.ras + c.t.rp && c.t.faw >= 4 * c.t.rrd_s);
        assert_near(c.fixed_bytes_per_cycle / 1000,
                    p->config.fixed_bytes_per_cycle / p->config.clock_ps, 1e-12);
        msw_dram_config same = msw_dram_at_clock(&p->config, p->config.clock_ps);
        assert_memory_equal(&same, &p->config, sizeof same);
    }
}

static uint32_t field(const msw_dram_config *c, const char *name)
{
    const msw_dram_timing *t = &c->t;
    const struct {
        const char *name;
        uint32_t value;
    } FIELDS[] = {
        {"clock_ps", c->clock_ps},
        {"burst_bytes", c->burst_bytes},
        {"channels", c->channels},
        {"ranks", c->ranks},
        {"groups", c->groups},
        {"banks", c->banks},
        {"rows", c->rows},
        {"columns", c->columns},
        {"bl", t->bl},
        {"cl", t->cl},
        {"cwl", t->cwl},
        {"rcd", t->rcd},
        {"rp", t->rp},
        {"ras", t->ras},
        {"rc", t->rc},
        {"ccd_s", t->ccd_s},
        {"ccd_l", t->ccd_l},
        {"rtp", t->rtp},
        {"rrd_s", t->rrd_s},
        {"rrd_l", t->rrd_l},
        {"faw", t->faw},
        {"wr", t->wr},
        {"wtr_s", t->wtr_s},
        {"wtr_l", t->wtr_l},
        {"rtw", t->rtw},
        {"rtrs", t->rtrs},
        {"rfc", t->rfc},
        {"refi", t->refi},
    };
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++)
        if (strcmp(FIELDS[i].name, name) == 0)
            return FIELDS[i].value;
    fail_msg("no field %s", name);
    return 0;
}

enum { NUMBERS = 28 };

static void every_number_has_a_source(void **state)
{
    (void)state;
    for (const msw_dram_preset *p = msw_dram_presets; p->name; p++) {
        size_t n = 0;
        for (; p->numbers[n].name; n++) {
            assert_int_equal(p->numbers[n].value, field(&p->config, p->numbers[n].name));
            assert_in_range(p->numbers[n].source_class, MSW_DRAM_STANDARD, MSW_DRAM_UNKNOWN);
        }
        assert_int_equal(n, NUMBERS);
        assert_true(strlen(p->source) > 10);
    }
}

static char *read_page(void)
{
    char *text;
    size_t size;
    msw_err err;
    assert_ok(msw_read_file(MEMSWEEP_SOURCE "/docs/models/dram-presets.md", &text, &size, &err),
              err);
    return text;
}

/* A row of the page's table: "| rcd | 14 p | ...", presets in the order of the code. */
static void add_cells(char *row, size_t size, size_t number)
{
    static const char LETTERS[] = {'s', 'd', 'p', 'm', 'c', '?'};
    size_t used = (size_t)snprintf(row, size, "| %s |", msw_dram_presets[0].numbers[number].name);
    for (const msw_dram_preset *p = msw_dram_presets; p->name; p++)
        used += (size_t)snprintf(row + used, size - used, " %u %c |", p->numbers[number].value,
                                 LETTERS[p->numbers[number].source_class]);
}

static void the_page_has_the_numbers_of_the_code(void **state)
{
    (void)state;
    char *page = read_page(), row[512];
    for (size_t n = 0; n < NUMBERS; n++) {
        add_cells(row, sizeof row, n);
        if (!strstr(page, row))
            fail_msg("docs/models/dram-presets.md lacks the row\n%s", row);
    }
    for (const msw_dram_preset *p = msw_dram_presets; p->name; p++) {
        snprintf(row, sizeof row, "| `%s` | %s |", p->name, p->source);
        if (!strstr(page, row))
            fail_msg("docs/models/dram-presets.md lacks the row\n%s", row);
    }
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_and_peaks_are_the_published_ones),
        cmocka_unit_test(no_preset_has_settings_without_sense),
        cmocka_unit_test(sequential_streams_reach_the_peak_but_for_refresh),
        cmocka_unit_test(random_streams_keep_to_the_row_rules),
        cmocka_unit_test(another_clock_keeps_the_times),
        cmocka_unit_test(every_number_has_a_source),
        cmocka_unit_test(the_page_has_the_numbers_of_the_code),
    };
    return cmocka_run_group_tests_name("sim_dram_presets", tests, NULL, NULL);
}
