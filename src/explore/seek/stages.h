/* SPDX-License-Identifier: MIT */
/* Private to explore/seek: the workloads of a round's designs, those first that decide most often,
 * until what came out shows that a design cannot join the front. */
#ifndef MSW_EXPLORE_SEEK_STAGES_H
#define MSW_EXPLORE_SEEK_STAGES_H

#include "memsweep/explore/seek.h"
#include "memsweep/sweep/sweep.h"

/* A design of the round. */
typedef struct seek_staged {
    size_t asked; /* workloads */
    bool mine;    /* of this shard */
    bool closed;
    msw_seek_answer worst;
    size_t decides[MSW_SEEK_OBJECTIVES]; /* which workload is the worst */
} seek_staged;

typedef struct seek_stages {
    bool on; /* designs are compared by their worst workload, and it alone */
    unsigned objectives;
    bool higher[MSW_SEEK_OBJECTIVES];
    size_t workloads, *order;
    uint64_t *decided; /* of each workload: how often it was the worst of a design */
    seek_staged *designs;
    size_t count, room;
    uint64_t spared; /* points */
} seek_stages;

int seek_stages_new(const msw_plan *plan, seek_stages *stages, msw_err *err);
void seek_stages_free(seek_stages *stages);

/* Begins a round of so many designs, of which those of one shard are taken. Returns 0, or -1. */
int seek_stages_begin(seek_stages *s, uint64_t count, uint64_t shards, uint64_t shard,
                      msw_err *err);

/* Where the stage ends that begins with a workload: 1, 1, 2, 4, ... of them. */
size_t seek_stages_end(const seek_stages *s, size_t first);

/* Whether more of a design is wanted. */
bool seek_stages_want(const seek_stages *s, uint64_t design);

/* Takes what came out of a design on one workload. */
void seek_stages_take(seek_stages *s, uint64_t design, size_t workload, const msw_seek_answer *a);

/* Closes the designs of which enough is known. */
void seek_stages_close(seek_stages *s, const msw_seeker *seeker);

/* Tells of those; learns from the others which workloads decide. */
void seek_stages_tell(seek_stages *s, msw_seeker *seeker, uint64_t first);

#endif
