/* SPDX-License-Identifier: MIT */
/* uvm: what must hold between its answers (README.md, "Laws, tested"). */
#include "mech/uvm/model.h"

#include "mech/shared/tables.h"

/* Pages come when they fault and stay until memory is short; all of the program runs. */
#define WHOLE SET("run_share", "1"), SET("host_access", "ignored"), SET("migration", "first_touch")
static const msw_law_change ALL_RUN[] = {WHOLE, {0}};

/* Every page faults for itself, in one order. */
static const msw_law_change STACK[] = {
    WHOLE, SET("prefetcher", "none"), SET("eviction", "lru_page"), SET("sync", "waits"), {0}};
static const msw_law_change ROOMY[] = {WHOLE, SET("oversubscription", "1"), {0}};

/* Nothing moves; nothing faults. */
static const msw_law_change PINNED[] = {
    SET("migration", "zero_copy"), SET("prefetcher", "none"), {0}};
static const msw_law_change COUNTED[] = {SET("migration", "counters"), {0}};

const msw_law uvm_laws[] = {
    FULL_LAW(.name = "bytes_of_touched", .doc = "touched pages have come over the link",
             .fixed = ALL_RUN, .metric = "bytes_in", .relation = MSW_LAW_NOT_BELOW,
             .than = "pages_touched * page_size"),
    CLOSED_LAW(.name = "bytes_of_touched_closed", .doc = "the same in the closed form",
               .fixed = ALL_RUN, .metric = "bytes_in", .relation = MSW_LAW_NOT_BELOW,
               .than = "pages_touched * page_size"),
    CLOSED_LAW(.name = "stack", .doc = "less memory does not fault less under LRU of pages",
               .fixed = STACK, .change = CHANGES(TWICE("oversubscription")), .metric = "far_faults",
               .relation = MSW_LAW_NOT_BELOW),
    FULL_LAW(.name = "used_are_migrated", .doc = "used migrations are migrations", .fixed = ALL_RUN,
             .metric = "pages_used", .relation = MSW_LAW_NOT_ABOVE, .than = "pages_in"),
    FULL_LAW(.name = "pinned_stay", .doc = "pages that are pinned to the host stay there",
             .fixed = PINNED, .metric = "bytes_in", .relation = MSW_LAW_NOT_ABOVE, .than = "0"),
    FULL_LAW(.name = "counted_do_not_fault", .doc = "with access counters nothing faults",
             .fixed = COUNTED, .metric = "far_faults", .relation = MSW_LAW_NOT_ABOVE, .than = "0"),
    CLOSED_LAW(.name = "wider_link", .doc = "a wider link is not slower", .fixed = ROOMY,
               .region = "link = 'fixed'", .change = CHANGES(TWICE("link_bandwidth")),
               .metric = "cycles", .relation = MSW_LAW_NOT_ABOVE),
    {0},
};
