/* SPDX-License-Identifier: MIT */
/* The state of a dram object, shared by the files of the part only.
 *
 * A `unit` is one row buffer: (rank, group, bank, buffer). Every unit keeps the requests that wait
 * for it in two lists by age (reads, writes), so that the one or two commands it could issue next
 * follow from its own state: one towards the data of its oldest hit or request, and a PRE for a
 * request that is older than every hit. They lie in small `candidates`; choosing a command means
 * one pass over the candidates of the units that have work, never over the queues. */
#ifndef MSW_SIM_DRAM_STATE_H
#define MSW_SIM_DRAM_STATE_H

#include "memsweep/base/bits.h"
#include "memsweep/sim/dram.h"

#include <string.h>

#define DRAM_NONE       UINT16_MAX
#define DRAM_NO_ROW     UINT32_MAX
#define DRAM_NO_CHANNEL UINT32_MAX
#define DRAM_FAR        ((uint64_t)1 << 62) /* a time that never comes, with room to add to it */
#define DRAM_BLOCKED    ((uint64_t)1 << 22) /* cycles, more than a refresh takes */

enum { DRAM_TO_CHANNEL, DRAM_TO_BANK, DRAM_TO_ROW, DRAM_TO_COLUMN };
enum { DRAM_READS, DRAM_WRITES };
enum { DRAM_SAME_GROUP, DRAM_SAME_RANK, DRAM_OTHER_RANK };
/* Commands, as they count in dram_channel.limit. RD + side is the column command of a side. */
enum { DRAM_DO_ACT, DRAM_DO_PRE, DRAM_DO_RD, DRAM_DO_WR };

typedef struct dram_request {
    _Alignas(64) uint64_t arrival;
    uint64_t tag, burst;
    uint64_t first; /* cycle of the first command issued for it; 0 before */
    uint64_t seq;
    uint32_t row;
    uint16_t next, prev, unit, bytes;
    uint16_t kin; /* index in dram_side.kin */
    uint8_t outcome;
} dram_request;

typedef struct dram_list {
    uint16_t head, tail, hit; /* hit: oldest request for the open row */
    uint16_t candidate; /* index in the side's candidates, DRAM_NONE while the list is empty */
    uint16_t closer;    /* the same of a PRE that waits at the same time, DRAM_NONE mostly */
} dram_list;

typedef struct dram_unit {
    _Alignas(64) uint64_t act_ready;
    uint64_t pre_ready, col_ready;
    uint64_t sel_ready;
    uint32_t open_row, hits; /* hits: column commands since ACT */
    uint8_t group, rank;     /* group: index in the channel */
    uint8_t opened;          /* outcome of the first column command since ACT */
    bool precharged;         /* closed by a PRE since the last ACT */
    dram_list list[2];
} dram_unit;

typedef struct dram_candidate {
    uint64_t ready; /* by the rules of the unit alone */
    uint64_t order; /* among commands of the same cycle: row commands last, then by age */
    uint16_t unit;
    uint16_t limit; /* group * 4 + command */
    bool closes;    /* a PRE in addition to the unit's other candidate */
} dram_candidate;

enum { DRAM_BLOCK = 4 }; /* candidates looked at together; unused places have order UNUSED */
#define DRAM_UNUSED UINT64_MAX
enum { DRAM_AGE_BITS = 40 }; /* requests of a channel that can be distinguished by age */

enum { DRAM_REF_IDLE, DRAM_REF_PRECHARGE, DRAM_REF_REFRESH };

typedef struct dram_rank {
    uint64_t faw[4]; /* ends of the windows opened by the last four ACT */
    uint64_t ref_due, ref_time;
    uint32_t faw_at;
    uint32_t ref_state;
} dram_rank;

/* One direction's queue: `used` entries in the window, the rest in arrival order in a ring. */
typedef struct dram_side {
    _Alignas(64) dram_request *entry; /* window entries */
    dram_request *ring;
    dram_candidate *candidate;
    uint32_t candidates;
    uint32_t window, depth, used, waiting, ring_head;
    uint16_t *kin; /* entries in the window by a hash of (unit, row): 0 where none has this row */
    uint32_t kin_shift;
    uint16_t free_entry; /* list of free window entries by `next` */
} dram_side;

typedef struct dram_channel {
    dram_side side[2];
    dram_unit *unit;
    uint64_t *limit;    /* earliest cycle of each group's ACT, PRE, RD, WR: group * 4 + command */
    uint16_t *selected; /* by bank: the unit that its column path is connected to */
    dram_rank *rank;
    uint64_t bus_free[2]; /* next free cycle of the row and the column command bus */
    uint64_t ref_time;    /* earliest refresh step of any rank */
    uint32_t ref_rank;
    uint32_t mode; /* the side being served */
    uint32_t index;
    uint64_t seq;
    const dram_candidate *next; /* NULL: a refresh step */
    msw_dram_stats stats;
} dram_channel;

/* What never changes after init. */
typedef struct dram_rules {
    msw_dram_config config;
    msw_dram_map map;
    uint32_t groups, units, units_per_rank, banks_per_rank; /* per channel */
    uint32_t buffer_mask, buffer_shift, burst_shift;
    uint32_t hit_cap; /* column commands after which an older request may close the row: 0 or, for
                         none, UINT32_MAX */
    bool siblings;    /* a command bounds the other row buffers of its bank */
    bool selects;     /* a row buffer must be selected */
    uint32_t col_gap[2][3][2]; /* from column command of a side, by relation, to one of a side */
    uint32_t col_to_pre[2];
    uint32_t data_delay[2]; /* from the column command to the end of its data */
} dram_rules;

