/* SPDX-License-Identifier: MIT */
/* Everything that can be set of the front end `sparse`, and its workloads by name: <preset>,
 * <preset>/b<batch>, or the path of a user's list of edges. */
#include "workload/sparse/parts.h"

#include "workload/text/lines.h"

#include "memsweep/base/text.h"

#include <stdio.h>
#include <string.h>

static const msw_choice KINDS[] = {
    [MSW_SPARSE_EMBEDDING] = {.name = "embedding", .doc = "look-ups in embedding tables"},
    [MSW_SPARSE_GRAPH] = {.name = "graph", .doc = "features of sampled neighbourhoods"},
    [MSW_SPARSE_MATRIX] = {.name = "matrix",
                           .doc = "rows that the non-zeros of a pruned matrix name"},
    [MSW_SPARSE_MIX] = {.name = "mix", .doc = "runs of equal strides with jumps between them"},
    {0},
};
static const msw_choice SIZES[] = {
    [MSW_SPARSE_EQUAL] = {.name = "equal", .doc = "sparse_tables tables of sparse_rows rows"},
    [MSW_SPARSE_CRITEO_KAGGLE] = {.name = "criteo_kaggle",
                                  .doc =
                                      "the 26 tables of Criteo's Kaggle set, 3 to 10131227 rows"},
    [MSW_SPARSE_MOVIELENS_20M] =
        {.name = "movielens_20m",
         .doc = "users and items of MovieLens-20M, for factors and for layers: 4 tables"},
    {0},
};
static const msw_choice IDS[] = {
    [MSW_SPARSE_POPULAR_FIRST] =
        {.name = "popular_first",
         .doc = "rows lie in order of popularity, as when numbered at first sight"},
    [MSW_SPARSE_SCATTERED] = {.name = "scattered",
                              .doc = "popular rows lie anywhere, as when numbered by hashing"},
    {0},
};
static const msw_choice ORDERS[] = {
    [MSW_SPARSE_BY_SAMPLE] = {.name = "sample",
                              .doc = "all tables (all hops) of a sample, then the next sample"},
    [MSW_SPARSE_BY_TABLE] = {.name = "table",
                             .doc =
                                 "all samples of a batch for one table (one hop), then the next"},
    {0},
};
static const msw_choice SHAPES[] = {
    [MSW_SPARSE_FIXED] = {.name = "fixed", .doc = "all runs have the same length"},
    [MSW_SPARSE_GEOMETRIC] = {.name = "geometric",
                              .doc = "a run ends after each request with the same probability"},
    {.name = NULL},
};

#define FIELD(name) offsetof(msw_sparse_config, name)
#define MIB(n)      ((n)*1048576.0)
#define NAMED       "definition; the workload's name sets it"
#define HTMMU       "the paper does not say"

/* Where parameters act: what the generator of a kind reads. */
#define MIXED         "sparse_kind = 'mix'"
#define ROWS_ARE_READ "sparse_kind <> 'mix'"
#define SAMPLED       "sparse_kind IN ('embedding', 'graph')"
#define EQUAL_TABLES  "sparse_kind = 'embedding' AND sparse_sizes = 'equal'"

