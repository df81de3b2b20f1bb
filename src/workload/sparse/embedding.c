/* SPDX-License-Identifier: MIT */
/* Embedding look-ups: each sample of a batch reads `lookups` rows of each table. */
#include "workload/sparse/parts.h"

enum { INDEX_BYTES = 8 };

/* Criteo Kaggle as facebookresearch/dlrm prepares it: 26 features, 33,762,577 rows. */
static const uint32_t CRITEO[] = {1460,  583,  10131227, 2202608, 305, 24,     12517,   633,   3,
                                  93145, 5683, 8351593,  3194,    27,  14992,  5461306, 10,    5652,
                                  2173,  4,    7046547,  18,      15,  286181, 105,     142572};
/* MovieLens-20M: users, items; once for the factors, once for the layers of NeuMF. */
static const uint32_t MOVIELENS[] = {138493, 26744, 138493, 26744};

static const char *const TABLE_NAMES[] = {"table", "indices"};

static uint32_t table_count(const msw_sparse_config *c)
{
    switch (c->sizes) {
    case MSW_SPARSE_CRITEO_KAGGLE:
        return sizeof CRITEO / sizeof *CRITEO;
    case MSW_SPARSE_MOVIELENS_20M:
        return sizeof MOVIELENS / sizeof *MOVIELENS;
    default:
        return (uint32_t)c->tables;
    }
}

static uint32_t table_rows(const msw_sparse_config *c, uint32_t table)
{
    switch (c->sizes) {
    case MSW_SPARSE_CRITEO_KAGGLE:
        return CRITEO[table];
    case MSW_SPARSE_MOVIELENS_20M:
        return MOVIELENS[table];
    default:
        return (uint32_t)c->rows;
    }
}

static uint64_t index_list_bytes(const msw_sparse_config *c)
{
    return (uint64_t)c->batch * (uint64_t)c->lookups * INDEX_BYTES;
}

static uint64_t make_regions(const msw_sparse_config *c, const msw_sparse_graph *graph,
                             msw_region *regions)
{
    uint32_t tables = table_count(c);
    uint64_t row_bytes = (uint64_t)(c->dimension * c->element_bytes);
    (void)graph;
    for (uint32_t t = 0; t < tables; t++)
        regions[t] = (msw_region){.name = TABLE_NAMES[0],
                                  .bytes = table_rows(c, t) * row_bytes,
                                  .rows = table_rows(c, t),
                                  .row_bytes = row_bytes};
    if (!c->indices)
        return tables;
    regions[tables] = (msw_region){.name = TABLE_NAMES[1], .bytes = tables * index_list_bytes(c)};
    return tables + 1;
}

static double most(const msw_sparse_sink *sink)
{
    const msw_sparse_config *c = sink->config;
    double lookups = (double)c->batch * (double)c->lookups * table_count(c);
    double lists = c->indices ? lookups * msw_sparse_pieces(sink, INDEX_BYTES) : 0;
    return lookups * msw_sparse_pieces(sink, (double)sink->row_bytes) + lists;
}

typedef struct tables {
    uint32_t count;
    const msw_region *indices; /* or NULL */
    msw_zipf *zipf;            /* by table */
} tables;

static int begin(msw_sparse_sink *sink, void **state, msw_err *err)
{
    const msw_sparse_config *c = sink->config;
    tables *t = msw_arena_zero(sink->arena, 1, sizeof *t);
    if (!t)
        return msw_fail_memory(err);
    t->count = table_count(c);
    t->indices = c->indices ? &sink->regions[t->count] : NULL;
    t->zipf = msw_arena_take(sink->arena, t->count * sizeof *t->zipf);
    if (!t->zipf)
        return msw_fail_memory(err);
    for (uint32_t i = 0; i < t->count; i++)
        if (i && sink->regions[i].rows == sink->regions[i - 1].rows)
            t->zipf[i] = t->zipf[i - 1];
        else
            msw_zipf_init(&t->zipf[i], (uint32_t)sink->regions[i].rows, c->zipf);
    *state = t;
    return 0;
}

/* The look-ups of one sample in one table. Which rows they are does not depend on the order. */
static void look_up(msw_sparse_sink *sink, const tables *t, uint32_t table, uint64_t sample)
{
    const msw_sparse_config *c = sink->config;
    const msw_region *region = &sink->regions[table];
    uint64_t number = (sink->batch * (uint64_t)c->batch + sample) * (uint64_t)c->lookups;
    for (uint64_t k = 0; k < (uint64_t)c->lookups; k++) {
        uint32_t row =
            msw_zipf_at(&t->zipf[table],
                        (msw_zipf_draw){sink->seed, number + k, MSW_SPARSE_DRAW_TABLES + table});
        if (c->ids == MSW_SPARSE_SCATTERED)
            row = msw_sparse_scatter(row, (uint32_t)region->rows, table);
        msw_sparse_emit(sink, region->address + row * region->row_bytes, region->row_bytes);
    }
}

static void read_indices(msw_sparse_sink *sink, const tables *t, uint64_t first, uint64_t count)
{
    if (t->indices)
        msw_sparse_emit(sink, t->indices->address + first * INDEX_BYTES, count * INDEX_BYTES);
}

static void make_by_table(msw_sparse_sink *sink, const tables *t)
{
    uint64_t batch = (uint64_t)sink->config->batch, each = batch * (uint64_t)sink->config->lookups;
    for (uint32_t table = 0; table < t->count; table++) {
        read_indices(sink, t, table * each, each);
        for (uint64_t sample = 0; sample < batch; sample++)
            look_up(sink, t, table, sample);
    }
}

static void make_by_sample(msw_sparse_sink *sink, const tables *t)
{
    uint64_t batch = (uint64_t)sink->config->batch;
    uint64_t each = t->count * (uint64_t)sink->config->lookups;
    for (uint64_t sample = 0; sample < batch; sample++) {
        read_indices(sink, t, sample * each, each);
        for (uint32_t table = 0; table < t->count; table++)
            look_up(sink, t, table, sample);
    }
}

static void make(msw_sparse_sink *sink, void *state)
{
    if (sink->config->order == MSW_SPARSE_BY_TABLE)
        make_by_table(sink, state);
    else
        make_by_sample(sink, state);
}

const msw_sparse_kind msw_sparse_embedding = {make_regions, most, begin, make};
