/* SPDX-License-Identifier: MIT */
/* mpu: the record. Equations, assumptions and sources: README.md. */
#include "mech/mpu/config.h"
#include "mech/mpu/model.h"

static int mpu_build_program(const msw_task *task, const void *extra, msw_arena *arena,
                             const void **root, msw_err *err)
{
    mpu_program *program = msw_arena_zero(arena, 1, sizeof *program);
    (void)extra;
    if (!program)
        return msw_fail_memory(err);
    *root = program;
    return mpu_program_make(task->product->data, task->config, arena, program, err);
}

static int mpu_build_v100(const msw_task *task, const void *extra, msw_arena *arena,
                          const void **root, msw_err *err)
{
    mpu_v100 *v100 = msw_arena_zero(arena, 1, sizeof *v100);
    (void)extra;
    if (!v100)
        return msw_fail_memory(err);
    *root = v100;
    return mpu_v100_run(task->product->data, arena, v100, err);
}

#define SET(name, text)                                                                            \
    {                                                                                              \
        .param = name, .value = text                                                               \
    }

/* The TSVs as the authors' released simulator has them: both ways at once, and what was offloaded
 * returns as a beat of data. */
#define RELEASED_TSVS SET("tsv_duplex", "on"), SET("commit_bytes", "8")

static const msw_preset_value MPU[] = {SET("pipeline", "hybrid"), RELEASED_TSVS, {0}};
static const msw_preset_value PONB[] = {SET("pipeline", "base_die"),
                                        SET("shared_side", "far"),
                                        SET("policy", "all_far"),
                                        RELEASED_TSVS,
                                        {0}};
static const msw_preset_value WHOLE_CORE[] = {SET("pipeline", "dram_die"), RELEASED_TSVS, {0}};
static const msw_preset_value FAR_SHARED[] = {SET("shared_side", "far"), RELEASED_TSVS, {0}};
static const msw_preset_value VERTICAL[] = {SET("layout", "vertical"), RELEASED_TSVS, {0}};
static const msw_preset_value LRU_ROWS[] = {SET("row_placement", "lru"),
                                            SET("t_select", "0"),
                                            SET("t_sibling_read", "0"),
                                            RELEASED_TSVS,
                                            {0}};
static const msw_preset_value PRINTED[] = {SET("annotation", "printed"), RELEASED_TSVS, {0}};
static const msw_preset_value MPUSIM[] = {
    SET("banks", "8"),
    SET("bank_io_bytes", "16"),
    SET("near_rf_bytes", "32KiB"),
    SET("remote_cache_bytes", "32KiB"),
    SET("row_bytes", "1KiB"),
    SET("row_placement", "lru"),
    SET("bank_groups", "2"),
    SET("t_select", "0"),
    SET("t_sibling_read", "0"),
    SET("t_rcd", "14"),
    SET("t_rcd_write", "10"),
    SET("t_ras", "33"),
    SET("t_rp", "14"),
    SET("t_cl", "2"),
    SET("t_cwl", "2"),
    SET("t_rrd", "6"),
    SET("t_rrd_short", "4"),
    SET("t_ccd", "4"),
    SET("t_ccd_short", "2"),
    SET("t_rtp", "5"),
    SET("t_wtr", "8"),
    SET("t_wtr_short", "3"),
    SET("t_wr", "15"),
    SET("t_faw", "16"),
    SET("dram_queue", "32"),
    SET("bank_buses", "own"),
    SET("open_ahead", "off"),
    SET("store_update", "on"),
    SET("gathered_bytes", "8"),
    SET("predicate_bytes", "32"),
    RELEASED_TSVS,
    SET("cta_refill", "batch"),
    SET("immediates_far", "on"),
    SET("read_nj", "0.15302"),
    SET("write_nj", "0.15304"),
    SET("activate_nj", "0.27837"),
    SET("precharge_nj", "0.25604"),
    SET("refresh_nj", "1.12872"),
    {0},
};
static const msw_preset PRESETS[] = {
    {.name = "mpu", .doc = "table II, TSVs as in the released simulator", .values = MPU},
    {.name = "ponb", .doc = "all logic on the logic die", .values = PONB},
    {.name = "whole_core", .doc = "the whole core on the DRAM die", .values = WHOLE_CORE},
    {.name = "far_shared", .doc = "shared memory on the logic die", .values = FAR_SHARED},
    {.name = "vertical", .doc = "a core's near-bank units on different dies", .values = VERTICAL},
    {.name = "lru_rows",
     .doc = "any row in any buffer, without a select command",
     .values = LRU_ROWS},
    {.name = "printed", .doc = "algorithm 1 to the letter", .values = PRINTED},
    {.name = "mpusim2023",
     .doc = "the authors' released simulator; its timings that act",
     .values = MPUSIM},
    {0},
};

