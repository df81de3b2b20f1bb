/* SPDX-License-Identifier: MIT */
/* Numbers as text: the shortest that reads back as the same. */
#include "memsweep/base/text.h"

#include "testing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Found by trying all lengths, as against those of 15 digits and more. */
static void shortest_decimals(void **state)
{
    (void)state;
    uint64_t bits = 1;
    for (int i = 0; i < 40000; i++) {
        char tried[32] = "", got[32];
        double value;
        bits = bits * UINT64_C(6364136223846793005) + 1442695040888963407;
        memcpy(&value, &bits, sizeof value);
        if (i % 3 == 1) /* numbers of few digits, of every size */
            value = (double)(bits >> 50) * pow(10, (int)(bits % 61) - 30);
        if (i % 3 == 2) /* numbers of all digits, of common sizes */
            value = ldexp((double)(bits >> 11), -(int)(bits % 64) - 4);
        if (!isfinite(value) || (value == floor(value) && fabs(value) < 1e15))
            continue;
        for (int digits = 6; digits <= 17 && (!*tried || strtod(tried, NULL) != value); digits++)
            snprintf(tried, sizeof tried, "%.*g", digits, value);
        assert_string_equal(msw_double_text(value, got), tried);
    }
}

static void whole_numbers(void **state)
{
    (void)state;
    static const int64_t VALUES[] = {0, 7, -7, 10, 1234567890, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++) {
        msw_text text = MSW_TEXT_EMPTY;
        char wanted[32];
        snprintf(wanted, sizeof wanted, "%" PRId64, VALUES[i]);
        msw_text_add_whole(&text, VALUES[i]);
        assert_string_equal(msw_text_str(&text), wanted);
        msw_text_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortest_decimals),
        cmocka_unit_test(whole_numbers),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
