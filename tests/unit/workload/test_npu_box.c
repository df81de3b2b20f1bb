/* SPDX-License-Identifier: MIT */
/* Do the segments of a box cover exactly its elements, each once, in as few runs as there are? */
#include "testing.h"

#include "memsweep/base/rng.h"
#include "workload/npu/parts.h"

#include <string.h>

enum { BOXES = 2000, SIDE = 6, BYTES = SIDE * SIDE * SIDE * SIDE * 4 };

static msw_npu_box random_box(uint64_t number)
{
    msw_rng rng;
    msw_rng_init(&rng, 11, number);
    msw_npu_box box = {.address = 0, .element_bits = UINT64_C(8) << msw_rng_below(&rng, 3)};
    box.dims = 3 + (int)msw_rng_below(&rng, 2);
    for (int i = 0; i < box.dims; i++) {
        uint64_t size = 1 + msw_rng_below(&rng, SIDE);
        bool whole = msw_rng_below(&rng, 2) == 0;
        uint64_t count = whole ? size : 1 + msw_rng_below(&rng, size);
        box.dim[i] = (msw_npu_dim){size, {msw_rng_below(&rng, size - count + 1), count}};
    }
    return box;
}

/* Counts how often each byte is in the box, from the definition. */
static void mark_box(const msw_npu_box *box, unsigned char *times)
{
    uint64_t total = 1;
    for (int i = 0; i < box->dims; i++)
        total *= box->dim[i].size;
    for (uint64_t e = 0; e < total; e++) {
        uint64_t rest = e;
        bool inside = true;
        for (int i = box->dims - 1; i >= 0; i--) {
            const msw_npu_dim *d = &box->dim[i];
            uint64_t at = rest % d->size;
            rest /= d->size;
            inside &= at >= d->span.first && at < d->span.first + d->span.count;
        }
        for (uint64_t b = 0; b < box->element_bits / 8; b++)
            times[e * box->element_bits / 8 + b] += inside;
    }
}

static void mark_segments(const msw_npu_sink *sink, unsigned char *times)
{
    for (uint64_t s = 0; s < sink->segment_count; s++)
        for (uint32_t r = 0; r < sink->segments[s].rows; r++)
            for (uint64_t b = 0; b < sink->segments[s].row_bytes; b++)
                times[sink->segments[s].address + r * sink->segments[s].stride + b]++;
}

static uint64_t runs_of(const unsigned char *times)
{
    uint64_t runs = 0;
    for (size_t b = 0; b < BYTES; b++)
        runs += times[b] && (b == 0 || !times[b - 1]);
    return runs;
}

static void test_segments_are_the_box(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < BOXES; i++) {
        static unsigned char wanted[BYTES], got[BYTES];
        msw_npu_segment segments[SIDE * SIDE];
        msw_npu_box box = random_box(i);
        msw_npu_sink count = {0}, sink = {.segments = segments};
        uint64_t bytes = msw_npu_box_emit(&box, &count), rows = 0;
        assert_in_range(count.segment_count, 1, SIDE * SIDE);
        assert_int_equal(msw_npu_box_emit(&box, &sink), bytes);
        assert_int_equal(sink.segment_count, count.segment_count);
        memset(wanted, 0, sizeof wanted);
        memset(got, 0, sizeof got);
        mark_box(&box, wanted);
        mark_segments(&sink, got);
        assert_memory_equal(got, wanted, sizeof got);
        for (uint64_t s = 0; s < sink.segment_count; s++)
            rows += segments[s].rows;
        assert_int_equal(rows, runs_of(wanted));
    }
}

static void test_whole_tensor_is_one_run(void **state)
{
    (void)state;
    msw_npu_segment s;
    msw_npu_sink sink = {.segments = &s};
    msw_npu_box box = {4096, 16, MSW_NPU_WEIGHT, 3, {{5, {0, 5}}, {7, {0, 7}}, {9, {0, 9}}}};
    assert_int_equal(msw_npu_box_emit(&box, &sink), 5 * 7 * 9 * 2);
    assert_int_equal(sink.segment_count, 1);
    assert_int_equal(s.address, 4096);
    assert_int_equal(s.rows, 1);
    assert_int_equal(s.row_bytes, 630);
    assert_int_equal(s.stride, 630);
}

/* Two weights share a byte: a run takes every byte in which it has one. */
static void test_half_bytes(void **state)
{
    (void)state;
    msw_npu_segment s;
    for (uint64_t first = 0; first < 4; first++)
        for (uint64_t count = 1; first + count <= 10; count++) {
            msw_npu_sink sink = {.segments = &s};
            msw_npu_box box = {64, 4, MSW_NPU_WEIGHT, 2, {{3, {1, 2}}, {10, {first, count}}}};
            uint64_t bytes = (first + count + 1) / 2 - first / 2;
            bool one_run = count == 10;
            assert_int_equal(msw_npu_box_emit(&box, &sink), one_run ? 10 : 2 * bytes);
            assert_int_equal(s.address, 64 + 5 + first / 2);
            assert_int_equal(s.rows, one_run ? 1 : 2);
            assert_int_equal(s.stride, one_run ? 10 : 5);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_segments_are_the_box),
        cmocka_unit_test(test_whole_tensor_is_one_run),
        cmocka_unit_test(test_half_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
