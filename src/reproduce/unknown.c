/* SPDX-License-Identifier: MIT */
/* The parameters nobody knows: which they are, and sweeps over samples of them. */
#include "memsweep/reproduce/paper.h"

#include "memsweep/base/math.h"
#include "memsweep/base/quote.h"
#include "memsweep/base/vec.h"
#include "memsweep/sweep/acting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- which ---- */

bool msw_unknown_chooses(const msw_param *param)
{
    return param->kind == MSW_CHOICE || param->kind == MSW_FLAG;
}

static bool has_range(const msw_param *param)
{
    return param->plausible_min < param->plausible_max;
}

static bool is_uncertain(const msw_param *param)
{
    return (param->source == MSW_UNKNOWN || param->source == MSW_INFERRED) &&
           (msw_unknown_chooses(param) || has_range(param));
}

/* Whether the name of a workload says what the parameter is (decoders and their phase). */
static bool named(const msw_plan *plan, const msw_param *param)
{
    for (size_t w = 0; w < plan->workload_count; w++) {
        const msw_workload *load = &plan->workloads[w];
        const msw_param *own = msw_params_find(load->frontend->params, param->name);
        if (own && msw_param_get(own, load->config) != own->def)
            return true;
    }
    return false;
}

/* Whether a parameter decides what is built for a point, which others with the same value share. */
static bool shapes(const msw_mech *mech, const msw_param *param)
{
    if (!msw_params_find(mech->params, param->name))
        return true; /* of a front end */
    for (const msw_artifact *a = mech->artifacts; a && a->name; a++)
        for (const char *const *name = a->depends; name && *name; name++)
            if (strcmp(*name, param->name) == 0)
                return true;
    return false;
}

bool msw_paper_opens(const msw_plan *plan, const msw_param *param)
{
    int index = msw_schema_find(&plan->schema, param->name);
    return index >= 0 && !plan->decided[index] && !named(plan, param);
}

static bool is_listed(const msw_spread *s, const char *name)
{
    for (size_t i = 0; i < s->unknown_count; i++)
        if (strcmp(s->unknowns[i].param->name, name) == 0)
            return true;
    return false;
}

static bool is_power(double value)
{
    int exponent;
    return value >= 1 && frexp(value, &exponent) == 0.5;
}

/* Powers of two, with a 0 before them where the range starts there. */
bool msw_unknown_doubles(const msw_unknown *u)
{
    return u->param->scale == MSW_POW2 && is_power(u->high) && (u->low == 0 || is_power(u->low));
}

static uint64_t count_levels(const msw_unknown *u)
{
    const msw_param *param = u->param;
    if (msw_unknown_chooses(param))
        return msw_param_choices(param);
    double low = u->low, high = u->high;
    if (msw_unknown_doubles(u))
        return (uint64_t)(msw_math_log2(high) - (low > 0 ? msw_math_log2(low) : -1)) + 1;
    return param->kind == MSW_INTEGER && high - low < 64 ? (uint64_t)(high - low) + 1 : 0;
}

/* A parameter that is named may be of any source, where its table says how far it can go. */
static bool may_be_drawn(const msw_paper *p, const msw_param *param)
{
    return is_uncertain(param) ||
           (p->ask->unknowns && (msw_unknown_chooses(param) || param->min < param->max));
}

static int add_unknowns(msw_paper *p, const msw_plan *plan)
{
    msw_spread *s = &p->spread;
    for (size_t i = 0; i < plan->schema.count; i++) {
        const msw_param *param = plan->schema.params[i];
        if (!may_be_drawn(p, param) || !msw_paper_opens(plan, param) || is_listed(s, param->name) ||
            !msw_paper_lists(p->ask->unknowns, param->name))
            continue;
        MSW_TRY(msw_vec_extend(&s->unknowns, s->unknown_count, sizeof *s->unknowns, p->err));
        s->unknowns[s->unknown_count] =
            (msw_unknown){.param = param,
                          .low = has_range(param) ? param->plausible_min : param->min,
                          .high = has_range(param) ? param->plausible_max : param->max,
                          .shapes = shapes(plan->mech, param)};
        s->unknowns[s->unknown_count].levels = count_levels(&s->unknowns[s->unknown_count]);
        s->unknown_count++;
    }
    return 0;
}

