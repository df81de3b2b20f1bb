/* SPDX-License-Identifier: MIT */
/* Defect 631. Is what is expected of operators that of the memory that they have? With banks and
 * without it was one artifact: whoever came first decided for both. Now it is made for every
 * point. And do decoders in a mix have the shapes that they are published with? */
#include "direct.h"
#include "streams.h"
#include "testing.h"

#include "mech/camdn/plan/plan.h"

#include <string.h>

#define LIST "network\nllama3_1b/decode\nllama3_1b/prefill\nllm7b/decode\n"

typedef struct rig {
    msw_workload workload;
    camdn_config config;
    msw_mix_config settings;
    msw_product product;
    msw_arena arena;
    msw_err err;
} rig;

static void open_rig(rig *r)
{
    msw_workload_file file = {"mine.csv", LIST, sizeof LIST - 1};
    *r = (rig){.workload = {.frontend = &msw_frontend_mix}};
    r->workload.name = msw_strdup("mix:mine.csv");
    assert_ok(msw_workload_load_files(&r->workload, &file, 1, &r->err), r->err);
    msw_params_defaults(camdn_params, &r->config);
    msw_params_defaults(msw_frontend_mix.params, &r->settings);
}

static const msw_graph_product *build(rig *r)
{
    assert_ok(msw_frontend_mix.build(r->workload.content, &r->settings, 0, &r->arena, &r->product,
                                     &r->err),
              r->err);
    return r->product.data;
}

static void close_rig(rig *r)
{
    msw_arena_free(&r->arena);
    msw_workload_free(&r->workload);
}

static void test_the_memory_counts(void **state)
{
    (void)state;
    camdn_config fixed, banks;
    msw_params_defaults(camdn_params, &fixed);
    banks = fixed;
    banks.memory = CAMDN_MEMORY_BANKS;
    banks.channels = 1;
    assert_true(camdn_memory_rate(&fixed) > 2 * camdn_memory_rate(&banks));
    camdn_layer layer = {.cycles = 1};
    camdn_level level = {.step = {.npu_bytes = 1 << 20}, .dram_bytes = 1 << 20};
    assert_true(2 * camdn_estimate(&fixed, &layer, &level) <
                camdn_estimate(&banks, &layer, &level));
}

static double weights_of(const msw_graph_network *net)
{
    double bytes = 0;
    for (uint32_t i = 0; i < net->tensor_count; i++)
        bytes += net->tensors[i].role == MSW_GRAPH_WEIGHT ? (double)net->tensors[i].bytes : 0;
    return bytes;
}

/* Multiplied weights as published (docs/models/decode.md); of a 7 B model a token moves 13.5 GB. */
static void test_decoders_have_their_shapes(void **state)
{
    (void)state;
    rig r;
    open_rig(&r);
    const msw_graph_product *mix = build(&r);
    const msw_graph_network *token = &mix->networks[0], *prompt = &mix->networks[1];
    assert_true(weights_of(token) == 2 * 1235746816.0 && weights_of(prompt) == 2 * 1235746816.0);
    assert_int_equal(token->op_count, 16 * 9 + 1);
    assert_int_equal(prompt->ops[0].m, 512);
    assert_int_equal(token->ops[3].kind, MSW_GRAPH_PAIR); /* 32 heads, 8 of keys: 4 share them */
    assert_true(token->ops[3].count == 8 && token->ops[3].m == 4 && token->ops[3].n == 512);
    const uint32_t *reads = token->reads + token->ops[3].first_read;
    assert_true(token->tensors[reads[1]].bytes == 2 * 512 * 8 * 64); /* keys of all tokens */
    assert_int_equal(token->tensors[reads[1]].role, MSW_GRAPH_INPUT);
    assert_int_equal(token->ops[8].read_count, 2); /* the gate and what it multiplies */
    msw_graph_totals seven = msw_graph_total(&mix->networks[2]);
    assert_true(seven.layerwise > 13.4e9 && seven.layerwise < 13.6e9);
    close_rig(&r);
}

static void test_decoders_have_the_sizes_that_are_set(void **state)
{
    (void)state;
    rig r;
    open_rig(&r);
    r.settings.layers = 4, r.settings.weight_bits = 4, r.settings.context = 64;
    const msw_graph_product *mix = build(&r);
    const msw_graph_network *token = &mix->networks[0];
    double layer = (1235746816.0 - 2048.0 * 128256) / 16;
    assert_true(weights_of(token) == (4 * layer + 2048.0 * 128256) / 2);
    assert_true(token->ops[0].touched_bytes == 2048 * 2048 / 2);
    const uint32_t *reads = token->reads + token->ops[3].first_read;
    assert_true(token->tensors[reads[1]].bytes == 2 * 64 * 8 * 64);
    close_rig(&r);
}

/* The last tenants run the last network; the others all but it. */
static void test_residents_stay(void **state)
{
    (void)state;
    rig r;
    open_rig(&r);
    r.config.residents = 2;
    build(&r);
    for (int64_t draw = CAMDN_DRAW_RANDOM; draw <= CAMDN_DRAW_DECK; draw++) {
        r.config.draw = draw;
        msw_task task = {.config = &r.config, .product = &r.product};
        camdn_draws draws = camdn_draws_of(&task);
        bool seen[3] = {false};
        for (uint64_t n = 0; n < 20; n++) {
            seen[camdn_draw(&draws, 0, n)] = true;
            assert_int_equal(camdn_draw(&draws, 14, n), 2);
            assert_int_equal(camdn_draw(&draws, 15, n), 2);
        }
        assert_true(seen[0] && seen[1] && !seen[2]);
    }
    close_rig(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_memory_counts),
        cmocka_unit_test(test_decoders_have_their_shapes),
        cmocka_unit_test(test_decoders_have_the_sizes_that_are_set),
        cmocka_unit_test(test_residents_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
