/* SPDX-License-Identifier: MIT */
/* Does neummu keep to what can be worked out by hand, and to what the paper says in its text? */
#include "neummu_configs.h"
#include "testing.h"

#include "mech/neummu/machine/timeline.h"
#include "mech/neummu/model.h"
#include "memsweep/sim/dram.h"

#include <stdlib.h>

static double metric(const direct *d, const char *name)
{
    int i = msw_metrics_find(d->mech->metrics, name);
    assert_true(i >= 0);
    return d->metrics[i];
}

static void open_network(direct *d, const char *workload)
{
    msw_err err = {0};
    assert_ok(direct_open(d, msw_mech_find("neummu"), workload, &err), err);
}

static void use_preset(direct *d, const char *name)
{
    const msw_preset *preset = d->mech->presets;
    msw_err err = {0};
    double value;
    while (strcmp(preset->name, name) != 0)
        preset++;
    for (const msw_preset_value *v = preset->values; v->param; v++) {
        assert_ok(
            msw_param_parse(msw_params_find(d->mech->params, v->param), v->value, &value, &err),
            err);
        direct_set(d, v->param, value);
    }
}

static void run(direct *d, msw_fidelity fidelity)
{
    direct_run(d, fidelity, 1);
    if (d->answer.status != MSW_OK)
        fail_msg("%s: %s", msw_status_name(d->answer.status), d->answer.reason);
}

static double cycles_of(direct *d, msw_fidelity fidelity)
{
    run(d, fidelity);
    return metric(d, "cycles");
}

/* ---- one cold tile: a machine of its own ---- */

typedef struct cold {
    neummu_machine machine;
    neummu_visit *visits;
    neummu_flow flow;
    void *memory;
} cold;

/* `pages` pages of 4 KiB, one after the other, 512 bytes a transaction. */
static void open_cold(cold *c, const neummu_config *config, uint64_t pages)
{
    msw_err err = {0};
    uint64_t each = 4096 / (uint64_t)config->dma_bytes;
    c->visits = malloc(pages * sizeof *c->visits);
    for (uint64_t i = 0; i < pages; i++)
        c->visits[i] = (neummu_visit){.page = 1000 + i, .requests = (uint32_t)each, .bytes = 4096};
    c->flow = (neummu_flow){c->visits, pages, pages * each, pages * 4096};
    c->memory = aligned_alloc(64, (neummu_machine_bytes(config) + 63) / 64 * 64);
    assert_ok(neummu_machine_init(&c->machine, config, c->memory, &err), err);
}

static void close_cold(cold *c)
{
    free(c->visits);
    free(c->memory);
}

static neummu_config paper_config(void)
{
    neummu_config config;
    msw_params_defaults(neummu_params, &config);
    config.path_cache = NEUMMU_PATH_NONE;
    return config;
}

static uint64_t load_cold(const neummu_config *config, uint64_t pages)
{
    cold c;
    open_cold(&c, config, pages);
    uint64_t done = neummu_transfer(&c.machine, &c.flow, 0);
    close_cold(&c);
    return done;
}

/* Load of a cold tile with perfect merging: look-up + walk x ceil(pages / walkers) + a tail. The
 * tail: the rest of the last round, its merged answers and the memory. Seen alike on every
 * walker-bound tile of a public cycle simulator (casys-kaist/mNPUsim). */
static void walker_bound_load_is_rounds_of_walks(void **state)
{
    (void)state;
    static const int64_t WALKERS[] = {1, 2, 4, 8, 16, 32};
    neummu_config config = paper_config();
    for (size_t i = 0; i < sizeof WALKERS / sizeof *WALKERS; i++) {
        for (uint64_t pages = 1; pages < 2000; pages = pages * 3 + 1) {
            config.ptw_count = WALKERS[i];
            uint64_t walkers = (uint64_t)WALKERS[i], rounds = (pages + walkers - 1) / walkers;
            uint64_t last_round = pages - (rounds - 1) * walkers;
            uint64_t done = load_cold(&config, pages), exact = 5 + 400 * rounds;
            assert_true(done > exact);
            assert_true(done <= exact + (last_round - 1) * 8 + 7 + 1 + 100);
        }
    }
}