/* Refuses names on the user's list that are no open parameters. */
static int check_list(const msw_paper *p)
{
    const msw_spread *s = &p->spread;
    for (const char *at = p->ask->unknowns; at && *at;) {
        char name[64];
        at += strspn(at, " ,");
        size_t size = strcspn(at, " ,");
        snprintf(name, sizeof name, "%.*s", (int)size, at);
        if (size && !is_listed(s, name))
            return msw_fail(p->err,
                            "--unknowns: '%s' is no parameter with a range that the sweeps leave "
                            "open",
                            name);
        at += size;
    }
    return 0;
}

int msw_paper_unknowns(msw_paper *p)
{
    p->spread.samples = (size_t)p->ask->samples;
    for (size_t i = 0; i < p->sweep_count; i++)
        if (p->sweeps[i].sampled && add_unknowns(p, p->sweeps[i].plan))
            return -1;
    if (check_list(p))
        return -1;
    return p->spread.unknown_count
               ? 0
               : msw_fail(p->err, "the sweeps leave no parameter of unknown source open");
}

/* ---- a sweep over the samples ---- */

static const char COMMA[] = ",";

static void add_value(msw_text *out, const msw_param *param, double value, const char *before)
{
    char text[MSW_PARAM_TEXT];
    msw_text_add(out, "%s%s", before, msw_param_print(param, value, text));
}

static void add_names(const msw_spread *s, const msw_plan *plan, msw_text *out)
{
    const char *before = "";
    for (size_t f = 0; f < plan->space.factor_count; f++)
        for (size_t t = 0; t < plan->space.factors[f].target_count; t++, before = COMMA)
            msw_text_add(out, "%s%s", before,
                         plan->schema.params[plan->space.factors[f].targets[t]]->name);
    for (size_t u = 0; u < s->unknown_count; u++)
        if (msw_paper_opens(plan, s->unknowns[u].param)) {
            msw_text_add(out, "%s%s", before, s->unknowns[u].param->name);
            before = COMMA;
        }
    msw_text_add(out, "\n");
}

/* The point of a sample: the sweep's own, with the sample's values where they act. */
typedef struct pointing {
    const msw_spread *spread;
    const msw_plan *plan;
    const msw_acting *acting; /* NULL: all act */
    msw_pointer *pointer;     /* for points of further workloads */
    int *index;               /* by unknown: where it is in the schema; -1: the sweep decides it */
    bool *acts;               /* by unknown: at the point being made */
    void *block;              /* room for one */
    msw_err *err;
} pointing;

static void fill(const pointing *p, const void *block, size_t sample)
{
    memcpy(p->block, block, p->plan->schema.size);
    for (size_t u = 0; u < p->spread->unknown_count; u++)
        if (p->index[u] >= 0)
            msw_schema_set(&p->plan->schema, (size_t)p->index[u], p->block,
                           p->spread->unknowns[u].values[sample]);
}

/* Whether it is not known yet that an unknown acts, and points of the workload can tell. */
static bool waits_for(const pointing *p, size_t u, size_t workload)
{
    return p->index[u] >= 0 && !p->acts[u] &&
           msw_acting_concerns(p->acting, (size_t)p->index[u], workload);
}

static bool some_wait_for(const pointing *p, size_t workload)
{
    for (size_t u = 0; u < p->spread->unknown_count; u++)
        if (waits_for(p, u, workload))
            return true;
    return false;
}

/* Marks what acts at a point of the workload, with the sample's values of all unknowns. */
static int mark(const pointing *p, size_t workload, const void *block, size_t sample)
{
    fill(p, block, sample);
    for (size_t u = 0; u < p->spread->unknown_count; u++) {
        if (!waits_for(p, u, workload))
            continue;
        int acts = msw_acting_at(p->acting, (size_t)p->index[u], p->block, NULL, p->err);
        if (acts < 0)
            return -1;
        p->acts[u] = acts != 0;
    }
    return 0;
}

