/* SPDX-License-Identifier: MIT */
/* Counts what an instruction does, whatever time it takes (README.md, "Counts"). */
#include "mech/mpu/count/count.h"

static uint32_t width(const mpu_kernel *kernel, uint32_t reg)
{
    uint32_t bytes = kernel->kernel->regs[reg].bytes;
    return bytes == 8 ? 2 : bytes ? 1 : 0;
}

static uint32_t widths(const mpu_kernel *kernel, const uint32_t *regs, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += width(kernel, regs[i]);
    return sum;
}

static void count_moves(const mpu_kernel *kernel, const mpu_issue *issue, double *totals)
{
    for (uint32_t m = 0; m < issue->move_count; m++) {
        uint32_t reg = issue->moves[m].reg;
        totals[issue->moves[m].to_near ? MPU_MOVES_NEAR : MPU_MOVES_FAR]++;
        totals[MPU_TSV_MOVE] += mpu_move_bytes(&kernel->kernel->regs[reg]);
        totals[MPU_RF_ACCESSES] += 2 * width(kernel, reg);
    }
}

static void count_offload(const mpu_config *c, const mpu_insn *own, double *totals)
{
    totals[MPU_INSNS_OFFLOADED]++;
    totals[MPU_TSV_OFFLOAD] += (double)c->offload_bytes;
    totals[MPU_TSV_OFFLOAD] += own->has_immediate ? (double)c->immediate_bytes : 0;
    totals[MPU_TSV_COMMIT] += (double)c->commit_bytes;
}

/* Near shared memory whose units are on several dies: three of four words cross the TSVs. */
static void count_shared(const mpu_config *c, const mpu_insn *own, double *totals)
{
    bool crosses = c->layout == MPU_LAYOUT_VERTICAL && own->value_side == MPU_NEAR &&
                   c->pipeline == MPU_PIPELINE_HYBRID;
    double share = 1 - 1 / (double)c->subcores;
    totals[MPU_SHARED_ACCESSES]++;
    if (own->value_side == MPU_NEAR)
        totals[MPU_LSU_ACCESSES]++;
    if (crosses)
        totals[MPU_TSV_SHARED] += share * MPU_LANES * (4.0 + own->moved_bytes);
}

void mpu_count_insn(const mpu_config *c, const mpu_kernel *kernel, uint32_t insn,
                    const mpu_issue *issue, double *totals)
{
    const msw_simt_insn *now = &kernel->kernel->insns[insn];
    const mpu_insn *own = &kernel->insns[insn];
    uint32_t sources = widths(kernel, now->uses, now->use_count),
             times = mpu_runs_twice(own) ? 2 : 1;
    totals[MPU_INSNS]++;
    totals[issue->side == MPU_NEAR ? MPU_INSNS_NEAR : MPU_INSNS_FAR]++;
    totals[MPU_RF_ACCESSES] += times * (sources + widths(kernel, now->defs, now->def_count));
    totals[MPU_COLLECTOR_ACCESSES] += times * sources;
    totals[MPU_ENERGY_ALU] += times * mpu_alu_energy(c, own->energy);
    if (own->unit == MPU_UNIT_SHARED)
        count_shared(c, own, totals);
    if (issue->move_count)
        count_moves(kernel, issue, totals);
    if (issue->offloaded)
        count_offload(c, own, totals);
}

/* Messages of one line to another core and back: header, and data in packets. */
static void count_network(const mpu_config *c, const mpu_access *access, uint32_t core,
                          double *totals)
{
    for (uint32_t b = 0; b < access->count; b++) {
        if (access->blocks[b].at.core == core)
            continue;
        mpu_hops hops = mpu_hops_of(c, core, access->blocks[b].at.core);
        double data = (double)c->bank_io_bytes;
        double bytes = data + (double)c->header_bytes * (1 + data / (double)c->packet_bytes);
        totals[MPU_ON_CHIP_BYTES] += bytes * hops.on_chip;
        totals[MPU_OFF_CHIP_BYTES] += bytes * hops.off_chip;
    }
}

bool mpu_writes_back(const mpu_kernel *kernel, uint32_t insn)
{
    return kernel->insns[insn].value_side == MPU_NEAR && kernel->kernel->insns[insn].def_count;
}