/* Steady state: P / P* of the oracle's rate below P* = bandwidth x walk / page, the oracle's above.
 * One transaction of 512 bytes a cycle bounds the bandwidth: P* = 512 x 400 / 4096 = 50. */
static void knee_lies_above_the_walkers_needed(void **state)
{
    (void)state;
    neummu_config config = paper_config();
    uint64_t pages = 1 << 16;
    double needed = 512.0 * 400 / 4096;
    config.oracle = 1;
    double oracle = (double)load_cold(&config, pages);
    config.oracle = 0;
    for (config.ptw_count = 1; config.ptw_count <= 1024; config.ptw_count *= 2) {
        double share = oracle / (double)load_cold(&config, pages);
        double expected = fmin(1, (double)config.ptw_count / needed);
        assert_relative(share, expected, 0.02);
    }
}

/* The same against memory bandwidth, with a DMA engine that can ask for more than there is. */
static void bandwidth_sets_the_walkers_needed(void **state)
{
    (void)state;
    static const double BANDWIDTHS[] = {256, 600, 1200};
    for (int i = 0; i < 3; i++) {
        neummu_config config = paper_config();
        config.bandwidth = BANDWIDTHS[i];
        config.issue_width = 4;
        config.return_cycles = 0;
        double needed = BANDWIDTHS[i] * 400 / 4096;
        config.oracle = 1;
        double oracle = (double)load_cold(&config, 1 << 16);
        config.oracle = 0;
        for (config.ptw_count = 1; config.ptw_count <= 1024; config.ptw_count *= 2) {
            double share = oracle / (double)load_cold(&config, 1 << 16);
            assert_relative(share, fmin(1, (double)config.ptw_count / needed), 0.02);
        }
    }
}

/* Without merging every miss walks: P walks of s bytes each per 400 cycles when all that missed
 * waits for a walker. */
static void no_merging_moves_one_transaction_per_walk(void **state)
{
    (void)state;
    static const int64_t SIZES[] = {64, 128, 256, 512};
    for (int i = 0; i < 4; i++) {
        neummu_config config = paper_config();
        config.scoreboard = 0;
        config.ptw_count = 8;
        config.walk_queue = 4096;
        config.dma_bytes = SIZES[i];
        double rate = 2000.0 * 4096 / (double)load_cold(&config, 2000);
        /* What is issued after a page's first walk hits: only what is queued before it counts. */
        assert_relative(rate, 8.0 * (double)SIZES[i] / 400, 0.05);
    }
}

/* Blocked requests that look into the TLB again: 64 transactions of 64 bytes per 400 + 56 cycles.
 */
static void probing_again_lets_the_rest_of_a_page_hit(void **state)
{
    (void)state;
    neummu_config config = paper_config();
    config.scoreboard = 0;
    config.ptw_count = 8;
    config.reprobe = 1;
    config.dma_bytes = 64;
    double rate = 2000.0 * 4096 / (double)load_cold(&config, 2000);
    assert_relative(rate, 4096.0 / 456, 0.02);
}

/* Without merging 400 walks are under way at one translation per cycle: 256 walkers are too few,
 * 512 enough. */
static void no_merging_needs_as_many_walkers_as_walk_cycles(void **state)
{
    (void)state;
    neummu_config config = paper_config();
    config.scoreboard = 0;
    config.oracle = 1;
    double oracle = (double)load_cold(&config, 1 << 14);
    config.oracle = 0;
    config.ptw_count = 256;
    assert_relative(oracle / (double)load_cold(&config, 1 << 14), 256.0 / 400, 0.02);
    config.ptw_count = 512;
    assert_relative(oracle / (double)load_cold(&config, 1 << 14), 1, 0.02);
}

