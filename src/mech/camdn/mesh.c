/* SPDX-License-Identifier: MIT */
/* Where NPUs and slices lie in a mesh, and which way lines go: README.md, "Links". */
#include "mech/camdn/model.h"

enum { EAST, WEST, NORTH, SOUTH };

size_t camdn_mesh_nodes(const camdn_config *c)
{
    uint64_t width = (uint64_t)c->mesh_width;
    return width * msw_div_up((uint64_t)camdn_running(c), width);
}

uint32_t camdn_mesh_slice(const camdn_config *c, uint32_t slice)
{
    return (uint32_t)(slice * camdn_mesh_nodes(c) / (uint64_t)c->slices);
}

uint32_t camdn_mesh_way(const camdn_config *c, uint32_t at, uint32_t to)
{
    uint32_t width = (uint32_t)c->mesh_width, x = at % width, wanted = to % width;
    if (x != wanted)
        return x < wanted ? EAST : WEST;
    return at < to ? SOUTH : NORTH;
}

uint32_t camdn_mesh_next(const camdn_config *c, uint32_t at, uint32_t way)
{
    uint32_t width = (uint32_t)c->mesh_width;
    const uint32_t next[CAMDN_WAYS] = {at + 1, at - 1, at - width, at + width};
    return next[way];
}

camdn_mesh_load camdn_mesh_load_of(const camdn_config *c)
{
    enum { MOST_NODES = 2 * CAMDN_TENANTS_MAX };
    double lines[MOST_NODES * CAMDN_WAYS] = {0}, each = 1 / (double)c->slices;
    camdn_mesh_load load = {0};
    if (!c->mesh_width)
        return load;
    uint32_t npus = (uint32_t)camdn_running(c);
    for (uint32_t npu = 0; npu < npus; npu++)
        for (uint32_t slice = 0; slice < (uint32_t)c->slices; slice++)
            for (uint32_t at = camdn_mesh_slice(c, slice), way; at != npu;
                 at = camdn_mesh_next(c, at, way)) {
                way = camdn_mesh_way(c, at, npu);
                load.hops += each / npus;
                lines[at * CAMDN_WAYS + way] += each;
                load.most = msw_max_f64(load.most, lines[at * CAMDN_WAYS + way]);
            }
    return load;
}
