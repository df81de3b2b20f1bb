/* SPDX-License-Identifier: MIT */
/* Rules across parameters. */
#include "mech/mpu/config.h"
#include "mech/mpu/model.h"

#include "mech/shared/rules.h"

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

enum { MOST_BANKS = 16384 };

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
    if (c->tsv_bits < 8 * c->cores)
        return msw_fail(err, "tsv_bits is %lld: each of %lld cores needs at least 8",
                        (long long)c->tsv_bits, (long long)c->cores);
    int64_t banks = c->processors * c->cores * c->subcores * c->banks;
    if (banks > MOST_BANKS)
        return msw_fail(err, "%lld banks in all: at most %d, eight times table II, are modelled",
                        (long long)banks, MOST_BANKS);
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
