/* SPDX-License-Identifier: MIT */
/* Do rows, reasons and details survive growing, joining and the way between ranks? */
#include "memsweep/store/batch.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static msw_batch *filled(uint64_t first, uint64_t count)
{
    msw_batch *batch = msw_batch_new(1, 2, 1);
    size_t widths[] = {1, 2};
    msw_detail_row *detail = calloc(1, sizeof *detail + sizeof(double));
    assert_non_null(detail);
    for (uint64_t i = first; i < first + count; i++) {
        msw_row *row = msw_batch_add(batch);
        row->index = i;
        double *values = msw_batch_values(batch, batch->count - 1);
        values[0] = (double)i;
        detail->values[0] = (double)i;
        if (i % 3 == 0)
            assert_int_equal(msw_batch_reason(batch, i % 2 ? "odd" : "even"), 0);
        if (i % 5 == 0)
            assert_int_equal(msw_batch_doubt(batch, i % 2 ? "one" : "two"), 0);
        assert_int_equal(msw_batch_details(batch, detail, widths), 0);
    }
    batch->seconds = 1.5;
    free(detail);
    return batch;
}

static void check(const msw_batch *batch, uint64_t count)
{
    assert_int_equal(batch->count, count);
    assert_int_equal(batch->detail_size, 4 * count);
    for (uint64_t i = 0; i < count; i++) {
        assert_int_equal(batch->rows[i].index, i);
        assert_int_equal(batch->rows[i].bound_by, -1);
        assert_near(msw_batch_values(batch, i)[0], (double)i, 0);
        assert_true(isnan(msw_batch_values(batch, i)[3]));
        assert_string_equal(msw_batch_reason_text(batch, i), i % 3 ? "" : i % 2 ? "odd" : "even");
        assert_string_equal(msw_batch_doubt_text(batch, i), i % 5 ? "" : i % 2 ? "one" : "two");
        assert_near(batch->details[4 * i], (double)i, 0);
        assert_near(batch->details[4 * i + 3], (double)i, 0);
    }
}

static void joined_batches_are_one(void **state)
{
    (void)state;
    msw_batch *a = filled(0, 10), *b = filled(10, 25);
    assert_int_equal(msw_batch_append(a, b, NULL), 0);
    check(a, 35);
    assert_near(a->seconds, 3, 0);
    msw_batch_free(a);
    msw_batch_free(b);
}

static void packing_and_unpacking_changes_nothing(void **state)
{
    (void)state;
    msw_batch *a = filled(0, 20), *b = NULL;
    size_t size = msw_batch_packed_size(a);
    void *message = malloc(size);
    msw_batch_pack(a, message);
    assert_int_equal(msw_batch_unpack(message, size, &b, NULL), 0);
    check(b, 20);
    free(message);
    msw_batch_free(a);
    msw_batch_free(b);
}

static void damaged_messages_are_refused(void **state)
{
    (void)state;
    msw_batch *a = filled(0, 3), *b = NULL;
    size_t size = msw_batch_packed_size(a);
    uint64_t *message = malloc(size);
    msw_err err;
    msw_batch_pack(a, message);
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(msw_batch_unpack(message, cut, &b, &err), -1);
    message[0] = UINT64_MAX;
    assert_int_equal(msw_batch_unpack(message, size, &b, &err), -1);
    free(message);
    msw_batch_free(a);
}

static void clearing_forgets_everything(void **state)
{
    (void)state;
    msw_batch *a = filled(5, 20), *b = filled(0, 4);
    msw_batch_clear(a);
    assert_int_equal(msw_batch_append(a, b, NULL), 0);
    check(a, 4);
    msw_batch_free(a);
    msw_batch_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joined_batches_are_one),
        cmocka_unit_test(packing_and_unpacking_changes_nothing),
        cmocka_unit_test(damaged_messages_are_refused),
        cmocka_unit_test(clearing_forgets_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
