/* SPDX-License-Identifier: MIT */
/* Digests the code behind an answer (versions, parts, metrics) for the answer's key. */
#include "mech/engine/evaluate.h"

#include "memsweep/mech/sampler.h"

#include <stddef.h>
#include <string.h>

int msw_mech_version(const msw_mech *mech, msw_fidelity fidelity)
{
    return fidelity == MSW_ANALYTIC ? mech->version_closed : mech->version_machine;
}

const msw_part *const *msw_mech_parts(const msw_mech *mech, msw_fidelity fidelity)
{
    static const msw_part *const NONE[] = {NULL};
    const msw_part *const *parts =
        fidelity == MSW_ANALYTIC ? mech->parts_closed : mech->parts_machine;
    return parts ? parts : NONE;
}

static msw_digest fold(msw_digest all, const char *name, int version)
{
    uint64_t word = (uint64_t)version;
    return msw_hash_pair(msw_hash_pair(all, msw_hash_string(name)),
                         msw_hash_bytes(&word, sizeof word));
}

msw_digest msw_mech_model(const msw_mech *mech, msw_fidelity fidelity)
{
    msw_digest all = fold((msw_digest){0}, mech->name, msw_mech_version(mech, fidelity));
    for (const msw_part *const *part = msw_mech_parts(mech, fidelity); *part; part++)
        all = fold(all, (*part)->name, (*part)->version);
    if (fidelity == MSW_SAMPLED && mech->predict) /* a prediction is of the closed form */
        all = msw_hash_pair(all, msw_mech_model(mech, MSW_ANALYTIC));
    return fidelity == MSW_SAMPLED ? fold(all, "sampler", MSW_SAMPLER_VERSION) : all;
}

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

/* Names are looked up once, when the map is made, so that evaluating a point follows indices only.
 * Slots that a metric has no use for hold -1. */
static int resolve(const msw_mech *mech, const msw_metric *m, msw_metric_map *map, int i)
{
    map->mark_of[i] = -1;
    map->entries[i].num = map->entries[i].den = map->entries[i].reference = -1;
    if (m->kind == MSW_RATIO || m->kind == MSW_PAIRED) {
        map->entries[i].num = msw_metrics_find(mech->metrics, m->num);
        map->entries[i].den = msw_metrics_find(mech->metrics, m->den);
    }
    if (m->kind == MSW_PAIRED)
        return map->entries[i].reference = find_reference(mech, m->reference);
    if (m->kind == MSW_QUANTILE)
        return map->entries[i].num = find_name(mech->histograms, m->num);
    if (m->kind == MSW_TOTAL)
        map->totals[map->total_count++] = i;
    if (m->predicted.largest > 0) {
        map->mark_of[i] = (int)map->mark_count;
        map->marks[map->mark_count++] = i;
    }
    if (m->kind == MSW_DERIVED) {
        map->derived = true;
        map->share = m->num ? i : map->share;
        map->entries[i].num = m->num ? msw_metrics_find(mech->metrics, m->num) : -1;
    }
    if (m->least) {
        map->least_first = map->least_end ? map->least_first : i;
        map->least_end = i + 1;
    }
    return 0;
}

static int check_bounds(const msw_metric_map *map, const msw_mech *mech, msw_err *err)
{
    bool any = map->least_end > 0;
    for (int i = map->least_first; i < map->least_end; i++)
        if (!mech->metrics[i].least)
            return msw_fail_kind(err, MSW_ERR_INTERNAL,
                                 "mechanism %s: metric %s lies between bounds", mech->name,
                                 mech->metrics[i].name);
    if (any != (mech->bounds != NULL) || any != (map->share >= 0))
        return msw_fail_kind(
            err, MSW_ERR_INTERNAL,
            "mechanism %s: bounds, rows that are least and bound_share go together", mech->name);
    return 0;
}

/* Whether any metric is neither a bound nor the share of one. */
static bool needs_derive(const msw_mech *mech)
{
    bool any = false;
    for (const msw_metric *m = mech->metrics; m->name; m++)
        any = any || (m->kind == MSW_DERIVED && !m->least && !m->num);
    return any;
}

