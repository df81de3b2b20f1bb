/* SPDX-License-Identifier: MIT */
/* Graphs: edges of a user's file, and the neighbourhoods that a batch reads. */
#include "workload/sparse/parts.h"
#include "workload/text/lines.h"

/* A user's graph: a list of edges, one "from to" per line; further fields (weights) are passed
 * over. An edge joins both ways. Nodes are numbered from 0 to the largest number in the file. */

enum { NODES_MAX = 1 << 28 };

typedef struct edge {
    uint32_t from, to;
} edge;

static int fail_field(const msw_lines *lines, msw_line line, msw_field field, msw_err *err)
{
    return msw_fail(err,
                    "%s:%llu:%zu: found '%.*s', allowed: two node numbers below 2^28 (edges: "
                    "'from to'; a trace of addresses is named *.trace)",
                    lines->file, (unsigned long long)lines->line,
                    (size_t)(field.text - line.text) + 1, (int)(field.size < 24 ? field.size : 24),
                    field.text);
}

/* Returns 1 with an edge, 0 for a line without, -1 with `err`. */
static int read_edge(const msw_lines *lines, msw_line line, edge *e, msw_err *err)
{
    msw_field fields[MSW_FIELDS_MAX];
    uint64_t ends[2];
    int count = msw_line_split(line, fields);
    if (count == 0)
        return 0;
    if (count == 1)
        return fail_field(lines, line, fields[0], err);
    for (int i = 0; i < 2; i++)
        if (!msw_field_number(fields[i], &ends[i]) || ends[i] >= NODES_MAX)
            return fail_field(lines, line, fields[i], err);
    *e = (edge){(uint32_t)ends[0], (uint32_t)ends[1]};
    return 1;
}

/* Counts edges and nodes. */
static int measure(msw_lines *lines, msw_sparse_graph *graph, uint64_t *edges, msw_err *err)
{
    msw_line line;
    edge e = {0, 0};
    int rc;
    *edges = 0;
    while ((rc = msw_lines_next(lines, &line, err)) > 0) {
        int found = read_edge(lines, line, &e, err);
        if (found < 0)
            return -1;
        if (!found)
            continue;
        uint32_t top = e.from > e.to ? e.from : e.to;
        graph->nodes = top >= graph->nodes ? top + 1 : graph->nodes;
        ++*edges;
    }
    if (rc == 0 && *edges == 0)
        return msw_fail(err, "%s:1:1: found no edge, allowed: lines 'from to'", lines->file);
    return rc < 0 ? -1 : msw_lines_rewind(lines, err);
}

static int keep_edges(msw_lines *lines, const msw_sparse_graph *graph, edge *edges, msw_err *err)
{
    msw_line line;
    int rc;
    while ((rc = msw_lines_next(lines, &line, err)) > 0) {
        int found = read_edge(lines, line, edges, err);
        if (found < 0)
            return -1;
        if (!found)
            continue;
        graph->offsets[edges->from]++;
        graph->offsets[edges->to]++;
        edges++;
    }
    return rc;
}

/* From degrees to lists: offsets become ends, and each end moves down as its list is filled. */
static void fill(const msw_sparse_graph *graph, const edge *edges, uint64_t count)
{
    uint64_t sum = 0;
    for (uint32_t n = 0; n <= graph->nodes; n++)
        graph->offsets[n] = sum += n < graph->nodes ? graph->offsets[n] : 0;
    for (uint64_t i = count; i-- > 0;) {
        graph->targets[--graph->offsets[edges[i].from]] = edges[i].to;
        graph->targets[--graph->offsets[edges[i].to]] = edges[i].from;
    }
}

int msw_sparse_parse(const char *file, const char *bytes, size_t size, msw_arena *arena,
                     const void **content, msw_err *err)
{
    msw_lines lines;
    uint64_t count;
    msw_sparse_graph *graph = msw_arena_zero(arena, 1, sizeof *graph);
    if (!graph)
        return msw_fail_memory(err);
    if (msw_lines_open(&lines, file, bytes, size, arena, err) ||
        measure(&lines, graph, &count, err))
        return -1;
    graph->offsets = msw_arena_zero(arena, (size_t)graph->nodes + 1, sizeof *graph->offsets);
    graph->targets = msw_arena_take(arena, 2 * count * sizeof *graph->targets);
    msw_arena_mark mark = msw_arena_now(arena);
    edge *edges = msw_arena_take(arena, count * sizeof *edges);
    if (!graph->offsets || !graph->targets || !edges)
        return msw_fail_memory(err);
    if (keep_edges(&lines, graph, edges, err))
        return -1;
    fill(graph, edges, count);
    msw_arena_release(arena, mark);
    *content = graph;
    return 0;
}

/* Neighbourhoods: the features of target nodes, of `fanout` sampled neighbours of each, of theirs,
 * and so on for `hops`. A generated graph is never stored: edge e of node v is a function of (v,
 * e), its other end popular by Zipf's law. */

enum { ID_BYTES = 4 };

static uint64_t node_count(const msw_sparse_config *c, const msw_sparse_graph *graph)
{
    return graph ? graph->nodes : (uint64_t)c->rows;
}

static uint64_t edge_count(const msw_sparse_config *c, const msw_sparse_graph *graph)
{
    return graph ? graph->offsets[graph->nodes] : (uint64_t)c->rows * (uint64_t)c->degree;
}

