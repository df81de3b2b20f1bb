/* SPDX-License-Identifier: MIT */
/* Reads the claims of a paper and judges the numbers answered. */
#include "memsweep/reproduce/claims.h"

#include "memsweep/base/csv.h"
#include "memsweep/base/text.h"
#include "memsweep/base/vec.h"
#include "memsweep/reproduce/paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *msw_judgement_name(msw_judgement verdict)
{
    static const char *const NAMES[] = {"", "pass", "miss", "unclear", "not comparable"};
    return NAMES[verdict];
}

bool msw_is_judged(msw_judgement verdict)
{
    return verdict != MSW_NO_VERDICT && verdict != MSW_NOT_COMPARABLE;
}

bool msw_claim_answers_at(const msw_claim *claim, const char *fidelity)
{
    size_t size = fidelity ? strlen(fidelity) : 0;
    if (!fidelity || !*claim->fidelities)
        return true;
    for (const char *at = claim->fidelities; *at; at += strspn(at, " ")) {
        size_t word = strcspn(at, " ");
        if (word == size && strncmp(at, fidelity, size) == 0)
            return true;
        at += word;
    }
    return false;
}

double msw_claim_scale(const msw_claim *claim)
{
    return strcmp(claim->unit, "%") == 0 ? 100 : 1;
}

bool msw_claim_is_trend(const msw_claim *claim)
{
    return strcmp(claim->unit, "yes/no") == 0;
}

static bool inside(const msw_claim *claim, double value)
{
    /* A limit that is not there is NaN, with which nothing compares. */
    return !(value < claim->low) && !(value > claim->high);
}

msw_judgement msw_claim_judge(const msw_claim *claim, double value, double half_width)
{
    if (isnan(claim->low) && isnan(claim->high))
        return MSW_NO_VERDICT;
    if (isnan(value))
        return MSW_MISS;
    double hw = half_width > 0 ? half_width : 0;
    bool low = inside(claim, value - hw), high = inside(claim, value + hw);
    if (low && high)
        return MSW_PASS;
    bool beyond = value + hw < claim->low || value - hw > claim->high;
    return beyond ? MSW_MISS : MSW_UNCLEAR;
}

enum {
    ID,
    FIGURE,
    QUANTITY,
    UNIT,
    PUBLISHED,
    CERTAINTY,
    SOURCE,
    LOW,
    HIGH,
    SQL,
    EXPLAIN,
    NOTE,
    NEEDED_COUNT,
    DEPENDS = NEEDED_COUNT,
    FIDELITIES,
    JUDGED_IF,
    DISCREPANCY,
    READING,
    COLUMN_COUNT
};
static const char *const COLUMNS[] = {
    "id",      "figure",     "quantity",  "unit",        "published", "certainty",
    "source",  "low",        "high",      "sql",         "explain",   "note",
    "depends", "fidelities", "judged_if", "discrepancy", "reading",   NULL};
static const char *const CERTAINTIES[] = {"stated", "public",     "derived", "remembered",
                                          "bars",   "experiment", NULL};

const char *msw_certainty_name(msw_certainty certainty)
{
    return CERTAINTIES[certainty];
}

/* A record on its way to a claim. */
typedef struct reading {
    msw_csv csv;
    size_t where[COLUMN_COUNT];
    size_t columns; /* of the file */
    msw_err *err;
} reading;

static const char *cell(const reading *r, int column)
{
    size_t field = r->where[column];
    return field == MSW_CSV_ABSENT ? "" : r->csv.fields[field];
}

static int fail_cell(const reading *r, int column, const char *wanted)
{
    return msw_fail(r->err, "%s:%zu: %s '%s': %s", r->csv.path, r->csv.line, COLUMNS[column],
                    cell(r, column), wanted);
}

/* ---- cells ---- */

static int read_certainty(const reading *r, msw_claim *claim)
{
    const char *word = cell(r, CERTAINTY);
    for (int i = 0; CERTAINTIES[i]; i++)
        if (strcmp(CERTAINTIES[i], word) == 0) {
            claim->certainty = (msw_certainty)i;
            return 0;
        }
    return fail_cell(r, CERTAINTY, "stated, public, derived, remembered, bars or experiment");
}

/* A number in the claim's unit, or so many per cent of what was published; NaN for nothing. */
static int read_number(const reading *r, int column, const msw_claim *claim, double *value)
{
    const char *text = cell(r, column);
    char *end;
    *value = *text ? strtod(text, &end) : NAN;
    if (!*text)
        return 0;
    bool relative = *end == '%' && (*text == '-' || *text == '+');
    if (end == text || end[relative] || !isfinite(*value))
        return fail_cell(r, column, "a number is wanted");
    if (!relative)
        *value /= msw_claim_scale(claim);
    else if (column == PUBLISHED || isnan(claim->published))
        return fail_cell(r, column, "a share of nothing: no value was published");
    else
        *value = claim->published * (1 + *value / 100);
    return 0;
}

