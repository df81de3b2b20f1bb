/* SPDX-License-Identifier: MIT */
/* What a global access of a warp touches, and whether it may be offloaded whole (section IV-B2). */
#include "mech/mpu/count/map.h"
#include "memsweep/base/bits.h"

/* All lanes active, each behind the one before. */
static bool is_consecutive(const msw_simt_step *step)
{
    if (step->lanes != UINT32_MAX)
        return false;
    for (uint32_t lane = 1; lane < MSW_SIMT_LANES; lane++)
        if (step->addresses[lane] != step->addresses[0] + lane * step->bytes)
            return false;
    return true;
}

/* Which blocks of a line its lanes touch, bit 0 the lowest. */
static uint32_t blocks_of(const msw_simt_step *step, const msw_simt_line *line, uint32_t io)
{
    uint32_t blocks = 0;
    if (io == 32)
        return line->sectors;
    for (uint32_t rest = line->lanes; rest; rest &= rest - 1) {
        uint32_t from = (uint32_t)(step->addresses[msw_bits_lowest(rest)] & 127);
        for (uint32_t at = from; at < from + step->bytes && at < 128; at += io - at % io)
            blocks |= 1U << at / io;
    }
    return blocks;
}

static void add_line(const mpu_map *map, const msw_simt_step *step, const msw_simt_line *line,
                     uint32_t core, uint32_t unit, mpu_access *out)
{
    uint32_t io = (uint32_t)map->config->bank_io_bytes;
    bool local = true;
    for (uint32_t rest = blocks_of(step, line, io); rest; rest &= rest - 1) {
        uint64_t address = line->address + (uint64_t)msw_bits_lowest(rest) * io;
        mpu_location at = mpu_locate(map, address);
        if (step->space == MSW_SIMT_LOCAL) { /* a warp's own: in its own unit */
            at.core = core;
            at.unit = unit;
        }
        local = local && at.core == core;
        out->whole = out->whole && at.core == core && at.unit == unit;
        *(at.core == core ? &out->local_blocks : &out->remote_blocks) += 1;
        if (out->count == sizeof out->blocks / sizeof *out->blocks)
            continue;
        out->blocks[out->count].address = address;
        out->blocks[out->count++].at = at;
    }
    *(local ? &out->local_lines : &out->remote_lines) += 1;
}

void mpu_access_of(const mpu_map *map, const msw_simt_step *step, uint32_t core, uint32_t unit,
                   mpu_access *out)
{
    out->local_blocks = out->remote_blocks = out->local_lines = out->remote_lines = out->count = 0;
    out->whole = is_consecutive(step);
    for (uint32_t i = 0; i < step->line_count; i++)
        add_line(map, step, &step->lines[i], core, unit, out);
}
