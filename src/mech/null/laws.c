/* SPDX-License-Identifier: MIT */
/* null: what must hold between its answers. */
#include "mech/null/instrument.h"

#include "mech/shared/laws.h"

#define PLAIN CHANGES(SET("gain", "1"), SET("carry", "0"))

const msw_law null_laws[] = {
    FULL_LAW(.name = "longer_units", .doc = "units that are stretched more take longer",
             .change = CHANGES(TWICE("gain")), .metric = "cycles", .relation = MSW_LAW_NOT_BELOW),
    CLOSED_LAW(.name = "longer_units_closed", .doc = "the same of the closed form",
               .change = CHANGES(TWICE("gain")), .metric = "cycles", .relation = MSW_LAW_NOT_BELOW),
    FULL_LAW(.name = "delay_scales", .doc = "without stretching the stall is the delay",
             .fixed = CHANGES(SET("gain", "1")), .change = CHANGES(TWICE("carry")),
             .metric = "stall", .than = "2 * stall"),
    FULL_LAW(.name = "ideal", .doc = "neither stretched nor delayed it is the reference",
             .change = PLAIN, .metric = "slowdown", .than = "1"),
    CLOSED_LAW(.name = "by_hand", .doc = "cycles of the closed form", .metric = "cycles",
               .than = "busy * (gain + carry)"),
    FULL_LAW(.name = "stack", .doc = "the causes add up", .metric = "cycles",
             .than = "busy + stall"),
    {0},
};