/* Merge slots needed: transactions of a page less one. With fewer a page takes several walks. */
static void slots_needed_are_the_other_transactions_of_a_page(void **state)
{
    (void)state;
    neummu_config config = paper_config();
    for (config.prmb_slots = 0; config.prmb_slots <= 16; config.prmb_slots++) {
        cold c;
        open_cold(&c, &config, 1000);
        neummu_transfer(&c.machine, &c.flow, 0);
        uint64_t group = 1 + (uint64_t)config.prmb_slots;
        assert_int_equal(neummu_count(&c.machine).walker.walks, 1000 * ((8 + group - 1) / group));
        close_cold(&c);
    }
}

/* ---- networks ---- */

static const char *const NETWORKS[] = {"alexnet/b1", "googlenet/b1", "resnet50/b1", "rnn2/b1"};

/* P* = 0.11 at 2 MiB. One walker is even faster than many, whose path registers are all cold. */
static void one_walker_suffices_for_large_pages(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        direct d;
        open_network(&d, NETWORKS[n]);
        direct_set(&d, "page_size", 2097152);
        direct_set(&d, "prmb_slots", 4294967295.0);
        double many = cycles_of(&d, MSW_FULL);
        direct_set(&d, "ptw_count", 1);
        assert_true(cycles_of(&d, MSW_FULL) < 1.01 * many);
        direct_close(&d);
    }
}

/* Section III-C: 64 times the entries barely help the baseline. */
static void a_larger_tlb_barely_helps(void **state)
{
    (void)state;
    for (int n = 0; n < 3; n++) {
        direct d;
        open_network(&d, NETWORKS[n]);
        use_preset(&d, "iommu");
        double small = cycles_of(&d, MSW_FULL);
        direct_set(&d, "tlb_entries", 131072);
        double large = cycles_of(&d, MSW_FULL);
        assert_true(large <= small && large > 0.98 * small);
        direct_close(&d);
    }
}

/* Section IV-C: a path register cuts page-table accesses by more than half. */
static void path_registers_halve_the_accesses(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        direct d;
        open_network(&d, NETWORKS[n]);
        run(&d, MSW_FULL);
        double with = metric(&d, "walk_accesses");
        direct_set(&d, "path_cache", NEUMMU_PATH_NONE);
        run(&d, MSW_FULL);
        assert_true(metric(&d, "walk_accesses") > 2 * with);
        direct_close(&d);
    }
}

/* The published 0.06 % holds where no tile start exposes a walk: of the tiles that are not the
 * first of a layer nothing is lost to translation. */
static void neummu_loses_nothing_but_tile_starts(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        direct d;
        open_network(&d, NETWORKS[n]);
        use_preset(&d, "neummu");
        run(&d, MSW_FULL);
        double oracle = metric(&d, "cycles") / metric(&d, "slowdown");
        assert_true(metric(&d, "translation") <= 0.0006 * oracle);
        direct_close(&d);
    }
}

/* ---- laws ---- */

static void check_counts(const direct *d)
{
    double stack = 0;
    for (int i = 0; d->mech->metrics[i].name; i++)
        stack += d->mech->metrics[i].stack ? d->metrics[i] : 0;
    assert_relative(stack, metric(d, "cycles"), 1e-12);
    assert_relative(metric(d, "tlb_hits") + metric(d, "tlb_misses"), metric(d, "translations"),
                    1e-12);
    double answered =
        metric(d, "tlb2_hits") + metric(d, "merged") + metric(d, "walks") + metric(d, "replayed");
    assert_relative(answered + 1, metric(d, "tlb_misses") + 1, 1e-12);
    double saved =
        metric(d, "path_hits_l4") + metric(d, "path_hits_l3") + metric(d, "path_hits_l2");
    assert_true(saved + metric(d, "walk_accesses") <= metric(d, "walk_steps") * (1 + 1e-12));
}

