/* SPDX-License-Identifier: MIT */
/* What a mix consists of, in lines for people. */
#include "workload/mix/parts.h"

#include "memsweep/base/units.h"

#include <inttypes.h>

static void add_network(const msw_graph_network *net, msw_text *out)
{
    msw_graph_totals t = msw_graph_total(net);
    double mega = 1e6, far = 1 << 20;
    msw_text_add(out,
                 "  %-20s %6g %5" PRIu64 " %6g %8u %8.2f %8.2f %8.2f %8.2f %8.2f %6.3f %6.3f "
                 "%6.3f\n",
                 net->name, net->weight, net->batch, net->target_ms, net->op_count,
                 t.weights / mega, t.between / mega, t.most_live / mega, t.layerwise / mega,
                 t.fused / mega, t.unused, msw_graph_beyond(net, far),
                 msw_graph_beyond(net, 2 * far));
}

int msw_mix_describe(const void *content, const void *config, msw_text *out, msw_err *err)
{
    msw_arena arena = {0};
    msw_product product;
    int rc = msw_mix_build(content, config, 0, &arena, &product, err);
    if (rc == 0) {
        const msw_graph_product *p = product.data;
        msw_text_add(out, "\nNetworks (bytes in MB; shares: of bytes used once, of intermediates "
                          "that come back after more than 1 and 2 MiB)\n");
        msw_text_add(out, "  %-20s %6s %5s %6s %8s %8s %8s %8s %8s %8s %6s %6s %6s\n", "network",
                     "weight", "batch", "qos ms", "ops", "weights", "between", "live", "layers",
                     "fused", "once", ">1", ">2");
        for (uint32_t i = 0; i < p->count; i++)
            add_network(&p->networks[i], out);
        if (p->arrivals)
            msw_text_add(out, "\nTasks: %u, from %g to %g ms\n", p->arrival_count,
                         p->arrivals[0].dispatch_ms, p->arrivals[p->arrival_count - 1].dispatch_ms);
    }
    msw_arena_free(&arena);
    return rc;
}
