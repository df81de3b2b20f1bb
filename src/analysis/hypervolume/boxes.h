/* SPDX-License-Identifier: MIT */
/* boxes: volumes of unions of boxes that share the corner 0; a box is its far corner. */
#ifndef MSW_ANALYSIS_HYPERVOLUME_BOXES_H
#define MSW_ANALYSIS_HYPERVOLUME_BOXES_H

#include "memsweep/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing list of corners, m numbers each, none covered by another. */
typedef struct boxes {
    double *corner;
    size_t n, capacity;
    unsigned m;
} boxes;

/* Asks whether corner a reaches at least as far as b everywhere. Returns the answer. */
static inline bool box_covers(const double *a, const double *b, unsigned m)
{
    for (unsigned j = 0; j < m; j++)
        if (a[j] < b[j])
            return false;
    return true;
}

/* Computes the volume of one box. Returns it. */
static inline double box_volume(const double *corner, unsigned m)
{
    double volume = 1;
    for (unsigned j = 0; j < m; j++)
        volume *= corner[j];
    return volume;
}

/* Cuts box b to what it shares with box a. */
static inline void box_clip(const double *a, const double *b, unsigned m, double *shared)
{
    for (unsigned j = 0; j < m; j++)
        shared[j] = a[j] < b[j] ? a[j] : b[j];
}

/* Asks whether one box of the list covers `corner`; that box moves to the front of the list, as the
 * next question is often answered by the same. Returns the answer. */
bool boxes_cover(boxes *list, const double *corner);

/* Adds a box, taking out those that it covers. Returns 0, or -1 without memory. */
int boxes_add(boxes *list, const double *corner);

/* Computes the volumes of some unions, on all threads. Returns 0, or -1 without memory. */
int boxes_volumes(boxes *lists, size_t count, double *volume);

/* Frees the corners. */
void boxes_free(boxes *list);

/* A search tree over n boxes, each of which can be switched on. */
typedef struct box_tree box_tree;

/* Builds the tree over n corners of m numbers (kept by the caller), all off. Returns it, or NULL.
 */
box_tree *box_tree_new(const double *corners, size_t n, unsigned m);

/* Switches a box on. */
void box_tree_add(box_tree *tree, uint32_t box);

/* Collects in `shared` what the boxes that are on, `self` excepted, have in common with it. With
 * `tidy`, boxes found to lie inside `self` are switched off. Returns 0, or -1 without memory. */
int box_tree_shared(box_tree *tree, uint32_t self, bool tidy, boxes *shared);

/* Frees the tree; NULL is allowed. */
void box_tree_free(box_tree *tree);

#endif
