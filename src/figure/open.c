/* SPDX-License-Identifier: MIT */
/* Opens a sweep for plotting: its columns, metrics and factors. */
#include "memsweep/figure/figure.h"

#include "memsweep/mech/engine.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static int add_name(char **list, size_t *count, const char *name, size_t size, msw_err *err)
{
    for (size_t i = 0; i < *count; i++)
        if (strlen(list[i]) == size && strncmp(list[i], name, size) == 0)
            return 0;
    if (*count == MSW_PLOT_COLUMNS)
        return 0; /* more axes than anyone can distinguish */
    list[*count] = msw_strfmt("%.*s", (int)size, name);
    return list[*count] ? (++*count, 0) : msw_fail_memory(err);
}

static int add_list(msw_plot *p, char **list, size_t *count, const char *names)
{
    while (*names) {
        names += strspn(names, " ,");
        size_t size = strcspn(names, " ,");
        if (size && (add_name(list, count, names, size, p->err) ||
                     !msw_plot_column(p, list[*count - 1], p->err)))
            return -1;
        names += size;
    }
    return 0;
}

static int name_metrics(msw_plot *p)
{
    if (p->options.metrics)
        return add_list(p, p->metrics.names, &p->metrics.count, p->options.metrics);
    for (size_t i = 0; i < p->sweep.objective_count; i++) {
        const char *name = p->sweep.objectives[i].name;
        if (add_name(p->metrics.names, &p->metrics.count, name, strlen(name), p->err))
            return -1;
    }
    const char *primary = p->outline.mech->primary;
    return p->metrics.count
               ? 0
               : add_name(p->metrics.names, &p->metrics.count, primary, strlen(primary), p->err);
}

/* Lower is looked at first: scales that double, then many levels, then ranges, then choices. */
static int rank_of(const msw_outline_factor *factor)
{
    const msw_param *param = factor->targets[0];
    if (param->kind == MSW_CHOICE || param->kind == MSW_FLAG)
        return 1000;
    if (!factor->levels)
        return 500;
    return 100 - (int)(factor->levels < 64 ? factor->levels : 0) - (param->scale == MSW_POW2) * 64;
}

static int add_factor(msw_plot *p, const msw_outline_factor *factor)
{
    for (size_t t = 0; t < factor->target_count; t++) {
        const char *name = factor->targets[t]->name;
        if (add_name(p->factors.names, &p->factors.count, name, strlen(name), p->err))
            return -1;
    }
    return 0;
}

static int name_factors(msw_plot *p)
{
    const msw_outline *o = &p->outline;
    bool *taken = calloc(o->factor_count + 1, sizeof *taken);
    int rc = taken ? 0 : msw_fail_memory(p->err);
    if (rc == 0 && p->options.factors)
        rc = add_list(p, p->factors.names, &p->factors.count, p->options.factors);
    p->factors.axis_count = p->factors.count;
    for (size_t round = 0; rc == 0 && round < o->factor_count; round++) {
        size_t best = o->factor_count;
        for (size_t f = 0; f < o->factor_count; f++)
            if (!taken[f] &&
                (best == o->factor_count || rank_of(&o->factors[f]) < rank_of(&o->factors[best])))
                best = f;
        taken[best] = true;
        rc = add_factor(p, &o->factors[best]);
    }
    if (!p->options.factors)
        p->factors.axis_count = p->factors.count;
    free(taken);
    return rc;
}

/* ---- the sweep ---- */

static int read_digest(msw_plot *p)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_table table = {0};
    msw_text_add(&sql, "SELECT digest || '' AS digest FROM msw_sweep WHERE id = %lld",
                 (long long)p->sweep.id);
    if (msw_plot_select(p, &sql, &table))
        return -1;
    if (table.rows && table.columns[0].labels)
        msw_text_fit(p->digest, sizeof p->digest, table.columns[0].labels[0]);
    msw_table_free(&table);
    return 0;
}

static int read_columns(msw_plot *p)
{
    msw_query one = {.sweep = p->sweep.name, .limit = 1};
    const char *filter = p->options.filter;
    MSW_TRY(msw_kept_rows_sample(p->store, &p->sweep, &filter, &p->rows.sampled, &p->rows.kept,
                                 p->err));
    msw_query rows = {.sweep = p->sweep.name,
                      .filter = filter,
                      .within_limits = !p->options.beyond,
                      .trusted = !p->options.doubtful};
    MSW_TRY(msw_store_read(p->store, &one, &p->columns, p->err));
    MSW_TRY(msw_store_select(p->store, &rows, &p->rows.sql, p->err));
    MSW_TRY(msw_store_left_out(p->store, &rows, &p->rows.left_out, p->err));
    return 0;
}

int msw_plot_open(msw_plot *p, const char *file)
{
    if (msw_open_database(p->context, file, MSW_STORE_READ, &p->store, p->err) ||
        msw_store_sweep(p->store, p->options.sweep, &p->sweep, p->err) ||
        msw_outline_read(p->sweep.canonical, &p->outline, p->err) ||
        msw_narrow_filter(p->sweep.canonical, &p->options.filter, &p->rows.narrowed, p->err) ||
        read_digest(p) || read_columns(p))
        return -1;
    p->workloads = p->sweep.over ? 1 : p->outline.workload_count;
    MSW_TRY(msw_plot_read_wording(p));
    MSW_TRY(name_metrics(p));
    MSW_TRY(name_factors(p));
    return msw_plot_scales(p);
}

void msw_plot_free(msw_plot *p)
{
    for (size_t i = 0; i < p->metrics.count; i++)
        free(p->metrics.names[i]);
    for (size_t i = 0; i < p->factors.count; i++)
        free(p->factors.names[i]);
    for (size_t i = 0; i < MSW_PLOT_FACTORS; i++)
        msw_axis_free(&p->factors.axes[i]);
    free(p->wording);
    free(p->rows.narrowed);
    free(p->rows.sampled);
    free(p->front.points);
    free(p->front.plane_points);
    msw_text_free(&p->front.uncertain);
    msw_table_free(&p->columns);
    msw_text_free(&p->rows.sql);
    msw_outline_free(&p->outline);
    msw_sweep_info_free(&p->sweep);
    msw_store_close(p->store, NULL);
}

char *msw_plot_folder(const msw_context *context, const char *word)
{
    char *path = msw_context_database(context, word), *slash = path ? strrchr(path, '/') : NULL;
    if (slash && slash != path)
        *slash = '\0';
    else if (path)
        strcpy(path, slash ? "/" : ".");
    return path;
}