/* The unit of the last digit that was printed: 0.01 of 2.08. */
static double step_of(const msw_claim *claim, const char *text)
{
    const char *point = strchr(text, '.'), *power = strpbrk(text, "eE");
    size_t digits = point ? strspn(point + 1, "0123456789") : 0;
    double step = isnan(claim->published) ? 0 : 1;
    for (size_t i = 0; i < digits; i++)
        step /= 10;
    for (long i = power ? strtol(power + 1, NULL, 10) : 0; i; i += i < 0 ? 1 : -1)
        step = i < 0 ? step / 10 : step * 10;
    return step / msw_claim_scale(claim);
}

/* What calibrate compares with: standard deviations in the claim's unit. */
static int read_deviations(const reading *r, msw_claim *claim)
{
    if (read_number(r, DISCREPANCY, claim, &claim->discrepancy) ||
        read_number(r, READING, claim, &claim->reading))
        return -1;
    if (claim->discrepancy < 0 || strchr(cell(r, DISCREPANCY), '%'))
        return fail_cell(r, DISCREPANCY, "a number in the unit is wanted, 0 or more");
    if (claim->reading < 0 || strchr(cell(r, READING), '%'))
        return fail_cell(r, READING, "a number in the unit is wanted, 0 or more");
    claim->reading = isnan(claim->reading) ? 0 : claim->reading;
    claim->step = step_of(claim, cell(r, PUBLISHED));
    return 0;
}

/* Names with blanks between them. */
static int check_fidelities(const reading *r, const msw_claim *claim)
{
    static const char *const NAMES[] = {"analytic", "sampled", "full"};
    for (const char *at = claim->fidelities; *at; at += strspn(at, " ")) {
        size_t size = strcspn(at, " ");
        bool known = false;
        for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
            known |= strlen(NAMES[i]) == size && strncmp(at, NAMES[i], size) == 0;
        if (!known)
            return fail_cell(r, FIDELITIES, "analytic, sampled and full are known");
        at += size;
    }
    return 0;
}

static int check_texts(const reading *r, const msw_claim *claim)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    if (!*claim->id || claim->id[strspn(claim->id, LETTERS)])
        return fail_cell(r, ID, "lower-case letters, digits and '-' are wanted");
    if (!*claim->figure)
        return fail_cell(r, FIGURE, "say where the paper has it");
    if (!*claim->quantity)
        return fail_cell(r, QUANTITY, "say what it is");
    if (!*claim->sql)
        return fail_cell(r, SQL, "a SELECT is wanted");
    return check_fidelities(r, claim);
}

static int check_numbers(const reading *r, const msw_claim *claim)
{
    bool band = !isnan(claim->low) || !isnan(claim->high);
    if (band && (claim->certainty == MSW_REMEMBERED || claim->certainty == MSW_EXPERIMENT))
        return fail_cell(r, isnan(claim->low) ? HIGH : LOW,
                         "what is remembered, or an experiment, is not judged: leave it empty");
    if (claim->certainty == MSW_BARS && !isnan(claim->published))
        return fail_cell(r, PUBLISHED, "bars give no number: leave it empty and check the trend");
    if (claim->low > claim->high)
        return fail_cell(r, LOW, "more than high");
    return 0;
}

static int read_claim(const reading *r, msw_claim *claim)
{
    *claim = (msw_claim){.id = cell(r, ID),
                         .figure = cell(r, FIGURE),
                         .quantity = cell(r, QUANTITY),
                         .unit = cell(r, UNIT),
                         .source = cell(r, SOURCE),
                         .sql = cell(r, SQL),
                         .explain = cell(r, EXPLAIN),
                         .note = cell(r, NOTE),
                         .depends = cell(r, DEPENDS),
                         .fidelities = cell(r, FIDELITIES),
                         .judged_if = cell(r, JUDGED_IF),
                         .line = r->csv.line};
    return check_texts(r, claim) || read_certainty(r, claim) ||
                   read_number(r, PUBLISHED, claim, &claim->published) ||
                   read_number(r, LOW, claim, &claim->low) ||
                   read_number(r, HIGH, claim, &claim->high) || read_deviations(r, claim)
               ? -1
               : check_numbers(r, claim);
}

/* ---- the file ---- */

static int add(const reading *r, msw_claims *claims)
{
    MSW_TRY(msw_vec_extend(&claims->list, claims->count, sizeof *claims->list, r->err));
    msw_claim *claim = &claims->list[claims->count];
    if (read_claim(r, claim))
        return -1;
    if (msw_claim_find(claims, claim->id, strlen(claim->id)))
        return fail_cell(r, ID, "there is a row of this name already");
    claims->count++;
    return 0;
}

