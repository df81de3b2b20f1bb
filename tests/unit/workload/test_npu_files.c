/* SPDX-License-Identifier: MIT */
/* Are the files that users have read as they mean them, and slips told with line and column? */
#include "networks.h"
#include "testing.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define CONV                                                                                       \
    "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, "   \
    "Strides,\n"
#define OPS                                                                                        \
    "idx,name,op,in,out_elems,M,N,K,count,seq,macs,IH,IW,IC,OH,OW,OC,KH,KW,SH,groups,fuse\n"       \
    "0,x,input,,96,0,0,0,1,1,0,0,0,0,4,8,3,1,1,1,1,0\n"
#define TILES "layer,tile,operand,base,rows,row_bytes,stride,compute_cycles,overlap\n"

/* 8 x 6 outputs of 5 filters over 3 x 3 x 4 inputs. */
static const uint64_t CONV_MACS = 8 * 6 * 5 * 3 * 3 * 4;

static void test_scalesim_files_as_they_are_found(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {
        CONV "c, 10, 8, 3, 3, 4, 5, 1,\n",
        "\xef\xbb\xbf" CONV "c,10,8,3,3,4,5,1",
        "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, "
        "Strides,\r\nc,\t10, 8, 3, 3, 4, 5, 1,\r\n\r\n",
        "# made by hand\n" CONV "\n\"c\", 10, 8, 3, 3, 4, 5, 1,,,\n",
        "LAYER NAME, ifmap height, ifmap width, filter height, filter width, channels, num filter, "
        "strides, Sparsity,\nc, 10, 8, 3, 3, 4, 5, 1, 1:1,\n",
        "Layer, M, N, K,\nc, 48, 5, 36,\n",
        "Layer, N, K, M\nc, 5, 36, 48\n",
    };
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        network n;
        assert_ok(network_text(&n, TEXTS[i]), n.err);
        assert_ok(network_build(&n), n.err);
        assert_int_equal(n.p->macs, CONV_MACS);
        assert_string_equal(n.p->layers[0].name, "c");
        network_close(&n);
    }
}

/* What SCALE-Sim's own output formula gives where the stride does not divide. */
static void test_scalesim_rounds_windows_up(void **state)
{
    (void)state;
    network n;
    assert_ok(network_text(&n, CONV "c, 10, 11, 3, 3, 1, 1, 2,\n"), n.err);
    assert_ok(network_build(&n), n.err);
    assert_int_equal(n.p->macs, 5 * 5 * 9);
    assert_string_equal(network_fault(n.p) ? network_fault(n.p) : "", "");
    network_close(&n);
}

/* 8 x 6 outputs: with 8 filters of each of 4 channels, with 8 of all 4 together, and of an ordinary
 * layer; names that have DP in them count where the column is empty. */
static void test_a_column_says_how_filters_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *row;
        uint64_t macs;
        const char *says;
    } CASES[] = {
        {"c, 10, 8, 3, 3, 4, 8, 1, each,\n", 48 * 4 * 8 * 9, NULL},
        {"c, 10, 8, 3, 3, 4, 8, 1, all,\n", 48 * 8 * 9, NULL},
        {"c_DP, 10, 8, 3, 3, 4, 8, 1, no,\n", 48 * 8 * 4 * 9, NULL},
        {"c_DP, 10, 8, 3, 3, 4, 8, 1, ,\n", 48 * 4 * 8 * 9, NULL},
        {"c, 10, 8, 3, 3, 4, 6, 1, all,\n", 0, "Num Filter: found 6, allowed: multiples of the 4"},
        {"c, 10, 8, 3, 3, 4, 8, 1, both,\n", 0, "DP: found 'both', allowed: no, each"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[512];
        network n;
        snprintf(text, sizeof text,
                 "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, "
                 "Num Filter, Strides, DP,\n%s",
                 CASES[i].row);
        int rc = network_text(&n, text);
        if (CASES[i].says) {
            assert_int_equal(rc, -1);
            assert_non_null(strstr(n.err.text, CASES[i].says));
        } else {
            assert_ok(rc, n.err);
            assert_ok(network_build(&n), n.err);
            assert_int_equal(n.p->macs, CASES[i].macs);
        }
        network_close(&n);
    }
}

