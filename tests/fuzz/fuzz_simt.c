/* SPDX-License-Identifier: MIT */
/* Does any workload file of the front end simt crash it? The first byte chooses settings of the
 * name, the rest is the file; its PTX has a variable and a kernel that reads and writes where the
 * arguments say. */
#include "programs.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char PTX[] = ".version 9.0\n.target sm_75\n.address_size 64\n"
                          ".global .align 4 .u32 numbers[3] = {1, 2, 3};\n"
                          ".visible .entry work(.param .u64 a, .param .u32 n, .param .f32 x,\n"
                          "    .param .align 8 .b8 pair[16])\n"
                          "{\n"
                          "    .reg .b32 %r<5>;\n    .reg .b64 %rd<4>;\n"
                          "    ld.param.u64 %rd1, [a];\n    ld.param.u32 %r1, [n];\n"
                          "    mov.u32 %r2, %tid.x;\n    mad.lo.s32 %r3, %r1, %r2, %r2;\n"
                          "    mul.wide.u32 %rd2, %r3, 4;\n    add.s64 %rd3, %rd1, %rd2;\n"
                          "    ld.global.u32 %r4, [%rd3];\n    st.global.u32 [%rd1], %r4;\n"
                          "    ret;\n}\n";

static const char *const SETTINGS[] = {"", "/n=3", "/n=1Mi,m=0x10", "/ptx=t", "/ptx=u,n="};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    program p;
    char *text = malloc(size + 1);
    if (!text || size == 0) {
        free(text);
        return 0;
    }
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    if (program_text(&p, SETTINGS[data[0] % (sizeof SETTINGS / sizeof *SETTINGS)], text, PTX) == 0)
        program_build(&p);
    program_close(&p);
    free(text);
    return 0;
}
