/* SPDX-License-Identifier: MIT */
#include "workload/simt/program/words.h"

#include <string.h>

static const char *const WORD_NAMES[WORDS] = {
    [W_RN] = "rn",
    [W_RZ] = "rz",
    [W_RM] = "rm",
    [W_RP] = "rp",
    [W_RNA] = "rna",
    [W_RNI] = "rni",
    [W_RZI] = "rzi",
    [W_RMI] = "rmi",
    [W_RPI] = "rpi",
    [W_FTZ] = "ftz",
    [W_SAT] = "sat",
    [W_APPROX] = "approx",
    [W_FULL] = "full",
    [W_NAN] = "nan",
    [W_NAN_MINMAX] = "NaN",
    [W_XORSIGN] = "xorsign",
    [W_ABS] = "abs",
    [W_RELU] = "relu",
    [W_LO] = "lo",
    [W_HI] = "hi",
    [W_WIDE] = "wide",
    [W_CC] = "cc",
    [W_EQ] = "eq",
    [W_NE] = "ne",
    [W_LT] = "lt",
    [W_LE] = "le",
    [W_GT] = "gt",
    [W_GE] = "ge",
    [W_LS] = "ls",
    [W_HS] = "hs",
    [W_EQU] = "equ",
    [W_NEU] = "neu",
    [W_LTU] = "ltu",
    [W_LEU] = "leu",
    [W_GTU] = "gtu",
    [W_GEU] = "geu",
    [W_NUM] = "num",
    [W_AND] = "and",
    [W_OR] = "or",
    [W_XOR] = "xor",
    [W_ADD] = "add",
    [W_MIN] = "min",
    [W_MAX] = "max",
    [W_INC] = "inc",
    [W_DEC] = "dec",
    [W_EXCH] = "exch",
    [W_CAS] = "cas",
    [W_GLOBAL] = "global",
    [W_SHARED] = "shared",
    [W_SHARED_CTA] = "shared::cta",
    [W_LOCAL] = "local",
    [W_CONST] = "const",
    [W_PARAM] = "param",
    [W_PARAM_ENTRY] = "param::entry",
    [W_PARAM_FUNC] = "param::func",
    [W_VOLATILE] = "volatile",
    [W_WEAK] = "weak",
    [W_RELAXED] = "relaxed",
    [W_ACQUIRE] = "acquire",
    [W_RELEASE] = "release",
    [W_ACQ_REL] = "acq_rel",
    [W_SC] = "sc",
    [W_CTA] = "cta",
    [W_CLUSTER] = "cluster",
    [W_GPU] = "gpu",
    [W_GL] = "gl",
    [W_SYS] = "sys",
    [W_CA] = "ca",
    [W_CG] = "cg",
    [W_CS] = "cs",
    [W_LU] = "lu",
    [W_CV] = "cv",
    [W_WB] = "wb",
    [W_WT] = "wt",
    [W_NC] = "nc",
    [W_EVICT_NORMAL] = "L1::evict_normal",
    [W_EVICT_UNCHANGED] = "L1::evict_unchanged",
    [W_EVICT_FIRST] = "L1::evict_first",
    [W_EVICT_LAST] = "L1::evict_last",
    [W_NO_ALLOCATE] = "L1::no_allocate",
    [W_L2_64] = "L2::64B",
    [W_L2_128] = "L2::128B",
    [W_L2_256] = "L2::256B",
    [W_NOFTZ] = "noftz",
    [W_V2] = "v2",
    [W_V4] = "v4",
    [W_SYNC] = "sync",
    [W_ALIGNED] = "aligned",
    [W_ARRIVE] = "arrive",
    [W_RED] = "red",
    [W_POPC] = "popc",
    [W_WARP] = "warp",
    [W_UP] = "up",
    [W_DOWN] = "down",
    [W_BFLY] = "bfly",
    [W_IDX] = "idx",
    [W_ALL] = "all",
    [W_ANY] = "any",
    [W_UNI] = "uni",
    [W_BALLOT] = "ballot",
    [W_L] = "l",
    [W_R] = "r",
    [W_WRAP] = "wrap",
    [W_CLAMP] = "clamp",
    [W_F4E] = "f4e",
    [W_B4E] = "b4e",
    [W_RC8] = "rc8",
    [W_ECL] = "ecl",
    [W_ECR] = "ecr",
    [W_RC16] = "rc16",
    [W_TO] = "to",
    [W_SHIFTAMT] = "shiftamt",
    [W_FINITE] = "finite",
    [W_INFINITE] = "infinite",
    [W_NUMBER] = "number",
    [W_NOTANUMBER] = "notanumber",
    [W_NORMAL] = "normal",
    [W_SUBNORMAL] = "subnormal",
    [W_U32] = "u32",
    [W_L1] = "L1",
    [W_L2] = "L2",
};

