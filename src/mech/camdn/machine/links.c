/* SPDX-License-Identifier: MIT */
/* Slices that lie apart: a line goes over the links between its NPU and its slice, first along x,
 * then along y. Each link is a server in the order of the calls, as ports and slices are, and a
 * line takes those of its way when it takes its port: ../README.md, "Links". */
#include "mech/camdn/machine/system.h"

size_t camdn_links_bytes(const camdn_config *c)
{
    return c->mesh_width ? camdn_mesh_nodes(c) * CAMDN_WAYS * sizeof(msw_dram_server) : 0;
}

void camdn_links_start(camdn_system *s, void *memory)
{
    const camdn_config *c = s->config;
    s->links = c->mesh_width ? memory : NULL;
    for (size_t i = 0; s->links && i < camdn_mesh_nodes(c) * CAMDN_WAYS; i++)
        msw_dram_server_init(&s->links[i], (uint64_t)c->hop_cycles, (double)c->link_bytes);
}

uint64_t camdn_links_cross(camdn_system *s, uint32_t tenant, uint32_t slice, bool write,
                           uint64_t time)
{
    const camdn_config *c = s->config;
    uint32_t npu = tenant % s->cores, there = camdn_mesh_slice(c, slice), hops = 0;
    uint32_t at = write ? npu : there, to = write ? there : npu;
    for (uint32_t way; at != to; at = camdn_mesh_next(c, at, way), hops++) {
        way = camdn_mesh_way(c, at, to);
        time = msw_dram_server_take(&s->links[at * CAMDN_WAYS + way], time, (uint64_t)c->line);
    }
    return time + (write ? 0 : hops * (uint64_t)c->hop_cycles);
}
