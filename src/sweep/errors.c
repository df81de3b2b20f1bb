/* SPDX-License-Identifier: MIT */
/* Reads tables of errors and answers from them. A line is a word and its values, with tabs:
 *
 *   mechanism htmmu      closed 14      machine 9      model DIGEST
 *   confidence 0.9       largest CYCLES frontends sparse,trace
 *   node NUMBER FEATURE THRESHOLD LEFT RIGHT          leaf NUMBER STRATUM
 *   error STRATUM METRIC ROWS LOW HIGH
 *
 * Other words say how it was made and are for people. */
#include "memsweep/sweep/errors.h"

#include "memsweep/base/vec.h"
#include "memsweep/sweep/content.h"
#include "sweep/loader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FACTOR_MOST 1e30
#define ROWS_MOST   1e15

enum { NUMBER_BITS = 23, STRATUM_BITS = 8, FIELDS = 7, FIELD_BYTES = 96, TABLE_MOST = 1 << 20 };

/* ---- features ---- */

static const char *const KINDS[] = {"param", "metric", "share"};

static const char *name_of(const msw_mech *mech, msw_feature f)
{
    return f.kind == MSW_FEATURE_PARAM ? mech->params[f.index].name : mech->metrics[f.index].name;
}

void msw_feature_name(const msw_mech *mech, msw_feature feature, msw_text *out)
{
    msw_text_add(out, "%s %s", KINDS[feature.kind], name_of(mech, feature));
}

double msw_feature_value(msw_feature feature, int total, const double *params,
                         const double *metrics)
{
    switch (feature.kind) {
    case MSW_FEATURE_PARAM:
        return params[feature.index];
    case MSW_FEATURE_METRIC:
        return metrics[feature.index];
    default:
        return total < 0 ? NAN : metrics[feature.index] / metrics[total];
    }
}

static int find_param(const msw_mech *mech, const char *name)
{
    for (int i = 0; mech->params[i].name; i++)
        if (strcmp(mech->params[i].name, name) == 0)
            return i;
    return -1;
}

static int find_feature(const msw_mech *mech, const char *text, msw_feature *feature, msw_err *err)
{
    for (int kind = 0; kind < 3; kind++) {
        size_t size = strlen(KINDS[kind]);
        if (strncmp(text, KINDS[kind], size) != 0 || text[size] != ' ')
            continue;
        const char *name = text + size + 1;
        int index = kind == MSW_FEATURE_PARAM ? find_param(mech, name)
                                              : msw_metrics_find(mech->metrics, name);
        *feature = (msw_feature){(msw_feature_kind)kind, index};
        if (index >= 0)
            return 0;
    }
    return msw_fail(err, "%s has no '%.60s'", mech->name, text);
}

int msw_errors_total(const msw_mech *mech)
{
    int primary = msw_metrics_find(mech->metrics, mech->primary);
    if (primary >= 0 && mech->metrics[primary].kind != MSW_TOTAL && mech->metrics[primary].num)
        return msw_metrics_find(mech->metrics, mech->metrics[primary].num);
    return primary;
}

bool msw_errors_has(const msw_mech *mech, int metric)
{
    const msw_metric *m = &mech->metrics[metric];
    return m->goal != MSW_GOAL_NONE && !m->exact && !m->least && !m->unstated;
}

/* ---- reading ---- */

typedef struct line {
    size_t count;
    bool whole; /* no field was longer than there is room for, none held a NUL */
    char field[FIELDS][FIELD_BYTES];
} line;

static const char *cut_line(const char *at, const char *end, line *l)
{
    l->count = 0;
    l->whole = true;
    while (at < end && *at != '\n') {
        size_t size = 0;
        while (at + size < end && at[size] != '\t' && at[size] != '\n')
            size++;
        l->whole = l->whole && size < FIELD_BYTES && !memchr(at, 0, size);
        if (l->count < FIELDS)
            snprintf(l->field[l->count++], FIELD_BYTES, "%.*s", (int)size, at);
        at += size;
        at += at < end && *at == '\t';
    }
    return at + (at < end);
}

static int wrong(const line *l, msw_err *err)
{
    return msw_fail(err, "a line '%.30s' that makes no sense", l->count ? l->field[0] : "");
}

static bool read_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end > text && !*end && isfinite(*value);
}

/* Factors beyond what two models can differ by are damage: a bound must stay a number. */
static bool read_range(const char *const text[2], double *low, double *high)
{
    return read_number(text[0], low) && read_number(text[1], high) && *low >= 0 &&
           *high <= FACTOR_MOST && *high >= *low;
}

static bool read_index(const char *text, size_t below, uint32_t *value)
{
    double number;
    if (!read_number(text, &number) || number < 0 || number >= (double)below ||
        number != floor(number))
        return false;
    *value = (uint32_t)number;
    return true;
}

