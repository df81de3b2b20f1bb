/* SPDX-License-Identifier: MIT */
/* mpu: what must hold between its answers. Of the closed form: a warp's time at a station grows
 * with what it asks of it, so more of one is never slower. Of the cycle model: more of a thing that
 * is shared, and shorter times; requests that then arrive in another order may cost some per cent.
 */
#include "mech/mpu/model.h"

#include "mech/shared/laws.h"

#define LONGER(what, why)                                                                          \
    .doc = why, .change = CHANGES(TWICE(what)), .metric = "cycles", .relation = MSW_LAW_NOT_BELOW
#define MORE(what, why) .doc = "more " why " are not slower", .metric = "cycles", MORE_OF(what)

#define MORE_IS_NO_LESS(what)                                                                      \
    .change = CHANGES(TWICE(what)), .metric = "occupancy", .relation = MSW_LAW_NOT_BELOW
/* Machines that are cheap to simulate. */
#define SMALL "processors * cores * subcores <= 64"
#define ORDER .tolerance = 0.05

const msw_law mpu_laws[] = {
    CLOSED_LAW(.name = "closed_tsvs", MORE("tsv_bits", "TSVs")),
    CLOSED_LAW(.name = "closed_near_alus", MORE("near_alus", "near ALUs")),
    CLOSED_LAW(.name = "closed_lsus", MORE("lsus", "load-store units")),
    CLOSED_LAW(.name = "closed_column", LONGER("t_ccd", "column commands further apart")),
    CLOSED_LAW(.name = "closed_latency", LONGER("t_cl", "data later behind a read")),
    CLOSED_LAW(.name = "closed_alu", LONGER("alu_cycles", "results of the ALUs later")),
    CLOSED_LAW(.name = "closed_near_registers", .doc = "more near registers hold as many CTAs",
               MORE_IS_NO_LESS("near_rf_bytes")),
    CLOSED_LAW(.name = "closed_far_registers", .doc = "more far registers hold as many CTAs",
               MORE_IS_NO_LESS("far_rf_bytes")),
    FULL_LAW(.name = "tsvs", MORE("tsv_bits", "TSVs"), .region = SMALL, ORDER),
    FULL_LAW(.name = "open_rows", MORE("row_buffers", "open rows, any row in any buffer,"),
             .region = SMALL " AND row_buffers <= 4",
             .fixed = CHANGES(SET("row_placement", "lru"), SET("t_select", "0"),
                              SET("t_sibling_read", "0"), SET("t_sibling_write", "0")),
             ORDER),
    FULL_LAW(.name = "latency", LONGER("t_cl", "data later behind a read"), .region = SMALL, ORDER),
    {0},
};
