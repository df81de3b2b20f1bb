/* SPDX-License-Identifier: MIT */
/* Are mixes read as they are meant, do networks become the graphs that their tables describe, and
 * are slips told where they are? */
#include "streams.h"
#include "testing.h"

#include "memsweep/sweep/content.h"
#include "memsweep/workload/graph.h"

#include <math.h>

#define HEADER                                                                                     \
    "idx,name,op,block,in,out_elems,w_elems,M,N,K,count,seq,macs,vec_ops,IH,IW,IC,OH,OW,OC,KH,KW," \
    "SH,SW,groups,fuse\n"
#define INPUT "0,x,input,a,,96,0,0,0,0,1,1,0,0,0,0,0,4,8,3,1,1,1,1,1,0\n"
#define CONV  "1,c,conv,a,0,96,81,32,3,27,1,1,2592,0,4,8,3,4,8,3,3,3,1,1,1,0\n"

static int open_mix(stream *s, const char *name)
{
    return stream_named(s, name) || stream_build(s, 1) ? -1 : 0;
}

static const msw_graph_product *graphs(const stream *s)
{
    return s->product.data;
}

/* A list or a table from text. */
static int open_texts(stream *s, const char *list, const char *table)
{
    msw_workload_file files[2] = {{"mine.csv", list, strlen(list)},
                                  {"net.csv", table, table ? strlen(table) : 0}};
    char file[64];
    memset(s, 0, sizeof *s);
    s->workload.frontend =
        msw_workload_resolve("mix:mine.csv", &s->config, file, sizeof file, &s->err);
    assert_ptr_equal(s->workload.frontend, &msw_frontend_mix);
    s->workload.name = msw_strdup("mix:mine.csv");
    int more = s->workload.frontend->further("mix:mine.csv", files, 1, file, sizeof file, &s->err);
    if (more < 0)
        return -1;
    return msw_workload_load_files(&s->workload, files, table ? 2 : 1, &s->err) ||
                   stream_build(s, 1)
               ? -1
               : 0;
}

/* Bytes of the shipped networks at 2 bytes an element, in MB, and shares; computed apart from the
 * same tables by a program of another language, in the definitions of docs/models/mix.md. */
static const struct {
    double weights, between, live, layerwise, fused, once, far, farther;
} KNOWN[] = {
    {51.01, 32.07, 4.82, 126.68, 51.31, .615, .731, .344},
    {6.94, 13.79, 3.01, 35.26, 7.24, .344, .088, .011},
    {10.47, 18.55, 3.01, 52.90, 10.78, .367, .060, .013},
    {172.58, 74.10, 2.47, 335.60, 172.89, .700, .574, .451},
    {171.25, 43.06, 1.18, 266.80, 171.25, .799, .584, .494},
    {422.06, .35, .13, 422.93, 422.12, .999, .943, .930},
    {188.49, 24.08, 6.55, 240.44, 188.60, .887, .749, .507},
    {9.66, 128.39, 48.85, 388.31, 38.97, .233, 1.000, 1.000},
};

static void test_the_networks_of_camdn_move_what_their_tables_say(void **state)
{
    (void)state;
    stream s;
    assert_ok(open_mix(&s, "mix/camdn8"), s.err);
    assert_int_equal(graphs(&s)->count, 8);
    for (uint32_t i = 0; i < 8; i++) {
        const msw_graph_network *net = &graphs(&s)->networks[i];
        msw_graph_totals t = msw_graph_total(net);
        assert_true(fabs(t.weights / 1e6 - KNOWN[i].weights) < .006);
        assert_true(fabs(t.between / 1e6 - KNOWN[i].between) < .006);
        assert_true(fabs(t.most_live / 1e6 - KNOWN[i].live) < .006);
        assert_true(fabs(t.layerwise / 1e6 - KNOWN[i].layerwise) < .006);
        assert_true(fabs(t.fused / 1e6 - KNOWN[i].fused) < .006);
        assert_true(fabs(t.unused - KNOWN[i].once) < .0006);
        assert_true(fabs(msw_graph_beyond(net, 1 << 20) - KNOWN[i].far) < .0006);
        assert_true(fabs(msw_graph_beyond(net, 2 << 20) - KNOWN[i].farther) < .0006);
    }
    stream_close(&s);
}

static void test_serial_steps_read_their_weights_again(void **state)
{
    (void)state;
    stream s;
    assert_ok(open_mix(&s, "mix:gnmt_s25"), s.err);
    msw_graph_totals t = msw_graph_total(&graphs(&s)->networks[0]);
    assert_true(fabs(t.touched / 1e6 - 8487.80) < .006);
    assert_true(fabs(t.layerwise / 1e6 - 8512.21) < .006);
    stream_close(&s);
}

