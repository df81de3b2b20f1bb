/* SPDX-License-Identifier: MIT */
/* Rules across parameters, and laws between answers. Of the closed form: the time of a warp at a
 * station grows with what it takes of it, so more of one is never slower. Of the cycle model: more
 * of a thing that is shared, and shorter times; requests that then arrive in another order may cost
 * some per cent. */
#include "mech/mpu/config.h"
#include "mech/mpu/model.h"

#include "mech/shared/rules.h"
#include "mech/shared/tables.h"

typedef struct power_rule {
    const char *name;
    size_t offset;
} power_rule;

#define RULE(field)                                                                                \
    {                                                                                              \
#field, offsetof(mpu_config, field)                                                        \
    }
static const power_rule POWERS[] = {
    RULE(processors),   RULE(processor_columns), RULE(cores),
    RULE(core_columns), RULE(subcores),          RULE(banks),
    RULE(bank_bytes),   RULE(bank_io_bytes),     RULE(row_bytes),
    RULE(bank_groups),  RULE(tsv_bits),          {NULL, 0},
};

static int check_powers(const mpu_config *c, msw_err *err)
{
    for (const power_rule *rule = POWERS; rule->name; rule++) {
        int64_t value = *(const int64_t *)(const void *)((const char *)c + rule->offset);
        if (msw_rule_power(value, rule->name, err))
            return -1;
    }
    return 0;
}

enum { MOST_BANKS = 16384, MOST_CACHED = 4194304 };

static int check_shape(const mpu_config *c, msw_err *err)
{
    if (c->core_columns > c->cores)
        return msw_fail(err, "core_columns is %lld, a cube has %lld cores",
                        (long long)c->core_columns, (long long)c->cores);
    if (c->processor_columns > c->processors)
        return msw_fail(err, "processor_columns is %lld, there are %lld processors",
                        (long long)c->processor_columns, (long long)c->processors);
    if (c->bank_groups > c->banks)
        return msw_fail(err, "bank_groups is %lld, a near-bank unit has %lld banks",
                        (long long)c->bank_groups, (long long)c->banks);
    if (c->row_bytes < c->bank_io_bytes)
        return msw_fail(err, "row_bytes is %lld, an access takes %lld bytes",
                        (long long)c->row_bytes, (long long)c->bank_io_bytes);
    if (c->tsv_bits < c->cores)
        return msw_fail(err, "tsv_bits is %lld: each of %lld cores needs one",
                        (long long)c->tsv_bits, (long long)c->cores);
    int64_t banks = c->processors * c->cores * c->subcores * c->banks;
    if (banks > MOST_BANKS)
        return msw_fail(err, "%lld banks in all: at most %d, eight times table II, are modelled",
                        (long long)banks, MOST_BANKS);
    int64_t cached = c->remote_cache_bytes / c->bank_io_bytes * 2 * c->processors * c->cores;
    if (cached > MOST_CACHED)
        return msw_fail(err, "%lld blocks in caches of all cores: at most %d are modelled",
                        (long long)cached, MOST_CACHED);
    if (c->layout == MPU_LAYOUT_HORIZONTAL && c->cores % c->dies)
        return msw_fail(err, "the near-bank units of %lld cores do not fall on %lld dies",
                        (long long)c->cores, (long long)c->dies);
    return 0;
}

int mpu_check(const void *config, msw_err *err)
{
    const mpu_config *c = config;
    if (check_powers(c, err) || check_shape(c, err))
        return -1;
    if (c->t_ras < c->t_rcd)
        return msw_fail(err, "t_ras is %lld, a row is not open before t_rcd, %lld",
                        (long long)c->t_ras, (long long)c->t_rcd);
    int64_t lost = c->t_rfc + c->t_rp + c->t_ras;
    int64_t opening = c->t_rcd + (c->banks - 1) * msw_max_i64(c->t_rrd, (c->t_faw + 3) / 4);
    if (c->t_refi && c->t_refi <= lost + opening)
        return msw_fail(err,
                        "t_refi is %lld: refreshes leave no time; it must be more than t_rfc + "
                        "t_rp + t_ras + t_rcd and the activations of all banks = %lld, or 0: no "
                        "refresh",
                        (long long)c->t_refi, (long long)(lost + opening));
    return 0;
}

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
