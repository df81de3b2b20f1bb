/* SPDX-License-Identifier: MIT */
/* Warns of what a mechanism finds odd in the configs of a plan, at the line of the sweep file that
 * sets it. Of many points some are checked, spread evenly; configs that are alike in all that the
 * mechanism checks count as one. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS_MOST = 512, CONFIGS_MOST = 16, PARAMS_MOST = 8 };

typedef struct linted {
    msw_loader *l;
    size_t count, param[PARAMS_MOST]; /* indices in the schema of what the answers depend on */
    size_t seen_count;
    double seen[CONFIGS_MOST][PARAMS_MOST];
} linted;

static void find_params(linted *d)
{
    const msw_schema *schema = &d->l->plan->schema;
    const char *const *names = d->l->plan->mech->lint_depends;
    for (; *names && d->count < PARAMS_MOST; names++)
        for (size_t i = 0; i < schema->count; i++)
            if (strcmp(schema->params[i]->name, *names) == 0) {
                d->param[d->count++] = i;
                break;
            }
}

/* Returns whether the config is a new one, and remembers it. */
static bool is_new(linted *d, const void *block)
{
    double *own = d->seen[d->seen_count];
    for (size_t p = 0; p < d->count; p++)
        own[p] = msw_schema_get(&d->l->plan->schema, d->param[p], block);
    for (size_t s = 0; s < d->seen_count; s++)
        if (memcmp(d->seen[s], own, d->count * sizeof *own) == 0)
            return false;
    d->seen_count++;
    return true;
}

static const msw_node *place_of(const linted *d)
{
    for (size_t p = 0; p < d->count; p++)
        if (d->l->setter[d->param[p]])
            return d->l->setter[d->param[p]];
    return d->l->root;
}

static void add_settings(const linted *d, const double *values, msw_text *out)
{
    char buffer[MSW_PARAM_TEXT];
    for (size_t p = 0; p < d->count; p++) {
        const msw_param *param = d->l->plan->schema.params[d->param[p]];
        msw_text_add(out, "%s%s = %s", p ? ", " : "", param->name,
                     msw_param_print(param, values[p], buffer));
    }
}

static void tell(linted *d, const void *block)
{
    const msw_plan *plan = d->l->plan;
    msw_text lines = MSW_TEXT_EMPTY, settings = MSW_TEXT_EMPTY;
    plan->mech->lint((const char *)block + plan->schema.part_offsets[0], &lines);
    add_settings(d, d->seen[d->seen_count - 1], &settings);
    for (const char *line = msw_text_str(&lines); *line;) {
        int size = (int)strcspn(line, "\n");
        msw_loader_warn(d->l, place_of(d), "with %s: %.*s", msw_text_str(&settings), size, line);
        line += size + (line[size] != 0);
    }
    msw_text_free(&settings);
    msw_text_free(&lines);
}

static void look(linted *d, msw_pointer *pointer)
{
    uint64_t points = d->l->plan->points;
    uint64_t tried = points < POINTS_MOST ? points : POINTS_MOST;
    for (uint64_t i = 0; i < tried && d->seen_count < CONFIGS_MOST; i++) {
        msw_point point;
        msw_err err;
        uint64_t index = tried == points ? i : points / tried * i;
        if (msw_pointer_at(pointer, index, false, &point, &err) == 0 && is_new(d, point.block))
            tell(d, point.block);
    }
}

void msw_step_lint(msw_loader *l)
{
    linted d = {.l = l};
    msw_pointer *pointer = NULL;
    msw_err err = {0};
    if (l->diagnostics.count || !l->plan->mech->lint)
        return;
    find_params(&d);
    if (msw_pointer_new(l->plan, &pointer, &err))
        msw_loader_fail(l, &err, l->root, "%s", err.text);
    else
        look(&d, pointer);
    msw_pointer_free(pointer);
}
