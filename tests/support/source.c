/* SPDX-License-Identifier: MIT */
#include "source.h"

#include <stdlib.h>

const char *source_folder(void)
{
    const char *folder = getenv("MEMSWEEP_SOURCE");
    return folder && *folder ? folder : MEMSWEEP_SOURCE;
}