static void test_depthwise_rows_stand_for_one_layer_per_channel(void **state)
{
    (void)state;
    network n;
    assert_ok(network_text(&n, CONV "dw_DP, 10, 8, 3, 3, 4, 1, 1,\n"), n.err);
    n.config.preload = MSW_NPU_PRELOAD_SERIAL;
    assert_ok(network_build(&n), n.err);
    assert_int_equal(n.p->macs, 4 * 48 * 9);
    assert_int_equal(n.p->compute_cycles, 4 * (2 * 128 + 128 + 48 - 2 - 1));
    network_close(&n);
}

static void test_operators_of_a_residual_block(void **state)
{
    (void)state;
    static const char TEXT[] = OPS "1,a,conv,0,96,32,3,27,1,1,2592,4,8,3,4,8,3,3,3,1,1,0\n"
                                   "2,sum,add,1;0,96,0,0,0,1,1,0,4,8,3,4,8,3,1,1,1,1,0\n"
                                   "3,fc,gemm,2,10,1,10,96,1,1,960,0,0,0,1,1,10,1,1,1,1,0\n";
    network n;
    assert_ok(network_text(&n, TEXT), n.err);
    assert_ok(network_build(&n), n.err);
    assert_int_equal(n.p->layer_count, 2);
    assert_int_equal(n.p->macs, 2592 + 960);
    assert_int_equal(n.p->layers[1].tensors[MSW_NPU_ACTIVATION].address,
                     n.p->layers[0].tensors[MSW_NPU_OUTPUT].address);
    network_close(&n);
}

static void test_tile_lists_are_fed_in_unchanged(void **state)
{
    (void)state;
    static const char TEXT[] = TILES "conv,3,weight,0x10000,1,4096,,100,off\n"
                                     ",3,activation,65536,8,512,1024,,\n"
                                     "conv,3,output,0x20000,2,64,128,100,off\n"
                                     "conv,4,none,,,,,40,on\n"
                                     "fc,9,activation,0,1,100,100,7,weights\n";
    network n;
    assert_ok(network_text(&n, TEXT), n.err);
    n.config.rows = 1;
    assert_ok(network_build(&n), n.err);
    assert_string_equal(network_fault(n.p) ? network_fault(n.p) : "", "");
    assert_int_equal(n.p->layer_count, 2);
    assert_int_equal(n.p->tile_count, 3);
    assert_int_equal(n.p->segment_count, 4);
    assert_int_equal(n.p->compute_cycles, 147);
    assert_int_equal(n.p->load_bytes, 4096 + 8 * 512 + 100);
    assert_int_equal(n.p->store_bytes, 128);
    assert_int_equal(n.p->segments[0].operand, MSW_NPU_WEIGHT);
    assert_int_equal(n.p->segments[1].stride, 1024);
    assert_int_equal(n.p->tiles[0].overlap, MSW_NPU_NONE);
    assert_int_equal(n.p->tiles[1].overlap, MSW_NPU_ALL);
    assert_int_equal(n.p->tiles[1].tile_class, MSW_NPU_EDGE);
    assert_int_equal(n.p->tiles[2].overlap, MSW_NPU_WEIGHTS);
    assert_string_equal(n.p->layers[1].name, "fc");
    assert_int_equal(n.p->footprint_bytes, 0x20000 + 128 + 64);
    n.config.batch = 2;
    assert_int_equal(network_build(&n), -1);
    network_close(&n);
}

static void test_the_example_tile_list_loads(void **state)
{
    (void)state;
    network n;
    assert_ok(network_load(&n, "workloads/npu/tiles/example.csv"), n.err);
    assert_ok(network_build(&n), n.err);
    assert_string_equal(network_fault(n.p) ? network_fault(n.p) : "", "");
    assert_int_equal(n.p->layer_count, 2);
    assert_int_equal(n.p->compute_cycles, 3 * 192 + 160);
    network_close(&n);
}

