/* SPDX-License-Identifier: MIT */
/* blocks: operators that follow one another and keep what passes between them in the cache.
 * Equations: ../README.md, "Blocks". */
#ifndef MSW_MECH_CAMDN_MAPPER_BLOCKS_H
#define MSW_MECH_CAMDN_MAPPER_BLOCKS_H

#include "mech/camdn/mapper/mapper.h"

/* A network with its table and the cache that one instance of it has. */
typedef struct camdn_space {
    const msw_graph_network *net;
    const camdn_table *table;
    uint64_t bytes;
} camdn_space;

/* Operators [first, end) as one block. */
typedef struct camdn_block {
    uint32_t first, end;
    bool fits;
    uint64_t held_bytes;  /* most of what passes between them, at one time */
    uint64_t cache_bytes; /* most of that and what operators keep for themselves */
    double dram_bytes;
} camdn_block;

/* Bits of an operator's operands that lie in the cache when [first, end) is a block. */
unsigned camdn_held_of(const msw_graph_network *net, uint32_t op, uint32_t first, uint32_t end);

/* Bytes that lie in the cache while an operator of a block runs. */
uint64_t camdn_held_bytes(const msw_graph_network *net, uint32_t op, uint32_t first, uint32_t end);

/* Of an operator whose reads are not all held, the bytes of those that are. */
double camdn_held_reads(const msw_graph_network *net, uint32_t op, uint32_t first, uint32_t end);

/* From where each number of operators is reached best to the ends of blocks. Returns how many. */
uint32_t camdn_write_ends(const uint32_t *from, uint32_t count, uint32_t *ends);

/* Memory traffic of an operator of a block whose own part of the cache has `own_bytes`. */
double camdn_block_op_bytes(const camdn_space *space, uint32_t op, uint32_t first, uint32_t end,
                            uint64_t own_bytes);

/* Returns what a block takes. One of a single operator always fits. */
camdn_block camdn_block_of(const camdn_space *space, uint32_t first, uint32_t end);

/* Cuts a network into the blocks with the least traffic; `ends` has room for one number per
 * operator. Returns the number of blocks, 0: no memory; `dram_bytes` becomes the traffic. */
uint32_t camdn_blocks_best(const camdn_space *space, msw_arena *scratch, uint32_t *ends,
                           double *dram_bytes);

/* Traffic with the blocks of the network's own table; those that do not fit run operator by
 * operator. */
double camdn_blocks_labelled(const camdn_space *space);

#endif
