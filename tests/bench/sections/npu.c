/* SPDX-License-Identifier: MIT */
/* What does it cost to read a network and to cut it into tiles?  */
#include "section.h"

#include "networks.h"
#include "onnx_file.h"

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

/* Reads a network of `layers` convolutions, each of which reads what the one before made, and cuts
 * it. */
static double read_deep(bench *b, void *context, size_t layers)
{
    network n = {.workload = {.frontend = &msw_frontend_npu, .name = msw_strdup("model.onnx")}};
    msw_text lines = MSW_TEXT_EMPTY, model = MSW_TEXT_EMPTY;
    msw_text_add(&lines, "input r0 batch,64,14,14\n");
    for (size_t i = 0; i < layers; i++)
        msw_text_add(&lines,
                     "weights w%zu 64,64,3,3\nConv c%zu r%zu w%zu pads=1,1,1,1\n"
                     "Relu r%zu c%zu\n",
                     i, i, i, i, i + 1, i);
    onnx_lines(msw_text_str(&lines), &model);
    msw_params_defaults(msw_frontend_npu.params, &n.config);
    double start = bench_seconds();
    bench_check(b, msw_workload_load(&n.workload, "model.onnx", model.data, model.size, &n.err),
                &n.err);
    bench_check(b, network_build(&n), &n.err);
    double spent = bench_seconds() - start;
    double *bytes = context;
    *bytes = (double)n.arena.total / (double)layers;
    network_close(&n);
    msw_text_free(&lines);
    msw_text_free(&model);
    return spent;
}

void section_npu(bench *b)
{
    double bytes = 0;
    static const char *const NAMES[] = {
        "alexnet/b1",      "googlenet/b1",  "resnet50/b1",     "resnet50/b4",       "resnet50/b128",
        "rnn3/b1",         "gnmt_s25/b1",   "bert_base_s512",  "mobilenet_v2/b128", "llm7b/decode",
        "llm7b/decode/b8", "llm7b/prefill", "llm7b/prefill/b4"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        read_and_cut(b, NAMES[i]);
    bench_growth(b, 40, read_deep, &bytes, "layers of an ONNX model, read and cut");
    bench_row(b, "B", BENCH_LOWER, bytes, "bytes of the product of a layer of 400");
}
