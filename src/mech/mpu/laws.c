/* mpu: what must hold between its answers. Of the closed form: the time is a sum of times that each
 * resource takes, so more of one is never slower. */
#include "mech/mpu/model.h"

#include "mech/shared/laws.h"

#define LONGER(what, why)                                                                          \
    .doc = why, .change = CHANGES(TWICE(what)), .metric = "cycles", .relation = MSW_LAW_NOT_BELOW
#define MORE(what, why) .doc = "more " why " are not slower", .metric = "cycles", MORE_OF(what)

const msw_law mpu_laws[] = {
    CLOSED_LAW(.name = "closed_tsvs", MORE("tsv_bits", "TSVs")),
    CLOSED_LAW(.name = "closed_near_alus", MORE("near_alus", "near ALUs")),
    CLOSED_LAW(.name = "closed_lsus", MORE("lsus", "load-store units")),
    CLOSED_LAW(.name = "closed_column", LONGER("t_ccd", "column commands further apart")),
    CLOSED_LAW(.name = "closed_latency", LONGER("t_cl", "data later behind a read")),
    CLOSED_LAW(.name = "closed_alu", LONGER("alu_cycles", "results of the ALUs later")),
    {0},
};