static uint64_t make_regions(const msw_sparse_config *c, const msw_sparse_graph *graph,
                             msw_region *regions)
{
    uint64_t nodes = node_count(c, graph), row_bytes = (uint64_t)(c->dimension * c->element_bytes);
    uint64_t edges = edge_count(c, graph);
    regions[0] = (msw_region){
        .name = "features", .bytes = nodes * row_bytes, .rows = nodes, .row_bytes = row_bytes};
    if (!c->indices)
        return 1;
    regions[1] = (msw_region){.name = "neighbours", .bytes = edges ? edges * ID_BYTES : ID_BYTES};
    return 2;
}

/* Nodes of one target's tree. */
static double tree_nodes(const msw_sparse_config *c)
{
    double sum = 1, level = 1;
    for (int64_t h = 0; h < c->hops; h++)
        sum += level *= (double)c->fanout;
    return sum;
}

static double most(const msw_sparse_sink *sink)
{
    const msw_sparse_config *c = sink->config;
    double nodes = (double)c->batch * tree_nodes(c);
    return nodes * (msw_sparse_pieces(sink, (double)sink->row_bytes) + (c->indices ? 2 : 0));
}

typedef struct forest {
    msw_zipf targets, ends;
    uint32_t *nodes, *next; /* of one level */
    uint64_t samples;       /* neighbours sampled so far in this batch */
} forest;

static int begin(msw_sparse_sink *sink, void **state, msw_err *err)
{
    const msw_sparse_config *c = sink->config;
    double room = (c->order == MSW_SPARSE_BY_TABLE ? (double)c->batch : 1) * tree_nodes(c);
    forest *f = msw_arena_take(sink->arena, sizeof *f);
    if (!f)
        return msw_fail_memory(err);
    f->nodes = msw_arena_take(sink->arena, (size_t)room * sizeof *f->nodes);
    f->next = msw_arena_take(sink->arena, (size_t)room * sizeof *f->next);
    if (!f->nodes || !f->next)
        return msw_fail_memory(err);
    msw_zipf_init(&f->targets, (uint32_t)sink->regions[0].rows, sink->graph ? 0 : c->zipf);
    msw_zipf_init(&f->ends, (uint32_t)sink->regions[0].rows, c->zipf);
    *state = f;
    return 0;
}

static uint32_t place(const msw_sparse_sink *sink, uint32_t rank)
{
    if (sink->graph || sink->config->ids == MSW_SPARSE_POPULAR_FIRST)
        return rank;
    return msw_sparse_scatter(rank, (uint32_t)sink->regions[0].rows, 0);
}

static uint64_t choose(const msw_sparse_sink *sink, forest *f, uint64_t degree)
{
    uint64_t number = sink->batch << 40 | f->samples++;
    return msw_sparse_random(sink, MSW_SPARSE_DRAW_EDGE, number) * degree >> 32;
}

/* A sampled neighbour; a node without any is its own neighbour. The graph is the same for all
 * seeds.
 */
static uint32_t neighbour(msw_sparse_sink *sink, forest *f, uint32_t node)
{
    const msw_sparse_graph *graph = sink->graph;
    uint64_t first = graph ? graph->offsets[node] : node * (uint64_t)sink->config->degree;
    uint64_t degree = graph ? graph->offsets[node + 1] - first : (uint64_t)sink->config->degree;
    if (degree == 0)
        return node;
    uint64_t chosen = first + choose(sink, f, degree);
    if (sink->config->indices)
        msw_sparse_emit(sink, sink->regions[1].address + chosen * ID_BYTES, ID_BYTES);
    if (graph)
        return graph->targets[chosen];
    return place(sink,
                 msw_zipf_at(&f->ends, (msw_zipf_draw){0, chosen, MSW_SPARSE_DRAW_NEIGHBOUR}));
}

static void read_features(msw_sparse_sink *sink, const uint32_t *nodes, uint64_t count)
{
    const msw_region *features = sink->regions;
    for (uint64_t i = 0; i < count; i++)
        msw_sparse_emit(sink, features->address + nodes[i] * features->row_bytes,
                        features->row_bytes);
}

/* Level by level from the targets in f->nodes. */
static void gather(msw_sparse_sink *sink, forest *f, uint64_t count)
{
    read_features(sink, f->nodes, count);
    for (int64_t hop = 0; hop < sink->config->hops; hop++) {
        uint64_t found = 0;
        for (uint64_t i = 0; i < count; i++)
            for (int64_t k = 0; k < sink->config->fanout; k++)
                f->next[found++] = neighbour(sink, f, f->nodes[i]);
        uint32_t *swap = f->nodes;
        f->nodes = f->next;
        f->next = swap;
        count = found;
        read_features(sink, f->nodes, count);
    }
}

static uint32_t target(const msw_sparse_sink *sink, const forest *f, uint64_t sample)
{
    uint64_t number = sink->batch * (uint64_t)sink->config->batch + sample;
    return place(
        sink, msw_zipf_at(&f->targets, (msw_zipf_draw){sink->seed, number, MSW_SPARSE_DRAW_ROW}));
}

static void make(msw_sparse_sink *sink, void *state)
{
    forest *f = state;
    uint64_t batch = (uint64_t)sink->config->batch;
    uint64_t together = sink->config->order == MSW_SPARSE_BY_TABLE ? batch : 1;
    f->samples = 0;
    for (uint64_t first = 0; first < batch; first += together) {
        for (uint64_t i = 0; i < together; i++)
            f->nodes[i] = target(sink, f, first + i);
        gather(sink, f, together);
    }
}

const msw_sparse_kind msw_sparse_neighbours = {make_regions, most, begin, make};