static bool is_count(const char *text, double *rows)
{
    return read_number(text, rows) && *rows >= 1 && *rows <= ROWS_MOST && *rows == floor(*rows);
}

static int take_mechanism(msw_errors *e, const line *l, msw_err *err)
{
    if (e->mech)
        return wrong(l, err); /* indexes that were read are of the first */
    e->mech = msw_mech_find(l->field[1]);
    e->total = e->mech ? msw_errors_total(e->mech) : -1;
    return e->mech ? 0 : msw_fail(err, "there is no mechanism '%.40s'", l->field[1]);
}

static void print_models(const msw_mech *mech, char text[MSW_DIGEST_TEXT])
{
    msw_digest_text(
        msw_hash_pair(msw_mech_model(mech, MSW_ANALYTIC), msw_mech_model(mech, MSW_FULL)), text);
}

static int take_model(msw_errors *e, const line *l, msw_err *err)
{
    char text[MSW_DIGEST_TEXT];
    (void)err;
    print_models(e->mech, text);
    e->current = strcmp(text, l->field[1]) == 0;
    return 0;
}

static int take_confidence(msw_errors *e, const line *l, msw_err *err)
{
    bool sound = read_number(l->field[1], &e->confidence);
    return sound && e->confidence > 0 && e->confidence < 1 ? 0 : wrong(l, err);
}

static int take_largest(msw_errors *e, const line *l, msw_err *err)
{
    return read_number(l->field[1], &e->largest) ? 0 : wrong(l, err);
}

static int take_frontends(msw_errors *e, const line *l, msw_err *err)
{
    free(e->frontends);
    return (e->frontends = msw_strdup(l->field[1])) ? 0 : msw_fail_memory(err);
}

/* Children come behind their node: a walk ends. */
static int take_node(msw_errors *e, const line *l, msw_err *err)
{
    msw_errors_node node = {0};
    uint32_t number;
    if (l->count != 6 || !read_index(l->field[1], MSW_ERRORS_NODES, &number) ||
        number != e->node_count || !read_number(l->field[3], &node.threshold) ||
        !read_index(l->field[4], MSW_ERRORS_NODES, &node.left) || node.left <= number ||
        !read_index(l->field[5], MSW_ERRORS_NODES, &node.right) || node.right <= number)
        return wrong(l, err);
    MSW_TRY(find_feature(e->mech, l->field[2], &node.feature, err));
    e->nodes[e->node_count++] = node;
    return 0;
}

static int take_leaf(msw_errors *e, const line *l, msw_err *err)
{
    msw_errors_node node = {0};
    uint32_t number;
    if (l->count != 3 || !read_index(l->field[1], MSW_ERRORS_NODES, &number) ||
        number != e->node_count || !read_index(l->field[2], MSW_STRATA_MAX, &node.stratum) ||
        node.stratum < MSW_STRATUM_FIRST)
        return wrong(l, err);
    e->nodes[e->node_count++] = node;
    return 0;
}

static int take_error(msw_errors *e, const line *l, msw_err *err)
{
    msw_error_range range = {
        .metric = l->count == 6 ? msw_metrics_find(e->mech->metrics, l->field[2]) : -1};
    const char *const factors[2] = {l->field[4], l->field[5]};
    double rows;
    if (range.metric < 0 || !msw_errors_has(e->mech, range.metric) ||
        !read_index(l->field[1], MSW_STRATA_MAX, &range.stratum) ||
        range.stratum < MSW_STRATUM_FIRST || !is_count(l->field[3], &rows) ||
        !read_range(factors, &range.low, &range.high) ||
        msw_errors_range(e, msw_errors_code(e, range.stratum), range.metric))
        return wrong(l, err);
    range.rows = (uint64_t)rows;
    MSW_TRY(msw_vec_extend(&e->ranges, e->range_count, sizeof *e->ranges, err));
    e->ranges[e->range_count++] = range;
    if (range.metric == e->total)
        e->known |= UINT64_C(1) << range.stratum;
    return 0;
}

static const struct {
    const char *word;
    int (*take)(msw_errors *, const line *, msw_err *);
} WORDS[] = {
    {"mechanism", take_mechanism}, {"model", take_model},         {"confidence", take_confidence},
    {"largest", take_largest},     {"frontends", take_frontends}, {"node", take_node},
    {"leaf", take_leaf},           {"error", take_error},
};

static int take_line(msw_errors *e, const line *l, msw_err *err)
{
    for (size_t i = 0; l->count && i < sizeof WORDS / sizeof *WORDS; i++) {
        if (strcmp(l->field[0], WORDS[i].word) != 0)
            continue;
        if (l->count < 2 || !l->whole || (!e->mech && WORDS[i].take != take_mechanism))
            return wrong(l, err);
        return WORDS[i].take(e, l, err);
    }
    return 0;
}

