/* SPDX-License-Identifier: MIT */
/* Any bytes are a Timeloop problem (.yaml), or are refused; whatever is read is cut soundly, or
 * refused; nothing crashes. The first byte says what is made of it. */
#include "networks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    network n = {.workload = {.frontend = &msw_frontend_npu}};
    if (size < 1)
        return 0;
    n.workload.name = msw_strdup("net.yaml");
    msw_params_defaults(msw_frontend_npu.params, &n.config);
    n.config.batch = 1 + data[0] % 5;
    n.config.elementwise = data[0] >> 5 & 1;
    n.config.training = data[0] >> 6 & 1;
    if (msw_workload_load(&n.workload, "net.yaml", (const char *)data + 1, size - 1, &n.err) == 0 &&
        n.workload.content && network_build(&n) == 0 && network_fault(n.p)) {
        fprintf(stderr, "%s\n", network_fault(n.p));
        abort();
    }
    network_close(&n);
    return 0;
}