uint64_t msw_paper_design_points(const msw_plan *plan)
{
    return plan->points / plan->workload_count / (plan->replicates ? plan->replicates : 1);
}

/* A point of the design has one value for all workloads: what acts for one of them acts. `block` is
 * that of the first. */
static int mark_all(const pointing *p, uint64_t design, const void *block, size_t sample)
{
    const msw_plan *plan = p->plan;
    uint64_t replicates = plan->replicates ? plan->replicates : 1;
    for (size_t u = 0; u < p->spread->unknown_count; u++)
        p->acts[u] = !p->acting;
    if (!p->acting)
        return 0;
    if (mark(p, 0, block, sample))
        return -1;
    for (size_t w = 1; w < plan->workload_count; w++) {
        msw_point point;
        if (!some_wait_for(p, w))
            continue;
        if (msw_pointer_at(p->pointer, (w * msw_paper_design_points(plan) + design) * replicates,
                           false, &point, p->err) ||
            mark(p, w, point.block, sample))
            return -1;
    }
    return 0;
}

static int add_point(const pointing *p, uint64_t design, const void *block, size_t sample,
                     msw_text *out)
{
    const char *before = "";
    const msw_plan *plan = p->plan;
    for (size_t f = 0; f < plan->space.factor_count; f++)
        for (size_t t = 0; t < plan->space.factors[f].target_count; t++, before = COMMA) {
            size_t target = plan->space.factors[f].targets[t];
            add_value(out, plan->schema.params[target],
                      msw_schema_get(&plan->schema, target, block), before);
        }
    if (mark_all(p, design, block, sample))
        return -1;
    for (size_t u = 0; u < p->spread->unknown_count; u++) {
        const msw_unknown *unknown = &p->spread->unknowns[u];
        if (p->index[u] < 0)
            continue;
        double own = msw_schema_get(&plan->schema, (size_t)p->index[u], block);
        add_value(out, unknown->param, p->acts[u] ? unknown->values[sample] : own, before);
        before = COMMA;
    }
    msw_text_add(out, "\n");
    return 0;
}

/* Values in a table of points, which a plan holds one by one; columns are counted high. */
enum { PART_CELLS = 1000000 };

/* Collects all points of a part; `to` receives where they are. */
static int add_part(const msw_paper *p, const pointing *to, msw_samples part,
                    const msw_paper_sweep *sweep, msw_text *out)
{
    const msw_plan *plan = sweep->plan;
    msw_pointer *pointer = NULL;
    msw_point point;
    uint64_t count = msw_paper_design_points(plan),
             replicates = plan->replicates ? plan->replicates : 1;
    int rc = msw_pointer_new(plan, &pointer, p->err);
    for (size_t sample = part.first; rc == 0 && sample < part.first + part.count; sample++)
        for (uint64_t i = 0; rc == 0 && i < count; i++) {
            rc = msw_pointer_at(pointer, i * replicates, false, &point, p->err);
            if (rc == 0)
                rc = add_point(to, i, point.block, sample, out);
        }
    msw_pointer_free(pointer);
    return rc == 0 && out->failed ? msw_fail_memory(p->err) : rc;
}

static int open_pointing(const msw_spread *s, pointing *to, msw_acting **acting)
{
    const msw_plan *plan = to->plan;
    to->block = calloc(1, plan->schema.size + 8);
    to->index = calloc(s->unknown_count + 1, sizeof *to->index);
    to->acts = calloc(s->unknown_count + 1, sizeof *to->acts);
    if (!to->block || !to->index || !to->acts)
        return msw_fail_memory(to->err);
    for (size_t u = 0; u < s->unknown_count; u++) {
        const msw_param *param = s->unknowns[u].param;
        to->index[u] =
            msw_paper_opens(plan, param) ? msw_schema_find(&plan->schema, param->name) : -1;
    }
    if (s->conditional &&
        (msw_acting_new(plan, acting, to->err) || msw_pointer_new(plan, &to->pointer, to->err)))
        return -1;
    to->acting = *acting;
    return 0;
}

