/* SPDX-License-Identifier: MIT */
/* Frozen: none of these comes from the paper that this mechanism follows. */
#include "mech/mpu/v100/v100.h"

#define WHITEPAPER "NVIDIA Tesla V100 GPU architecture, WP-08608"
#define GUIDE      "OLCF Summit user guide, NVIDIA V100 GPUs"
#define JIA        "Jia et al., Dissecting the NVIDIA Volta GPU architecture via microbenchmarking, 2018"
#define RELEASED   "GD06/mpu-sim_distribution, after Arafa et al. 2019"
#define FEATURES   "table of GPU features in PMC10448217"

const mpu_v100_constant mpu_v100_constants[V100_CONSTANTS] = {
    [V100_SMS] = {"sms", "", 80, GUIDE},
    [V100_SCHEDULERS] = {"schedulers", "per SM, a warp-instruction a cycle each", 4, WHITEPAPER},
    [V100_CLOCK] = {"clock", "GHz", 1.53, GUIDE},
    [V100_LANES] = {"lanes", "f32 of an SM", 64, GUIDE},
    [V100_DRAM_PEAK] = {"dram_peak", "GB/s", 900, GUIDE},
    [V100_DRAM_SHARE] = {"dram_share", "of the peak that can be reached", 0.833, JIA},
    [V100_L2_BANDWIDTH] = {"l2_bandwidth", "GB/s", 3133, FEATURES},
    [V100_L1_BYTES] = {"l1_bytes", "L1 and shared memory of an SM", 131072, GUIDE},
    [V100_L2_BYTES] = {"l2_bytes", "", 6291456, GUIDE},
    [V100_WARPS] = {"warps", "of an SM", 64, WHITEPAPER},
    [V100_CTAS] = {"ctas", "of an SM", 32, WHITEPAPER},
    [V100_SHARED_BYTES] = {"shared_bytes", "of an SM, at most", 98304, WHITEPAPER},
    [V100_REGISTERS] = {"registers", "32-bit, of an SM", 65536, WHITEPAPER},
    [V100_ALU_CYCLES] = {"alu_cycles", "dependent issue", 4, JIA},
    [V100_SPECIAL_CYCLES] = {"special_cycles", "division, roots: a sequence of instructions", 40,
                             "unknown, 19 to 200: the latencies of single operations in " RELEASED
                             "; none of the twelve kernels' verdicts uses it"},
    [V100_SHARED_CYCLES] = {"shared_cycles", "", 20, FEATURES},
    [V100_L1_CYCLES] = {"l1_cycles", "", 28, JIA},
    [V100_L2_CYCLES] = {"l2_cycles", "", 200, FEATURES},
    [V100_DRAM_CYCLES] = {"dram_cycles", "", 400, FEATURES},
    [V100_POWER] = {"power", "W, board", 300,
                    "Dell EMC Ready Solutions reference guide, V100 SXM2"},
    [V100_IDLE_POWER] =
        {"idle_power", "W, board", 40,
         "unknown, 38 to 57: public listings of idle V100 SXM2 boards show 44 W (NVML, "
         "2019) and 56 to 57 W (nvidia-smi, 2020)"},
};
