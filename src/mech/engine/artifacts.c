/* SPDX-License-Identifier: MIT */
/* Fetches what a point shares with others: its workload's product and the mechanism's artifacts,
 * also those of a reference's config. Other threads and saved states help with a build, where
 * there are any. */
#include "mech/engine/evaluate.h"

#include "memsweep/mech/engine.h"

#include <math.h>
#include <string.h>

void msw_task_each(const msw_task *task, size_t n, void (*fn)(void *context, size_t i),
                   void *context)
{
    if (task->help && task->help->each) {
        task->help->each(task->help->context, n, fn, context);
        return;
    }
    for (size_t i = 0; i < n; i++)
        fn(context, i);
}

int msw_task_pause(const msw_task *task, msw_flatten_fn save, const void *state, msw_err *err)
{
    return task->help && task->help->pause
               ? task->help->pause(task->help->context, save, state, err)
               : 0;
}

const char *msw_task_saved(const msw_task *task, size_t *size)
{
    *size = task->help ? task->help->saved_size : 0;
    return task->help ? task->help->saved : NULL;
}

enum { CONFIG_WORDS = 512 };

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
    uint64_t words[7 + MSW_DEPENDS_MAX];
    size_t used = 0;
    words[used++] = task->product_key.hi;
    words[used++] = task->product_key.lo;
    words[used++] = map->artifacts[a].code;
    words[used++] = map->artifacts[a].id;
    words[used++] = task->mech->artifacts[a].random ? task->stream : 0;
    for (size_t d = map->artifacts[a].first; d < map->artifacts[a].end; d++) {
        double value = msw_param_get(map->depends[d], task->config);
        memcpy(&words[used++], &value, sizeof value);
    }
    if (task->mech->artifacts[a].corpus) {
        words[used++] = task->corpus_digest.hi;
        words[used++] = task->corpus_digest.lo;
    }
    return msw_memo_digest(task->memo, 2 + a, words, used * sizeof *words);
}

