/* SPDX-License-Identifier: MIT */
/* Do the streams of the front end sparse have the requests that its settings say? */
#include "streams.h"
#include "testing.h"

/* Addresses in order, for comparing sets of requests. */
static int by_value(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

static void test_counts_are_those_of_the_settings(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t batches, count;
        uint32_t bytes;
    } CASES[] = {
        {"dlrm/b10", 3, 3 * 10 * 26, 64},
        {"neumf/b8", 2, 2 * 8 * 4, 256},
        {"kgcn/b5", 2, UINT64_C(2) * 5 * (1 + 4 + 16), 128},
        {"pruned/b4", 2, 2 * 4 * 256, 128},
        {"dense/b100", 3, 300, 64},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        stream s;
        assert_ok(stream_named(&s, CASES[i].name), s.err);
        s.config.sparse.batches = (int64_t)CASES[i].batches;
        assert_ok(stream_build(&s, 1), s.err);
        assert_int_equal(s.a->count, CASES[i].count);
        assert_int_equal(s.a->request_bytes, CASES[i].bytes);
        assert_null(s.a->bytes);
        assert_int_equal(s.a->batch_count, CASES[i].batches);
        stream_close(&s);
    }
}

/* Rows of 40 bytes in lines of 64: parts of a row add up to it, and no part crosses a line. */
static void test_rows_are_cut_at_requests(void **state)
{
    (void)state;
    stream s;
    assert_ok(stream_named(&s, "deepfm/b64"), s.err);
    s.config.sparse.request_bytes = 64;
    assert_ok(stream_build(&s, 1), s.err);
    uint64_t rows = UINT64_C(16) * 64 * 26, bytes = 0;
    for (uint64_t i = 0; i < s.a->count; i++) {
        uint64_t last = s.a->addresses[i] + s.a->bytes[i] - 1;
        assert_int_equal(s.a->addresses[i] / 64, last / 64);
        bytes += s.a->bytes[i];
    }
    assert_int_equal(bytes, rows * 40);
    /* Offsets of rows in a line are the multiples of 8: four of eight cross its end. */
    assert_relative((double)s.a->count, 1.5 * (double)rows, 0.1);
    stream_close(&s);
}

static void test_order_changes_nothing_else(void **state)
{
    (void)state;
    stream s, t;
    assert_ok(stream_named(&s, "dlrm/b16"), s.err);
    assert_ok(stream_named(&t, "dlrm/b16"), t.err);
    t.config.sparse.order = MSW_SPARSE_BY_SAMPLE;
    assert_ok(stream_build(&s, 3), s.err);
    assert_ok(stream_build(&t, 3), t.err);
    assert_int_equal(s.a->count, t.a->count);
    uint64_t size = s.a->count * sizeof(uint64_t), *x = malloc(size), *y = malloc(size);
    memcpy(x, s.a->addresses, size);
    memcpy(y, t.a->addresses, size);
    assert_memory_not_equal(x, y, size);
    qsort(x, s.a->count, sizeof *x, by_value);
    qsort(y, s.a->count, sizeof *y, by_value);
    assert_memory_equal(x, y, size);
    free(x);
    free(y);
    stream_close(&s);
    stream_close(&t);
}

/* Row 0 of the largest table is the most popular one, and is where the shuffle puts it. */
static void test_popularity_is_where_the_ids_say(void **state)
{
    (void)state;
    for (int64_t ids = MSW_SPARSE_POPULAR_FIRST; ids <= MSW_SPARSE_SCATTERED; ids++) {
        stream s;
        assert_ok(stream_named(&s, "dlrm/b4096"), s.err);
        s.config.sparse.ids = ids;
        assert_ok(stream_build(&s, 1), s.err);
        const msw_region *table = &s.a->regions[2];
        uint64_t in = 0, first = 0;
        for (uint64_t i = 0; i < s.a->count; i++) {
            uint64_t offset = s.a->addresses[i] - table->address;
            in += offset < table->bytes;
            first += offset < 1000 * table->row_bytes;
        }
        assert_int_equal(in, 16 * 4096);
        /* H(1000) / H(10131227) = 7.4855 / 16.708 */
        assert_near((double)first / (double)in,
                    ids == MSW_SPARSE_POPULAR_FIRST ? 7.4855 / 16.708 : 0.0001, 0.012);
        stream_close(&s);
    }
}

