/* SPDX-License-Identifier: MIT */
/* Checks names, and tables of parameters: entry by entry, then their conditions. */
#include "memsweep/param/param.h"

#include "memsweep/base/units.h"

#include <stdio.h>
#include <string.h>

/* ---- names ---- */

static bool is_reserved(const char *name)
{
    static const char *const RESERVED[] = {
        /* columns of the store */
        "id", "key", "workload", "fidelity", "seed", "replicate", "version", "run", "status",
        "reason", "doubt", "error_stratum", "errors_from", "bound_by", "units_measured",
        "units_total", "events", "cost_us", "point", "design_index", "row_id", "item",
        /* words with a meaning in expressions that SQL does not count among its keywords;
           KiB, MiB and GiB because SQL does not distinguish upper from lower case */
        "rowid", "oid", "true", "false", "kib", "mib", "gib"};
    for (size_t i = 0; i < sizeof RESERVED / sizeof *RESERVED; i++)
        if (strcmp(name, RESERVED[i]) == 0)
            return true;
    return false;
}

static bool is_spelt_well(const char *name)
{
    return *name >= 'a' && *name <= 'z' &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

int msw_name_check(const char *name, msw_err *err)
{
    if (!is_spelt_well(name))
        return msw_fail(err,
                        "'%s' is no name: a name is a lower-case letter, then lower-case letters, "
                        "digits and underscores",
                        name);
    size_t size = strlen(name);
    if (size >= 3 && strcmp(name + size - 3, "_hw") == 0)
        return msw_fail(err, "'%s' ends in _hw, which is kept for half-widths", name);
    if (is_reserved(name))
        return msw_fail(err, "'%s' is a name memsweep keeps for itself", name);
    if (msw_expr_is_keyword(name))
        return msw_fail(err, "'%s' is an SQL keyword", name);
    return 0;
}

/* ---- tables ---- */

/* Integers travel as double (msw_param_get), which is exact up to here. */
static const double LARGEST = 9007199254740992.0;

static bool is_doc(const char *doc)
{
    return doc && *doc && doc[strlen(doc) - 1] != '.' && !strchr(doc, '\n');
}

static bool is_word(const char *unit)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t letters = strspn(unit, LETTERS);
    return letters && unit[letters + strspn(unit + letters, "abcdefghijklmnopqrstuvwxyz"
                                                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                            "0123456789_/-")] == '\0';
}

/* "us" would pass as a free word and then refuse every suffix, while "ns" takes them all. */
static const char *unit_it_belongs_to(const char *unit)
{
    static const char *const UNITS[] = {"B", "ns", "cycles", "GHz", "GB/s", "%"};
    char one[64];
    snprintf(one, sizeof one, "1%s", unit);
    double value;
    for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++)
        if (msw_units_parse(one, UNITS[i], &value, NULL) == 0)
            return UNITS[i];
    return NULL;
}

static int check_unit(const msw_param *p, msw_err *err)
{
    if (!p->unit)
        return msw_fail(err, "has no unit (\"\" is a pure number)");
    if (p->kind == MSW_SIZE && strcmp(p->unit, "B") != 0)
        return msw_fail(err, "is a size and needs the unit B, not '%s'", p->unit);
    if ((p->kind == MSW_FLAG || p->kind == MSW_CHOICE) && *p->unit)
        return msw_fail(err, "is a %s and has no unit, not '%s'", msw_kind_name(p->kind), p->unit);
    if (!*p->unit)
        return 0;
    const char *family = unit_it_belongs_to(p->unit);
    if (family && strcmp(family, p->unit) != 0)
        return msw_fail(err, "has the unit '%s', declare it in '%s'", p->unit, family);
    if (!family && !is_word(p->unit))
        return msw_fail(err, "has an unknown unit '%s'", p->unit);
    return 0;
}

/* The end of a list is an entry without a name; one before the end of the array is a hole. */
static int check_holes(const msw_param *p, msw_err *err)
{
    if (p->choices && !p->choice_count)
        return msw_fail(err, "does not say how long its list of choices is: use MSW_CHOICES");
    for (size_t i = 0; i < p->choice_count; i++) {
        bool end = i + 1 == p->choice_count;
        if (!end && !p->choices[i].name)
            return msw_fail(err, "has a hole in its list of choices: there is none at %zu", i);
        if (end && p->choices[i].name)
            return msw_fail(err, "has a list of choices without an end");
    }
    return 0;
}

static int check_choices(const msw_param *p, msw_err *err)
{
    if ((p->kind == MSW_CHOICE) != (p->choices != NULL))
        return msw_fail(err, p->choices ? "has choices but is no choice" : "has no choices");
    if (check_holes(p, err) != 0)
        return -1;
    for (const msw_choice *c = p->choices; c && c->name; c++) {
        if (!is_doc(c->doc))
            return msw_fail(err, "choice '%s' needs one doc line without a final point", c->name);
        for (const msw_choice *d = p->choices; d < c; d++)
            if (strcmp(c->name, d->name) == 0)
                return msw_fail(err, "choice '%s' is listed twice", c->name);
    }
    if (p->kind == MSW_CHOICE && !p->choices->name)
        return msw_fail(err, "has an empty list of choices");
    return 0;
}