/* The ids of a cell are rows; `column` is its name. */
static int check_ids(const char *path, const msw_claims *claims, const msw_claim *claim,
                     const char *column, const char *ids, msw_err *err)
{
    for (const char *at = ids + strspn(ids, " "); *at; at += strspn(at, " ")) {
        size_t size = strcspn(at, " ");
        if (!msw_claim_find(claims, at, size))
            return msw_fail(err, "%s:%zu: %s: no row '%.*s'", path, claim->line, column, (int)size,
                            at);
        at += size;
    }
    return 0;
}

/* Rows that explain others may come after them, so this is looked at last. */
static int check_explained(const char *path, const msw_claims *claims, msw_err *err)
{
    for (size_t i = 0; i < claims->count; i++)
        if (check_ids(path, claims, &claims->list[i], "explain", claims->list[i].explain, err))
            return -1;
    return 0;
}

/* Conditions are not judged themselves, so there is no circle. */
static int check_condition(const char *path, const msw_claims *claims, const msw_claim *c,
                           msw_err *err)
{
    if (check_ids(path, claims, c, "judged_if", c->judged_if, err))
        return -1;
    if (*c->judged_if && isnan(c->low) && isnan(c->high))
        return msw_fail(err, "%s:%zu: judged_if: without low and high there is nothing to judge",
                        path, c->line);
    const char *at = c->judged_if;
    for (const msw_claim *other; (other = msw_claim_next(claims, &at));)
        if (other->certainty != MSW_EXPERIMENT)
            return msw_fail(err,
                            "%s:%zu: judged_if: '%s' is judged itself: an experiment is wanted",
                            path, c->line, other->id);
    return 0;
}

static int check_conditions(const char *path, const msw_claims *claims, msw_err *err)
{
    for (size_t i = 0; i < claims->count; i++)
        if (check_condition(path, claims, &claims->list[i], err))
            return -1;
    return 0;
}

/* A claim may only follow from one that follows from no other, so there is no circle. */
static int check_depends(const char *path, const msw_claims *claims, msw_err *err)
{
    for (size_t i = 0; i < claims->count; i++) {
        const msw_claim *c = &claims->list[i], *other;
        if (!*c->depends || strcmp(c->depends, MSW_DEPENDS_LAW) == 0)
            continue;
        other = msw_claim_find(claims, c->depends, strlen(c->depends));
        if (!other)
            return msw_fail(err, "%s:%zu: depends: no row '%s', and it is not 'law'", path, c->line,
                            c->depends);
        if (other == c || *other->depends)
            return msw_fail(err, "%s:%zu: depends: '%s' depends on '%s': name that one", path,
                            c->line, other->id, other->depends);
    }
    return 0;
}

static int check_named(const char *path, const msw_claims *claims, msw_err *err)
{
    if (claims->count == 0)
        return msw_fail(err, "%s: no rows", path);
    MSW_TRY(check_explained(path, claims, err));
    MSW_TRY(check_depends(path, claims, err));
    return check_conditions(path, claims, err);
}

int msw_claims_parse(const char *path, char *text, msw_claims *claims, msw_err *err)
{
    reading r = {.err = err};
    *claims = (msw_claims){.text = text};
    msw_csv_start(&r.csv, path, text);
    int rc = msw_csv_header(&r.csv, COLUMNS, NEEDED_COUNT, r.where, err), got = rc ? -1 : 1;
    r.columns = r.csv.count;
    while (rc == 0 && (got = msw_csv_next(&r.csv, err)) > 0) {
        rc = msw_csv_check(&r.csv, r.columns, err);
        if (rc == 0)
            rc = add(&r, claims);
    }
    if (rc == 0 && got == 0)
        rc = check_named(path, claims, err);
    if (rc || got < 0)
        msw_claims_free(claims);
    MSW_TRY(rc);
    MSW_TRY(got < 0);
    return 0;
}

void msw_claims_free(msw_claims *claims)
{
    free(claims->list);
    free(claims->text);
    free(claims->facts);
    free(claims->facts_text);
    *claims = (msw_claims){0};
}

const msw_claim *msw_claim_find(const msw_claims *claims, const char *id, size_t size)
{
    for (size_t i = 0; i < claims->count; i++)
        if (strlen(claims->list[i].id) == size && strncmp(claims->list[i].id, id, size) == 0)
            return &claims->list[i];
    return NULL;
}

const msw_claim *msw_claim_next(const msw_claims *claims, const char **at)
{
    *at += strspn(*at, " ");
    size_t size = strcspn(*at, " ");
    const msw_claim *found = size ? msw_claim_find(claims, *at, size) : NULL;
    *at += size;
    return found;
}

bool msw_claim_spreads(const msw_paper *p, const msw_claim *claim)
{
    return claim->certainty != MSW_EXPERIMENT || p->answers[claim - p->claims.list].condition;
}
