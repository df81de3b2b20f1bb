/* SPDX-License-Identifier: MIT */
/* claims: what a paper says, row by row, and whether a model's number agrees.
 *
 * A claim is one published quantity with how sure it is, a band, and a SELECT that computes the
 * model's number. docs/reproduce.md describes the file. */
#ifndef MEMSWEEP_REPRODUCE_CLAIMS_H
#define MEMSWEEP_REPRODUCE_CLAIMS_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum msw_certainty {
    MSW_STATED,     /* read in the paper */
    MSW_PUBLISHED,  /* read in another named public source */
    MSW_CALCULATED, /* arithmetic on such numbers */
    MSW_REMEMBERED, /* not verified: never judged */
    MSW_BARS,       /* a trend read off bars, without a number */
    MSW_EXPERIMENT, /* not published: explains other claims */
    MSW_CERTAINTY_COUNT
} msw_certainty;

typedef enum msw_judgement {
    MSW_NO_VERDICT,
    MSW_PASS,
    MSW_MISS,
    MSW_UNCLEAR,        /* the half-width reaches across an end of the band */
    MSW_NOT_COMPARABLE, /* a row that it is judged under says no */
    MSW_VERDICT_COUNT
} msw_judgement;

/* Worth of a verdict as evidence, most first. */
typedef enum msw_weight {
    MSW_TWO_SIDED, /* a number that could have been too small and too large */
    MSW_ONE_SIDED, /* an order, or a band with an open end or one at the end of its scale */
    MSW_BY_CLOSED, /* either of these, by the closed form */
    MSW_FITTED,    /* a parameter that it rests on was inferred from what was published */
    MSW_CONFLICT,  /* the paper says two things of it that cannot both hold */
    MSW_LAW,       /* holds for any setting: the model against its own arithmetic */
    MSW_HOLLOW,    /* a pass that nothing could have failed: a trivial model passes, too */
    MSW_DEPENDENT, /* follows from another claim's */
    MSW_WEIGHT_COUNT
} msw_weight;

/* Kinds of lines in facts.csv. */
typedef enum msw_fact_kind {
    MSW_FACT_GROUP,    /* they rest on one number or one run, and count once */
    MSW_FACT_INFERRED, /* a parameter was inferred from them, or touches them */
    MSW_FACT_CONFLICT, /* the paper says two things of them that cannot both hold */
    MSW_FACT_ALIKE,    /* no fidelity changes them */
    MSW_FACT_TRIVIAL,  /* a trivial model: a column of rows, and what it is instead */
    MSW_FACT_KINDS
} msw_fact_kind;

typedef struct msw_fact {
    msw_fact_kind kind;
    const char *name; /* of the group, conflict or model; the parameter */
    const char *what; /* ids with blanks between them, "*" at their end; of a model: column=... */
    const char *why;
    size_t line;
} msw_fact;

/* Numbers are as the model gives them: shares, where the unit is %. NaN: not there. */
typedef struct msw_claim {
    const char *id, *figure, *quantity, *unit, *source, *sql, *explain, *note;
    const char *fidelities; /* those at which it has an answer; "": all */
    const char *depends;    /* id of the claim it follows from, MSW_DEPENDS_LAW or "" */
    const char *judged_if;  /* ids of claims whose numbers must not be 0 for a verdict; "": none */
    const msw_fact *facts[MSW_FACT_TRIVIAL]; /* by kind: that it is named in; NULL: none */
    msw_certainty certainty;
    double published, low, high;
    double step;        /* unit of the last digit of `published`; 0: nothing was */
    double discrepancy; /* stated standard deviation of what a model may lack; NaN: from the band */
    double reading;     /* standard deviation of reading bars; 0 */
    size_t line;
} msw_claim;

#define MSW_DEPENDS_LAW "law"

typedef struct msw_claims {
    size_t count;
    msw_claim *list;
    char *text; /* what the strings point into */
    size_t fact_count;
    msw_fact *facts;
    char *facts_text;
} msw_claims;

/* Reads a published.csv; takes over `text` (heap, zero-terminated) whatever happens. Returns 0, or
 * -1 with path and line. */
int msw_claims_parse(const char *path, char *text, msw_claims *claims, msw_err *err);
void msw_claims_free(msw_claims *claims);

/* worth.c: reads a facts.csv and tells the claims; takes over `text` likewise. Returns 0, or -1. */
int msw_facts_parse(const char *path, char *text, msw_claims *claims, msw_err *err);

/* Finds a claim by the first `size` characters of `id`. Returns it, or NULL. */
const msw_claim *msw_claim_find(const msw_claims *claims, const char *id, size_t size);

/* Takes the next id of a list with blanks between them, from `*at` on. Returns its claim, or NULL
 * at the end of the list. */
const msw_claim *msw_claim_next(const msw_claims *claims, const char **at);

/* Whether it has an answer at a fidelity; NULL: each sweep has its own. */
bool msw_claim_answers_at(const msw_claim *claim, const char *fidelity);

/* What a number is multiplied by to be printed: 100 where the unit is %. */
double msw_claim_scale(const msw_claim *claim);
bool msw_claim_is_trend(const msw_claim *claim); /* the unit is yes/no */

/* Whether a verdict says that something agrees or not. */
bool msw_is_judged(msw_judgement verdict);

/* Compares a value with the band. Returns the verdict; a value that is not there misses. */
msw_judgement msw_claim_judge(const msw_claim *claim, double value, double half_width);

/* What a verdict is worth. `moved`: whether what the claim compares differs at all. A pass is empty
 * where it does not, and where a band without a published number takes half of a share's scale. */
msw_weight msw_claim_weight(const msw_claim *claim, msw_judgement verdict, bool moved);

/* "two-sided", "one-sided", "by the closed form", ... */
const char *msw_weight_name(msw_weight weight);

/* "stated", "public", ...; "", "pass", "miss", "unclear", "not comparable". */
const char *msw_certainty_name(msw_certainty certainty);
const char *msw_judgement_name(msw_judgement verdict);

#endif
