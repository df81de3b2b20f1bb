/* SPDX-License-Identifier: MIT */
/* Is every front end a good citizen? Whatever is registered is asked the same questions: each named
 * workload resolves, loads and builds; the same input gives the same product. */
#include "networks.h"
#include "streams.h"
#include "testing.h"

#include "memsweep/workload/graph.h"
#include "memsweep/workload/simt.h"

static void test_records_are_complete(void **state)
{
    (void)state;
    msw_err err;
    assert_ok(msw_frontends_check(&err), err);
}

static void test_every_name_has_one_line_and_resolves_to_its_front(void **state)
{
    (void)state;
    for (size_t f = 0; msw_frontends[f]; f++) {
        const msw_frontend *frontend = msw_frontends[f];
        size_t n = 0;
        for (; frontend->names[n]; n++) {
            stream s;
            char file[512];
            assert_non_null(frontend->docs[n]);
            assert_ptr_equal(
                msw_workload_resolve(frontend->names[n], &s.config, file, sizeof file, &s.err),
                frontend);
            for (const msw_param *p = frontend->params; p->name; p++)
                assert_ok(msw_param_check(p, msw_param_get(p, &s.config), &s.err), s.err);
            for (size_t m = 0; m < n; m++)
                assert_string_not_equal(frontend->names[n], frontend->names[m]);
        }
        assert_null(frontend->docs[n]);
    }
}

static void test_every_name_builds_what_its_front_promises(void **state)
{
    (void)state;
    for (size_t f = 0; msw_frontends[f]; f++)
        for (size_t n = 0; msw_frontends[f]->names[n]; n++) {
            stream s;
            assert_ok(stream_named(&s, msw_frontends[f]->names[n]), s.err);
            assert_ok(stream_build(&s, 1), s.err);
            assert_int_equal(s.product.kind, msw_frontends[f]->product);
            assert_non_null(s.product.data);
            assert_true(s.product.summary.units > 0);
            assert_true(s.product.summary.write_share >= 0 && s.product.summary.write_share <= 1);
            if (s.product.kind == MSW_PRODUCT_TILES) {
                const char *fault = network_fault(s.product.data);
                assert_string_equal(fault ? fault : "", "");
            }
            if (s.product.kind == MSW_PRODUCT_ACCESSES) {
                const char *fault = accesses_fault(&s.product);
                assert_string_equal(fault ? fault : "", "");
            }
            stream_close(&s);
        }
}

static msw_digest digest_of_program(const msw_simt_product *p)
{
    msw_digest d = {0};
    for (size_t i = 0; i < p->array_count; i++) {
        uint64_t words[2] = {p->arrays[i].address, p->arrays[i].count};
        unsigned char values[MSW_SIMT_COMPUTED_BYTES] = {0};
        if (p->arrays[i].initial)
            p->arrays[i].initial(p->arrays[i].context, p->arrays[i].count - 1, 1, values);
        d = msw_hash_pair(d, msw_hash_bytes(words, sizeof words));
        d = msw_hash_pair(d, msw_hash_bytes(values, sizeof values));
    }
    for (size_t s = 0; s < p->stage_count; s++) {
        const msw_simt_stage *stage = &p->stages[s];
        d = msw_hash_pair(d, msw_hash_bytes(stage->grid, sizeof stage->grid));
        if (stage->kind == MSW_SIMT_STAGE_LAUNCH)
            d = msw_hash_pair(d, msw_hash_bytes(stage->params, stage->kernel->param_bytes));
    }
    return d;
}

static msw_digest digest_of_graphs(const msw_graph_product *p)
{
    msw_digest d = {0};
    for (uint32_t i = 0; i < p->count; i++)
        d = msw_hash_pair(d, p->networks[i].shape);
    return d;
}

static msw_digest digest_of(const msw_product *product)
{
    msw_digest d = msw_hash_bytes(&product->summary, sizeof product->summary);
    if (product->kind == MSW_PRODUCT_ACCESSES)
        return msw_hash_pair(d, accesses_digest(product->data));
    if (product->kind == MSW_PRODUCT_PROGRAM)
        return msw_hash_pair(d, digest_of_program(product->data));
    if (product->kind == MSW_PRODUCT_GRAPH)
        return msw_hash_pair(d, digest_of_graphs(product->data));
    if (product->kind != MSW_PRODUCT_TILES)
        return d;
    const msw_npu_product *p = product->data;
    d = msw_hash_pair(d, msw_hash_bytes(p->tiles, p->tile_count * sizeof *p->tiles));
    return msw_hash_pair(d, msw_hash_bytes(p->segments, p->segment_count * sizeof *p->segments));
}

/* Two builds, the second in memory that was used before and with another seed unless the front end
 * is random, are the same to the last bit. */
static void test_same_input_gives_the_same_product(void **state)
{
    (void)state;
    for (size_t f = 0; msw_frontends[f]; f++)
        for (size_t n = 0; msw_frontends[f]->names[n]; n++) {
            stream s;
            assert_ok(stream_named(&s, msw_frontends[f]->names[n]), s.err);
            assert_ok(stream_build(&s, 1), s.err);
            msw_digest first = digest_of(&s.product);
            assert_ok(stream_build(&s, msw_frontends[f]->random ? 1 : 2), s.err);
            assert_true(msw_digest_equal(first, digest_of(&s.product)));
            stream_close(&s);
        }
}

static void test_unknown_names_are_nobodys(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"", "/", "no-such-workload", "b1", ".csv", "/b1"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        stream s;
        char file[512];
        assert_null(msw_workload_resolve(NAMES[i], &s.config, file, sizeof file, &s.err));
        assert_non_null(strstr(s.err.text, "no workload"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_are_complete),
        cmocka_unit_test(test_every_name_has_one_line_and_resolves_to_its_front),
        cmocka_unit_test(test_every_name_builds_what_its_front_promises),
        cmocka_unit_test(test_same_input_gives_the_same_product),
        cmocka_unit_test(test_unknown_names_are_nobodys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
