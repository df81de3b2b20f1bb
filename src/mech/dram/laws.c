/* SPDX-License-Identifier: MIT */
/* dram: what must hold between its answers. */
#include "mech/dram/dram.h"

#include "mech/shared/tables.h"

#define ALONE  CHANGES(SET("in_flight", "1"), SET("arrivals", "asap"))
#define STACKS CHANGES(SET("least_bandwidth", "0"))

const msw_law dram_laws[] = {
    FULL_LAW(.name = "bits_of_stacks", .doc = "more stacks move the same bits",
             .region = "stacks <= 8", .fixed = STACKS, .change = CHANGES(TWICE("stacks")),
             .metric = "energy_bits_nj", .tolerance = 1e-9),
    FULL_LAW(.name = "peak_of_stacks", .doc = "twice as many stacks have twice the peak",
             .region = "stacks <= 8", .fixed = STACKS, .change = CHANGES(TWICE("stacks")),
             .metric = "peak_bandwidth", .than = "2 * peak_bandwidth"),
    FULL_LAW(.name = "one_at_a_time", .doc = "one burst at a time is not faster than many",
             .region = "in_flight > 1", .fixed = CHANGES(SET("arrivals", "asap")),
             .change = CHANGES(SET("in_flight", "1")), .metric = "cycles",
             .relation = MSW_LAW_NOT_BELOW),
    FULL_LAW(.name = "closed_rows", .doc = "rows that are closed at once are never hit",
             .fixed = ALONE, .change = CHANGES(SET("page", "closed")), .metric = "hits",
             .than = "0"),
    {0},
};