/* A tree: every node but the first is the child of one, and every leaf a stratum of its own. */
static int check_tree(const msw_errors *e, msw_err *err)
{
    int parents[MSW_ERRORS_NODES] = {0};
    uint64_t strata = 0;
    for (size_t i = 0; i < e->node_count; i++) {
        const msw_errors_node *node = &e->nodes[i];
        uint64_t bit = node->left ? 0 : UINT64_C(1) << node->stratum;
        if (node->left >= e->node_count || node->right >= e->node_count)
            return msw_fail(err, "a node is missing");
        if (strata & bit)
            return msw_fail(err, "two leaves are stratum %u", (unsigned)node->stratum);
        strata |= bit;
        parents[node->left] += node->left > 0;
        parents[node->right] += node->left > 0;
    }
    for (size_t i = 1; i < e->node_count; i++)
        if (parents[i] != 1)
            return msw_fail(err, "node %zu has %d parents", i, parents[i]);
    for (size_t i = 0; i < e->range_count; i++)
        if (!(strata >> e->ranges[i].stratum & 1))
            return msw_fail(err, "no leaf is stratum %u", (unsigned)e->ranges[i].stratum);
    return 0;
}

static int check(const msw_errors *e, msw_err *err)
{
    if (!e->mech || !e->frontends || !(e->confidence > 0) || !(e->largest >= 0) || !e->node_count)
        return msw_fail(err, "lines are missing");
    return check_tree(e, err);
}

static int read_all(msw_errors *e, const char *text, size_t size, msw_err *err)
{
    line l;
    if (!size || text[size - 1] != '\n')
        return msw_fail(err, "its end is missing"); /* a number cut short is another one */
    for (const char *at = text; at < text + size;) {
        at = cut_line(at, text + size, &l);
        MSW_TRY(take_line(e, &l, err));
    }
    return check(e, err);
}

int msw_errors_parse(const char *text, size_t size, msw_errors **errors, msw_err *err)
{
    msw_errors *e = calloc(1, sizeof *e);
    if (!e || !(e->text = msw_strfmt("%.*s", (int)(size < TABLE_MOST ? size : TABLE_MOST), text))) {
        msw_errors_free(e);
        return msw_fail_memory(err);
    }
    e->number = (uint32_t)(msw_hash_string(e->text).lo & ((1U << NUMBER_BITS) - 1));
    if (size > TABLE_MOST ? msw_fail(err, "larger than 1 MiB") : read_all(e, text, size, err)) {
        msw_errors_free(e);
        return msw_fail_prefix(err, "a table of errors: ");
    }
    *errors = e;
    return 0;
}

void msw_errors_free(msw_errors *errors)
{
    if (!errors)
        return;
    free(errors->text);
    free(errors->frontends);
    free(errors->ranges);
    free(errors);
}

void msw_errors_head(const msw_mech *mech, msw_text *out)
{
    char text[MSW_DIGEST_TEXT];
    print_models(mech, text);
    msw_text_add(out, "mechanism\t%s\nclosed\t%d\nmachine\t%d\nmodel\t%s\n", mech->name,
                 mech->version_closed, mech->version_machine, text);
}

/* ---- answering ---- */

static bool is_listed(const char *list, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
        if (strncmp(at, name, size) == 0 && (!at[size] || at[size] == ','))
            return true;
    return false;
}

/* Names of one workload at several sizes differ behind the first slash. */
static bool is_name(const msw_frontend *frontend, const char *name, const char *end)
{
    const char *const *names = frontend->names;
    size_t size = strcspn(name, end);
    for (size_t i = 0; size && names && names[i]; i++)
        if (strcspn(names[i], "/") == size && strncmp(names[i], name, size) == 0)
            return true;
    return false;
}

/* "mix:NAME/b4+NAME:2": made of workloads that have names. A dot is of a file. */
static bool is_made_of_names(const msw_frontend *frontend, const char *name)
{
    const char *at = name + strlen(frontend->name);
    bool made = strncmp(name, frontend->name, strlen(frontend->name)) == 0 && *at == ':';
    for (; made && *at; at += 1 + strcspn(at + 1, "+")) {
        made = false;
        for (size_t f = 0; !made && msw_frontends[f]; f++)
            made = !strchr(name, '.') && is_name(msw_frontends[f], at + 1, "/:+");
    }
    return made;
}

bool msw_errors_know(const msw_errors *errors, const msw_workload *workload)
{
    return is_listed(errors->frontends, workload->frontend->name) &&
           (is_name(workload->frontend, workload->name, "/") ||
            is_made_of_names(workload->frontend, workload->name));
}

