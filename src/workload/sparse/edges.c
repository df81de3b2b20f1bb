/* SPDX-License-Identifier: MIT */
/* A user's graph: a list of edges, one "from to" per line; further fields (weights) are passed
 * over. An edge joins both ways. Nodes are numbered from 0 to the largest number in the file. */
#include "workload/sparse/parts.h"
#include "workload/text/lines.h"

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
