/* SPDX-License-Identifier: MIT */
/* What every cmocka program needs: the headers in the order cmocka wants, and comparisons of
 * doubles that print both sides. */
#ifndef MEMSWEEP_TESTING_H
#define MEMSWEEP_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#define assert_near(got, wanted, tolerance)                                                        \
    do {                                                                                           \
        double got_ = (got), wanted_ = (wanted), tolerance_ = (tolerance);                         \
        if (!(fabs(got_ - wanted_) <= tolerance_))                                                 \
            fail_msg("%s = %.17g, wanted %.17g within %g", #got, got_, wanted_, tolerance_);       \
    } while (0)

#define assert_relative(got, wanted, tolerance)                                                    \
    assert_near(got, wanted, (tolerance)*fabs((double)(wanted)))

/* Asserts that a call succeeded and shows its message when it did not. */
#define assert_ok(call, err)                                                                       \
    do {                                                                                           \
        if ((call) != 0)                                                                           \
            fail_msg("%s: %s", #call, (err).text);                                                 \
    } while (0)

#endif