static const struct {
    const char *text, *message;
} SLIPS[] = {
    {"", "net.csv:1:1: found an empty file, allowed: a table with a header"},
    {"\n\n# only this\n", "net.csv:1:1: found an empty file, allowed: a table with a header"},
    {CONV, "net.csv:1:1: found no layer below the header"},
    {CONV "c, 10, 8, x3, 3, 4, 5, 1,\n",
     "net.csv:2:11: Filter Height: found 'x3', allowed: a whole number from 1 to 67108864"},
    {CONV "c, 10, 8, 3, 3, 0, 5, 1,\n",
     "net.csv:2:17: Channels: found '0', allowed: a whole number from 1 to 67108864"},
    {CONV "c, 10, 8, 3, 3, 4, 5\n",
     "net.csv:2:21: Strides: found '', allowed: a whole number from 1 to 4096"},
    {CONV "c, 10, 8, 3, 3, 4, 5, 1, 9\n",
     "net.csv:2:26: found 9 cells, allowed: 8, as in the header"},
    {CONV "c, 10, 8, 3, 9, 4, 5, 1\n",
     "net.csv:2:14: Filter Width: found 9, allowed: up to the input's 8"},
    {CONV "c, 60000000, 60000000, 3, 3, 60000000, 5, 1\n",
     "net.csv:2:1: layer 'c': found tensors of 2.16e+23 and 1.8e+16 elements, allowed: up to "
     "1.13e+15"},
    {CONV "\"c, 10, 8, 3, 3, 4, 5, 1\n", "net.csv:2:1: found a quote that is not closed"},
    {"Layer, M, N\na, 1, 2\n",
     "net.csv:1:1: found a header that starts with 'Layer', allowed: SCALE-Sim layers (Layer name, "
     "IFMAP Height, ... or Layer, M, N, K), operators (idx, name, op, ...) or tiles (layer, tile, "
     "operand, base, rows, row_bytes, stride, compute_cycles, overlap)"},
    {"Layer, M, K\na, 1, 2\n", "net.csv:1:1: the header lacks the column 'N'"},
    {"Layer, M, N, K, Sparsity\na, 1, 2, 3, 2:4\n",
     "net.csv:2:13: Sparsity: found '2:4', allowed: 1:1 (dense)"},
    {"Layer, M, N, K\na, 1, 2, 99999999999999999999999\n",
     "net.csv:2:10: K: found '99999999999999999999999', allowed: a whole number from 1 to "
     "67108864"},
    {OPS "2,a,gap,0,1,0,0,0,1,1,0,0,0,0,1,1,1,1,1,1,1,0\n",
     "net.csv:3:1: idx: found 2, allowed: 1 (rows are numbered from 0)"},
    {OPS "1,a,gap,1,1,0,0,0,1,1,0,0,0,0,1,1,1,1,1,1,1,0\n",
     "net.csv:3:9: in: found '1', allowed: up to 64 numbers of earlier rows, separated by ';'"},
    {OPS "1,a,cnv,0,1,0,0,0,1,1,0,0,0,0,1,1,1,1,1,1,1,0\n",
     "net.csv:3:5: op: found 'cnv', allowed: input, conv, dwconv, gconv, deconv, gemm, bmm, add, "
     "mul, concat, maxpool, gap, softmax, layernorm, groupnorm, lrn, lstmcell, att_score, embed, "
     "scatter"},
    {OPS "1,a,gemm,0,10,1,10,96,1,1,961,0,0,0,1,1,10,1,1,1,1,0\n",
     "net.csv:3:27: macs: found 961, allowed: 960 (M x N x K x count x seq), up to 2^50"},
    {OPS "1,a,conv,0,96,31,3,27,1,1,2511,4,8,3,4,8,3,3,3,1,1,0\n",
     "net.csv:3:12: out_elems: found 96, allowed: 93 (M x N x count x seq), up to 2^50"},
    {OPS "1,a,conv,0,96,32,3,9,1,1,864,4,8,3,4,8,3,3,3,1,1,0\n",
     "net.csv:3:20: K: found 9, allowed: 27 (IC / groups x KH x KW)"},
    {OPS "1,a,bmm,0,96,32,3,9,1,1,864,0,0,0,4,8,3,3,3,1,1,0\n",
     "net.csv:3:9: in: found too few rows, allowed: two for bmm, one for others"},
    {TILES "a,1,weigth,0,1,1,1,1,on\n",
     "net.csv:2:5: operand: found 'weigth', allowed: activation, weight, output, none"},
    {TILES "a,1,weight,0,2,10,5,1,on\n",
     "net.csv:2:19: stride: found 5, allowed: at least row_bytes (10)"},
    {TILES "a,2,weight,0,1,10,5,1,on\na,1,weight,0,1,10,5,1,on\n",
     "net.csv:3:3: tile: found 1 after 2, allowed: rising numbers"},
    {TILES "a,2,weight,0,1,10,5,1,on\na,2,weight,0,1,10,5,2,on\n",
     "net.csv:3:21: compute_cycles and overlap differ within a tile, allowed: the same or empty"},
    {TILES "a,2,output,0,1,10,5,1,on\na,2,weight,0,1,10,5,1,on\n",
     "net.csv:3:5: found a load after an output, allowed: outputs last in a tile"},
    {TILES "a,2,output,0x100000000000000,4,10,50,1,on\n",
     "net.csv:2:12: the rows end beyond address 2^56"},
    {TILES "a,2,output,0,1,10,5,1,yes\n",
     "net.csv:2:23: overlap: found 'yes', allowed: off, weights, on"},
    {TILES "a,2,output,0,1,10,5,1,on\nb,2,output,0,1,10,5,1,on\n",
     "net.csv:3:1: a tile lies in one layer, found a second one"},
};