/* The same machine with all its logic on the logic die. Parameters that then do not matter are
 * dropped. */
static void change_base_die(void *config)
{
    mpu_config *c = config;
    c->pipeline = MPU_PIPELINE_BASE;
    c->shared_side = MPU_SHARED_FAR;
    c->policy = MPU_POLICY_FAR;
    c->annotation = MPU_ANNOTATION_INTENDED;
    c->layout = MPU_LAYOUT_HORIZONTAL;
    c->near_rf_bytes = 16384;
}

static const msw_reference REFERENCES[] = {
    {.name = "base_die",
     .doc = "the same with all logic on the logic die",
     .change = change_base_die},
    {0},
};

#define OF_PROGRAM                                                                                 \
    "pipeline", "shared_side", "policy", "annotation", "guard_side", "special_side",               \
        "atomic_shared_side", "atomic_global_side", "shuffle_side", "vote_side", "barrier_side",   \
        "sfu_side", "both_side", "unknown_side", "immediates_far"
static const char *const PROGRAM_DEPENDS[] = {OF_PROGRAM, NULL};
static const char *const V100_DEPENDS[] = {NULL};
static const char *const PROFILE_DEPENDS[] = {
    OF_PROGRAM,        "processors",     "processor_columns",
    "cores",           "core_columns",   "subcores",
    "banks",           "bank_bytes",     "bank_io_bytes",
    "row_bytes",       "row_buffers",    "row_placement",
    "row_hash",        "placement",      "array_gap",
    "dispatch",        "binding",        "layout",
    "warps",           "ctas",           "far_rf_bytes",
    "near_rf_bytes",   "shared_bytes",   "offload_bytes",
    "immediate_bytes", "access_bytes",   "request_bytes",
    "commit_bytes",    "gathered_bytes", "remote_cache_bytes",
    "packet_bytes",    "header_bytes",   NULL};
static const char *const UNITS_DEPENDS[] = {"window_insns", NULL};
static const msw_artifact ARTIFACTS[] = {
    [MPU_ARTIFACT_PROGRAM] = {.name = "program",
                              .depends = PROGRAM_DEPENDS,
                              .build = mpu_build_program},
    [MPU_ARTIFACT_V100] = {.name = "v100", .depends = V100_DEPENDS, .build = mpu_build_v100},
    [MPU_ARTIFACT_PROFILE] = {.name = "profile",
                              .depends = PROFILE_DEPENDS,
                              .build = mpu_build_profile,
                              .fidelities = MSW_AT(MSW_ANALYTIC)},
    [MPU_ARTIFACT_UNITS] = {.name = "units",
                            .depends = UNITS_DEPENDS,
                            .build = mpu_build_units,
                            .fidelities = MSW_AT(MSW_SAMPLED) | MSW_AT(MSW_FULL)},
    {0},
};

static const char *const LAUNCH_COLUMNS[] = {
    "stage",      "cycles",        "instructions", "near_instructions", "dram_bytes", "row_hits",
    "row_closed", "row_conflicts", "moves_near",   "moves_far",         NULL};
static const char *const LAUNCH_UNITS[] = {"",          "cycles",   "instructions", "instructions",
                                           "B",         "accesses", "accesses",     "accesses",
                                           "registers", "registers"};
static const char *const BANK_COLUMNS[] = {
    "core",       "nbu",           "lines",       "bank_reads",  "bank_writes", "row_hits",
    "row_closed", "row_conflicts", "wait_cycles", "data_cycles", NULL};
static const char *const BANK_UNITS[] = {"",         "",         "lines",    "accesses", "accesses",
                                         "accesses", "accesses", "accesses", "cycles",   "cycles"};
static const char *const KIND_COLUMNS[] = {"kind", "near_instructions", "far_instructions", NULL};
static const char *const KIND_UNITS[] = {"", "instructions", "instructions"};
static const char *const LINE_COLUMNS[] = {
    "kernel",    "line",     "place",  "executions", "near",  "whole", "moves_near",
    "moves_far", "accesses", "remote", "lanes",      "share", NULL};
static const char *const LINE_UNITS[] = {
    "",          "",          "",         "instructions", "instructions", "accesses",
    "registers", "registers", "accesses", "accesses",     "lanes",        ""};