static void test_tensors_lie_apart(void **state)
{
    (void)state;
    stream s;
    assert_ok(open_mix(&s, "mix/camdn_light"), s.err);
    for (uint32_t n = 0; n < graphs(&s)->count; n++) {
        const msw_graph_network *net = &graphs(&s)->networks[n];
        for (uint32_t i = 0; i < net->tensor_count; i++) {
            const msw_graph_tensor *a = &net->tensors[i];
            assert_int_equal(a->offset % 4096, 0);
            assert_true(a->offset + a->bytes <= net->bytes);
            for (uint32_t j = 0; j < i; j++) {
                const msw_graph_tensor *b = &net->tensors[j];
                assert_true(a->offset + a->bytes <= b->offset || b->offset + b->bytes <= a->offset);
            }
        }
    }
    stream_close(&s);
}

static void test_batches_and_weights_of_a_name(void **state)
{
    (void)state;
    stream one, s;
    assert_ok(open_mix(&one, "mix:resnet50+bert_base_s128"), one.err);
    assert_ok(open_mix(&s, "mix:resnet50/b2+bert_base_s128/b3:4+resnet50:0.5"), s.err);
    const msw_graph_network *a = graphs(&one)->networks, *b = graphs(&s)->networks;
    assert_int_equal(graphs(&s)->count, 3);
    assert_true(b[0].weight == 1 && b[1].weight == 4 && b[2].weight == .5);
    assert_int_equal(b[0].batch, 2);
    for (int i = 0; i < 2; i++) {
        double images = i ? 3 : 2;
        msw_graph_totals few = msw_graph_total(&a[i]), many = msw_graph_total(&b[i]);
        /* BERT looks up words for each sequence */
        assert_true(i ? many.weights > few.weights : many.weights == few.weights);
        assert_true(few.between * images == many.between);
        assert_true(few.ends * images == many.ends);
    }
    assert_true(msw_digest_equal(a[0].shape, b[2].shape));
    assert_false(msw_digest_equal(a[0].shape, b[0].shape));
    assert_false(msw_digest_equal(one.workload.digest, s.workload.digest));
    stream_close(&one);
    stream_close(&s);
}

static void test_producers_write_into_a_concatenation(void **state)
{
    (void)state;
    static const char TABLE[] =
        HEADER INPUT CONV "2,d,conv,a,0,96,81,32,3,27,1,1,2592,0,4,8,3,4,8,3,3,3,1,1,1,0\n"
                          "3,cat,concat,b,1;2,192,0,0,0,0,1,1,0,0,0,0,0,4,8,6,1,1,1,1,1,0\n"
                          "4,fc,gemm,b,3,10,1920,1,10,192,1,1,1920,0,0,0,0,1,1,10,1,1,1,1,1,0\n";
    stream s;
    assert_ok(open_texts(&s, "network\nnet.csv\n", TABLE), s.err);
    const msw_graph_network *net = graphs(&s)->networks;
    assert_int_equal(net->op_count, 3);
    assert_int_equal(net->ops[2].read_count, 2);
    assert_int_equal(net->block_count, 2);
    assert_int_equal(msw_graph_op_bytes(net, 2), 2 * (192 + 1920 + 10));
    stream_close(&s);
}

static void test_a_fused_pool_leaves_its_producer_a_smaller_output(void **state)
{
    (void)state;
    static const char POOL[] = "2,p,maxpool,a,1,24,0,0,0,0,1,1,0,96,4,8,3,2,4,3,2,2,2,2,1,1\n";
    static const char AGAIN[] = "3,q,gap,a,1,3,0,0,0,0,1,1,0,96,4,8,3,1,1,3,1,1,1,1,1,0\n";
    char table[1024];
    stream s;
    snprintf(table, sizeof table, HEADER INPUT CONV "%s", POOL);
    assert_ok(open_texts(&s, "network\nnet.csv\n", table), s.err);
    assert_int_equal(graphs(&s)->networks[0].op_count, 1);
    assert_int_equal(msw_graph_op_bytes(graphs(&s)->networks, 0), 2 * (96 + 81 + 24));
    stream_close(&s);
    snprintf(table, sizeof table, HEADER INPUT CONV "%s%s", POOL, AGAIN);
    assert_ok(open_texts(&s, "network\nnet.csv\n", table), s.err);
    assert_int_equal(graphs(&s)->networks[0].op_count, 3); /* somebody else reads the whole */
    stream_close(&s);
}

