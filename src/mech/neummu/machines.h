/* SPDX-License-Identifier: MIT */
/* machines: presets of neummu that are machines by their public figures. */
#ifndef MSW_MECH_NEUMMU_MACHINES_H
#define MSW_MECH_NEUMMU_MACHINES_H

#include "memsweep/mech/mechanism.h"

extern const msw_preset_value neummu_preset_tpu_v1[], neummu_preset_tpu_v3[],
    neummu_preset_tpu_v4[], neummu_preset_tpu_v5e[], neummu_preset_tpu_v5p[],
    neummu_preset_gaudi2[], neummu_preset_gaudi3[], neummu_preset_h100_copy[];

/* For the list of presets. */
#define NEUMMU_MACHINES                                                                            \
    {.name = "tpu_v1",                                                                             \
     .doc = "TPU v1: 256 x 256 cells of 8 bits, 0.7 GHz, 34 GB/s (arXiv:1704.04760)",              \
     .values = neummu_preset_tpu_v1},                                                              \
        {.name = "tpu_v3",                                                                         \
         .doc = "TPU v3 chip: 4 x 128 x 128 cells, 140 Tops, 900 GB/s (JAX scaling book)",         \
         .values = neummu_preset_tpu_v3},                                                          \
        {.name = "tpu_v4",                                                                         \
         .doc = "TPU v4 chip: 8 x 128 x 128 cells, 275 Tops, 1200 GB/s (JAX scaling book)",        \
         .values = neummu_preset_tpu_v4},                                                          \
        {.name = "tpu_v5e",                                                                        \
         .doc = "TPU v5e chip: 4 x 128 x 128 cells, 197 Tops, 820 GB/s (JAX scaling book)",        \
         .values = neummu_preset_tpu_v5e},                                                         \
        {.name = "tpu_v5p",                                                                        \
         .doc = "TPU v5p chip: 8 x 128 x 128 cells, 459 Tops, 2800 GB/s (JAX scaling book)",       \
         .values = neummu_preset_tpu_v5p},                                                         \
        {.name = "gaudi2",                                                                         \
         .doc = "Gaudi 2: 2 x 256 x 256 cells, 432 Tops, 2460 GB/s (Intel, Hot Chips 2024)",       \
         .values = neummu_preset_gaudi2},                                                          \
        {.name = "gaudi3",                                                                         \
         .doc = "Gaudi 3: 8 x 256 x 256 cells, 1835 Tops, 3670 GB/s, 96 MB (Intel, Hot Chips "     \
                "2024)",                                                                           \
         .values = neummu_preset_gaudi3},                                                          \
    {                                                                                              \
        .name = "h100_copy",                                                                       \
        .doc = "a copy engine of an H100-class GPU: PCIe 5.0 x16, 64 GB/s one way, 1.98 GHz "      \
               "(NVIDIA's data sheet)",                                                            \
        .values = neummu_preset_h100_copy                                                          \
    }

#endif