static bool same(const char *name, const char *text, size_t length)
{
    return name && strlen(name) == length && memcmp(name, text, length) == 0;
}

simt_word simt_word_find(const simt_form *form, const char *word, size_t length)
{
    for (const char *at = form->words; *at;) {
        size_t size = strcspn(at, " ");
        if (size == length && memcmp(at, word, length) == 0)
            break;
        at += size + (at[size] == ' ');
        if (!*at)
            return W_NONE;
    }
    for (int w = 1; *form->words && w < WORDS; w++)
        if (same(WORD_NAMES[w], word, length))
            return (simt_word)w;
    return W_NONE;
}

msw_simt_type simt_type_find(const char *name, size_t length)
{
    for (int t = 1; t < MSW_SIMT_TYPES; t++)
        if (same(msw_simt_type_name((msw_simt_type)t), name, length))
            return (msw_simt_type)t;
    return MSW_SIMT_NO_TYPE;
}

static const struct {
    const char *name;
    simt_special x; /* y and z follow; SPECIALS: has no axes */
    simt_special plain;
} SPECIAL_NAMES[] = {
    {"%tid", S_TID_X, SPECIALS},
    {"%ntid", S_NTID_X, SPECIALS},
    {"%ctaid", S_CTAID_X, SPECIALS},
    {"%nctaid", S_NCTAID_X, SPECIALS},
    {"%laneid", SPECIALS, S_LANEID},
    {"%warpid", SPECIALS, S_WARPID},
    {"%nwarpid", SPECIALS, S_NWARPID},
    {"%smid", SPECIALS, S_SMID},
    {"%nsmid", SPECIALS, S_NSMID},
    {"%gridid", SPECIALS, S_GRIDID},
    {"%lanemask_eq", SPECIALS, S_LANEMASK_EQ},
    {"%lanemask_le", SPECIALS, S_LANEMASK_LE},
    {"%lanemask_lt", SPECIALS, S_LANEMASK_LT},
    {"%lanemask_ge", SPECIALS, S_LANEMASK_GE},
    {"%lanemask_gt", SPECIALS, S_LANEMASK_GT},
    {"%dynamic_smem_size", SPECIALS, S_DYNAMIC_SMEM},
    {"%total_smem_size", SPECIALS, S_TOTAL_SMEM},
    {"%clock", SPECIALS, S_CLOCK},
    {"%clock64", SPECIALS, S_CLOCK},
    {"%clock_hi", SPECIALS, S_CLOCK_HI},
    {"%globaltimer", SPECIALS, S_CLOCK},
    {"%globaltimer_lo", SPECIALS, S_CLOCK},
    {"%globaltimer_hi", SPECIALS, S_CLOCK_HI},
};

simt_special simt_special_find(const char *name, size_t length, char axis)
{
    for (size_t i = 0; i < sizeof SPECIAL_NAMES / sizeof *SPECIAL_NAMES; i++) {
        if (!same(SPECIAL_NAMES[i].name, name, length))
            continue;
        if (!axis)
            return SPECIAL_NAMES[i].plain;
        if (SPECIAL_NAMES[i].x == SPECIALS)
            return SPECIALS;
        if (axis == 'w')
            return SPECIAL_NAMES[i].x == S_TID_X || SPECIAL_NAMES[i].x == S_CTAID_X ? S_ZERO
                                                                                    : S_ONE;
        return axis >= 'x' && axis <= 'z' ? (simt_special)(SPECIAL_NAMES[i].x + (axis - 'x'))
                                          : SPECIALS;
    }
    return SPECIALS;
}