uint64_t mpu_writeback_bytes(const mpu_config *c, const mpu_kernel *kernel, uint32_t insn)
{
    const msw_simt_insn *now = &kernel->kernel->insns[insn];
    if (!mpu_writes_back(kernel, insn))
        return 0;
    if (c->gathered_bytes)
        return (uint64_t)c->gathered_bytes;
    return (uint64_t)widths(kernel, now->defs, now->def_count) * MPU_REG_BYTES;
}

uint64_t mpu_value_bytes(const mpu_kernel *kernel, uint32_t insn)
{
    const msw_simt_insn *now = &kernel->kernel->insns[insn];
    bool near = kernel->insns[insn].value_side == MPU_NEAR;
    return near ? (uint64_t)widths(kernel, now->value_uses, now->value_count) * MPU_REG_BYTES : 0;
}

/* Transactions of an access that is not offloaded whole: their data, and the register's value
 * between the sides. With all logic on the logic die the register is there. */
static void count_split(const mpu_config *c, const mpu_kernel *kernel, uint32_t insn,
                        const mpu_access *access, double *totals)
{
    const msw_simt_insn *now = &kernel->kernel->insns[insn];
    double ways = now->is_atomic && now->def_count ? 2 : 1;
    double blocks = ways * (access->local_blocks + access->remote_blocks);
    totals[MPU_TSV_DATA] += blocks * (double)c->bank_io_bytes;
    totals[MPU_TSV_REQUEST] += blocks * (double)c->request_bytes;
    totals[MPU_TSV_WRITEBACK] += (double)mpu_writeback_bytes(c, kernel, insn);
    totals[MPU_TSV_VALUE] += (double)mpu_value_bytes(kernel, insn);
    totals[MPU_TSV_COMMIT] += mpu_writes_back(kernel, insn) ? (double)c->commit_bytes : 0;
}

static void count_kind(const msw_simt_insn *now, const mpu_access *access, bool whole,
                       double *totals)
{
    double blocks = access->local_blocks + access->remote_blocks;
    if (now->is_atomic)
        totals[MPU_ATOMICS]++;
    else
        totals[now->is_store ? MPU_STORES : MPU_LOADS]++;
    if (whole)
        totals[now->is_store ? MPU_WHOLE_STORES : MPU_WHOLE_LOADS]++;
    totals[MPU_READS] += !now->is_store || now->is_atomic ? blocks : 0;
    totals[MPU_WRITES] += now->is_store ? blocks : 0;
}

void mpu_count_access(const mpu_config *c, const mpu_kernel *kernel, uint32_t insn,
                      const mpu_access *access, uint32_t core, double *totals)
{
    const msw_simt_insn *now = &kernel->kernel->insns[insn];
    double blocks = access->local_blocks + access->remote_blocks;
    bool hybrid = c->pipeline == MPU_PIPELINE_HYBRID;
    bool whole = hybrid && access->whole && kernel->insns[insn].is_load_whole;
    count_kind(now, access, whole, totals);
    totals[MPU_LOCAL_LINES] += access->local_lines;
    totals[MPU_REMOTE_LINES] += access->remote_lines;
    totals[MPU_LSU_ACCESSES] += access->local_lines + access->remote_lines;
    totals[MPU_DRAM_BYTES] += blocks * (double)c->bank_io_bytes * (now->is_atomic ? 2 : 1);
    if (access->remote_blocks)
        count_network(c, access, core, totals);
    if (whole) {
        totals[MPU_INSNS_OFFLOADED]++;
        totals[MPU_TSV_ACCESS] += (double)c->access_bytes;
        totals[MPU_TSV_COMMIT] += (double)c->commit_bytes;
    } else if (c->pipeline != MPU_PIPELINE_DRAM) {
        count_split(c, kernel, insn, access, totals);
    }
}

void mpu_count_sums(double *totals)
{
    totals[MPU_TSV_BYTES] = 0;
    for (int cause = MPU_TSV_OFFLOAD; cause <= MPU_TSV_COMMIT; cause++)
        totals[MPU_TSV_BYTES] += totals[cause];
}