static void every_request_is_answered_once(void **state)
{
    (void)state;
    direct d;
    open_network(&d, "googlenet/b1");
    for (uint64_t seed = 1; seed <= 60; seed++) {
        neummu_random(&d, seed);
        run(&d, MSW_FULL);
        check_counts(&d);
        assert_true(metric(&d, "slowdown") >= 1);
    }
    direct_close(&d);
}

/* Runs of 7.99 requests in the mean: no more of them may be blocked than there are. */
static void means_between_whole_numbers_keep_the_counts(void **state)
{
    (void)state;
    direct d;
    open_network(&d, "rnn1/b1");
    direct_set(&d, "dma_bytes", 512);
    direct_set(&d, "prmb_slots", 6);
    direct_set(&d, "slots_full", 1);
    for (double walkers = 1; walkers <= 256; walkers *= 4) {
        direct_set(&d, "ptw_count", walkers);
        run(&d, MSW_ANALYTIC);
        assert_true(metric(&d, "tlb_hits") >= 0);
    }
    direct_close(&d);
}

static void oracle_is_its_own_reference(void **state)
{
    (void)state;
    direct d;
    open_network(&d, "googlenet/b1");
    use_preset(&d, "oracle");
    for (int f = 0; f < MSW_FIDELITY_COUNT; f++) {
        run(&d, (msw_fidelity)f);
        assert_true(metric(&d, "slowdown") == 1);
        assert_true(metric(&d, "tlb_misses") == 0 && metric(&d, "walks") == 0);
    }
    direct_close(&d);
}

/* Page-table accesses take 64 bytes of bandwidth each: a cold load that memory bounds takes
 * (bytes + 64 x accesses) / bandwidth. 8 transactions of a page that all walk, 4 accesses each. */
static void walk_traffic_takes_bandwidth(void **state)
{
    (void)state;
    neummu_config config = paper_config();
    double pages = 4000, accesses = pages * 8 * 4;
    config.bandwidth = 100;
    config.scoreboard = 0;
    config.ptw_count = 4096;
    double without = (double)load_cold(&config, (uint64_t)pages);
    config.walk_traffic = 1;
    double with = (double)load_cold(&config, (uint64_t)pages);
    assert_relative(without, pages * 4096 / 100, 0.01);
    assert_relative(with, (pages * 4096 + 64 * accesses) / 100, 0.01);
}

/* The table `bursts` holds every translation once, and no window more than its cycles. */
static void bursts_hold_every_translation(void **state)
{
    (void)state;
    direct d;
    msw_arena arena = {0};
    msw_detail_sink sink = {.arena = &arena, .first = NULL};
    double requests = 0;
    sink.last = &sink.first;
    open_network(&d, "googlenet/b1");
    direct_set(&d, "profile_window", 1000);
    d.task.details = &sink;
    run(&d, MSW_FULL);
    for (const msw_detail_row *row = sink.first; row; row = row->next) {
        if (row->detail != NEUMMU_TABLE_BURSTS)
            continue;
        assert_true(row->values[3] > 0 && row->values[3] <= 1000);
        assert_true(row->values[4] < row->values[5]);
        requests += row->values[3];
    }
    assert_true(requests == metric(&d, "translations"));
    msw_arena_free(&arena);
    direct_close(&d);
}

/* ---- units against one pass in order ---- */

static const neummu_stream *stream_of(const direct *d)
{
    const neummu_stream *stream = NULL;
    size_t count = 0;
    for (direct_entry *e = d->entries; e; e = e->next)
        if (msw_digest_equal(e->key, d->task.product_key))
            count++;
    assert_int_equal(count, 1);
    /* Artifacts are kept newest first and the product is the first thing built. */
    for (direct_entry *e = d->entries; e; e = e->next)
        if (e->next && msw_digest_equal(e->next->key, d->task.product_key))
            stream = e->root;
    return stream;
}

