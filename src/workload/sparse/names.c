/* SPDX-License-Identifier: MIT */
/* Workloads by name: <preset>, <preset>/b<batch>, or the path of a user's list of edges, with or
 * without /b<batch>. */
#include "workload/sparse/parts.h"

#include "memsweep/base/text.h"
#include "workload/text/lines.h"
#include "workload/text/name.h"

#include <stdio.h>
#include <string.h>

#define MIB(n) ((int64_t)(n)*1048576)

static void set_criteo(msw_sparse_config *c)
{
    c->sizes = MSW_SPARSE_CRITEO_KAGGLE;
}

/* Guo et al., IJCAI 2017: ten elements per field. */
static void set_deepfm(msw_sparse_config *c)
{
    set_criteo(c);
    c->dimension = 10;
}

static void set_neumf(msw_sparse_config *c)
{
    c->sizes = MSW_SPARSE_MOVIELENS_20M;
    c->dimension = 64;
}

static void set_kgcn(msw_sparse_config *c)
{
    c->kind = MSW_SPARSE_GRAPH;
    c->rows = 102569;
    c->dimension = 32;
}

static void set_karate(msw_sparse_config *c)
{
    c->kind = MSW_SPARSE_GRAPH;
    c->batch = 34;
}

static void set_pruned(msw_sparse_config *c)
{
    c->kind = MSW_SPARSE_MATRIX;
    c->rows = 4096;
    c->dimension = 64;
    c->element_bytes = 2;
}

static void set_jumps(msw_sparse_config *c)
{
    c->kind = MSW_SPARSE_MIX;
    c->batch = 8192;
    c->request_bytes = 64;
}

static void set_strides(msw_sparse_config *c)
{
    set_jumps(c);
    c->run = 1073741824;
    c->run_shape = MSW_SPARSE_FIXED;
    c->stride = 4096;
}

/* Blocks of 64 KiB moved as a whole. */
static void set_dense(msw_sparse_config *c)
{
    set_jumps(c);
    c->run = 1024;
    c->run_shape = MSW_SPARSE_FIXED;
}

/* The exponent and the numbering are chosen to have the published shares of near and far requests:
 * docs/models/sparse.md. */
static void set_big(msw_sparse_config *c)
{
    set_deepfm(c);
    c->batch = 2048;
    c->batches = 4;
    c->request_bytes = 64;
    c->ids = MSW_SPARSE_POPULAR_FIRST;
    c->zipf = 0.85;
}

static void set_large(msw_sparse_config *c)
{
    set_jumps(c);
    c->span = MIB(65536);
    c->near_span = MIB(1024);
    c->far = 0.5;
    c->run = 4;
}

typedef struct preset {
    const char *name;
    void (*set)(msw_sparse_config *config);
    const char *file; /* or NULL */
} preset;

static const preset PRESETS[] = {
    {"dlrm", set_criteo, NULL},
    {"deepfm", set_deepfm, NULL},
    {"neumf", set_neumf, NULL},
    {"kgcn", set_kgcn, NULL},
    {"karate", set_karate, "workloads/sparse/karate.edges"},
    {"pruned", set_pruned, NULL},
    {"jumps", set_jumps, NULL},
    {"strides", set_strides, NULL},
    {"dense", set_dense, NULL},
    {"big", set_big, NULL},
    {"large", set_large, NULL},
};

const char *const msw_sparse_names[] = {
    "dlrm/b1",     "dlrm/b128", "dlrm/b2048", "deepfm/b2048", "neumf/b64",
    "neumf/b2048", "kgcn/b128", "karate",     "pruned",       "jumps",
    "strides",     "dense",     "big",        "large",        NULL,
};
const char *const msw_sparse_docs[] = {
    "DLRM, look-ups in the 26 tables of Criteo's Kaggle set, 1 sample",
    "DLRM, look-ups in the 26 tables of Criteo's Kaggle set, batch 128",
    "DLRM, look-ups in the 26 tables of Criteo's Kaggle set, batch 2048",
    "DeepFM, 10 elements per look-up, Criteo's Kaggle set, batch 2048",
    "NCF (NeuMF), users and items of MovieLens-20M, batch 64",
    "NCF (NeuMF), users and items of MovieLens-20M, batch 2048",
    "KGCN, neighbourhoods of 2 hops in a generated graph of MovieLens-20M's size, batch 128",
    "neighbourhoods of 2 hops in Zachary's karate club (78 edges), read from a file",
    "4096 x 4096 weights with 256 non-zeros per row times 64 columns",
    "single requests anywhere in 1 GiB",
    "one request per 4 KiB, through 1 GiB",
    "HTMMU's Dense: blocks of 64 KiB, anywhere in 1 GiB",
    "HTMMU's Big: DeepFM's look-ups in lines of 64 bytes, batch 2048",
    "HTMMU's Large: short runs with jumps of up to 64 GiB",
    NULL,
};

static const preset *find_preset(const char *head)
{
    for (size_t i = 0; i < sizeof PRESETS / sizeof *PRESETS; i++)
        if (strcmp(head, PRESETS[i].name) == 0)
            return &PRESETS[i];
    return NULL;
}

static bool is_graph(const char *path)
{
    static const char *const ENDS[] = {".edges", ".el", ".txt", ".tsv"};
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++)
        if (msw_lines_named(path, ENDS[i]))
            return true;
    return false;
}

int msw_sparse_resolve(const char *name, void *config, char *file, size_t file_size, msw_err *err)
{
    msw_sparse_config *c = config;
    const msw_param *param = msw_params_find(msw_sparse_params, "sparse_batch");
    char head[MSW_NAME_MAX];
    int64_t batch = msw_name_split(name, param, head);
    const preset *p = find_preset(head);
    file[0] = '\0';
    if (!p && !is_graph(head))
        return 0;
    if (batch < 0)
        return msw_name_fail(name, param, err);
    const char *path = p ? p->file : head;
    if (p)
        p->set(c);
    else
        c->kind = MSW_SPARSE_GRAPH;
    c->batch = batch ? batch : c->batch;
    if (path && (size_t)snprintf(file, file_size, "%s", path) >= file_size)
        return msw_fail(err, "workload '%s': the file name is too long", name);
    return 1;
}