const msw_param msw_sparse_params[] = {
    MSW_ROW(.name = "sparse_kind", .kind = MSW_CHOICE, .unit = "", .def = MSW_SPARSE_EMBEDDING,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(KINDS),
            .doc = "what makes the requests; the workload's name decides", .source = MSW_PUBLIC,
            .reference = "definition", .offset = FIELD(kind)),
    MSW_ROW(.name = "sparse_batch", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 16777216,
            .def = 128, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "samples, target nodes, matrix rows or (mix) requests of a batch",
            .source = MSW_PUBLIC,
            .reference = "facebookresearch/dlrm, bench/dlrm_s_criteo_kaggle.sh",
            .offset = FIELD(batch)),
    MSW_ROW(.name = "sparse_batches", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 1048576,
            .def = 16, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "batches, one after the other", .source = MSW_UNKNOWN,
            .reference = "enough for a steady state", .plausible_min = 1, .plausible_max = 1024,
            .offset = FIELD(batches)),
    MSW_ROW(.name = "sparse_sizes", .kind = MSW_CHOICE, .unit = "", .def = MSW_SPARSE_EQUAL,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(SIZES), .doc = "sizes of the embedding tables",
            .source = MSW_PUBLIC,
            .reference = "facebookresearch/dlrm (rows it prints for the Kaggle set); grouplens.org "
                         "MovieLens-20M",
            .offset = FIELD(sizes), .acts = "sparse_kind = 'embedding'"),
    MSW_ROW(.name = "sparse_tables", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 1024,
            .def = 8, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "embedding tables of equal size", .source = MSW_UNKNOWN, .reference = NAMED,
            .plausible_min = 1, .plausible_max = 1024, .offset = FIELD(tables),
            .acts = EQUAL_TABLES),
    MSW_ROW(.name = "sparse_rows", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 2147483647,
            .def = 1e6, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,
            .doc = "rows of each table of equal size, nodes of a generated graph, columns of the "
                   "matrix",
            .source = MSW_UNKNOWN, .reference = NAMED, .plausible_min = 1e3, .plausible_max = 1e9,
            .offset = FIELD(rows),
            .acts = "sparse_kind IN ('graph', 'matrix') OR (" EQUAL_TABLES ")"),
    MSW_ROW(.name = "sparse_dimension", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 65536,
            .def = 16, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .doc = "elements of a row",
            .source = MSW_PUBLIC,
            .reference = "facebookresearch/dlrm, bench/dlrm_s_criteo_kaggle.sh",
            .offset = FIELD(dimension), .acts = ROWS_ARE_READ),
    MSW_ROW(.name = "sparse_element_bytes", .kind = MSW_INTEGER, .unit = "B", .min = 1, .max = 8,
            .def = 4, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .doc = "bytes of an element",
            .source = MSW_PUBLIC, .reference = "facebookresearch/dlrm trains in single precision",
            .offset = FIELD(element_bytes), .acts = ROWS_ARE_READ),
    MSW_ROW(.name = "sparse_zipf", .kind = MSW_REAL, .unit = "", .min = 0, .max = 4, .def = 1,
            .neutral = MSW_NO_NEUTRAL,
            .doc = "popularity: the row (node) of rank r is asked for in proportion to 1 / r^this; "
                   "0: uniform",
            .source = MSW_UNKNOWN, .reference = "Zipf's law", .plausible_min = 0.6,
            .plausible_max = 1.3, .offset = FIELD(zipf), .acts = SAMPLED),
    MSW_ROW(.name = "sparse_ids", .kind = MSW_CHOICE, .unit = "", .def = MSW_SPARSE_SCATTERED,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(IDS), .doc = "where popular rows lie",
            .source = MSW_UNKNOWN, .reference = "depends on how the data set was numbered",
            .offset = FIELD(ids), .acts = SAMPLED),
    MSW_ROW(.name = "sparse_lookups", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 4096,
            .def = 1, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "rows of each table that a sample looks up (multi-hot)", .source = MSW_PUBLIC,
            .reference = "one category per feature in Criteo and MovieLens",
            .offset = FIELD(lookups), .acts = "sparse_kind = 'embedding'"),
    MSW_ROW(.name = "sparse_order", .kind = MSW_CHOICE, .unit = "", .def = MSW_SPARSE_BY_TABLE,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(ORDERS), .doc = "order of a batch's look-ups",
            .source = MSW_PUBLIC,
            .reference = "facebookresearch/dlrm: one embedding bag per table, over the whole batch",
            .offset = FIELD(order), .acts = SAMPLED),
    MSW_ROW(.name = "sparse_indices", .kind = MSW_FLAG, .unit = "", .max = 1, .def = 0,
            .neutral = MSW_NO_NEUTRAL, .doc = "the lists that say what to look up are read too",
            .source = MSW_UNKNOWN, .reference = "the papers do not say", .plausible_min = 0,
            .plausible_max = 1, .offset = FIELD(indices), .acts = ROWS_ARE_READ),
    MSW_ROW(.name = "sparse_fanout", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 1024,
            .def = 4, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "neighbours sampled of each node", .source = MSW_PUBLIC,
            .reference = "hwwang55/KGCN, data set movie", .offset = FIELD(fanout),
            .acts = "sparse_kind = 'graph' AND sparse_hops > 0"),
    MSW_ROW(.name = "sparse_hops", .kind = MSW_INTEGER, .unit = "", .min = 0, .max = 4, .def = 2,
            .neutral = MSW_NO_NEUTRAL, .doc = "how far neighbourhoods reach", .source = MSW_PUBLIC,
            .reference = "hwwang55/KGCN, data set movie", .offset = FIELD(hops),
            .acts = "sparse_kind = 'graph'"),
    MSW_ROW(.name = "sparse_degree", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 65536,
            .def = 10, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,
            .doc = "neighbours that each node of a generated graph has", .source = MSW_INFERRED,
            .reference =
                "499474 triples, both ways, over 102569 entities (arXiv:1904.12575, table 1)",
            .plausible_min = 2, .plausible_max = 1000, .offset = FIELD(degree),
            .acts = "sparse_kind = 'graph' AND (sparse_hops > 0 OR sparse_indices)"),
    MSW_ROW(.name = "sparse_nonzeros", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 1048576,
            .def = 256, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "non-zeros in each row of the pruned matrix", .source = MSW_UNKNOWN,
            .reference = "6 % of 4096 columns", .plausible_min = 16, .plausible_max = 4096,
            .offset = FIELD(nonzeros), .acts = "sparse_kind = 'matrix'"),
    MSW_ROW(.name = "sparse_span", .kind = MSW_SIZE, .unit = "B", .min = 4096, .max = MIB(1048576),
            .def = MIB(1024), .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "mix: range that far jumps reach", .source = MSW_UNKNOWN, .reference = HTMMU,
            .plausible_min = MIB(64), .plausible_max = MIB(1048576), .offset = FIELD(span),
            .acts = MIXED),
    MSW_ROW(.name = "sparse_near_span", .kind = MSW_SIZE, .unit = "B", .min = 64,
            .max = MIB(1048576), .def = MIB(2), .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "mix: range, around where a run began, that near jumps reach",
            .source = MSW_UNKNOWN, .reference = HTMMU, .plausible_min = 4096,
            .plausible_max = MIB(1024), .offset = FIELD(near_span),
            .acts = MIXED " AND sparse_far < 1"),
    MSW_ROW(.name = "sparse_far", .kind = MSW_REAL, .unit = "", .min = 0, .max = 1, .def = 1,
            .neutral = MSW_NO_NEUTRAL, .doc = "mix: share of jumps that are far",
            .source = MSW_UNKNOWN, .reference = HTMMU, .plausible_min = 0, .plausible_max = 1,
            .offset = FIELD(far), .acts = MIXED),
    MSW_ROW(.name = "sparse_run", .kind = MSW_INTEGER, .unit = "requests", .min = 1,
            .max = 1073741824, .def = 1, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "mix: requests from one jump to the next, on average", .source = MSW_UNKNOWN,
            .reference = HTMMU, .plausible_min = 1, .plausible_max = 65536, .offset = FIELD(run),
            .acts = MIXED),
    MSW_ROW(.name = "sparse_run_shape", .kind = MSW_CHOICE, .unit = "", .def = MSW_SPARSE_GEOMETRIC,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(SHAPES), .doc = "mix: lengths of runs",
            .source = MSW_UNKNOWN, .reference = HTMMU, .offset = FIELD(run_shape),
            .acts = MIXED " AND sparse_run > 1"),
    MSW_ROW(.name = "sparse_stride", .kind = MSW_SIZE, .unit = "B", .min = 1, .max = MIB(1024),
            .def = 64, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "mix: from one request of a run to the next", .source = MSW_UNKNOWN,
            .reference = HTMMU, .plausible_min = 16, .plausible_max = MIB(2),
            .offset = FIELD(stride), .acts = MIXED " AND sparse_run > 1"),
    MSW_ROW(.name = "sparse_request_bytes", .kind = MSW_SIZE, .unit = "B", .min = 16, .max = 65536,
            .def = 512, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "largest request; rows are cut at its multiples", .source = MSW_UNKNOWN,
            .reference = "a DMA engine's transaction; 64 where a cache fetches lines",
            .plausible_min = 32, .plausible_max = 4096, .offset = FIELD(request_bytes)),
    MSW_ROW(.name = "sparse_alignment", .kind = MSW_SIZE, .unit = "B", .min = 64, .max = MIB(1024),
            .def = MIB(2), .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "every table starts at a multiple of this address", .source = MSW_UNKNOWN,
            .reference = "granule of a device allocator", .plausible_min = 512,
            .plausible_max = MIB(2), .offset = FIELD(alignment)),
    MSW_ROW(.name = "sparse_interval", .kind = MSW_REAL, .unit = "cycles", .min = 0, .max = 1e6,
            .def = 0, .neutral = MSW_NO_NEUTRAL,
            .doc = "cycles from one request to the next on average; 0: as fast as they are taken",
            .source = MSW_UNKNOWN, .reference = HTMMU, .plausible_min = 0, .plausible_max = 1000,
            .offset = FIELD(interval)),
    MSW_ROW(.name = "sparse_burst", .kind = MSW_INTEGER, .unit = "requests", .min = 1,
            .max = 1048576, .def = 1, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "requests that arrive together, one per cycle (with sparse_interval)",
            .source = MSW_UNKNOWN, .reference = HTMMU, .plausible_min = 1, .plausible_max = 65536,
            .offset = FIELD(burst), .acts = "sparse_interval > 0"),
    MSW_ROW(.name = "sparse_write_share", .kind = MSW_REAL, .unit = "", .min = 0, .max = 1,
            .def = 0, .neutral = MSW_NO_NEUTRAL, .doc = "share of requests that write",
            .source = MSW_INFERRED, .reference = "inference only reads",
            .offset = FIELD(write_share)),
    {0},
};

#define SPAN_MIB(n) ((int64_t)(n)*1048576)

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
    c->span = SPAN_MIB(65536);
    c->near_span = SPAN_MIB(1024);
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