static void test_slips_are_told_where_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof SLIPS / sizeof *SLIPS; i++) {
        network n;
        assert_int_equal(network_text(&n, SLIPS[i].text), -1);
        assert_string_equal(n.err.text, SLIPS[i].message);
        network_close(&n);
    }
}

static const struct {
    const char *name, *message;
} WRONG[] = {
    {"alexnet/b0", "workload 'alexnet/b0': found batch b0, allowed: b1 .. b65536"},
    {"alexnet/b99999999999999999999",
     "workload 'alexnet/b99999999999999999999': found batch b99999999999999999999, allowed: b1 .. "
     "b65536"},
    {"alexnet/4", "workload 'alexnet/4': found '/4' after the network, allowed: /b<batch>"},
    {"llm7b", "workload 'llm7b': allowed: llm7b/prefill, llm7b/decode, each with an optional "
              "/b<batch>"},
    {"alexnett/b1", "no workload 'alexnett/b1', did you mean 'alexnet/b1'? ('memsweep list "
                    "workloads' shows all)"},
};

static void test_wrong_names_are_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        _Alignas(max_align_t) char config[MSW_FRONTEND_CONFIG_MAX]; /* every front end has a try */
        char file[64];
        msw_err err;
        assert_null(msw_workload_resolve(WRONG[i].name, config, file, sizeof file, &err));
        assert_string_equal(err.text, WRONG[i].message);
    }
}

static void test_names_give_file_batch_and_phase(void **state)
{
    (void)state;
    msw_npu_config c;
    char file[64];
    msw_err err;
    assert_ptr_equal(msw_workload_resolve("resnet50/b12", &c, file, sizeof file, &err),
                     &msw_frontend_npu);
    assert_int_equal(c.batch, 12);
    assert_string_equal(file, "workloads/npu/resnet50.csv");
    assert_non_null(msw_workload_resolve("resnet50", &c, file, sizeof file, &err));
    assert_int_equal(c.batch, 1);
    assert_non_null(msw_workload_resolve("../my/b2/net.csv/b3", &c, file, sizeof file, &err));
    assert_int_equal(c.batch, 3);
    assert_string_equal(file, "../my/b2/net.csv");
    assert_non_null(msw_workload_resolve("llm7b/prefill/b2", &c, file, sizeof file, &err));
    assert_int_equal(c.phase, MSW_NPU_PREFILL);
    assert_int_equal(c.batch, 2);
    assert_string_equal(file, "");
    assert_non_null(msw_workload_resolve("llm7b/decode", &c, file, sizeof file, &err));
    assert_int_equal(c.phase, MSW_NPU_DECODE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalesim_files_as_they_are_found),
        cmocka_unit_test(test_scalesim_rounds_windows_up),
        cmocka_unit_test(test_a_column_says_how_filters_are_counted),
        cmocka_unit_test(test_depthwise_rows_stand_for_one_layer_per_channel),
        cmocka_unit_test(test_operators_of_a_residual_block),
        cmocka_unit_test(test_tile_lists_are_fed_in_unchanged),
        cmocka_unit_test(test_the_example_tile_list_loads),
        cmocka_unit_test(test_slips_are_told_where_they_are),
        cmocka_unit_test(test_wrong_names_are_told),
        cmocka_unit_test(test_names_give_file_batch_and_phase),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
