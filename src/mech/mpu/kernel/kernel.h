/* SPDX-License-Identifier: MIT */
/* Private to mpu: what static passes over a kernel's PTX give the timing models.
 *
 * Nothing here depends on a launch. Of a warp-instruction the models need to know where it runs,
 * where its operands must be, and how long it takes; of a kernel, how many registers it holds on
 * each side. Equations and rules: README.md. */
#ifndef MSW_MECH_MPU_KERNEL_KERNEL_H
#define MSW_MECH_MPU_KERNEL_KERNEL_H

#include "mech/mpu/config.h"
#include "memsweep/workload/simt.h"

/* Where a register may be, or an instruction runs. */
typedef enum mpu_side {
    MPU_UNKNOWN,
    MPU_NEAR,
    MPU_FAR,
    MPU_BOTH,
    MPU_SIDES,
} mpu_side;

/* Who decides where an instruction runs. */
typedef enum mpu_decision {
    MPU_DECIDED, /* `side` (NEAR or FAR): the operation, or the policy's hint */
    MPU_BY_TABLE /* the register track table: near when all sources are valid near, else far */
} mpu_decision;

/* What an instruction occupies. */
typedef enum mpu_unit {
    MPU_UNIT_ALU,
    MPU_UNIT_SFU,     /* long operations; sfu_side says on which side */
    MPU_UNIT_LSU,     /* global and local memory, atomics on them: always far */
    MPU_UNIT_SHARED,  /* shared memory, atomics on it */
    MPU_UNIT_CONST,   /* ld.param, ld.const: a cached read on the far side */
    MPU_UNIT_CONTROL, /* branches, exits, barriers, fences: no execution unit */
    MPU_UNITS,
} mpu_unit;

/* How long it takes: mpu_latency. */
typedef enum mpu_latency_class {
    MPU_LATENCY_ALU,
    MPU_LATENCY_HALF,
    MPU_LATENCY_DOUBLE,
    MPU_LATENCY_INT_DIV,
    MPU_LATENCY_FLOAT_DIV,
    MPU_LATENCY_DOUBLE_DIV,
    MPU_LATENCY_ROOT,  /* rcp, sqrt */
    MPU_LATENCY_RSQRT, /* rsqrt, lg2 */
    MPU_LATENCY_EXP,   /* ex2, tanh */
    MPU_LATENCY_SIN,
    MPU_LATENCIES,
} mpu_latency_class;

/* What it takes of the ALU's energy: mpu_alu_energy. */
typedef enum mpu_energy_class {
    MPU_ENERGY_NONE, /* memory, control */
    MPU_ENERGY_INT,
    MPU_ENERGY_MUL,
    MPU_ENERGY_FLOAT_ADD,
    MPU_ENERGY_FLOAT, /* mul, fma */
    MPU_ENERGY_DOUBLE,
    MPU_ENERGY_INT_DIV,
    MPU_ENERGY_FLOAT_DIV,
    MPU_ENERGY_ROOT,
    MPU_ENERGY_RCP,
    MPU_ENERGY_EXP,
    MPU_ENERGY_CONVERT,
    MPU_ENERGIES,
} mpu_energy_class;

/* A static instruction. Registers are those of msw_simt_insn: defs, uses, address_uses, value_uses,
 * guard. */
typedef struct mpu_insn {
    uint8_t unit;         /* mpu_unit */
    uint8_t latency;      /* mpu_latency_class */
    uint8_t energy;       /* mpu_energy_class */
    uint8_t decision;     /* mpu_decision */
    uint8_t side;         /* mpu_side where it runs when MPU_DECIDED; BOTH: on each side */
    uint8_t address_side; /* accesses: where the address registers must be */
    uint8_t value_side;   /* accesses: where value sources and destinations must be */
    uint8_t guard_side;   /* where its guard must be: NEAR, FAR; UNKNOWN: where it runs */
    bool has_immediate;   /* an operand that is no register */
    bool is_load_whole;   /* ld or st of global memory that may be offloaded whole */
    uint8_t moved_bytes;  /* of a lane: width of the access, 4 or 8 per vector element */
} mpu_insn;

/* Is it executed on each side? The near side's time counts, and what it is sent. */
static inline bool mpu_runs_twice(const mpu_insn *insn)
{
    return insn->decision == MPU_DECIDED && insn->side == MPU_BOTH;
}

/* Registers that a warp holds at once after liveness and colouring. A colour is one 32-bit register
 * of all lanes, MPU_REG_BYTES; 64-bit registers take two. Predicates take none. */
typedef struct mpu_demand {
    uint32_t near_regs, far_regs; /* Both counts on both sides, Unknown on the far one */
    uint32_t all_regs;            /* on one side alone (far for base_die, near for dram_die) */
} mpu_demand;

/* A kernel under one policy. */
typedef struct mpu_kernel {
    const msw_simt_kernel *kernel;
    const mpu_insn *insns;       /* [kernel->insn_count] */
    const uint8_t *reg_sides;    /* [kernel->reg_count] mpu_side after annotation */
    const uint32_t *reg_colours; /* [kernel->reg_count] first 32-bit register; predicates: 0 */
    mpu_demand demand;
    uint32_t regs_at[MPU_SIDES];  /* registers (predicates, too) at each side */
    uint32_t named_at[MPU_SIDES]; /* those that allocation makes of them: names of each kind */
    uint32_t insns_at[MPU_SIDES]; /* instructions at each side */
} mpu_kernel;

/* All kernels that a product launches. The artifact "kernels". */
typedef struct mpu_program {
    const mpu_kernel *kernels; /* in order of first launch */
    uint32_t count;
    const uint32_t *of_stage; /* [product->stage_count] index of a launch's kernel */
} mpu_program;

/* Passes over a kernel. Only what `out` points to stays in the arena. Returns 0, or -1 with `err`.
 */
int mpu_kernel_make(const msw_simt_kernel *kernel, const mpu_config *config, msw_arena *arena,
                    mpu_kernel *out, msw_err *err);
int mpu_program_make(const msw_simt_product *product, const mpu_config *config, msw_arena *arena,
                     mpu_program *out, msw_err *err);

/* What limits the CTAs of a core. */
typedef enum mpu_limit {
    MPU_LIMIT_WARPS,
    MPU_LIMIT_CTAS,
    MPU_LIMIT_SHARED,
    MPU_LIMIT_NEAR_REGS,
    MPU_LIMIT_FAR_REGS,
    MPU_LIMITS,
} mpu_limit;

typedef struct mpu_occupancy {
    uint32_t ctas;  /* of a core at once; 0: not even one fits */
    uint32_t warps; /* of a CTA */
    mpu_limit limit;
} mpu_occupancy;

/* How many CTAs of a launch a core holds: warps w of a CTA go to sub-core w mod subcores. Returns
 * it. */
mpu_occupancy mpu_occupancy_of(const mpu_config *config, const mpu_kernel *kernel,
                               const msw_simt_stage *stage);

/* Cycles from operands to result, and nJ of a warp-instruction in the ALU. Return them. */
int64_t mpu_latency(const mpu_config *config, unsigned latency_class);
double mpu_alu_energy(const mpu_config *config, unsigned energy_class);

#endif
