/* SPDX-License-Identifier: MIT */
/* Private to the readers of config.json: values of a file, kinds of models. */
#ifndef MSW_WORKLOAD_NPU_PUBLISHED_H
#define MSW_WORKLOAD_NPU_PUBLISHED_H

#include "workload/npu/parts.h"

#include "memsweep/base/json.h"

enum { SIZE_MAX_HERE = 1 << 24, HEADS_MAX = 65536, LAYERS_MAX = 1024, EXPERTS_MAX = 65536 };

typedef struct source {
    const char *file;
    const msw_json *top;
    msw_arena *arena;
    msw_err *err;
} source;

/* What a `model_type` says that no size does; what a member of the file may say otherwise is in
 * read_others. */
typedef struct family {
    const char *name;
    bool plain;      /* no gate in the feed-forward, which is 4 x hidden where nothing is said */
    unsigned window; /* in which layers the window is: see WINDOW_... */
    unsigned norms;  /* of a layer */
    unsigned has;    /* see below */
} family;

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* In which layers the window is. */
enum { WINDOW_ALL, WINDOW_EVEN, WINDOW_NOT_SIXTH, WINDOW_NOT_FOURTH, WINDOW_NONE };

/* Returns a value as a message shows it. */
const char *msw_published_shown(const msw_json *value);

/* Says what was found at a value and what is allowed. Returns -1. */
int msw_published_fail(const source *s, const msw_json *at, const char *found, const char *allowed);

/* The first of several names, ended by NULL, that is there and not null. Returns it, or NULL. */
const msw_json *msw_published_any(const source *s, const char *const *names);

/* Reads a whole number. Returns 1, 0 when none of the names is there, or -1. */
int msw_published_size(const source *s, const char *const *names, uint64_t most, uint64_t *size);

/* The same of one that must be there and not 0. Returns 0, or -1. */
int msw_published_need(const source *s, const char *const *names, uint64_t most, uint64_t *size);

/* Whether a member says so. */
bool msw_published_true(const source *s, const char *name);
bool msw_published_false(const source *s, const char *name);

/* Reads how many experts a layer with experts has, of which size. Returns 0, or -1. */
int msw_published_experts_of(const source *s, msw_decoder *d);

/* Marks the layers that have experts, and those that attend to a window only. Return 0, or -1. */
int msw_published_mark_experts(const source *s, const msw_decoder *d, uint8_t *kinds);
int msw_published_mark_windows(const source *s, const family *f, msw_decoder *d, uint8_t *kinds);

/* Whether no layer has attention. */
bool msw_published_bare(const family *f);

/* Reads the state that layers of a kind of model have, and marks those layers. Returns 0, or -1. */
int msw_published_state(const source *s, const family *f, msw_decoder *d, uint8_t *kinds);

#endif
