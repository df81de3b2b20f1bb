/* SPDX-License-Identifier: MIT */
/* Defect 805. A message of rows whose size is right may still name a reason, a detail or a metric
 * that is not in it: it is refused, not read beyond its end. */
#include "memsweep/store/batch.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t WIDTHS[] = {2};

/* Two rows with one detail each, as a message. */
static char *message_of(size_t *size)
{
    msw_batch *batch = msw_batch_new(2, 1, 1);
    msw_detail_row *row = calloc(1, sizeof *row + 2 * sizeof(double));
    for (int i = 0; i < 2; i++) {
        msw_batch_add(batch);
        assert_int_equal(msw_batch_details(batch, row, WIDTHS), 0);
    }
    assert_int_equal(msw_batch_reason(batch, "too wide"), 0);
    *size = msw_batch_packed_size(batch);
    char *message = malloc(*size);
    msw_batch_pack(batch, message);
    free(row);
    msw_batch_free(batch);
    return message;
}

enum { HEAD = 48, ROWS = HEAD, DETAILS = ROWS + 2 * sizeof(msw_row) + 2 * 3 * sizeof(double) };

static int unpack(const char *message, size_t size)
{
    msw_err err = {0};
    msw_batch *batch = NULL;
    int rc = msw_batch_unpack(message, size, &batch, &err);
    assert_true((rc != 0) == (*err.text != 0));
    msw_batch_free(batch);
    return rc;
}

static void refused(size_t at, const void *value, size_t bytes)
{
    size_t size;
    char *message = message_of(&size);
    assert_int_equal(unpack(message, size), 0);
    memcpy(message + at, value, bytes);
    assert_int_equal(unpack(message, size), -1);
    free(message);
}

static void what_is_not_there_is_refused(void **state)
{
    (void)state;
    static const double WRONG[] = {-1, 2, 0.5, 1e300, (double)NAN};
    const uint32_t reason = 1000;
    const uint64_t status = 77;
    const int32_t metric = 1;
    refused(ROWS + sizeof(msw_row) + offsetof(msw_row, reason), &reason, sizeof reason);
    refused(ROWS + offsetof(msw_row, status), &status, sizeof status);
    refused(ROWS + offsetof(msw_row, bound_by), &metric, sizeof metric);
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        refused(DETAILS, &WRONG[i], sizeof WRONG[i]);
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        if (WRONG[i] != 2)
            refused(DETAILS + 2 * sizeof(double), &WRONG[i], sizeof WRONG[i]);
}

static void a_reason_ends(void **state)
{
    (void)state;
    size_t size;
    char *message = message_of(&size);
    message[size - 1] = 'x';
    assert_int_equal(unpack(message, size), -1);
    free(message);
}

/* No rows, and widths whose product wraps around. */
static void an_empty_batch_is_not_wide(void **state)
{
    (void)state;
    const uint64_t head[6] = {0, UINT64_C(1) << 61, 0, 0, 0, 0};
    assert_int_equal(unpack((const char *)head, sizeof head), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(a_reason_ends),
        cmocka_unit_test(an_empty_batch_is_not_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
