#include "memsweep/mech/engine.h"

#include <string.h>

static int find_name(const char *const *names, const char *name)
{
    for (int i = 0; names && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

static int find_reference(const msw_mech *mech, const char *name)
{
    for (int i = 0; mech->references && mech->references[i].name; i++)
        if (strcmp(mech->references[i].name, name) == 0)
            return i;
    return -1;
}

static int resolve(const msw_mech *mech, const msw_metric *m, msw_layout *layout, int i)
{
    layout->entries[i].num = layout->entries[i].den = layout->entries[i].reference = -1;
    if (m->kind == MSW_RATIO || m->kind == MSW_PAIRED) {
        layout->entries[i].num = msw_metrics_find(mech->metrics, m->num);
        layout->entries[i].den = msw_metrics_find(mech->metrics, m->den);
    }
    if (m->kind == MSW_PAIRED)
        return layout->entries[i].reference = find_reference(mech, m->reference);
    if (m->kind == MSW_QUANTILE)
        return layout->entries[i].num = find_name(mech->histograms, m->num);
    if (m->kind == MSW_TOTAL)
        layout->totals[layout->total_count++] = i;
    if (m->kind == MSW_DERIVED)
        layout->derived = true;
    return 0;
}

static int resolve_primary(msw_layout *layout, const msw_mech *mech, msw_err *err)
{
    layout->primary = mech->primary ? msw_metrics_find(mech->metrics, mech->primary) : -1;
    if (layout->primary < 0)
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "mechanism %s: primary metric missing",
                             mech->name);
    msw_metric_kind kind = mech->metrics[layout->primary].kind;
    if (kind != MSW_TOTAL && kind != MSW_RATIO && kind != MSW_PAIRED)
        return msw_fail_kind(err, MSW_ERR_INTERNAL,
                             "mechanism %s: the primary metric must be a total or a ratio",
                             mech->name);
    if (layout->derived && !mech->derive)
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "mechanism %s: derived metrics need derive",
                             mech->name);
    return 0;
}

static void count_lists(msw_layout *layout, const msw_mech *mech)
{
    while (mech->histograms && mech->histograms[layout->histogram_count])
        layout->histogram_count++;
    while (mech->references && mech->references[layout->reference_count].name)
        layout->reference_count++;
    while (mech->artifacts && mech->artifacts[layout->artifact_count].name)
        layout->artifact_count++;
}

static int resolve_depends(msw_layout *layout, const msw_mech *mech, msw_err *err)
{
    size_t used = 0;
    if (layout->artifact_count > MSW_ARTIFACTS_MAX)
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "mechanism %s: more than %d artifacts",
                             mech->name, MSW_ARTIFACTS_MAX);
    for (size_t a = 0; a < layout->artifact_count; a++) {
        const msw_artifact *artifact = &mech->artifacts[a];
        layout->artifacts[a].id = msw_hash_string(artifact->name).lo;
        layout->artifacts[a].first = used;
        for (const char *const *name = artifact->depends; name && *name; name++) {
            const msw_param *param = msw_params_find(mech->params, *name);
            if (!param || used == MSW_DEPENDS_MAX)
                return msw_fail_kind(err, MSW_ERR_INTERNAL,
                                     "mechanism %s: artifact %s depends on %s %s", mech->name,
                                     artifact->name, param ? "too much:" : "unknown", *name);
            layout->depends[used++] = param;
        }
        layout->artifacts[a].end = used;
    }
    return 0;
}

int msw_layout_init(msw_layout *layout, const msw_mech *mech, msw_err *err)
{
    *layout = (msw_layout){.metric_count = msw_metrics_count(mech->metrics)};
    if (layout->metric_count > MSW_METRICS_MAX)
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "mechanism %s: more than %d metrics",
                             mech->name, MSW_METRICS_MAX);
    layout->id =
        msw_hash_pair(msw_mech_model(mech, MSW_ANALYTIC), msw_mech_model(mech, MSW_FULL)).lo;
    count_lists(layout, mech);
    if (resolve_depends(layout, mech, err))
        return -1;
    for (size_t i = 0; i < layout->metric_count; i++)
        if (resolve(mech, &mech->metrics[i], layout, (int)i) < 0)
            return msw_fail_kind(err, MSW_ERR_INTERNAL,
                                 "mechanism %s: metric %s names an unknown reference or histogram",
                                 mech->name, mech->metrics[i].name);
    return resolve_primary(layout, mech, err);
}
