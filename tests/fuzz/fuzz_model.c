/* SPDX-License-Identifier: MIT */
/* Any bytes are a Timeloop problem (.yaml) or an archive of torch.export (.pt2), or the graph in
 * one, or are refused; whatever is read is cut soundly, or refused; nothing crashes. The first byte
 * says which, and what is made of it. */
#include "networks.h"
#include "zip_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const FILES[] = {"net.yaml", "net.pt2", "net.pt2/s0=8/skip_unknown"};
    network n = {.workload = {.frontend = &msw_frontend_npu}};
    zip_file zip = {0};
    if (size < 1)
        return 0;
    unsigned kind = data[0] % 3;
    n.workload.name = msw_strdup(FILES[kind]);
    msw_params_defaults(msw_frontend_npu.params, &n.config);
    n.config.batch = 1 + data[0] / 3 % 5;
    n.config.elementwise = data[0] >> 5 & 1;
    n.config.training = data[0] >> 6 & 1;
    if (kind == 2)
        zip_add(&zip, "models/model.json", data + 1, size - 1, 0);
    else
        msw_text_add_bytes(&zip.bytes, (const char *)data + 1, size - 1);
    if (kind == 2)
        zip_end(&zip);
    if (msw_workload_load(&n.workload, kind ? "net.pt2" : "net.yaml",
                          zip.bytes.size ? zip.bytes.data : "", zip.bytes.size, &n.err) == 0 &&
        n.workload.content && network_build(&n) == 0 && network_fault(n.p)) {
        fprintf(stderr, "%s\n", network_fault(n.p));
        abort();
    }
    zip_free(&zip);
    network_close(&n);
    return 0;
}