static bool is_needed(const msw_artifact *artifact, msw_fidelity fidelity, const void *config)
{
    return (!artifact->fidelities || artifact->fidelities & MSW_AT(fidelity)) &&
           (!artifact->needed || artifact->needed(config));
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

/* ---- the corpus ---- */

bool msw_mech_has_corpus(const msw_mech *mech)
{
    for (const msw_artifact *a = mech->artifacts; a && a->name; a++)
        if (a->corpus)
            return true;
    return false;
}

static bool reads_corpus(const msw_mech *mech, msw_fidelity fidelity, const void *config)
{
    for (const msw_artifact *a = mech->artifacts; a && a->name; a++)
        if (a->corpus && is_needed(a, fidelity, config))
            return true;
    return false;
}

bool msw_mech_reads_corpus(const msw_mech *mech, msw_fidelity fidelity, const void *config)
{
    uint64_t changed[CONFIG_WORDS];
    bool reads = msw_mech_has_corpus(mech) && reads_corpus(mech, fidelity, config);
    if (reads || !msw_mech_has_corpus(mech))
        return reads;
    if (mech->config_size > sizeof changed)
        return true; /* a word too many in a key is no mistake, one too few is */
    for (const msw_reference *r = mech->references; r && r->name && !reads; r++) {
        memcpy(changed, config, mech->config_size);
        r->change(changed);
        reads = reads_corpus(mech, fidelity, changed);
    }
    return reads;
}

/* The product of a workload of the corpus: the same for all points and replicates. */
static int get_corpus(const msw_task *task, size_t i, const msw_product **product, void **handle,
                      msw_err *err)
{
    const msw_workload *load = &task->corpus_workloads[i];
    const uint64_t words[] = {task->seed, load->digest.hi, load->digest.lo, 0};
    const void *root = NULL;
    msw_task own = *task;
    own.workload = load;
    own.workload_config = load->config;
    own.stream = msw_hash_bytes(words, sizeof words).lo;
    own.memo = NULL;
    int rc = task->source->get(task->source->context, product_key(&own), build_product, &own, NULL,
                               &root, handle, err);
    *product = root;
    return rc ? msw_fail_prefix(err, "corpus: workload %s: ", load->name) : 0;
}

/* Gathers the products before an artifact is built and gives them back after; `extra` is the
 * artifact. */
static int build_from_corpus(const msw_task *task, const void *extra, msw_arena *arena,
                             const void **root, msw_err *err)
{
    const msw_artifact *artifact = extra;
    msw_task own = *task;
    size_t held = 0;
    int rc = 0;
    size_t count = task->corpus_count + 1;
    const msw_product **products = msw_arena_take(arena, count * sizeof *products);
    void **handles = msw_arena_take(arena, count * sizeof *handles);
    if (!products || !handles)
        rc = msw_fail_memory(err);
    for (; rc == 0 && held < task->corpus_count; held += rc == 0)
        rc = get_corpus(task, held, &products[held], &handles[held], err);
    own.corpus = products;
    if (rc == 0)
        rc = artifact->build(&own, NULL, arena, root, err);
    while (held > 0)
        task->source->put(task->source->context, handles[--held]);
    return rc;
}

/* ---- parts ---- */

static int get_root(const msw_task *task, const msw_artifact *artifact, msw_build_fn build,
                    msw_digest key, const void **root, void **handle, msw_err *err)
{
    const msw_artifact_source *source = task->source;
    msw_kept_build kept = {artifact, build};
    if (artifact->flatten && source->get_kept)
        return source->get_kept(source->context, key, &kept, task, root, handle, err);
    return source->get(source->context, key, build, task, artifact, root, handle, err);
}

/* The workload counts by what the part's digest says of it. */
static msw_digest key_of_part(const msw_task *task, size_t a, size_t part)
{
    msw_task own = *task;
    own.memo = NULL;
    own.product_key = task->mech->artifacts[a].part_key(task, part);
    return artifact_key(&own, a);
}

/* Fetches the parts before an artifact is put together and gives them back after; `extra` is the
 * artifact. */
static int build_from_parts(const msw_task *task, const void *extra, msw_arena *arena,
                            const void **root, msw_err *err)
{
    const msw_artifact *artifact = extra;
    size_t a = (size_t)(artifact - task->mech->artifacts), held = 0;
    size_t count = artifact->part_count(task);
    const void **roots = msw_arena_zero(arena, count + 1, sizeof *roots);
    void **handles = msw_arena_zero(arena, count + 1, sizeof *handles);
    int rc = roots && handles ? 0 : msw_fail_memory(err);
    msw_task own = *task;
    for (; rc == 0 && held < count; held += rc == 0) {
        own.part.number = held;
        rc = get_root(&own, artifact, artifact->build_part, key_of_part(task, a, held),
                      &roots[held], &handles[held], err);
    }
    own.part.roots = roots;
    if (rc == 0)
        rc = artifact->build(&own, NULL, arena, root, err);
    while (held > 0)
        task->source->put(task->source->context, handles[--held]);
    return rc;
}

static int get_artifact(const msw_task *task, size_t a, const void **root, void **handle,
                        msw_err *err)
{
    sight own;
    const msw_artifact *artifact = &task->mech->artifacts[a];
    if (artifact->any_workload)
        task = without_workload(task, a, &own);
    msw_digest key = artifact_key(task, a);
    if (artifact->part_count)
        return task->source->get(task->source->context, key, build_from_parts, task, artifact, root,
                                 handle, err);
    msw_build_fn build = artifact->corpus ? build_from_corpus : artifact->build;
    return get_root(task, artifact, build, key, root, handle, err);
}

static int get_artifacts(msw_task *task, const void **roots, void **handles, size_t *held,
                         msw_err *err)
{
    const msw_artifact *list = task->mech->artifacts;
    task->artifacts = roots;
    for (size_t a = 0; a < task->map->artifact_count; a++) {
        roots[a] = NULL;
        if (!is_needed(&list[a], task->fidelity, task->config))
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

/* ---- ahead of the points ---- */

size_t msw_mech_kept(const msw_task *task, msw_kept_need *needs)
{
    size_t count = 0;
    msw_task own = *task;
    if (task->mech->check && task->mech->check(task->config, NULL))
        return 0;
    own.product_key = product_key(task);
    own.artifacts = (const void *const[MSW_ARTIFACTS_MAX]){0};
    for (size_t a = 0; a < task->map->artifact_count; a++) {
        const msw_artifact *artifact = &task->mech->artifacts[a];
        sight s;
        if (!artifact->flatten || artifact->part_count ||
            !is_needed(artifact, task->fidelity, task->config))
            continue;
        const msw_task *seen = artifact->any_workload ? without_workload(&own, a, &s) : &own;
        needs[count++] =
            (msw_kept_need){artifact_key(seen, a), artifact->cost ? artifact->cost(seen) : NAN};
    }
    return count;
}

msw_digest msw_mech_shared(const msw_task *task)
{
    msw_digest keys[MSW_ARTIFACTS_MAX + 1] = {product_key(task)};
    size_t count = 1;
    msw_task own = *task;
    own.product_key = keys[0];
    own.artifacts = (const void *const[MSW_ARTIFACTS_MAX]){0};
    for (size_t a = 0; a < task->map->artifact_count; a++) {
        const msw_artifact *artifact = &task->mech->artifacts[a];
        sight s;
        if (is_needed(artifact, task->fidelity, task->config))
            keys[count++] =
                artifact_key(artifact->any_workload ? without_workload(&own, a, &s) : &own, a);
    }
    return msw_hash_bytes(keys, count * sizeof *keys);
}

static int do_nothing(msw_task *task, void *context, msw_err *err)
{
    (void)task, (void)context, (void)err;
    return 0;
}

int msw_mech_prepare(msw_task *task, msw_err *err)
{
    return msw_with_artifacts(task, do_nothing, NULL, err);
}

uint64_t *msw_reference_config(const msw_task *task, int index, size_t head)
{
    uint64_t *words = msw_arena_take(task->arena, head * sizeof *words + task->mech->config_size);
    if (!words)
        return NULL;
    memcpy(words + head, task->config, task->mech->config_size);
    task->mech->references[index].change(words + head);
    return words;
}

int msw_reference_task(const msw_task *task, const void *config,
                       int (*inside)(msw_task *, void *, msw_err *), void *context, msw_err *err)
{
    msw_arena scratch = {0};
    msw_task own = *task;
    own.config = config;
    own.arena = &scratch;
    own.details = NULL;
    own.done = NULL;
    own.doubt = NULL; /* the waiting point's: a reference is shared, and tells all who read it */
    own.prediction = NULL;
    own.memo = NULL;     /* its keys would push out those of the point that waits */
    own.deadline_ns = 0; /* it is built for all who wait, not for one hurried point */
    int rc = msw_with_artifacts(&own, inside, context, err);
    msw_arena_free(&scratch);
    return rc ? -1 : 0;
}
