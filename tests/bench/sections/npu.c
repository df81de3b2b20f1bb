/* SPDX-License-Identifier: MIT */
/* What does it cost to read a network and to cut it into tiles?  */
#include "section.h"

#include "networks.h"

static double build(bench *b, void *context, size_t n)
{
    network *net = context;
    double start = bench_seconds();
    (void)n;
    bench_check(b, network_build(net), &net->err);
    return bench_seconds() - start;
}

static void read_and_cut(bench *b, const char *name)
{
    network n;
    double start = bench_seconds();
    bench_check(b, network_load(&n, name), &n.err);
    bench_time(b, bench_seconds() - start, "%s read", name);
    double each = bench_mean(b, build, &n, 1);
    bench_time(b, each, "%s cut into tiles", name);
    bench_fact(b, "tiles", (double)n.p->tile_count, "%s tiles", name);
    network_close(&n);
}

void section_npu(bench *b)
{
    static const char *const NAMES[] = {
        "alexnet/b1",      "googlenet/b1",  "resnet50/b1",     "resnet50/b4",       "resnet50/b128",
        "rnn3/b1",         "gnmt_s25/b1",   "bert_base_s512",  "mobilenet_v2/b128", "llm7b/decode",
        "llm7b/decode/b8", "llm7b/prefill", "llm7b/prefill/b4"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        read_and_cut(b, NAMES[i]);
}
