/* Private to neummu's machine: memory, answers, MMU, and what a unit finds when it begins. */
#ifndef MSW_MECH_NEUMMU_NEUMMU_PARTS_H
#define MSW_MECH_NEUMMU_NEUMMU_PARTS_H

#include "mech/neummu/neummu.h"

enum { NEUMMU_WALK_BYTES = 64 }; /* a page-table access moves one line */

/* Returns 0, or -1. */
int neummu_memory_init(neummu_memory *memory, const neummu_config *config, msw_err *err);

/* Brings the data of a batch. Returns when the last of it has arrived. */
uint64_t neummu_memory_serve(neummu_memory *memory, const neummu_batch *batch);

/* Takes bandwidth for bytes nobody waits for. */
void neummu_memory_occupy(neummu_memory *memory, uint64_t time, uint64_t bytes);

size_t neummu_answers_bytes(size_t capacity);
void neummu_answers_init(neummu_answers *answers, size_t capacity, void *memory);

/* Keeps a batch. Returns false, and keeps nothing, when there is no room. */
bool neummu_answers_put(neummu_answers *answers, const neummu_batch *batch);

/* Takes the earliest batch that starts by `now`. Returns whether there was one. */
bool neummu_answers_take(neummu_answers *answers, uint64_t now, neummu_batch *batch);

/* Begins the bursts of a step whose loads may begin at `origin`. */
void neummu_bursts_start(neummu_bursts *bursts, const msw_task *task, uint64_t origin,
                         uint32_t step);

/* Counts translations asked for one per tick. */
void neummu_bursts_note(neummu_bursts *bursts, uint64_t time, uint64_t count, const msw_page *page);

/* Writes the last window. Returns 0, or -1. */
int neummu_bursts_flush(neummu_bursts *bursts, msw_err *err);

/* Room to reconstruct what the steps before a unit have left. */
typedef struct neummu_past {
    uint64_t *recent; /* neummu_past_pages: pages, newest first */
    uint64_t *seen;   /* neummu_past_places of them: a hash set, page + 1, 0 where free */
    const neummu_timeline *line; /* whose stores are still to come */
    neummu_flow store, head;     /* what the step `from` has done already: a store, first loads */
} neummu_past;

/* Pages that are worth remembering. */
uint64_t neummu_past_pages(const neummu_config *config);

/* Places of a hash set of so many pages. */
uint64_t neummu_past_places(uint64_t pages);

/* Fills TLBs and path caches with what the steps before `from` have left, as far as it matters for
 * the steps up to `to`. */
void neummu_recall(const neummu_past *past, neummu_machine *machine, const neummu_stream *stream,
                   uint64_t from, uint64_t to);

/* Runs a step of which only `tile` is left to load. Returns where its time went. */
neummu_period neummu_run_tile(neummu_machine *machine, const neummu_stream *stream,
                              neummu_timeline *line, uint32_t step, const neummu_tile *tile);

/* The MMU that a config describes, its times in ticks. */
msw_mmu_config neummu_mmu_config(const neummu_config *config);

#endif