static double run_in_order(const direct *d, const neummu_stream *stream)
{
    const neummu_config *config = d->config;
    neummu_machine machine;
    msw_err err = {0};
    double ticks = 0;
    void *memory = aligned_alloc(64, (neummu_machine_bytes(config) + 63) / 64 * 64);
    neummu_timeline line = {.last = NEUMMU_NO_STEP, .behind = NEUMMU_NO_STEP};
    assert_ok(neummu_machine_init(&machine, config, memory, &err), err);
    for (uint64_t i = 0; i < stream->step_count; i++) {
        neummu_period p = neummu_execute_step(&machine, stream, &line, (uint32_t)i);
        ticks +=
            (double)stream->steps[i].executions *
            (double)(p.compute + p.write_back + p.store_translation + p.memory + p.translation);
    }
    neummu_period p = neummu_finish(&machine, stream, &line);
    free(memory);
    return (ticks + (double)(p.compute + p.write_back + p.store_translation)) /
           (double)config->issue_width;
}

/* A unit starts from what is reconstructed of its past; here the past is simulated. */
static void units_add_up_to_one_pass(void **state)
{
    (void)state;
    static const char *const SMALL[] = {"googlenet/b1", "mobilenet_v2/b1"};
    for (int n = 0; n < 2; n++) {
        for (uint64_t seed = 0; seed <= 25; seed++) {
            direct d;
            open_network(&d, SMALL[n]);
            if (seed)
                neummu_random(&d, seed);
            run(&d, MSW_FULL);
            assert_relative(metric(&d, "cycles"), run_in_order(&d, stream_of(&d)), 0.01);
            direct_close(&d);
        }
    }
}

/* ---- memory with banks ---- */

/* Cycles of the bank model for `rows` rows of `bytes`, one every `stride`, on eight HBM2 channels.
 */
static double load_banks(uint64_t rows, uint64_t bytes, uint64_t stride)
{
    msw_err err = {0};
    msw_dram_config deep = *msw_dram_preset_find("hbm2", &err), *config = &deep;
    deep.read_depth = 48; /* a row is 32 bursts: in-order requests to a full queue would hold up
                             the other channels, which the closed form of one does not know */
    uint64_t each = bytes / 64, *address = malloc(2 * rows * each * sizeof *address);
    uint64_t *arrival = address + rows * each;
    void *memory = aligned_alloc(64, (msw_dram_bytes(config) + 63) / 64 * 64);
    msw_dram *dram = msw_dram_init(memory, config, &err);
    for (uint64_t i = 0; i < rows * each; i++)
        address[i] = i / each * stride + i % each * 64, arrival[i] = i / 4;
    msw_dram_stream stream = {
        .address = address, .arrival = arrival, .count = rows * each, .bytes = 64};
    double clock_ns = config->clock_ps / 1000.0, cycles = (double)msw_dram_replay(dram, &stream, 0);
    assert_int_equal(config->channels, 8);
    free(address);
    free(memory);
    return cycles * clock_ns;
}

/* Requests of 64 bytes, offered four per cycle, one page per row. */
static double load_rows(uint64_t rows, uint64_t bytes)
{
    neummu_config config = paper_config();
    neummu_memory memory;
    uint64_t issue = 0, done = 0;
    msw_err err = {0};
    neummu_visit visit = {.page = 1, .requests = (uint32_t)(bytes / 64), .bytes = (uint32_t)bytes};
    neummu_flow flow = {&visit, 1, visit.requests, visit.bytes};
    config.memory_model = NEUMMU_MEMORY_BANKS;
    config.memory_channels = 8;
    config.issue_width = 4;
    assert_ok(neummu_memory_init(&memory, &config, &err), err);
    for (uint64_t i = 0; i < rows; i++)
        done = neummu_transfer_oracle(&memory, &issue, &flow, 0);
    return (double)done / (double)config.issue_width;
}