static int add_points(const msw_paper *p, const msw_spread *s, msw_samples part,
                      const msw_paper_sweep *sweep, msw_text *out)
{
    msw_acting *acting = NULL;
    pointing to = {.spread = s, .plan = sweep->plan, .err = p->err};
    int rc = -1;
    if (open_pointing(s, &to, &acting) || add_part(p, &to, part, sweep, out))
        goto done;
    rc = 0;
done:
    msw_pointer_free(to.pointer);
    msw_acting_free(acting);
    free(to.block);
    free(to.index);
    free(to.acts);
    return rc;
}

/* ---- two files that are not on disk ---- */

/* A sweep file and its table of points. */
typedef struct extra {
    char *paths[2];
    msw_text texts[2];
} extra;

static const msw_text *extra_find(const extra *e, const char *path)
{
    for (size_t i = 0; i < 2; i++)
        if (strcmp(path, e->paths[i]) == 0)
            return &e->texts[i];
    return NULL;
}

static bool extra_exists(void *context, const char *path)
{
    return extra_find(context, path) || access(path, R_OK) == 0;
}

static int extra_read(void *context, const char *path, size_t most, char **data, size_t *size,
                      msw_err *err)
{
    const msw_text *text = extra_find(context, path);
    if (!text)
        return msw_read_file_most(path, most, data, size, err);
    *data = msw_strdup(msw_text_str(text));
    *size = text->size;
    return *data ? 0 : msw_fail_memory(err);
}

/* Makes the plan of a table of points, which it takes. */
static int plan_points(const msw_paper *p, const msw_spread *s, const msw_paper_sweep *sweep,
                       msw_text points, msw_paper_plan *plan)
{
    extra e = {{msw_strfmt("%s/%s.samples.yaml", p->folder, sweep->word),
                msw_strfmt("%s/%s.samples.csv", p->folder, sweep->word)},
               {MSW_TEXT_EMPTY, points}};
    msw_text_add(&e.texts[0],
                 "extends: %s.yaml\nsweep: %s\ndesign: {kind: list, file: %s.samples.csv}\n"
                 "vary: null\nsplit: null\nwhere: null\n",
                 sweep->word, sweep->plan->name, sweep->word);
    msw_file_source files = {&e, false, extra_exists, extra_read};
    msw_plan_options options = {
        .data_dirs = p->context->data_dirs, .fidelity = s->fidelity, .seed = -1, .files = &files};
    int rc = e.paths[0] && e.paths[1] && !e.texts[0].failed ? 0 : msw_fail_memory(p->err);
    if (rc == 0)
        rc = msw_shared_load(p->shared, e.paths[0], &options, &plan->plan, &plan->origin, p->err);
    for (size_t i = 0; i < 2; i++) {
        msw_text_free(&e.texts[i]);
        free(e.paths[i]);
    }
    return rc;
}

size_t msw_paper_part(const msw_paper *p, const msw_spread *s)
{
    uint64_t most = 1;
    for (size_t i = 0; i < p->sweep_count; i++) {
        const msw_plan *plan = p->sweeps[i].sampled ? p->sweeps[i].plan : NULL;
        uint64_t columns = s->unknown_count + (plan ? plan->schema.count : 0);
        uint64_t cells = plan ? msw_paper_design_points(plan) * columns : 0;
        most = cells > most ? cells : most;
    }
    return most < PART_CELLS ? (size_t)(PART_CELLS / most) : 1;
}

int msw_paper_cross(const msw_paper *p, const msw_spread *s, msw_samples part,
                    const msw_paper_sweep *sweep, msw_paper_plan *plan)
{
    msw_text points = MSW_TEXT_EMPTY;
    add_names(s, sweep->plan, &points);
    if (add_points(p, s, part, sweep, &points) == 0)
        return plan_points(p, s, sweep, points, plan);
    msw_text_free(&points);
    return -1;
}
