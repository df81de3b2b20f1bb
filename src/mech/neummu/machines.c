/* SPDX-License-Identifier: MIT */
/* Machines by their public figures, as presets. `npu_cols` puts a chip's matrix units side by side;
 * `frequency` is the published peak over two operations a cell and cycle; what is not said keeps
 * its default. Sources and arithmetic: README.md, 'Machines'. */
#include "mech/neummu/machines.h"

#define MACHINE(rows, cols, ghz, gigabytes, bytes)                                                 \
    {.param = "npu_rows", .value = rows}, {.param = "npu_cols", .value = cols},                    \
        {.param = "npu_element_bytes", .value = bytes}, {.param = "frequency", .value = ghz},      \
    {                                                                                              \
        .param = "bandwidth", .value = gigabytes                                                   \
    }

const msw_preset_value neummu_preset_tpu_v1[] = {
    MACHINE("256", "256", "0.7", "34", "1"),
    {.param = "npu_spm_activation", .value = "24MiB"},
    {.param = "npu_spm_weight", .value = "256KiB"},
    {0},
};
const msw_preset_value neummu_preset_tpu_v3[] = {MACHINE("128", "512", "1.068", "900", "2"), {0}};
const msw_preset_value neummu_preset_tpu_v4[] = {MACHINE("128", "1024", "1.049", "1200", "2"), {0}};
const msw_preset_value neummu_preset_tpu_v5e[] = {MACHINE("128", "512", "1.503", "820", "2"), {0}};
const msw_preset_value neummu_preset_tpu_v5p[] = {
    MACHINE("128", "1024", "1.751", "2800", "2"),
    {0},
};
const msw_preset_value neummu_preset_gaudi2[] = {MACHINE("256", "512", "1.648", "2460", "2"), {0}};
const msw_preset_value neummu_preset_gaudi3[] = {
    MACHINE("256", "2048", "1.75", "3670", "2"),
    {.param = "npu_spm_activation", .value = "48MiB"},
    {.param = "npu_spm_weight", .value = "48MiB"},
    {.param = "npu_vector_lanes", .value = "8200"},
    {0},
};
const msw_preset_value neummu_preset_h100_copy[] = {
    {.param = "frequency", .value = "1.98"},
    {.param = "bandwidth", .value = "64"},
    {0},
};
