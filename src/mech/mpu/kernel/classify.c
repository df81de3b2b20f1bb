/* SPDX-License-Identifier: MIT */
/* What an instruction occupies, how long it takes and what it consumes: by its operation and type.
 * Classes are those of the released simulator (README.md, "Instructions"). */
#include "mech/mpu/kernel/parts.h"

#include <string.h>

static bool is_op(const msw_simt_insn *insn, const char *name)
{
    size_t length = strlen(name);
    return strncmp(insn->text, name, length) == 0 &&
           (insn->text[length] == '\0' || insn->text[length] == '.');
}

bool mpu_is_shuffle(const msw_simt_insn *insn)
{
    return is_op(insn, "shfl");
}

static bool is_one_of(const msw_simt_insn *insn, const char *const *names)
{
    while (*names && !is_op(insn, *names))
        names++;
    return *names;
}

static void classify_division(const msw_simt_insn *insn, mpu_insn *out)
{
    out->unit = MPU_UNIT_SFU;
    if (insn->type == MSW_SIMT_F64) {
        out->latency = MPU_LATENCY_DOUBLE_DIV;
        out->energy = MPU_ENERGY_FLOAT_DIV;
    } else if (insn->type == MSW_SIMT_F32 || insn->type == MSW_SIMT_F16) {
        out->latency = MPU_LATENCY_FLOAT_DIV;
        out->energy = MPU_ENERGY_FLOAT_DIV;
    } else {
        out->latency = MPU_LATENCY_INT_DIV;
        out->energy = MPU_ENERGY_INT_DIV;
    }
}

static void classify_special(const msw_simt_insn *insn, mpu_insn *out)
{
    static const char *const ROOTS[] = {"rcp", "sqrt", NULL};
    static const char *const LOGS[] = {"rsqrt", "lg2", NULL};
    static const char *const SINES[] = {"sin", "cos", NULL};
    out->unit = MPU_UNIT_SFU;
    out->energy = is_op(insn, "sqrt")  ? MPU_ENERGY_ROOT
                  : is_op(insn, "rcp") ? MPU_ENERGY_RCP
                                       : MPU_ENERGY_EXP;
    out->latency = insn->type == MSW_SIMT_F64 ? MPU_LATENCY_DOUBLE_DIV
                   : is_one_of(insn, ROOTS)   ? MPU_LATENCY_ROOT
                   : is_one_of(insn, LOGS)    ? MPU_LATENCY_RSQRT
                   : is_one_of(insn, SINES)   ? MPU_LATENCY_SIN
                                              : MPU_LATENCY_EXP;
}

static void classify_float(const msw_simt_insn *insn, mpu_insn *out)
{
    static const char *const PRODUCTS[] = {"mul", "fma", "mad", NULL};
    out->energy = is_one_of(insn, PRODUCTS) ? MPU_ENERGY_FLOAT : MPU_ENERGY_FLOAT_ADD;
    if (insn->type == MSW_SIMT_F16 || insn->type == MSW_SIMT_F16X2)
        out->latency = MPU_LATENCY_HALF;
}

static void classify_memory(const msw_simt_insn *insn, mpu_insn *out)
{
    bool shared = insn->space == MSW_SIMT_SHARED;
    uint32_t bytes = msw_simt_type_bytes(insn->type);
    out->unit = shared ? MPU_UNIT_SHARED : MPU_UNIT_LSU;
    out->energy = insn->is_atomic ? MPU_ENERGY_INT : MPU_ENERGY_NONE;
    out->moved_bytes = (uint8_t)(insn->vector * bytes);
    out->is_load_whole = !shared && !insn->is_atomic;
}

void mpu_classify(const msw_simt_insn *insn, mpu_insn *out)
{
    static const char *const DIVISIONS[] = {"div", "rem", NULL};
    *out = (mpu_insn){
        .unit = MPU_UNIT_ALU, .energy = MPU_ENERGY_INT, .has_immediate = insn->has_immediate};
    if (is_one_of(insn, DIVISIONS)) {
        classify_division(insn, out);
        return;
    }
    switch (insn->kind) {
    case MSW_SIMT_CLASS_MUL:
        out->energy = MPU_ENERGY_MUL;
        break;
    case MSW_SIMT_CLASS_FLOAT:
        classify_float(insn, out);
        break;
    case MSW_SIMT_CLASS_DOUBLE:
        out->energy = MPU_ENERGY_DOUBLE;
        out->latency = MPU_LATENCY_DOUBLE;
        break;
    case MSW_SIMT_CLASS_SPECIAL:
        classify_special(insn, out);
        break;
    case MSW_SIMT_CLASS_CONVERT:
        out->energy = MPU_ENERGY_CONVERT;
        break;
    case MSW_SIMT_CLASS_LOAD:
    case MSW_SIMT_CLASS_STORE:
    case MSW_SIMT_CLASS_ATOMIC:
        classify_memory(insn, out);
        break;
    case MSW_SIMT_CLASS_PARAM:
        out->unit = MPU_UNIT_CONST;
        out->energy = MPU_ENERGY_NONE;
        break;
    case MSW_SIMT_CLASS_BARRIER:
    case MSW_SIMT_CLASS_FENCE:
    case MSW_SIMT_CLASS_BRANCH:
    case MSW_SIMT_CLASS_EXIT:
        out->unit = MPU_UNIT_CONTROL;
        out->energy = MPU_ENERGY_NONE;
        break;
    default:
        break;
    }
}
