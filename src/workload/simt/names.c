/* SPDX-License-Identifier: MIT */
/* Names of types, spaces and classes. */
#include "memsweep/workload/simt/program.h"

static const char *const TYPE_NAMES[MSW_SIMT_TYPES] = {
    [MSW_SIMT_U8] = "u8",     [MSW_SIMT_U16] = "u16",       [MSW_SIMT_U32] = "u32",
    [MSW_SIMT_U64] = "u64",   [MSW_SIMT_S8] = "s8",         [MSW_SIMT_S16] = "s16",
    [MSW_SIMT_S32] = "s32",   [MSW_SIMT_S64] = "s64",       [MSW_SIMT_B8] = "b8",
    [MSW_SIMT_B16] = "b16",   [MSW_SIMT_B32] = "b32",       [MSW_SIMT_B64] = "b64",
    [MSW_SIMT_F16] = "f16",   [MSW_SIMT_F16X2] = "f16x2",   [MSW_SIMT_F32] = "f32",
    [MSW_SIMT_BF16] = "bf16", [MSW_SIMT_BF16X2] = "bf16x2", [MSW_SIMT_F64] = "f64",
    [MSW_SIMT_PRED] = "pred",
};

static const uint8_t TYPE_BYTES[MSW_SIMT_TYPES] = {
    [MSW_SIMT_U8] = 1,   [MSW_SIMT_U16] = 2,    [MSW_SIMT_U32] = 4, [MSW_SIMT_U64] = 8,
    [MSW_SIMT_S8] = 1,   [MSW_SIMT_S16] = 2,    [MSW_SIMT_S32] = 4, [MSW_SIMT_S64] = 8,
    [MSW_SIMT_B8] = 1,   [MSW_SIMT_B16] = 2,    [MSW_SIMT_B32] = 4, [MSW_SIMT_B64] = 8,
    [MSW_SIMT_F16] = 2,  [MSW_SIMT_F16X2] = 4,  [MSW_SIMT_F32] = 4, [MSW_SIMT_F64] = 8,
    [MSW_SIMT_BF16] = 2, [MSW_SIMT_BF16X2] = 4,
};

uint32_t msw_simt_type_bytes(msw_simt_type type)
{
    return TYPE_BYTES[type];
}

const char *msw_simt_type_name(msw_simt_type type)
{
    return TYPE_NAMES[type] ? TYPE_NAMES[type] : "none";
}

const char *msw_simt_space_name(msw_simt_space space)
{
    static const char *const NAMES[] = {"none",  "reg",   "global", "shared",
                                        "local", "const", "param",  "generic"};
    return NAMES[space];
}

const char *msw_simt_class_name(msw_simt_class class_number)
{
    static const char *const NAMES[MSW_SIMT_CLASSES] = {
        [MSW_SIMT_CLASS_INT] = "int",         [MSW_SIMT_CLASS_MUL] = "mul",
        [MSW_SIMT_CLASS_FLOAT] = "float",     [MSW_SIMT_CLASS_DOUBLE] = "double",
        [MSW_SIMT_CLASS_SPECIAL] = "special", [MSW_SIMT_CLASS_CONVERT] = "convert",
        [MSW_SIMT_CLASS_LOAD] = "load",       [MSW_SIMT_CLASS_STORE] = "store",
        [MSW_SIMT_CLASS_PARAM] = "param",     [MSW_SIMT_CLASS_ATOMIC] = "atomic",
        [MSW_SIMT_CLASS_SHUFFLE] = "shuffle", [MSW_SIMT_CLASS_BARRIER] = "barrier",
        [MSW_SIMT_CLASS_FENCE] = "fence",     [MSW_SIMT_CLASS_BRANCH] = "branch",
        [MSW_SIMT_CLASS_EXIT] = "exit",
    };
    return NAMES[class_number];
}