static uint32_t find_stratum(const msw_errors *e, bool known, const double *params,
                             const double *metrics)
{
    size_t at = 0;
    if (!known)
        return MSW_STRATUM_OWN;
    if (e->total >= 0 && metrics[e->total] > e->largest)
        return MSW_STRATUM_LARGER;
    while (e->nodes[at].left) {
        const msw_errors_node *node = &e->nodes[at];
        double value = msw_feature_value(node->feature, e->total, params, metrics);
        at = value <= node->threshold ? node->left : node->right;
    }
    return e->nodes[at].stratum;
}

uint32_t msw_errors_code(const msw_errors *errors, uint32_t stratum)
{
    return errors->number << STRATUM_BITS | stratum;
}

uint32_t msw_errors_stratum(const msw_errors *errors, bool known, const double *params,
                            const double *metrics)
{
    if (!errors->current)
        return MSW_STRATUM_EARLIER;
    return msw_errors_code(errors, find_stratum(errors, known, params, metrics));
}

const msw_error_range *msw_errors_range(const msw_errors *errors, uint32_t stratum, int metric)
{
    for (size_t i = 0; i < errors->range_count; i++) {
        const msw_error_range *range = &errors->ranges[i];
        if (msw_errors_code(errors, range->stratum) == stratum && range->metric == metric)
            return range;
    }
    return NULL;
}

bool msw_errors_are_known(const msw_errors *errors, uint32_t stratum)
{
    uint32_t stored = stratum - 1, own = stored & ((1U << STRATUM_BITS) - 1);
    return errors && stratum && own < MSW_STRATA_MAX && stored == msw_errors_code(errors, own) &&
           errors->known >> own & 1;
}

const char *msw_errors_why(const msw_errors *errors, uint32_t stratum)
{
    if (!errors || !stratum)
        return MSW_UNKNOWN_NONE;
    if (stratum - 1 == MSW_STRATUM_EARLIER)
        return MSW_UNKNOWN_EARLIER;
    return stratum - 1 == msw_errors_code(errors, MSW_STRATUM_OWN)      ? MSW_UNKNOWN_OWN
           : stratum - 1 == msw_errors_code(errors, MSW_STRATUM_LARGER) ? MSW_UNKNOWN_LARGER
                                                                        : MSW_UNKNOWN_FEW;
}

/* ---- a user's own ---- */

static bool read_own(const line *l, const msw_mech *mech, msw_own_error *own)
{
    const char *const factors[2] = {l->field[4], l->field[5]};
    double version, rows;
    if (l->count != 7 || !l->whole || strcmp(l->field[0], "own") != 0 ||
        !read_number(l->field[2], &version) || !read_range(factors, &own->low, &own->high) ||
        !is_count(l->field[6], &rows))
        return false;
    msw_text_fit(own->workload, sizeof own->workload, l->field[1]);
    own->version = (int)fmin(fmax(version, 0), 1e6);
    own->metric = msw_metrics_find(mech->metrics, l->field[3]);
    own->rows = (uint64_t)rows;
    return own->metric >= 0;
}

int msw_own_errors_parse(const char *text, const msw_mech *mech, msw_own_error **list,
                         size_t *count, msw_err *err)
{
    const char *end = text + strlen(text);
    line l;
    while (text < end) {
        msw_own_error own;
        text = cut_line(text, end, &l);
        if (!read_own(&l, mech, &own))
            continue;
        MSW_TRY(msw_vec_extend(list, *count, sizeof **list, err));
        (*list)[(*count)++] = own;
    }
    return 0;
}

/* ---- the table that comes with a mechanism: errors/NAME.tsv of the data folders ---- */

static int load_table(msw_loader *l, const char *path, msw_err *err)
{
    char *text = NULL;
    size_t size;
    int rc = msw_loader_file(l->options, path, TABLE_MOST, &text, &size, err) ||
             msw_errors_parse(text, size, &l->plan->errors, err);
    free(text);
    return rc ? -1 : 0;
}

/* A sweep can do without: its rows then have no intervals, and say so. */
void msw_step_errors(msw_loader *l)
{
    msw_err err = {0};
    if (!l->plan->mech || (l->plan->fidelity != MSW_ANALYTIC && !l->plan->parts))
        return;
    char *name = msw_strfmt("errors/%s.tsv", l->plan->mech->name);
    char *path = name ? msw_content_find(l->options, name, &err) : NULL;
    free(name);
    msw_err_clear(&err);
    if (path && load_table(l, path, &err))
        msw_loader_warn(l, l->root, "%s: %s: answers have no intervals", path, err.text);
    if (l->plan->errors && l->plan->errors->mech != l->plan->mech) {
        msw_errors_free(l->plan->errors);
        l->plan->errors = NULL;
    }
    if (l->plan->parts) /* the first is by the closed form, and what it points to is shared */
        l->plan->parts[0].errors = l->plan->errors;
    free(path);
}
