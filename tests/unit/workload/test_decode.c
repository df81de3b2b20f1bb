/* SPDX-License-Identifier: MIT */
/* Does decoding touch the pages that its caches and weights lie on, each step all that was said so
 * far, and nothing else? Shapes of known decoders; by hand: a decoder of one layer. */
#include "testing.h"
#include "workload/decode/parts.h"
#include "workload/npu/parts.h"

#include <string.h>

static msw_decode_config config_of(void)
{
    msw_decode_config c;
    memset(&c, 0, sizeof c);
    msw_params_defaults(decode_params, &c);
    return c;
}

static msw_page_trace *build(const msw_decode_config *c, msw_arena *arena, msw_err *err)
{
    msw_product product;
    if (msw_frontend_decode.build(NULL, c, 1, arena, &product, err))
        return NULL;
    return (msw_page_trace *)product.data;
}

/* Parameters: those of the embedding table, which is not multiplied, are left out. */
static void weights_of_known_decoders(void **state)
{
    (void)state;
    static const uint64_t MULTIPLIED[MSW_DECODERS] = {
        [MSW_DECODER_LLM7B] = 6607077376,     /* 6,738,415,616 less 131,072,000 and 266,240 norms */
        [MSW_DECODER_LLAMA3_8B] = 7504658432, /* 8,030,261,248 less 525,336,576 and 266,240 */
        [MSW_DECODER_LLAMA3_1B] = 1235746816, /* 1,235,814,400 less 67,584 norms; its embedding is
                                                 its head, too */
    };
    for (int n = 0; n < MSW_DECODERS; n++) {
        msw_arena arena = {0};
        msw_npu_network net;
        msw_err err;
        uint64_t sum = 0;
        assert_ok(msw_npu_decoder(&msw_decoders[n], &(msw_npu_decoding){1, 7, 1, false, false},
                                  &arena, &net, &err),
                  err);
        for (size_t i = 0; i < net.op_count; i++)
            if (net.ops[i].second == MSW_NPU_STATIC)
                sum += net.ops[i].groups * net.ops[i].filters * net.ops[i].channels;
        assert_int_equal(sum, MULTIPLIED[n]);
        msw_arena_free(&arena);
    }
}

static void tables_hand_out_each_block_once(void **state)
{
    (void)state;
    for (int64_t kind = MSW_DECODE_FRESH; kind <= MSW_DECODE_WORN; kind++) {
        msw_decode_config c = config_of();
        msw_arena arena = {0};
        msw_err err;
        decode_table t;
        bool met[4096] = {false};
        c.table = kind;
        c.steps = 40;
        assert_ok(decode_make_table(&c, &t, &arena, &err), err);
        assert_int_equal(t.lengths[0], 256);
        assert_int_equal(t.lengths[7], 768);
        assert_true(t.count < 4096);
        for (uint64_t i = 0; i < t.count; i++) {
            assert_true(t.blocks[i] < t.count && !met[t.blocks[i]]);
            met[t.blocks[i]] = true;
        }
        assert_true(kind == MSW_DECODE_WORN || t.blocks[1] == 1);
        msw_arena_free(&arena);
    }
}

/* One layer of 8 heads x 64 x 2 B: a block of 16 tokens is 2 KiB a head, two heads a page, 4 pages.
 * One sequence of 31 tokens makes two: blocks 0 and 1, then 2. */
static void pages_by_hand(void **state)
{
    (void)state;
    msw_decode_config c = config_of();
    msw_arena arena = {0};
    msw_err err;
    c.layers = c.batch = 1;
    c.context = 31;
    c.steps = 2;
    c.table = MSW_DECODE_FRESH;
    msw_page_trace *t = build(&c, &arena, &err);
    assert_non_null(t);
    uint64_t counts[DECODE_PCS] = {0}, at = 0;
    for (uint64_t i = 0; i < t->count; i++)
        counts[t->accesses[i].pc]++;
    /* 2 blocks, then 3, of 8 heads */
    assert_int_equal(counts[DECODE_KEY], 8 * (2 + 3));
    assert_int_equal(counts[DECODE_VALUE], 8 * (2 + 3));
    assert_int_equal(counts[DECODE_NEW_KEY], 8 * 2);
    assert_int_equal(counts[DECODE_NEW_VALUE], 8 * 2);
    assert_int_equal(counts[DECODE_WEIGHT], 0);
    assert_int_equal(t->run_count, 2);
    assert_int_equal(t->runs[0].pages, 12);
    assert_int_equal(t->runs[1].first, 512);
    /* q, k, v, both products of attention, o, gate, up, down, and the head; twice */
    assert_int_equal(t->launch_count, 2 * 9);
    assert_int_equal(t->launches[0].end, 0);
    assert_int_equal(t->launches[0].further, 2048 * 2048 * 2 / 128 / 224 * 7 + 7);
    for (uint64_t i = 0; i < t->launch_count; i++) {
        assert_true(t->launches[i].end >= at);
        at = t->launches[i].end;
    }
    assert_int_equal(at, t->count);
    /* the 32nd token's keys end block 1: pages 4 to 7 of the keys */
    for (uint64_t i = 0; i < 8; i++) {
        assert_int_equal(t->accesses[i].page, 4 + i / 2);
        assert_int_equal(t->accesses[i].pc, DECODE_NEW_KEY);
        assert_true(t->accesses[i].write);
    }
    /* values of a block are read behind the keys, by the same warp */
    assert_int_equal(t->instructions_of[DECODE_KEY], 16 * 7);
    msw_arena_free(&arena);
}

static void all_pages_of_weights_are_read(void **state)
{
    (void)state;
    msw_decode_config c = config_of();
    msw_arena arena = {0};
    msw_err err;
    c.layers = 1;
    c.batch = 1;
    c.context = 1;
    c.steps = 1;
    c.weights = MSW_DECODE_PAGED;
    msw_page_trace *t = build(&c, &arena, &err);
    uint64_t weights = 0, wanted = (2048 * (2 * 2048 + 2 * 512) + 3 * 2048 * 8192 + 2048 * 128256);
    assert_non_null(t);
    for (uint64_t i = 0; i < t->count; i++)
        weights += t->accesses[i].pc == DECODE_WEIGHT;
    assert_int_equal(weights, wanted * 2 / 4096);
    msw_arena_free(&arena);
}

static void what_is_too_much_is_refused(void **state)
{
    (void)state;
    static const struct {
        int64_t batch, context, block, kv_heads;
        const char *says;
    } CASES[] = {
        {4096, 8192, 1, 0, "decode: a table of "},
        {4096, 16384, 16, 0, "decode: caches and weights take more than 268435456 pages"},
        {256, 4096, 16, 0, "decode: more than 33554432 accesses"},
        {8, 512, 16, 5, "decode_kv_heads 5: allowed: what divides the decoder's 32 heads"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_decode_config c = config_of();
        msw_arena arena = {0};
        msw_err err;
        c.batch = CASES[i].batch;
        c.context = CASES[i].context;
        c.block = CASES[i].block;
        c.kv_heads = CASES[i].kv_heads;
        c.steps = 8;
        assert_null(build(&c, &arena, &err));
        assert_non_null(strstr(err.text, CASES[i].says));
        msw_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_of_known_decoders),
        cmocka_unit_test(tables_hand_out_each_block_once),
        cmocka_unit_test(pages_by_hand),
        cmocka_unit_test(all_pages_of_weights_are_read),
        cmocka_unit_test(what_is_too_much_is_refused),
    };
    return cmocka_run_group_tests_name("decode", tests, NULL, NULL);
}
