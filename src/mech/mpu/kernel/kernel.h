/* SPDX-License-Identifier: MIT */
/* Private to mpu: what static passes over a kernel's PTX give the timing models, and the register
 * track table.
 *
 * The passes do not depend on a launch. Of a warp-instruction the models need to know where it
 * runs, where its operands must be, and how long it takes; of a kernel, how many registers it holds
 * on each side. The track table belongs to one warp and has no time: both models step through it in
 * the order of the instructions. Equations and rules: README.md. */
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

/* How it is decided where an instruction runs. */
typedef enum mpu_decision {
    MPU_DECIDED, /* `side` (NEAR or FAR): the operation, or the policy's hint */
    MPU_BY_TABLE /* the register track table: near when all sources are valid near, else far */
} mpu_decision;

/* The unit that an instruction occupies. */
typedef enum mpu_unit {
    MPU_UNIT_ALU,
    MPU_UNIT_SFU,     /* long operations; sfu_side says on which side */
    MPU_UNIT_LSU,     /* global and local memory, atomics on them: always far */
    MPU_UNIT_SHARED,  /* shared memory, atomics on it */
    MPU_UNIT_CONST,   /* ld.param, ld.const: a cached read on the far side */
    MPU_UNIT_CONTROL, /* branches, exits, barriers, fences: no execution unit */
    MPU_UNITS,
} mpu_unit;

/* Its latency: mpu_latency. */
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

/* Its energy in the ALU: mpu_alu_energy. */
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

/* Returns whether it is executed on each side. The near side's time counts, and what it is sent. */
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

/* Limits of the CTAs of a core. */
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

/* ---- the track table ---- */

/* Bit r: the register has a valid copy on that side. A register that was never written has both. */
typedef struct mpu_track {
    uint64_t *near_valid, *far_valid; /* mpu_track_words of the kernel each */
} mpu_track;

uint32_t mpu_track_words(const msw_simt_kernel *kernel);

/* Sets all registers to "never written". */
void mpu_track_start(const msw_simt_kernel *kernel, mpu_track *track);

enum { MPU_MOVES = 12 }; /* registers of one instruction, at most */

typedef struct mpu_issue {
    mpu_side side;  /* NEAR or FAR: where it runs; a global access is FAR until it is offloaded */
    bool offloaded; /* computation, or an access to near shared memory, sent over the TSVs */
    uint8_t move_count;
    struct {
        uint32_t reg;
        bool to_near;
    } moves[MPU_MOVES];
} mpu_issue;

/* Decides where an instruction runs, which registers move first, and updates the table: moved
 * registers are valid on both sides, destinations where they are written. */
void mpu_track_issue(const mpu_config *config, const mpu_kernel *kernel, uint32_t insn,
                     mpu_track *track, mpu_issue *out);

/* Returns the bytes of a warp's register on the TSVs: 128 or 256, a predicate 4. */
uint32_t mpu_move_bytes(const mpu_config *config, const msw_simt_reg *reg);

/* ---- passes, between the files of kernel/ ---- */

/* Where registers and instructions are after the location annotation: `regs` and `insns` get
 * a mpu_side each. */
void mpu_annotate(const msw_simt_kernel *kernel, const mpu_config *config, uint8_t *regs,
                  uint8_t *insns);

/* Decides where an instruction runs; `annotated` is its side after the annotation. */
void mpu_decide(const msw_simt_insn *insn, const mpu_config *config, mpu_side annotated,
                mpu_insn *out);

/* On which sides each register is read or written: places of `insns` put together. A register that
 * an instruction touches whose side is only known at run time is on both. */
void mpu_sides(const msw_simt_kernel *kernel, const mpu_insn *insns, uint8_t *regs);

/* The result of allocation. */
typedef struct mpu_colouring {
    uint32_t *colours; /* [kernel->reg_count] as in mpu_kernel */
    mpu_demand demand;
    uint32_t named[MPU_SIDES]; /* registers by the sides of the annotation */
} mpu_colouring;

/* Registers that a warp holds on each side, from where they are used, and how many names of each
 * kind (%f, %rd, predicates) are needed on the sides of the annotation. Returns 0, or -1. */
int mpu_colour(const msw_simt_kernel *kernel, const uint8_t *sides, const uint8_t *annotated,
               msw_arena *arena, mpu_colouring *out, msw_err *err);

#endif
