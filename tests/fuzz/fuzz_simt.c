/* Does any workload file of the front end simt crash it? The first byte chooses settings of the
 * name, the rest is the file; its PTX has a kernel and a variable. */
#include "programs.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char PTX[] = ".version 9.0\n.target sm_75\n.address_size 64\n"
                          ".global .align 4 .u32 numbers[3] = {1, 2, 3};\n"
                          ".visible .entry work(.param .u64 a, .param .u32 n, .param .f32 x,\n"
                          "    .param .align 8 .b8 pair[16])\n"
                          "{\n    ret;\n}\n";

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
