/* SPDX-License-Identifier: MIT */
/* Laws between answers. One tenant alone meets no others: what it requests and finds does not
 * depend on time, and faster parts are not slower. */
#include "mech/camdn/config.h"

#include "mech/shared/tables.h"

#define ALONE CHANGES(SET("tenants", "1"))
/* Laws of the closed form, with times that do not depend on the machine, and slices that are as
 * near for any number of NPUs. */
#define PLAIN_SETS                                                                                 \
    SET("npu_policy", "one"), SET("residents", "0"), SET("load", "0"), SET("mesh_width", "0")
#define PLAIN CHANGES(PLAIN_SETS)

/* Both networks of mix/small in each task list, as often as the other: the same tasks for all. */
#define DECKS SET("draw", "deck"), SET("tasks", "2"), SET("first_tasks", "2")

const msw_law camdn_laws[] = {
    FULL_LAW(.name = "same_requests", .doc = "what NPUs ask for does not depend on the cache",
             .region = "cache_control = 'tags' AND npu_policy = 'one'",
             .change = CHANGES(TWICE("cache_size")), .metric = "requests"),
    FULL_LAW(.name = "same_work", .doc = "what they compute does not depend on the memory",
             .region = "npu_policy = 'one'", .change = CHANGES(HALF("memory_bandwidth")),
             .metric = "compute"),
    FULL_LAW(.name = "parts", .doc = "what is not computing is waiting", .metric = "cycles",
             .than =
                 "compute + wait_cache + wait_memory + wait_pages + wait_translation + wait_npu "
                 "+ wait_start",
             .tolerance = 1e-12),
    FULL_LAW(.name = "misses", .doc = "memory gives no more than what was not found",
             .metric = "memory_read", .than = "(requests - hits) * cache_line",
             .relation = MSW_LAW_NOT_ABOVE),
    FULL_LAW(.name = "no_time_in_hits", .doc = "one tenant finds the same, however fast",
             .region = "arrivals = 'closed' OR scheduler = 'arrival'", .fixed = ALONE,
             .change = CHANGES(TWICE("memory_cycles")), .metric = "hits"),
    FULL_LAW(.name = "bandwidth", .doc = "one tenant is not slower with more bandwidth",
             .region = "arrivals = 'closed' OR (scheduler = 'arrival' AND load = 0)",
             .fixed = ALONE, .metric = "cycles", MORE_OF("memory_bandwidth")),
    FULL_LAW(.name = "port", .doc = "one tenant is not slower with a wider port",
             .region = "memory_model = 'fixed' AND (arrivals = 'closed' OR (scheduler = 'arrival' "
                       "AND load = 0))",
             .fixed = ALONE, .metric = "cycles", MORE_OF("port_bytes")),
    FULL_LAW(.name = "ways", .doc = "one tenant has all ways, shared or not", .fixed = ALONE,
             .change = CHANGES(SET("share", "ways")), .metric = "traffic"),
    FULL_LAW(.name = "throttled", .doc = "who is stopped asks for the same",
             .region = "cache_control = 'tags' AND npu_policy = 'one'",
             .change = CHANGES(SET("throttle", "on")), .metric = "requests"),
    FULL_LAW(.name = "turns", .doc = "on one NPU there is one tenant's computing at a time",
             .region = "arrivals = 'closed'",
             .fixed = CHANGES(SET("npus", "1"), SET("first_tasks", "0")), .metric = "wait_npu",
             .relation = MSW_LAW_NOT_BELOW, .than = "case when tenants > 1 then 1 else 0 end"),
    FULL_LAW(.name = "fused", .doc = "with pages memory moves at least what the best blocks do",
             .region = "cache_control = 'pages'", .metric = "traffic",
             .relation = MSW_LAW_NOT_BELOW, .than = "fused_in_pages", .tolerance = 0.01),
    FULL_LAW(.name = "uncached", .doc = "with pages it moves no more than tiles ask for",
             .region = "cache_control = 'pages' AND (npu_policy = 'one' OR multicast = 1)",
             .metric = "traffic", .relation = MSW_LAW_NOT_ABOVE, .than = "uncached",
             .tolerance = 0.01),
    FULL_LAW(.name = "fewer_pages", .doc = "one tenant moves no less with fewer pages",
             .region = "npu_ways > 1 AND blocks <> 'pages'",
             .fixed = CHANGES(SET("tenants", "1"), SET("cache_control", "pages"),
                              SET("allocation", "equal")),
             .change = CHANGES(HALF("npu_ways")), .metric = "traffic",
             .relation = MSW_LAW_NOT_BELOW, .tolerance = 0.01),
    CLOSED_LAW(.name = "plans", .doc = "with equal shares the closed form moves what plans say",
               .fixed = CHANGES(SET("cache_control", "pages"), SET("allocation", "equal")),
               .metric = "traffic", .relation = MSW_LAW_NOT_BELOW, .than = "fused_in_pages",
               .tolerance = 1e-9),
    CLOSED_LAW(.name = "closed_bandwidth", .doc = "more bandwidth is not slower", .fixed = PLAIN,
               .metric = "cycles", .tolerance = 1e-6, MORE_OF("memory_bandwidth")),
    FULL_LAW(.name = "cache",
             .doc = "one tenant reads no more with more cache: each set is cut in two",
             .region = "cache_control = 'tags' AND replacement = 'lru'",
             .fixed = CHANGES(SET("tenants", "1"), PLAIN_SETS), .metric = "memory_read",
             MORE_OF("cache_size")),
    FULL_LAW(.name = "cache_latency", .doc = "and is not slower",
             .region = "cache_control = 'tags' AND replacement = 'lru' AND memory_model = 'fixed' "
                       "AND (arrivals = 'closed' OR scheduler = 'arrival')",
             .fixed = CHANGES(SET("tenants", "1"), PLAIN_SETS), .metric = "cycles",
             .tolerance = 0.01, MORE_OF("cache_size")),
    FULL_LAW(.name = "fewer_tenants", .doc = "the same tasks are not slower with fewer tenants",
             .region = "cache_control = 'tags' AND arrivals = 'closed' AND weights = 'private' AND "
                       "tenants > 1 AND throttle = 0",
             .fixed = CHANGES(DECKS, PLAIN_SETS), .change = CHANGES(HALF("tenants")),
             .metric = "latency", .relation = MSW_LAW_NOT_ABOVE, .tolerance = 0.05),
    CLOSED_LAW(.name = "closed_cache", .doc = "more cache is not slower",
               .region = "cache_control = 'tags' AND arrivals = 'closed'",
               .fixed = CHANGES(DECKS, PLAIN_SETS), .metric = "latency", .tolerance = 1e-6,
               MORE_OF("cache_size")),
    CLOSED_LAW(.name = "closed_tenants", .doc = "fewer tenants are not slower",
               .region = "cache_control = 'tags' AND arrivals = 'closed' AND tenants > 1 AND "
                         "weights = 'private' AND " /* shared ones are read by one for all */
                         "memory_model = 'fixed'",  /* banks carry less of fewer streams */
               .fixed = CHANGES(DECKS, PLAIN_SETS), .change = CHANGES(HALF("tenants")),
               .metric = "latency", .relation = MSW_LAW_NOT_ABOVE, .tolerance = 1e-6),
    {0},
};