struct msw_dram {
    dram_rules rules;
    dram_channel *channel;
    uint64_t *next_time; /* per channel: cycle of its next event */
    msw_dram_server *server;
    msw_dram_completion *done; /* ring, sorted by time */
    uint32_t done_head, done_count, done_mask;
    uint64_t pending;  /* requests in the queues of all channels */
    uint64_t earliest; /* no event of any channel is before */
    uint64_t ahead;    /* cycles a channel may go ahead of the others */
    int64_t due;       /* events before a completion plus `due` must have happened to take it */
    msw_dram_command *trace;
    size_t trace_capacity, traced;
};

/* Moves one run of address bits to its place in a field: the map of an address is a list of such
 * runs. */
static inline uint32_t dram_bits(const msw_dram_piece *piece, uint64_t address)
{
    return ((uint32_t)(address >> piece->shift) & piece->mask) << piece->to;
}

/* Most fields are one run of bits; the further runs of a split field are in `more`. The bank is
 * XORed with row bits, so that rows at a power-of-two distance go to different banks. */
static inline msw_dram_location dram_locate(const msw_dram_map *map, uint64_t address)
{
    uint32_t out[4];
    for (uint32_t i = 0; i < 4; i++)
        out[i] = dram_bits(&map->first[i], address);
    for (uint32_t i = 0; i < map->more_count; i++)
        out[map->more[i].field] |= dram_bits(&map->more[i], address);
    return (msw_dram_location){.channel = out[DRAM_TO_CHANNEL],
                               .bank = out[DRAM_TO_BANK] ^ (out[DRAM_TO_ROW] & map->hash_mask),
                               .row = out[DRAM_TO_ROW],
                               .column = out[DRAM_TO_COLUMN]};
}

enum { DRAM_BIN_EXACT = 16, DRAM_BINS_PER_OCTAVE = 8 };

/* The exponent and the first three fraction bits of a float are the bin of numbers from 16 on. */
static inline unsigned dram_bin_of(uint64_t latency)
{
    if (latency < DRAM_BIN_EXACT)
        return (unsigned)latency;
    if (latency >= (uint64_t)1 << 18)
        return MSW_DRAM_LATENCY_BINS - 1;
    float as_float = (float)(int32_t)latency;
    uint32_t bits;
    memcpy(&bits, &as_float, sizeof bits);
    return (bits >> 20) - (131 << 3) + DRAM_BIN_EXACT;
}

static inline void dram_count_latency(msw_dram_stats *stats, uint64_t latency)
{
    stats->latency_bin[dram_bin_of(latency)]++;
    stats->read_latency_max = msw_max_u64(stats->read_latency_max, latency);
}

/* A command holds its bus for a cycle; with two buses the other may still be used in that cycle,
 * but no more before it. */
static inline void dram_use_bus(const dram_rules *rules, dram_channel *channel, uint32_t bus,
                                uint64_t time)
{
    channel->bus_free[bus] = time + 1;
    channel->bus_free[!bus] =
        msw_max_u64(channel->bus_free[!bus], time + (rules->config.command_buses == 1));
}

/* Data of the same cycle are in the order of their channels, before the answers of queues, so
 * that it does not count which channel is ahead. */
static inline bool dram_done_after(const msw_dram_completion *done, uint64_t time, uint32_t channel)
{
    if (done->time != time)
        return done->time > time;
    return done->outcome == MSW_DRAM_QUEUED ? channel != DRAM_NO_CHANNEL : done->channel > channel;
}

/* Makes room where a completion at `time` belongs, nearly always at the end; `channel` is that of
 * data, else DRAM_NO_CHANNEL. Returns it, to be filled field by field. */
static inline msw_dram_completion *dram_done_insert(msw_dram *dram, uint64_t time, uint32_t channel)
{
    uint32_t mask = dram->done_mask, at = dram->done_head + dram->done_count++;
    while (at != dram->done_head && dram_done_after(&dram->done[(at - 1) & mask], time, channel)) {
        dram->done[at & mask] = dram->done[(at - 1) & mask];
        at--;
    }
    msw_dram_completion *slot = &dram->done[at & mask];
    slot->time = time;
    return slot;
}

/* Channels go on cycle by cycle, as far as a push allows. */
static inline void dram_go_together(msw_dram *dram)
{
    dram->ahead = 1;
    dram->due = dram->rules.config.controller;
}

/* Whether a channel has nothing to do but refreshes. */
static inline bool dram_is_idle(const dram_channel *channel)
{
    return !(channel->side[DRAM_READS].candidates + channel->side[DRAM_WRITES].candidates);
}

/* Time of the first completion that can be taken, or MSW_DRAM_NEVER. */
static inline uint64_t dram_first_done(const msw_dram *dram)
{
    return dram->done_count ? dram->done[dram->done_head & dram->done_mask].time : MSW_DRAM_NEVER;
}

/* Writes a command down. */
void dram_record(msw_dram *dram, const dram_channel *channel, msw_dram_command command);

/* Refresh of the ranks of a channel. */
void dram_refresh_step(msw_dram *dram, dram_channel *channel, uint64_t time);
void dram_refresh_skip(msw_dram *dram, dram_channel *channel, uint64_t time);
void dram_refresh_start(const dram_rules *rules, dram_channel *channel);

/* Commands of a channel. */
void dram_plan(msw_dram *dram, dram_channel *channel);
void dram_plan_arrival(msw_dram *dram, dram_channel *channel, uint32_t unit);
void dram_advance_channel(msw_dram *dram, dram_channel *channel, uint64_t before);
void dram_advance_until(msw_dram *dram, uint64_t limit);

#endif
