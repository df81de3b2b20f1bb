/* SPDX-License-Identifier: MIT */
/* Any bytes are a decoder's config.json or are refused; whatever is read is cut soundly, or
 * refused; nothing crashes. The first bytes choose the settings. */
#include "networks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SETTINGS = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    network n = {.workload = {.frontend = &msw_frontend_npu}};
    if (size < SETTINGS)
        return 0;
    msw_params_defaults(msw_frontend_npu.params, &n.config);
    n.config.batch = 1 + data[0] % 9;
    n.config.context = 1 + data[1];
    n.config.phase = data[2] & 1;
    n.config.weight_bits = data[2] / 2 % 5;
    n.config.shards = 1 + data[3] % 8;
    n.config.elementwise = data[3] >> 3 & 1;
    n.config.training = data[3] >> 4 & 1;
    if (msw_workload_load(&n.workload, "config.json", (const char *)data + SETTINGS,
                          size - SETTINGS, &n.err) == 0 &&
        n.workload.content && network_build(&n) == 0 && network_fault(n.p)) {
        fprintf(stderr, "%s\n", network_fault(n.p));
        abort();
    }
    network_close(&n);
    return 0;
}