/* Long rows find open rows of banks, short ones do not. */
static void banks_are_as_fast_as_their_model(void **state)
{
    (void)state;
    assert_relative(load_rows(4096, 4096), load_banks(4096, 4096, 4096), 0.02);
    assert_relative(load_rows(65536, 256), load_banks(65536, 256, 4096 + 256), 0.02);
    assert_relative(load_rows(65536, 64), load_banks(65536, 64, 4096 + 64), 0.02);
}

/* ---- pages of two sizes ---- */

/* Tiles of 1 MiB of activations, 256 KiB of weights, 64 KiB of outputs, four of each side by side:
 * the 4 MiB are two large pages, the rest is 256 + 64 small ones. */
static void large_pages_lie_inside_one_tensor(void **state)
{
    (void)state;
    direct d;
    open_network(&d, "workloads/npu/tiles/streaming.csv");
    direct_set(&d, "prmb_slots", 4294967295.0);
    direct_set(&d, "large_page_size", 2097152);
    for (int f = MSW_ANALYTIC; f <= MSW_FULL; f += MSW_FULL - MSW_ANALYTIC) {
        run(&d, (msw_fidelity)f);
        assert_true(metric(&d, "walks") == 2 + 256 + 64);
        assert_true(metric(&d, "page_touches") == 4 * (1 + 64));
    }
    direct_close(&d);
}

static void pages_of_two_sizes_keep_the_laws(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        direct d;
        open_network(&d, seed % 2 ? "resnet50/b1" : "mobilenet_v2/b1");
        neummu_random(&d, seed);
        direct_set(&d, "page_size", 4096);
        direct_set(&d, "large_page_size", seed % 3 ? 2097152 : 65536);
        run(&d, MSW_FULL);
        check_counts(&d);
        double full = metric(&d, "cycles");
        assert_relative(full, run_in_order(&d, stream_of(&d)), 0.01);
        assert_relative(full, cycles_of(&d, MSW_ANALYTIC), 0.15);
        direct_close(&d);
    }
}

/* ---- closed form against full ---- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct ranked {
    double full, closed;
} ranked;

/* Kendall's tau over the pairs whose slowdowns differ by more than 1 %, which the closed form can
 * be asked to tell apart. */
static double tau_apart(const ranked *points, int count)
{
    double pairs = 0, sum = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            double x = points[i].full - points[j].full, y = points[i].closed - points[j].closed;
            if (fabs(x) <= 0.01 * points[j].full)
                continue;
            pairs++;
            sum += x * y > 0 ? 1 : -1;
        }
    return sum / pairs;
}

/* The small form of sweeps/agreement/neummu.yaml; MEMSWEEP_FULL: more configs. */
static void closed_form_agrees_over_the_space(void **state)
{
    (void)state;
    enum { MOST = 400 };
    int configs = getenv("MEMSWEEP_FULL") ? MOST : 40;
    double errors[MOST];
    ranked slowdowns[MOST];
    for (int n = 0; n < 3; n++) {
        direct d;
        int same = 0;
        open_network(&d, NETWORKS[n + 1]);
        for (int i = 0; i < configs; i++) {
            neummu_random(&d, (uint64_t)i + 1000);
            double full = cycles_of(&d, MSW_FULL);
            int bound = msw_mech_bound_by(d.mech, d.metrics);
            slowdowns[i].full = metric(&d, "slowdown");
            errors[i] = fabs(cycles_of(&d, MSW_ANALYTIC) / full - 1);
            slowdowns[i].closed = metric(&d, "slowdown");
            same += bound == msw_mech_bound_by(d.mech, d.metrics);
        }
        qsort(errors, (size_t)configs, sizeof *errors, compare);
        assert_true(errors[configs / 2] < 0.005);
        assert_true(errors[configs * 95 / 100] < 0.05);
        assert_true(same >= configs * 95 / 100);
        assert_true(tau_apart(slowdowns, configs) >= 0.97);
        direct_close(&d);
    }
}

