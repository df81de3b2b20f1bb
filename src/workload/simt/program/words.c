/* SPDX-License-Identifier: MIT */
/* Words, special registers and forms of PTX operations by name. */
#include "workload/simt/program/parts.h"

#include "memsweep/base/search.h"
#include "memsweep/base/text.h"

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

#define T(name) (1u << MSW_SIMT_##name)

enum {
    I16 = T(U16) | T(S16),
    I32 = T(U32) | T(S32),
    I64 = T(U64) | T(S64),
    INTS = I16 | I32 | I64,
    BITS = T(B16) | T(B32) | T(B64),
    HALF = T(F16) | T(F16X2),
    FLOATS = T(F32) | T(F64),
    REALS = HALF | FLOATS,
    BYTES = T(U8) | T(S8) | T(B8),
    ALL = BYTES | INTS | BITS | T(F16) | T(F16X2) | FLOATS,
};

#define ROUND     "rn rz rm rp "
#define COMPARE   "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan "
#define ORDER     "volatile weak relaxed acquire release acq_rel sc mmio cta cluster gpu sys "
#define ADDRESSED "global shared shared::cta local const param param::entry param::func "
#define EVICT                                                                                      \
    "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate "         \
    "L2::64B L2::128B L2::256B "

#define INT     MSW_SIMT_CLASS_INT
#define MUL     MSW_SIMT_CLASS_MUL
#define FLOAT   MSW_SIMT_CLASS_FLOAT
#define SPECIAL MSW_SIMT_CLASS_SPECIAL
#define SHUFFLE MSW_SIMT_CLASS_SHUFFLE

