/* Fetching what a point shares with others: its workload's product and the mechanism's artifacts.
 */
#include "mech/engine/evaluate.h"

#include <string.h>

static int build_product(const msw_task *task, const void *extra, msw_arena *arena,
                         const void **root, msw_err *err)
{
    (void)extra;
    msw_product *product = msw_arena_zero(arena, 1, sizeof *product);
    if (!product)
        return msw_fail_memory(err);
    *root = product;
    return task->workload->frontend->build(task->workload->content, task->workload_config,
                                           task->stream, arena, product, err);
}

msw_digest msw_memo_digest(msw_memo *memo, size_t use, const void *bytes, size_t size)
{
    if (!memo || use >= MSW_MEMO_USES || size > sizeof memo->uses[0].words)
        return msw_hash_bytes(bytes, size);
    if (memo->uses[use].size != size || memcmp(memo->uses[use].words, bytes, size) != 0) {
        memcpy(memo->uses[use].words, bytes, size);
        memo->uses[use].size = size;
        memo->uses[use].key = msw_hash_bytes(bytes, size);
    }
    return memo->uses[use].key;
}

/* Keys are digests of plain words: config structs hold 8-byte fields only. */
static msw_digest product_key(const msw_task *task)
{
    const msw_frontend *frontend = task->workload->frontend;
    uint64_t words[3 + MSW_FRONTEND_CONFIG_MAX / sizeof(uint64_t)];
    words[0] = task->workload->digest.hi;
    words[1] = task->workload->digest.lo;
    words[2] = frontend->random ? task->stream : 0;
    memcpy(words + 3, task->workload_config, frontend->config_size);
    return msw_memo_digest(task->memo, 0, words, 3 * sizeof *words + frontend->config_size);
}

static msw_digest artifact_key(const msw_task *task, size_t a)
{
    const msw_metric_map *map = task->map;
    uint64_t words[5 + MSW_DEPENDS_MAX];
    size_t used = 0;
    words[used++] = task->product_key.hi;
    words[used++] = task->product_key.lo;
    words[used++] = map->id;
    words[used++] = map->artifacts[a].id;
    words[used++] = task->mech->artifacts[a].random ? task->stream : 0;
    for (size_t d = map->artifacts[a].first; d < map->artifacts[a].end; d++) {
        double value = msw_param_get(map->depends[d], task->config);
        memcpy(&words[used++], &value, sizeof value);
    }
    return msw_memo_digest(task->memo, 2 + a, words, used * sizeof *words);
}

static bool is_needed(const msw_task *task, const msw_artifact *artifact)
{
    return (!artifact->fidelities || artifact->fidelities & MSW_AT(task->fidelity)) &&
           (!artifact->needed || artifact->needed(task->config));
}

/* What the build of an artifact without a workload may look at, and its key is made of. */
typedef struct sight {
    msw_task task;
    const void *artifacts[MSW_ARTIFACTS_MAX];
} sight;

static const msw_task *without_workload(const msw_task *task, size_t a, sight *s)
{
    const msw_artifact *list = task->mech->artifacts;
    const uint64_t words[] = {task->seed, task->replicate};
    s->task = *task;
    s->task.workload = NULL;
    s->task.workload_config = NULL;
    s->task.product = NULL;
    s->task.product_key = (msw_digest){0};
    s->task.stream = list[a].random ? msw_hash_bytes(words, sizeof words).lo : 0;
    for (size_t i = 0; i < a; i++)
        s->artifacts[i] = list[i].any_workload ? task->artifacts[i] : NULL;
    s->task.artifacts = s->artifacts;
    return &s->task;
}

static int get_artifact(const msw_task *task, size_t a, const void **root, void **handle,
                        msw_err *err)
{
    sight own;
    const msw_artifact *artifact = &task->mech->artifacts[a];
    if (artifact->any_workload)
        task = without_workload(task, a, &own);
    return task->source->get(task->source->context, artifact_key(task, a), artifact->build, task,
                             NULL, root, handle, err);
}

static int get_artifacts(msw_task *task, const void **roots, void **handles, size_t *held,
                         msw_err *err)
{
    const msw_artifact *list = task->mech->artifacts;
    task->artifacts = roots;
    for (size_t a = 0; a < task->map->artifact_count; a++) {
        roots[a] = NULL;
        if (!is_needed(task, &list[a]))
            continue;
        if (get_artifact(task, a, &roots[a], &handles[*held], err))
            return msw_fail_prefix(err, "artifact %s: ", list[a].name);
        ++*held;
    }
    return 0;
}

int msw_with_artifacts(msw_task *task, int (*inside)(msw_task *, void *, msw_err *), void *context,
                       msw_err *err)
{
    size_t count = task->map->artifact_count, held = 0;
    const void **roots = msw_arena_take(task->arena, (count + 1) * sizeof *roots);
    void **handles = msw_arena_take(task->arena, (count + 1) * sizeof *handles);
    const void *product;
    int rc = -1;
    if (!roots || !handles)
        return msw_fail_memory(err);
    task->product_key = product_key(task);
    if (task->source->get(task->source->context, task->product_key, build_product, task, NULL,
                          &product, &handles[held], err))
        return msw_fail_prefix(err, "workload %s: ", task->workload->name);
    held++;
    task->product = product;
    if (get_artifacts(task, roots, handles, &held, err) == 0)
        rc = inside(task, context, err);
    while (held > 0)
        task->source->put(task->source->context, handles[--held]);
    return rc;
}