static const char *const PLACES[] = {"-", "near", "far", "both", NULL};
static const msw_detail DETAILS[] = {
    {.name = "launches",
     .doc = "launches at full, by their place among launches and host accesses: cycles and counts",
     .columns = LAUNCH_COLUMNS,
     .units = LAUNCH_UNITS},
    {.name = "near_banks",
     .doc = "banks of each near-bank unit at full, its own core's and other cores' requests",
     .columns = BANK_COLUMNS,
     .units = BANK_UNITS},
    {.name = "kinds",
     .doc = "instructions at full by what they occupy: 0 ALU, 1 long operations, 2 LSU, 3 shared "
            "memory, 4 constants, 5 control",
     .columns = KIND_COLUMNS,
     .units = KIND_UNITS},
    {.name = "lines",
     .doc = "lines of PTX at full: where they run (1 near, 2 far, 3 both), by warps, moves of "
            "registers for them, accesses of banks (shared memory: cycles of its fullest bank), "
            "share of the cycles of sub-cores until they have issued",
     .columns = LINE_COLUMNS,
     .units = LINE_UNITS,
     .line = "line",
     .named = "place",
     .names = PLACES},
    {0},
};

/* Small sizes of the shipped kernels. */
#define AGREES_ON                                                                                  \
    "axpy/n=64Ki, blur/h=32, conv/h=32, gemv/rows=64, hist/n=64Ki, kmeans/n=16Ki, knn/n=64Ki, "    \
    "maxp/h=16, nw/pairs=64, pr/n=64Ki, ttrans/h=64, upsamp/h=16"
static const msw_agreement AGREEMENT[] = {
    {.metric = "cycles",
     .workloads = AGREES_ON,
     .quantile = 0.5,
     .tolerance = 0.2,
     .region = "dispatch = 'round_robin' AND placement = 'line' AND processors * cores * subcores "
               "<= 2048",
     .share = 0.12,
     .argued = "elsewhere arrays or CTAs crowd on a few cores, which takes the cycle model: "
               "README.md, \"Agreement\""},
    {0},
};

static const char *const SOURCES[] = {
    "Xie, Gu, Ding, Niu, Zheng, Xie, MPU: towards bandwidth-abundant SIMT processor via near-bank "
    "computing",
    "GD06/mpu-sim_distribution, the simulator that its authors released later", NULL};

static const msw_part *const PARTS_MACHINE[] = {&msw_part_dram_lines, &msw_part_event, NULL};

/* As scripts/foremost prints them. */
static const char *const FOREMOST[] = {"placement", "bank_io_bytes", "banks",   "subcores",
                                       "policy",    "t_ccd",         "pending", "warps",
                                       "t_refi",    "t_rfc",         NULL};

const msw_mech msw_mech_mpu = {
    .name = "mpu",
    .title = "Near-bank SIMT processor: hybrid pipeline, instruction offloading, open row buffers",
    .foremost = FOREMOST,
    .omits = "register spills; texture and constant caches; misses of the instruction "
             "cache; a link to the host",
    .version_closed = 9,
    .version_machine = 5,
    .parts_machine = PARTS_MACHINE,
    .sources = SOURCES,
    .params = mpu_params,
    .config_size = sizeof(mpu_config),
    .metrics = mpu_metrics,
    .metric_count = MPU_METRICS,
    .primary = "cycles",
    .presets = PRESETS,
    .accepts = MSW_PRODUCT_PROGRAM,
    .default_workload = "axpy/n=64Ki",
    .learn_workloads =
        "axpy/n=16Ki, axpy/n=64Ki, axpy/natural/n=16Ki, blur/h=32, conv/h=32, gemv/rows=32, "
        "hist/n=16Ki, kmeans/n=4Ki, knn/n=16Ki, knn/n=64Ki, maxp/h=8, nw/pairs=16, pr/n=16Ki, "
        "pr/natural/n=16Ki, ttrans/h=64, upsamp/h=16",
    .law_workloads = "axpy/natural/n=16Ki, pr/natural/n=16Ki, hist/natural/n=16Ki",
    .details = DETAILS,
    .agreement = AGREEMENT,
    .checks = mpu_checks,
    .laws = mpu_laws,
    .artifacts = ARTIFACTS,
    .references = REFERENCES,
    .check = mpu_check,
    .analytic = mpu_analytic,
    .order = MSW_UNITS_FORWARD,
    .strata_max = MPU_STRATA_MOST,
    .strata = mpu_strata,
    .state_bytes = mpu_state_bytes,
    .begin = mpu_begin,
    .advance = mpu_advance,
    .lead = mpu_lead,
    .measure = mpu_measure,
    .finish = mpu_finish,
    .derive = mpu_derive,
    .price = mpu_price_logic,
    .bounds = mpu_bounds,
};