/* Sorted by name. */
static const simt_form FORMS[] = {
    {"abs", OP_ABS, INT, "ftz", T(S16) | T(S32) | T(S64) | REALS, 0, "da"},
    {"activemask", OP_ACTIVEMASK, SHUFFLE, "", T(B32), 0, "d"},
    {"add", OP_ADD, INT, ROUND "ftz sat cc", INTS | REALS, 0, "daa"},
    {"addc", OP_ADDC, INT, "cc", I32 | I64, 0, "daa"},
    {"and", OP_AND, INT, "", BITS | T(PRED), 0, "daa"},
    {"atom", OP_ATOM, MSW_SIMT_CLASS_ATOMIC,
     ORDER "global shared shared::cta add min max and or xor inc dec exch cas noftz",
     I32 | I64 | T(B16) | T(B32) | T(B64) | REALS, 0, "dmaoa"},
    {"bar", OP_BAR, MSW_SIMT_CLASS_BARRIER, "sync arrive red popc and or warp cta",
     T(U32) | T(PRED), 0, "u"},
    {"barrier", OP_BARRIER, MSW_SIMT_CLASS_BARRIER, "sync arrive red popc and or aligned cta",
     T(U32) | T(PRED), 0, "u"},
    {"bfe", OP_BFE, INT, "", I32 | I64, 0, "dauu"},
    {"bfi", OP_BFI, INT, "", T(B32) | T(B64), 0, "daauu"},
    {"bfind", OP_BFIND, INT, "shiftamt", I32 | I64, 0, "Da"},
    {"bra", OP_BRA, MSW_SIMT_CLASS_BRANCH, "uni", 0, 0, "L"},
    {"brev", OP_BREV, INT, "", T(B32) | T(B64), 0, "da"},
    {"brkpt", OP_TRAP, MSW_SIMT_CLASS_EXIT, "", 0, 0, ""},
    {"call", OP_CALL, MSW_SIMT_CLASS_BRANCH, "uni", 0, 0, ""},
    {"clz", OP_CLZ, INT, "", T(B32) | T(B64), 0, "Da"},
    {"cnot", OP_CNOT, INT, "", BITS, 0, "da"},
    {"copysign", OP_COPYSIGN, FLOAT, "", FLOATS, 0, "daa"},
    {"cos", OP_COS, SPECIAL, "approx ftz", T(F32), 0, "da"},
    {"cvt", OP_CVT, MSW_SIMT_CLASS_CONVERT, ROUND "rna rni rzi rmi rpi ftz sat relu",
     (ALL & ~T(B8)) | T(BF16) | T(BF16X2), (ALL & ~T(B8)) | T(BF16), "rxox"},
    {"cvta", OP_CVTA, INT, "to global shared shared::cta local const param param::entry",
     T(U32) | T(U64), 0, "da"},
    {"div", OP_DIV, SPECIAL, ROUND "approx full ftz", INTS | FLOATS, 0, "daa"},
    {"dp2a", OP_DP2A, MUL, "lo hi", I32, I32, "Duuu"},
    {"dp4a", OP_DP4A, MUL, "", I32, I32, "Duuu"},
    {"ex2", OP_EX2, SPECIAL, "approx ftz", T(F32) | HALF, 0, "da"},
    {"exit", OP_EXIT, MSW_SIMT_CLASS_EXIT, "", 0, 0, ""},
    {"fence", OP_FENCE, MSW_SIMT_CLASS_FENCE, "sc acq_rel acquire release cta cluster gpu sys", 0,
     0, ""},
    {"fma", OP_FMA, FLOAT, ROUND "ftz sat relu", REALS, 0, "daaa"},
    {"fns", OP_FNS, INT, "", T(B32), 0, "dauu"},
    {"isspacep", OP_ISSPACEP, INT, "global shared shared::cta local const param param::entry", 0, 0,
     "pu"},
    {"ld", OP_LD, MSW_SIMT_CLASS_LOAD, ORDER ADDRESSED EVICT "ca cg cs lu cv nc v2 v4", ALL, 0,
     "Vm"},
    {"ldu", OP_LD, MSW_SIMT_CLASS_LOAD, "global v2 v4", ALL, 0, "Vm"},
    {"lg2", OP_LG2, SPECIAL, "approx ftz", T(F32), 0, "da"},
    {"lop3", OP_LOP3, INT, "", T(B32), 0, "daaau"},
    {"mad", OP_MAD, MUL, ROUND "ftz sat lo hi wide cc", INTS | FLOATS, 0, "waac"},
    {"mad24", OP_MAD24, MUL, "lo hi sat", I32, 0, "daaa"},
    {"madc", OP_MADC, MUL, "lo hi cc", I32 | I64, 0, "daaa"},
    {"match", OP_MATCH, SHUFFLE, "any all sync", T(B32) | T(B64), 0, "Dau"},
    {"max", OP_MAX, INT, "ftz NaN xorsign abs relu", INTS | REALS, 0, "daaoa"},
    {"membar", OP_FENCE, MSW_SIMT_CLASS_FENCE, "cta gl sys", 0, 0, ""},
    {"min", OP_MIN, INT, "ftz NaN xorsign abs relu", INTS | REALS, 0, "daaoa"},
    {"mov", OP_MOV, INT, "", INTS | BITS | HALF | FLOATS | T(PRED), 0, "Vv"},
    {"mul", OP_MUL, MUL, ROUND "ftz sat lo hi wide", INTS | REALS, 0, "waa"},
    {"mul24", OP_MUL24, MUL, "lo hi", I32, 0, "daa"},
    {"nanosleep", OP_NOP, INT, "", T(U32), 0, "u"},
    {"neg", OP_NEG, INT, "ftz", T(S16) | T(S32) | T(S64) | REALS, 0, "da"},
    {"not", OP_NOT, INT, "", BITS | T(PRED), 0, "da"},
    {"or", OP_OR, INT, "", BITS | T(PRED), 0, "daa"},
    {"popc", OP_POPC, INT, "", T(B32) | T(B64), 0, "Da"},
    {"prefetch", OP_NOP, INT, "global local L1 L2", 0, 0, "m"},
    {"prefetchu", OP_NOP, INT, "L1", 0, 0, "m"},
    {"prmt", OP_PRMT, INT, "f4e b4e rc8 ecl ecr rc16", T(B32), 0, "daau"},
    {"rcp", OP_RCP, SPECIAL, ROUND "approx ftz", FLOATS, 0, "da"},
    {"red", OP_RED, MSW_SIMT_CLASS_ATOMIC,
     ORDER "global shared shared::cta add min max and or xor inc dec noftz",
     I32 | I64 | T(B32) | T(B64) | REALS, 0, "ma"},
    {"redux", OP_REDUX, SHUFFLE, "sync add min max and or xor", I32 | T(B32), 0, "dau"},
    {"rem", OP_REM, SPECIAL, "", INTS, 0, "daa"},
    {"ret", OP_RET, MSW_SIMT_CLASS_EXIT, "uni", 0, 0, ""},
    {"rsqrt", OP_RSQRT, SPECIAL, "approx ftz", FLOATS, 0, "da"},
    {"sad", OP_SAD, INT, "", INTS, 0, "daaa"},
    {"selp", OP_SELP, INT, "", INTS | BITS | FLOATS | T(F16), 0, "daas"},
    {"set", OP_SET, INT, COMPARE "and or xor ftz", T(U32) | T(S32) | T(F32) | HALF | I16,
     INTS | BITS | REALS, "d22os"},
    {"setp", OP_SETP, INT, COMPARE "and or xor ftz", INTS | BITS | REALS, 0, "paaos"},
    {"shf", OP_SHF, INT, "l r wrap clamp", T(B32), 0, "daau"},
    {"shfl", OP_SHFL, SHUFFLE, "sync up down bfly idx", T(B32), 0, "qauuou"},
    {"shl", OP_SHL, INT, "", BITS, 0, "dau"},
    {"shr", OP_SHR, INT, "", INTS | BITS, 0, "dau"},
    {"sin", OP_SIN, SPECIAL, "approx ftz", T(F32), 0, "da"},
    {"slct", OP_SLCT, INT, "ftz", INTS | BITS | FLOATS, T(S32) | T(F32), "daa2"},
    {"sqrt", OP_SQRT, SPECIAL, ROUND "approx ftz", FLOATS, 0, "da"},
    {"st", OP_ST, MSW_SIMT_CLASS_STORE, ORDER ADDRESSED EVICT "wb cg cs wt v2 v4", ALL, 0, "mv"},
    {"sub", OP_SUB, INT, ROUND "ftz sat cc", INTS | REALS, 0, "daa"},
    {"subc", OP_SUBC, INT, "cc", I32 | I64, 0, "daa"},
    {"tanh", OP_TANH, SPECIAL, "approx", T(F32) | HALF, 0, "da"},
    {"testp", OP_TESTP, FLOAT, "finite infinite number notanumber normal subnormal", FLOATS, 0,
     "pa"},
    {"trap", OP_TRAP, MSW_SIMT_CLASS_EXIT, "", 0, 0, ""},
    {"vote", OP_VOTE, SHUFFLE, "sync all any uni ballot", T(PRED) | T(B32), 0, "dsou"},
    {"xor", OP_XOR, INT, "", BITS | T(PRED), 0, "daa"},
};

