/* SPDX-License-Identifier: MIT */
/* Private to neummu_sparse: what can be set. */
#ifndef MSW_MECH_NEUMMU_SPARSE_CONFIG_H
#define MSW_MECH_NEUMMU_SPARSE_CONFIG_H

#include "mech/neummu/config.h"

typedef struct neummu_sparse_config {
    neummu_config mmu; /* complete only as neummu_sparse_mmu gives it */
    int64_t mode, devices, placement;
    int64_t pcie_cycles, fast_cycles, page_link, fault_parallel, array_cells;
    double pcie_bandwidth, fast_bandwidth, cpu_call, cpu_row, fault_latency;
    double mlp_macs, mlp_utilization;
} neummu_sparse_config;

enum { NEUMMU_SPARSE_COPY, NEUMMU_SPARSE_NUMA_SLOW, NEUMMU_SPARSE_NUMA_FAST, NEUMMU_SPARSE_DEMAND };
enum { NEUMMU_SPARSE_TABLES, NEUMMU_SPARSE_ROWS };
enum { NEUMMU_SPARSE_PCIE, NEUMMU_SPARSE_FAST };
enum { NEUMMU_SPARSE_DEVICES = 64 };

extern const msw_param neummu_sparse_params[];

/* The settings of the MMU, with what neummu_sparse leaves alone filled in. Returns them. */
neummu_config neummu_sparse_mmu(const neummu_sparse_config *config);

#endif