static int resolve_primary(msw_metric_map *map, const msw_mech *mech, msw_err *err)
{
    map->primary = mech->primary ? msw_metrics_find(mech->metrics, mech->primary) : -1;
    if (map->primary < 0)
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "mechanism %s: primary metric missing",
                             mech->name);
    msw_metric_kind kind = mech->metrics[map->primary].kind;
    if (mech->measure && kind != MSW_TOTAL && kind != MSW_RATIO && kind != MSW_PAIRED)
        return msw_fail_kind(err, MSW_ERR_INTERNAL,
                             "mechanism %s: the primary metric must be a total or a ratio",
                             mech->name);
    if (mech->measure && needs_derive(mech) && !mech->derive)
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "mechanism %s: derived metrics need derive",
                             mech->name);
    return 0;
}

static void count_lists(msw_metric_map *map, const msw_mech *mech)
{
    while (mech->histograms && mech->histograms[map->histogram_count])
        map->histogram_count++;
    while (mech->references && mech->references[map->reference_count].name)
        map->reference_count++;
    while (mech->artifacts && mech->artifacts[map->artifact_count].name)
        map->artifact_count++;
}

/* Models may change without what is kept: it has a version of its own. */
static uint64_t code_of(const msw_metric_map *map, const msw_mech *mech, const msw_artifact *a)
{
    int64_t version = a->version;
    return a->flatten ? msw_hash_pair(msw_hash_string(mech->name),
                                      msw_hash_bytes(&version, sizeof version))
                            .lo
                      : map->id;
}

/* The parameters of all artifacts go into one list, of which each artifact has a span: an
 * artifact's key is made of the values of that span. */
static int resolve_depends(msw_metric_map *map, const msw_mech *mech, msw_err *err)
{
    size_t used = 0;
    if (map->artifact_count > MSW_ARTIFACTS_MAX)
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "mechanism %s: more than %d artifacts",
                             mech->name, MSW_ARTIFACTS_MAX);
    for (size_t a = 0; a < map->artifact_count; a++) {
        const msw_artifact *artifact = &mech->artifacts[a];
        if (!artifact->flatten != !artifact->unflatten || !artifact->flatten != !artifact->version)
            return msw_fail_kind(err, MSW_ERR_INTERNAL,
                                 "mechanism %s: artifact %s: flatten, unflatten and a version go "
                                 "together",
                                 mech->name, artifact->name);
        map->artifacts[a].code = code_of(map, mech, artifact);
        map->artifacts[a].id = msw_hash_string(artifact->name).lo;
        map->artifacts[a].first = used;
        for (const char *const *name = artifact->depends; name && *name; name++) {
            const msw_param *param = msw_params_find(mech->params, *name);
            if (!param)
                return msw_fail_kind(err, MSW_ERR_INTERNAL,
                                     "mechanism %s: artifact %s depends on unknown %s", mech->name,
                                     artifact->name, *name);
            if (used == MSW_DEPENDS_MAX)
                return msw_fail_kind(err, MSW_ERR_INTERNAL,
                                     "mechanism %s: its artifacts depend on more than %d "
                                     "parameters together: %s of %s is too much (raise "
                                     "MSW_DEPENDS_MAX in memsweep/mech/engine.h)",
                                     mech->name, MSW_DEPENDS_MAX, *name, artifact->name);
            map->depends[used++] = param;
        }
        map->artifacts[a].end = used;
    }
    return 0;
}

int msw_metric_map_init(msw_metric_map *map, const msw_mech *mech, msw_err *err)
{
    *map = (msw_metric_map){.metric_count = msw_metrics_count(mech->metrics), .share = -1};
    if (map->metric_count > MSW_METRICS_MAX)
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "mechanism %s: more than %d metrics",
                             mech->name, MSW_METRICS_MAX);
    map->id = msw_hash_pair(msw_mech_model(mech, MSW_ANALYTIC), msw_mech_model(mech, MSW_FULL)).lo;
    count_lists(map, mech);
    if (resolve_depends(map, mech, err))
        return -1;
    for (size_t i = 0; i < map->metric_count; i++)
        if (resolve(mech, &mech->metrics[i], map, (int)i) < 0)
            return msw_fail_kind(err, MSW_ERR_INTERNAL,
                                 "mechanism %s: metric %s names an unknown reference or histogram",
                                 mech->name, mech->metrics[i].name);
    MSW_TRY(check_bounds(map, mech, err));
    MSW_TRY(msw_self_checks_resolve(map, mech, err));
    return resolve_primary(map, mech, err);
}
