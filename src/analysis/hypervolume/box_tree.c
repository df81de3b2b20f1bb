/* SPDX-License-Identifier: MIT */
/* Searches a balanced tree over boxes, split in turn by each dimension. Every node knows how far
 * the boxes below it that are on reach; a whole subtree is skipped when even that reach, cut to the
 * box in question, is covered by parts already found. */
#include "analysis/hypervolume/boxes.h"

#include <stdlib.h>
#include <string.h>

enum { LEAF = 8, MOST = 32 };

struct box_tree {
    const double *corners;
    uint32_t *box;  /* boxes in leaf order */
    uint32_t *leaf; /* node of each box */
    bool *on;
    double *reach; /* per node: m numbers */
    uint32_t *first;
    size_t n, nodes;
    unsigned m;
};

typedef struct search {
    box_tree *tree;
    uint32_t self;
    bool tidy;
    boxes *shared;
} search;

static const double *corner_of(const box_tree *tree, uint32_t box)
{
    return tree->corners + (size_t)box * tree->m;
}

/* Puts the `rank`-th smallest of box[0..n) by one dimension in its place. */
static void select_rank(const box_tree *tree, uint32_t *box, size_t n, size_t rank, unsigned axis)
{
    size_t low = 0, high = n - 1;
    while (low < high) {
        double pivot = corner_of(tree, box[(low + high) / 2])[axis];
        size_t i = low, j = high;
        for (;;) {
            while (corner_of(tree, box[i])[axis] < pivot)
                i++;
            while (corner_of(tree, box[j])[axis] > pivot)
                j--;
            if (i >= j)
                break;
            uint32_t swap = box[i];
            box[i++] = box[j];
            box[j--] = swap;
        }
        if (rank <= j)
            high = j;
        else
            low = j + 1;
    }
}

/* A complete tree in an array: the children of node i are 2i + 1 and 2i + 2. Each level halves the
 * boxes at the median of the next dimension in turn. */
static void build(box_tree *tree, size_t node, size_t start, size_t end, unsigned axis)
{
    tree->first[2 * node] = (uint32_t)start;
    tree->first[2 * node + 1] = (uint32_t)end;
    if (2 * node + 2 >= tree->nodes) {
        for (size_t i = start; i < end; i++)
            tree->leaf[tree->box[i]] = (uint32_t)node;
        return;
    }
    size_t mid = start + (end - start) / 2;
    if (end - start > 1)
        select_rank(tree, tree->box + start, end - start, mid - start, axis);
    build(tree, 2 * node + 1, start, mid, (axis + 1) % tree->m);
    build(tree, 2 * node + 2, mid, end, (axis + 1) % tree->m);
}

box_tree *box_tree_new(const double *corners, size_t n, unsigned m)
{
    box_tree *tree = calloc(1, sizeof *tree);
    if (!tree)
        return NULL;
    size_t leaves = 1;
    while (leaves * LEAF < n)
        leaves *= 2;
    *tree = (box_tree){.corners = corners, .n = n, .m = m, .nodes = 2 * leaves - 1};
    tree->box = malloc((n + 1) * sizeof *tree->box);
    tree->leaf = malloc((n + 1) * sizeof *tree->leaf);
    tree->on = calloc(n + 1, sizeof *tree->on);
    tree->reach = calloc(tree->nodes * m, sizeof *tree->reach);
    tree->first = malloc(2 * tree->nodes * sizeof *tree->first);
    if (!tree->box || !tree->leaf || !tree->on || !tree->reach || !tree->first) {
        box_tree_free(tree);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        tree->box[i] = (uint32_t)i;
    build(tree, 0, 0, n, 0);
    return tree;
}

void box_tree_free(box_tree *tree)
{
    if (!tree)
        return;
    free(tree->box);
    free(tree->leaf);
    free(tree->on);
    free(tree->reach);
    free(tree->first);
    free(tree);
}

static void extend(double *reach, const double *corner, unsigned m)
{
    for (unsigned j = 0; j < m; j++)
        reach[j] = corner[j] > reach[j] ? corner[j] : reach[j];
}

/* A node's reach is the corner that covers all boxes below it that are on: a search passes over
 * nodes whose reach is too small. */
void box_tree_add(box_tree *tree, uint32_t box)
{
    tree->on[box] = true;
    for (size_t node = tree->leaf[box];; node = (node - 1) / 2) {
        extend(tree->reach + node * tree->m, corner_of(tree, box), tree->m);
        if (node == 0)
            return;
    }
}

/* Takes up the boxes of a leaf. Returns whether its reach may have shrunk, or -1 without memory. */
static int search_leaf(search *job, size_t node)
{
    box_tree *tree = job->tree;
    const double *self = corner_of(tree, job->self);
    int shrunk = 0;
    double clipped[MOST];
    for (uint32_t i = tree->first[2 * node]; i < tree->first[2 * node + 1]; i++) {
        uint32_t box = tree->box[i];
        const double *corner = corner_of(tree, box);
        if (!tree->on[box] || box == job->self)
            continue;
        box_clip(corner, self, tree->m, clipped);
        if (!boxes_cover(job->shared, clipped) && boxes_add(job->shared, clipped))
            return -1;
        if (job->tidy && box_covers(self, corner, tree->m)) {
            tree->on[box] = false;
            shrunk = 1;
        }
    }
    return shrunk;
}

static void measure_leaf(box_tree *tree, size_t node)
{
    double *reach = tree->reach + node * tree->m;
    memset(reach, 0, tree->m * sizeof *reach);
    for (uint32_t i = tree->first[2 * node]; i < tree->first[2 * node + 1]; i++)
        if (tree->on[tree->box[i]])
            extend(reach, corner_of(tree, tree->box[i]), tree->m);
}

static void measure_node(box_tree *tree, size_t node)
{
    double *reach = tree->reach + node * tree->m;
    memcpy(reach, tree->reach + (2 * node + 1) * tree->m, tree->m * sizeof *reach);
    extend(reach, tree->reach + (2 * node + 2) * tree->m, tree->m);
}

static double shared_volume(const search *job, size_t node)
{
    double clipped[MOST];
    unsigned m = job->tree->m;
    box_clip(job->tree->reach + node * m, corner_of(job->tree, job->self), m, clipped);
    return box_volume(clipped, m);
}

/* Searches below a node, the more promising half first. Returns as search_leaf. */
static int search_node(search *job, size_t node)
{
    box_tree *tree = job->tree;
    const double *reach = tree->reach + node * tree->m;
    double clipped[MOST];
    box_clip(reach, corner_of(tree, job->self), tree->m, clipped);
    for (unsigned j = 0; j < tree->m; j++)
        if (clipped[j] <= 0)
            return 0;
    if (boxes_cover(job->shared, clipped))
        return 0;
    size_t left = 2 * node + 1, right = left + 1;
    if (left >= tree->nodes) {
        int shrunk = search_leaf(job, node);
        if (shrunk > 0)
            measure_leaf(tree, node);
        return shrunk;
    }
    bool swap = shared_volume(job, right) > shared_volume(job, left);
    int first = search_node(job, swap ? right : left);
    int second = first < 0 ? -1 : search_node(job, swap ? left : right);
    if (first > 0 || second > 0)
        measure_node(tree, node);
    return first < 0 || second < 0 ? -1 : first | second;
}

int box_tree_shared(box_tree *tree, uint32_t self, bool tidy, boxes *shared)
{
    search job = {tree, self, tidy, shared};
    shared->n = 0;
    shared->m = tree->m;
    return search_node(&job, 0) < 0 ? -1 : 0;
}
