/* SPDX-License-Identifier: MIT */
/* mesh: a rectangle of nodes with a router each, packets that go first along x, then along y.
 *
 * It waits for mpu, whose cores form meshes on the logic dies and whose cubes form one of slower
 * links, and for camdn, whose cores reach the slices of a cache over one.
 *
 * Every node has four links to its neighbours and one in and one out of its router. A link serves
 * the packets whose first flit has reached it in the order of arrival (equal cycles: in the order
 * sent). A packet of b bytes that starts on link k at s_k holds it until
 *   e_k = max(s_k + ceil(b / width_k), e_{k-1} + hop_{k-1}),
 * and its first flit reaches the next link at s_k + hop_k: the packet streams through as it comes
 * (wormhole), but what waits is taken out of the links behind it: buffers are not limited. It is
 * delivered at the end of its last link and hop. docs/models/sim-mesh.md.
 *
 * Waiting: msw_mesh_* for mpu (meshes of cores and of cubes) and camdn (cores to slices).
 *
 * Times are cycles below 2^43; those given to one mesh never go back. Nothing here allocates. */
#ifndef MEMSWEEP_SIM_MESH_H
#define MEMSWEEP_SIM_MESH_H

#include "memsweep/base/err.h"
#include "memsweep/sim/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MSW_MESH_NODES_MOST = 4096, MSW_MESH_PACKETS_MOST = 1 << 20 };

typedef enum msw_mesh_way {
    MSW_MESH_EAST,
    MSW_MESH_WEST,
    MSW_MESH_NORTH,
    MSW_MESH_SOUTH,
    MSW_MESH_IN,  /* into the node's router */
    MSW_MESH_OUT, /* out of it */
    MSW_MESH_WAYS,
} msw_mesh_way;

typedef struct msw_mesh_config {
    uint32_t width, height;      /* nodes; node = y x width + x */
    uint32_t link_bytes;         /* per cycle, a power of two */
    uint32_t hop_cycles;         /* router and wire, at least 1 */
    uint32_t port_bytes;         /* in and out of a router, a power of two */
    uint32_t port_cycles;        /* at least 1 */
    uint32_t tile_width;         /* links that leave a tile of so many nodes are far; 0: none are */
    uint32_t tile_height;        /* (cubes of MPU: 4 x 4 cores) */
    uint32_t far_bytes, far_hop; /* of far links, as link_bytes and hop_cycles */
    uint32_t packets;            /* that can be under way at once */
} msw_mesh_config;

typedef struct msw_mesh_packet {
    uint64_t time; /* sent; when taken: delivered */
    uint64_t bytes;
    uint64_t data; /* the caller's */
    uint16_t from, to;
} msw_mesh_packet;

typedef struct msw_mesh_link {
    uint64_t free; /* when it can take the next packet */
    uint64_t packets, bytes, busy_cycles;
    uint64_t wait_cycles; /* of first flits in front of it */
} msw_mesh_link;

typedef struct msw_mesh msw_mesh;

/* Returns the bytes of memory that a mesh needs; the configuration must have passed the check. */
size_t msw_mesh_bytes(const msw_mesh_config *config);

/* Checks a configuration. Returns 0, or -1 with what is wrong and what is allowed. */
int msw_mesh_check(const msw_mesh_config *config, msw_err *err);

/* Starts idle in `memory` (aligned to 64). Returns it, or NULL. */
msw_mesh *msw_mesh_init(void *memory, const msw_mesh_config *config, msw_err *err);

/* Sends a packet of 1 to 2^32 - 1 bytes. Returns false, and sends nothing, when too many are under
 * way. */
bool msw_mesh_send(msw_mesh *mesh, const msw_mesh_packet *packet);

/* Runs until the next delivery at or before `limit` and takes it. Later sends must not be earlier
 * than a delivery taken or a limit reached. Returns whether there was one. */
bool msw_mesh_take(msw_mesh *mesh, uint64_t limit, msw_mesh_packet *packet);

/* Returns the cycles that a packet takes when nothing else is under way. */
uint64_t msw_mesh_idle_cycles(const msw_mesh *mesh, uint32_t from, uint32_t to, uint64_t bytes);

/* Returns the link that leaves a node on a way, for its counters; IN leads into the router. */
const msw_mesh_link *msw_mesh_link_of(const msw_mesh *mesh, uint32_t node, msw_mesh_way way);

#endif
