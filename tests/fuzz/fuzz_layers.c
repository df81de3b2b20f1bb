/* SPDX-License-Identifier: MIT */
/* Any bytes are a table of layers or are refused; whatever is read is cut soundly under any
 * settings, or refused; nothing crashes. The first bytes choose the settings. */
#include "networks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SETTINGS = 8 };

static void choose(const uint8_t *data, msw_npu_config *c)
{
    c->batch = 1 + data[0] % 9;
    c->rows = 1 + data[1];
    c->cols = 1 + data[2];
    c->dataflow = data[3] % 3;
    c->array = data[3] / 3 % 2;
    c->preload = data[3] / 6 % 2;
    c->buffers = data[4] & 1;
    c->overlap = data[4] >> 1 & 1;
    c->prefetch = data[4] >> 2 & 1;
    c->layout = data[4] >> 3 & 1;
    c->weight_layout = data[4] >> 4 & 1;
    c->elementwise = data[4] >> 5 & 1;
    c->training = data[4] >> 6 & 1;
    c->optimizer = data[5] / 8 % 3;
    c->state_bytes = 1 + data[5] / 24 % 8;
    c->element_bytes = 1 + data[5] % 8;
    c->spm_activation = INT64_C(4096) << data[6] % 19;
    c->spm_weight = INT64_C(4096) << data[7] % 19;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    network n = {.workload = {.frontend = &msw_frontend_npu}};
    if (size < SETTINGS)
        return 0;
    msw_params_defaults(msw_frontend_npu.params, &n.config);
    choose(data, &n.config);
    if (msw_workload_load(&n.workload, "net.csv", (const char *)data + SETTINGS, size - SETTINGS,
                          &n.err) == 0 &&
        n.workload.content && network_build(&n) == 0 && network_fault(n.p)) {
        fprintf(stderr, "%s\n", network_fault(n.p));
        abort();
    }
    network_close(&n);
    return 0;
}