static void test_neighbours_are_those_of_the_file(void **state)
{
    (void)state;
    static const char TEXT[] = "# a star and a pair\n0 1\n0\t2 0.5\n0,3\n\n5 6\n";
    static const bool JOINED[7][7] = {{[1] = true, [2] = true, [3] = true},
                                      {[0] = true},
                                      {[0] = true},
                                      {[0] = true},
                                      {0},
                                      {[6] = true},
                                      {[5] = true}};
    stream s;
    assert_ok(stream_text(&s, "star.edges/b50", TEXT), s.err);
    s.config.sparse.hops = 1;
    s.config.sparse.fanout = 1;
    s.config.sparse.order = MSW_SPARSE_BY_SAMPLE;
    assert_ok(stream_build(&s, 9), s.err);
    const msw_region *r = s.a->regions;
    assert_int_equal(r->rows, 7);
    uint32_t seen = 0;
    for (uint64_t i = 0; i < s.a->count; i += 2) {
        uint64_t v = (s.a->addresses[i] - r->address) / r->row_bytes;
        uint64_t w = (s.a->addresses[i + 1] - r->address) / r->row_bytes;
        assert_true(v == 4 ? w == 4 : JOINED[v][w]);
        seen |= 1u << v;
    }
    assert_int_equal(seen, 127);
    stream_close(&s);
}

static void test_a_graph_is_the_same_for_all_seeds(void **state)
{
    (void)state;
    stream s;
    uint64_t first[2] = {0};
    for (uint64_t seed = 1; seed < 3; seed++) {
        assert_ok(stream_named(&s, "kgcn/b1"), s.err);
        s.config.sparse.rows = 1;
        s.config.sparse.degree = 1;
        assert_ok(stream_build(&s, seed), s.err);
        first[seed - 1] = accesses_digest(s.a).lo;
        stream_close(&s);
    }
    assert_int_equal(first[0], first[1]);
}

static void test_malformed_edges_are_told(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"0 1\n0x 2\n", "g.edges:2:1: found '0x'"},
        {"0 1\n\n3\n", "g.edges:3:1: found '3'"},
        {"0 268435456\n", "g.edges:1:3: found '268435456'"},
        {"0 -1\n", "g.edges:1:3: found '-1'"},
        {"# nothing\n", "g.edges:1:1: found no edge"},
        {"", "g.edges:1:1: found no edge"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        stream s;
        assert_int_equal(stream_text(&s, "g.edges", CASES[i][0]), -1);
        if (strncmp(s.err.text, CASES[i][1], strlen(CASES[i][1])) != 0)
            fail_msg("'%s': got %s", CASES[i][0], s.err.text);
        stream_close(&s);
    }
}

static void test_arrivals_and_writes(void **state)
{
    (void)state;
    stream s;
    assert_ok(stream_named(&s, "jumps/b1000"), s.err);
    s.config.sparse.batches = 10;
    s.config.sparse.interval = 2.5;
    s.config.sparse.burst = 10;
    s.config.sparse.write_share = 0.25;
    assert_ok(stream_build(&s, 1), s.err);
    for (uint64_t i = 0; i < s.a->count; i++)
        assert_int_equal(s.a->cycles[i], i / 10 * 25 + i % 10);
    assert_near(s.product.summary.write_share, 0.25, 0.025);
    stream_close(&s);
}

static void test_mixes_keep_their_shares(void **state)
{
    (void)state;
    stream s;
    assert_ok(stream_named(&s, "large/b65536"), s.err);
    s.config.sparse.batches = 1;
    assert_ok(stream_build(&s, 1), s.err);
    uint64_t in_run = 0, far = 0;
    for (uint64_t i = 1; i < s.a->count; i++) {
        uint64_t x = s.a->addresses[i - 1], y = s.a->addresses[i], gap = x < y ? y - x : x - y;
        in_run += y - x == 64;
        far += gap > UINT64_C(1) << 30;
    }
    double n = (double)s.a->count;
    assert_near((double)in_run / n, 0.75, 0.01);
    /* A quarter jumps, half of it anywhere in 64 GiB: all but 1/32 of that further than 1 GiB. */
    assert_near((double)far / n, 0.25 * 0.5 * (31.0 / 32), 0.01);
    stream_close(&s);
}

static void test_too_many_requests_are_refused(void **state)
{
    (void)state;
    stream s;
    assert_ok(stream_named(&s, "dlrm/b16777216"), s.err);
    s.config.sparse.batches = 1048576;
    assert_int_equal(stream_build(&s, 1), -1);
    assert_non_null(strstr(s.err.text, "allowed: 2^30"));
    stream_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_are_those_of_the_settings),
        cmocka_unit_test(test_rows_are_cut_at_requests),
        cmocka_unit_test(test_order_changes_nothing_else),
        cmocka_unit_test(test_popularity_is_where_the_ids_say),
        cmocka_unit_test(test_neighbours_are_those_of_the_file),
        cmocka_unit_test(test_a_graph_is_the_same_for_all_seeds),
        cmocka_unit_test(test_malformed_edges_are_told),
        cmocka_unit_test(test_arrivals_and_writes),
        cmocka_unit_test(test_mixes_keep_their_shares),
        cmocka_unit_test(test_too_many_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
