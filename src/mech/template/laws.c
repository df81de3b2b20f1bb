/* SPDX-License-Identifier: MIT */
/* template: what must hold between its answers. */
#include "mech/template/template.h"

#include "mech/shared/tables.h"

const msw_law template_laws[] = {
    FULL_LAW(.name = "wider_window", .doc = "more requests under way together are not slower",
             .metric = "cycles", MORE_OF("in_flight")),
    FULL_LAW(.name = "wider_memory", .doc = "more bandwidth is not slower", .metric = "cycles",
             MORE_OF("bytes_per_cycle")),
    FULL_LAW(.name = "units_scale", .doc = "times twice as long take twice as long",
             .change = CHANGES(TWICE("latency"), HALF("bytes_per_cycle")), .metric = "cycles",
             .than = "2 * cycles"),
    FULL_LAW(.name = "ideal", .doc = "without latency it is the reference",
             .change = CHANGES(SET("latency", "0")), .metric = "slowdown", .than = "1"),
    FULL_LAW(.name = "by_hand", .doc = "one request of 64 B: the latency, then the bytes",
             .workloads = "jumps",
             .fixed = CHANGES(SET("sparse_batch", "1"), SET("sparse_batches", "1")),
             .metric = "cycles", .than = "latency + 64 / bytes_per_cycle"),
    {0},
};