enum { FORM_COUNT = sizeof FORMS / sizeof *FORMS };

static const struct {
    const char *start, *reason;
} REFUSED[] = {
    {"alloca", "the stack is not run"},
    {"applypriority", "cache control is not run"},
    {"brx", "indirect branches are not run"},
    {"clusterlaunchcontrol", "clusters are not run"},
    {"cp", "asynchronous copies are not run"},
    {"createpolicy", "cache control is not run"},
    {"discard", "cache control is not run"},
    {"elect", "it is newer than what is read"},
    {"getctarank", "clusters are not run"},
    {"griddepcontrol", "dependent launches are not run"},
    {"istypep", "textures are not run"},
    {"ldmatrix", "matrix instructions are not run"},
    {"mapa", "clusters are not run"},
    {"mbarrier", "asynchronous barriers are not run"},
    {"mma", "matrix instructions are not run"},
    {"movmatrix", "matrix instructions are not run"},
    {"multimem", "several devices are not run"},
    {"pmevent", "profiler events are not run"},
    {"setmaxnreg", "it is newer than what is read"},
    {"stackrestore", "the stack is not run"},
    {"stacksave", "the stack is not run"},
    {"stmatrix", "matrix instructions are not run"},
    {"suld", "surfaces are not run"},
    {"suq", "surfaces are not run"},
    {"sured", "surfaces are not run"},
    {"sust", "surfaces are not run"},
    {"szext", "it is newer than what is read"},
    {"tcgen05", "matrix instructions are not run"},
    {"tensormap", "tensor maps are not run"},
    {"tex", "textures are not run"},
    {"tld4", "textures are not run"},
    {"txq", "textures are not run"},
    {"vabsdiff", "video instructions are not run"},
    {"vadd", "video instructions are not run"},
    {"vmad", "video instructions are not run"},
    {"vmax", "video instructions are not run"},
    {"vmin", "video instructions are not run"},
    {"vset", "video instructions are not run"},
    {"vshl", "video instructions are not run"},
    {"vshr", "video instructions are not run"},
    {"vsub", "video instructions are not run"},
    {"wgmma", "matrix instructions are not run"},
    {"wmma", "matrix instructions are not run"},
};

const simt_form *simt_form_find(const char *name, size_t length)
{
    size_t at;
    MSW_SEARCH(at, 0, FORM_COUNT, strncmp(FORMS[at].name, name, length) < 0);
    bool found =
        at < FORM_COUNT && !strncmp(FORMS[at].name, name, length) && !FORMS[at].name[length];
    return found ? &FORMS[at] : NULL;
}

const char *simt_form_refused(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++)
        if (strlen(REFUSED[i].start) == length && memcmp(REFUSED[i].start, name, length) == 0)
            return REFUSED[i].reason;
    return NULL;
}

const char *simt_form_nearest(const char *name)
{
    const char *names[FORM_COUNT + 1];
    for (size_t i = 0; i < FORM_COUNT; i++)
        names[i] = FORMS[i].name;
    names[FORM_COUNT] = NULL;
    return msw_nearest(name, names, sizeof *names);
}