/* With every translation known there is nothing to approximate. */
static void references_are_the_same_to_the_tick(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        direct d;
        open_network(&d, NETWORKS[n]);
        for (uint64_t seed = 1; seed <= 10; seed++) {
            neummu_random(&d, seed);
            direct_set(&d, "oracle", 1);
            double full = cycles_of(&d, MSW_FULL);
            assert_relative(cycles_of(&d, MSW_ANALYTIC), full, 1e-5);
        }
        direct_close(&d);
    }
}

/* ---- sampled against full ---- */

/* Small scratchpads, so that there are tiles to choose from. At least 93 % of the intervals hold
 * the truth; 20 of them hold it at least 16 times with all but 1 % certainty. */
static void intervals_hold_the_truth(void **state)
{
    (void)state;
    int seeds = getenv("MEMSWEEP_FULL") ? 200 : 20, cycles = 0, slowdowns = 0;
    uint64_t measured = 0;
    double missed = 0;
    direct d;
    open_network(&d, "alexnet/b1");
    direct_set(&d, "npu_spm_activation", 262144);
    direct_set(&d, "npu_spm_weight", 262144);
    direct_set(&d, "ptw_count", 8);
    double full = cycles_of(&d, MSW_FULL), slowdown = metric(&d, "slowdown");
    for (int seed = 0; seed < seeds; seed++) {
        direct_run(&d, MSW_SAMPLED, (uint64_t)seed * 977 + 5);
        double miss = fabs(metric(&d, "cycles") - full);
        cycles += miss <= d.half_widths[NEUMMU_CYCLES];
        slowdowns += fabs(metric(&d, "slowdown") - slowdown) <= d.half_widths[NEUMMU_SLOWDOWN];
        missed += miss / full / seeds;
        measured += d.answer.measured;
    }
    assert_true(cycles >= seeds * 4 / 5 && slowdowns >= seeds * 4 / 5);
    assert_true(missed < 0.01);
    assert_true(measured < (uint64_t)seeds * d.answer.units * 6 / 10);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walker_bound_load_is_rounds_of_walks),
        cmocka_unit_test(knee_lies_above_the_walkers_needed),
        cmocka_unit_test(bandwidth_sets_the_walkers_needed),
        cmocka_unit_test(no_merging_moves_one_transaction_per_walk),
        cmocka_unit_test(probing_again_lets_the_rest_of_a_page_hit),
        cmocka_unit_test(no_merging_needs_as_many_walkers_as_walk_cycles),
        cmocka_unit_test(slots_needed_are_the_other_transactions_of_a_page),
        cmocka_unit_test(one_walker_suffices_for_large_pages),
        cmocka_unit_test(a_larger_tlb_barely_helps),
        cmocka_unit_test(path_registers_halve_the_accesses),
        cmocka_unit_test(neummu_loses_nothing_but_tile_starts),
        cmocka_unit_test(every_request_is_answered_once),
        cmocka_unit_test(means_between_whole_numbers_keep_the_counts),
        cmocka_unit_test(oracle_is_its_own_reference),
        cmocka_unit_test(walk_traffic_takes_bandwidth),
        cmocka_unit_test(bursts_hold_every_translation),
        cmocka_unit_test(units_add_up_to_one_pass),
        cmocka_unit_test(banks_are_as_fast_as_their_model),
        cmocka_unit_test(large_pages_lie_inside_one_tensor),
        cmocka_unit_test(pages_of_two_sizes_keep_the_laws),
        cmocka_unit_test(closed_form_agrees_over_the_space),
        cmocka_unit_test(references_are_the_same_to_the_tick),
        cmocka_unit_test(intervals_hold_the_truth),
    };
    return cmocka_run_group_tests_name("neummu", tests, NULL, NULL);
}