static int check_range(const msw_param *p, msw_err *err)
{
    if (p->kind == MSW_FLAG || p->kind == MSW_CHOICE)
        return 0;
    if (!isfinite(p->min) || !isfinite(p->max) || p->min > p->max)
        return msw_fail(err, "has the range %g .. %g", p->min, p->max);
    if (p->kind != MSW_REAL && (p->min < -LARGEST || p->max > LARGEST))
        return msw_fail(err, "has a range beyond 2^53");
    if (p->kind != MSW_REAL && (p->min != floor(p->min) || p->max != floor(p->max)))
        return msw_fail(err, "has the range %g .. %g, which is not whole", p->min, p->max);
    if (p->scale == MSW_LOG && p->min <= 0)
        return msw_fail(err, "has a log scale and needs min > 0, not %g", p->min);
    /* 0 is a usual way to say "none of them": a pow2 range from 0 is 0, then the powers of two. */
    if (p->scale == MSW_POW2 && p->min < 0)
        return msw_fail(err, "has a pow2 scale and needs min >= 0, not %g", p->min);
    return 0;
}

static int check_defaults(const msw_param *p, msw_err *err)
{
    if (msw_param_check(p, p->def, err) != 0)
        return msw_fail_prefix(err, "default: ");
    if (!p->neutral)
        return msw_fail(err, "says nothing of a neutral value: .neutral is MSW_NEUTRAL(value) or "
                             "MSW_NO_NEUTRAL");
    if (!isnan(*p->neutral) && msw_param_check(p, *p->neutral, err) != 0)
        return msw_fail_prefix(err, "neutral: ");
    bool has_words = p->kind == MSW_FLAG || p->kind == MSW_CHOICE;
    if (p->max_word && (has_words || !is_word(p->max_word)))
        return msw_fail(err, "cannot have the word '%s' for its maximum", p->max_word);
    return 0;
}

static int check_texts(const msw_param *p, msw_err *err)
{
    if (!is_doc(p->doc))
        return msw_fail(err, "needs one doc line without a final point");
    if (!p->reference || !*p->reference)
        return msw_fail(err, "needs a reference: where its default comes from");
    return 0;
}

static int check_plausible(const msw_param *p, msw_err *err)
{
    double low = p->plausible_min, high = p->plausible_max;
    bool given = low != 0 || high != 0;
    if (!given && p->source == MSW_UNKNOWN && !msw_param_choices(p))
        return msw_fail(err, "has an unknown source and needs a plausible range");
    if (given && !(low <= high && low >= p->min && high <= p->max))
        return msw_fail(err, "has the plausible range %g .. %g, outside %g .. %g", low, high,
                        p->min, p->max);
    return 0;
}

static int check_offset(const msw_param *p, size_t config_size, msw_err *err)
{
    if (p->offset % sizeof(int64_t) != 0 || p->offset + sizeof(int64_t) > config_size)
        return msw_fail(err, "has the offset %zu, which is no field of a config of %zu bytes",
                        p->offset, config_size);
    return 0;
}

static int check_others(const msw_param *table, const msw_param *p, msw_err *err)
{
    for (const msw_param *q = table; q < p; q++) {
        if (strcmp(q->name, p->name) == 0)
            return msw_fail(err, "is declared twice");
        if (q->offset == p->offset)
            return msw_fail(err, "shares its field with '%s'", q->name);
    }
    return 0;
}

static int check_entry(const msw_param *p, size_t config_size, msw_err *err)
{
    if (msw_name_check(p->name, err) != 0 || check_unit(p, err) != 0)
        return -1;
    if (check_choices(p, err) != 0 || check_range(p, err) != 0 || check_defaults(p, err) != 0)
        return -1;
    if (check_texts(p, err) != 0 || check_plausible(p, err) != 0)
        return -1;
    return check_offset(p, config_size, err);
}

/* A condition of which nothing is known has no value: then false is never said of what may yet hold
 * (msw_conditions_may_hold). */
static int check_unknown(const msw_param *p, msw_expr *expr, size_t used, msw_err *err)
{
    msw_expr_value value;
    for (size_t k = 0; k < used; k++)
        msw_expr_bind_null(expr, k);
    if (msw_expr_eval(expr, &value, err) != 0)
        return -1;
    if (used == 0 || value.type == MSW_EXPR_NULL)
        return 0;
    return msw_fail(err,
                    "acts where '%s', which is decided without a value; allowed: comparisons, IN, "
                    "AND, OR, NOT",
                    p->acts);
}

/* The parameter of a condition must be known without it: a condition does not name its own. */
static int check_condition(const msw_param *table, const msw_param *p, msw_expr_host *host,
                           msw_err *err)
{
    msw_expr *expr;
    const int *used;
    if (msw_expr_new(host, p->acts, &expr, err) != 0)
        return msw_fail_prefix(err, "acts: ");
    size_t count = msw_expr_used(expr, &used);
    int rc = -1;
    for (size_t k = 0; k < count; k++)
        if (&table[used[k]] == p) {
            msw_fail(err, "acts where '%s', which names itself", p->acts);
            goto done;
        }
    if (check_unknown(p, expr, count, err))
        goto done;
    rc = 0;
done:
    msw_expr_free(expr);
    return rc;
}

static int check_conditions(const msw_param *table, const char *owner, msw_err *err)
{
    msw_expr_host *host = NULL;
    int rc = -1;
    for (const msw_param *p = table; p && p->name; p++) {
        if (!p->acts)
            continue;
        if (!host && msw_params_host(table, &host, err))
            goto done;
        if (check_condition(table, p, host, err)) {
            msw_fail_prefix(err, "%s: parameter '%s': ", owner, p->name);
            goto done;
        }
    }
    rc = 0;
done:
    msw_expr_host_free(host);
    return rc;
}

int msw_params_check(const msw_param *table, const char *owner, size_t config_size, msw_err *err)
{
    for (const msw_param *p = table; p && p->name; p++)
        if (check_entry(p, config_size, err) != 0 || check_others(table, p, err) != 0)
            return msw_fail_prefix(err, "%s: parameter '%s': ", owner, p->name);
    return check_conditions(table, owner, err);
}