static const struct {
    const char *list, *table, *message;
} SLIPS[] = {
    {"", NULL, "mine.csv:1:1: found an empty file, allowed: a table with a header"},
    {"weight\n1\n", NULL, "mine.csv:1:1: the header lacks the column 'network'"},
    {"network,weight\n", NULL,
     "mine.csv:1:1: found no network with a weight above 0 below the header"},
    {"network,weight\nresnet50,0\n", NULL,
     "mine.csv:2:1: found no network with a weight above 0 below the header"},
    {"network,weight\nresnet50,much\n", NULL,
     "mine.csv:2:10: weight: found 'much', allowed: a number from 0 to 1000000"},
    {"network,batch\nresnet50,0\n", NULL,
     "mine.csv:2:10: batch: found '0', allowed: a whole number from 1 to 65536"},
    {"network\nresnet\n", NULL,
     "mine.csv:2:1: network: found 'resnet', allowed: a network of ours ('memsweep list "
     "workloads'), or the path of a file beside this one (.csv, .onnx, .yaml, .json/decode)"},
    {"network,batch\nnet.csv,65536\n",
     HEADER "0,x,input,a,,1125899906842624,0,0,0,0,1,1,0,0,0,0,0,16777216,67108864,1,1,1,1,1,1,0\n"
            "1,p,gap,a,0,1,0,0,0,0,1,1,0,0,0,0,0,1,1,1,1,1,1,1,1,0\n",
     "network 'net.csv': a tensor of 1.48e+20 bytes, allowed: up to 1.13e+15"},
    {"network\nnet.csv\n",
     HEADER INPUT "1,e,embed,a,0,1,0,67108864,67108864,2,1,1,0,0,0,0,0,1,1,1,1,1,1,1,1,0\n",
     "net.csv: row 1: a gather of 9.01e+15 elements, allowed: up to 1.13e+15"},
    {"network\nnet.csv\n",
     HEADER INPUT "1,p,gemm,a,0,16,32,8,2,16,1,1,256,0,0,0,0,1,1,16,1,1,1,1,1,0\n",
     "net.csv: row 1 (p): M x K x count is 128 elements, and it reads 96; allowed: no more than it "
     "reads"},
    {"network\nnet.csv\n", HEADER INPUT, "net.csv: found no operator that reads another row"},
    {"network\nnet.csv\n", HEADER "1" INPUT,
     "net.csv:2:1: idx: found 10, allowed: 0 (rows are numbered from 0)"},
};

static void test_slips_are_told_where_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof SLIPS / sizeof *SLIPS; i++) {
        stream s;
        assert_int_equal(open_texts(&s, SLIPS[i].list, SLIPS[i].table), -1);
        assert_string_equal(s.err.text, SLIPS[i].message);
        stream_close(&s);
    }
}

static void test_wrong_names_say_what_is_allowed(void **state)
{
    (void)state;
    static const char *const NAMES[][2] = {
        {"mix:resnet", "no network 'resnet', did you mean 'resnet50'?"},
        {"mix:", "no network ''"},
        {"mix:resnet50+", "no network ''"},
        {"mix:resnet50:0", "found ':0' after resnet50, allowed: /b<batch> to 65536"},
        {"mix:resnet50/b0", "found '/b0' after resnet50"},
        {"mix:resnet50:2/b2", "found ':2/b2' after resnet50"},
        {"mix:rnn1+rnn1+rnn1+rnn1+rnn1+rnn1+rnn1+rnn1+rnn1+rnn1+rnn1+rnn1+rnn1+rnn1+rnn1+rnn1",
         "found more than 15 networks in a mix"},
        {"mix/camdn9", "no workload 'mix/camdn9', did you mean 'mix/camdn8'?"},
    };
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        stream s;
        char file[512];
        assert_null(msw_workload_resolve(NAMES[i][0], &s.config, file, sizeof file, &s.err));
        assert_non_null(strstr(s.err.text, NAMES[i][1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_networks_of_camdn_move_what_their_tables_say),
        cmocka_unit_test(test_serial_steps_read_their_weights_again),
        cmocka_unit_test(test_tensors_lie_apart),
        cmocka_unit_test(test_batches_and_weights_of_a_name),
        cmocka_unit_test(test_producers_write_into_a_concatenation),
        cmocka_unit_test(test_a_fused_pool_leaves_its_producer_a_smaller_output),
        cmocka_unit_test(test_slips_are_told_where_they_are),
        cmocka_unit_test(test_wrong_names_say_what_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
