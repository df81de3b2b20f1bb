/* SPDX-License-Identifier: MIT */
/* Is every layer cut so that tiles fit, operands are there when they are used, and each output byte
 * is written once? Random layers through the file formats a user has. */
#include "networks.h"
#include "testing.h"

#include "memsweep/base/rng.h"

enum { NETS = 300, ELEMENTS = 1 << 22 };

typedef struct conv {
    uint64_t ih, iw, fh, fw, channels, filters, stride;
} conv;

static uint64_t pick(msw_rng *rng, uint64_t most)
{
    return 1 + msw_rng_below(rng, most);
}

static conv random_conv(msw_rng *rng)
{
    conv c = {.fh = pick(rng, 5), .fw = pick(rng, 5), .stride = pick(rng, 3)};
    c.ih = c.fh + msw_rng_below(rng, 30);
    c.iw = c.fw + msw_rng_below(rng, 30);
    c.channels = pick(rng, 70);
    c.filters = pick(rng, 90);
    return c;
}

static void random_config(msw_rng *rng, msw_npu_config *config)
{
    config->batch = (int64_t)pick(rng, 5);
    config->rows = (int64_t)pick(rng, 40);
    config->cols = (int64_t)pick(rng, 40);
    config->dataflow = (int64_t)msw_rng_below(rng, 3);
    config->spm_activation = 8192 + (int64_t)msw_rng_below(rng, 60000);
    config->spm_weight = 4096 + (int64_t)msw_rng_below(rng, 60000);
    config->buffers = (int64_t)msw_rng_below(rng, 2);
    config->prefetch = (int64_t)msw_rng_below(rng, 2);
    config->element_bytes = (int64_t)pick(rng, 4);
    config->layout = (int64_t)msw_rng_below(rng, 2);
    config->weight_layout = (int64_t)msw_rng_below(rng, 2);
    config->alignment = 64 << msw_rng_below(rng, 16);
}

static void open_conv(network *n, const conv *c, const char *name)
{
    char text[512];
    snprintf(text, sizeof text,
             "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num "
             "Filter, Strides,\n%s, %d, %d, %d, %d, %d, %d, %d,\n",
             name, (int)c->ih, (int)c->iw, (int)c->fh, (int)c->fw, (int)c->channels,
             (int)c->filters, (int)c->stride);
    assert_ok(network_text(n, text), n->err);
}

static uint64_t windows(uint64_t size, uint64_t filter, uint64_t stride)
{
    return (size - filter + stride - 1) / stride + 1;
}

/* Counts how often the bytes of an operand's tensor are moved. */
static void count_bytes(const network *n, msw_npu_operand operand, unsigned char *times)
{
    for (uint64_t s = 0; s < n->p->segment_count; s++) {
        const msw_npu_segment *g = &n->p->segments[s];
        uint64_t at = g->address - n->p->layers[0].tensors[operand].address;
        for (uint32_t r = 0; g->operand == operand && r < g->rows; r++)
            for (uint64_t b = 0; b < g->row_bytes; b++)
                times[at + r * g->stride + b]++;
    }
}

static void check_operands(const network *n)
{
    static unsigned char times[3][ELEMENTS];
    const msw_npu_tensor *t = n->p->layers[0].tensors;
    memset(times, 0, sizeof times);
    for (int o = 0; o < 3; o++) {
        assert_in_range(t[o].bytes, 1, ELEMENTS);
        count_bytes(n, (msw_npu_operand)o, times[o]);
    }
    for (uint64_t b = 0; b < t[MSW_NPU_OUTPUT].bytes; b++)
        assert_int_equal(times[MSW_NPU_OUTPUT][b], 1);
    for (uint64_t b = 0; b < t[MSW_NPU_WEIGHT].bytes; b++)
        assert_true(times[MSW_NPU_WEIGHT][b] >= 1);
}

/* Bytes of one operand that a tile loads. */
static uint64_t loads_of(const network *n, const msw_npu_tile *t, msw_npu_operand operand)
{
    uint64_t bytes = 0;
    for (uint32_t s = t->load_first; s < t->load_first + t->load_count; s++)
        if (n->p->segments[s].operand == operand)
            bytes += n->p->segments[s].rows * n->p->segments[s].row_bytes;
    return bytes;
}

static void check_fit(const network *n)
{
    uint64_t share = n->config.buffers == MSW_NPU_BUFFERS_DOUBLE ? 2 : 1;
    for (uint64_t t = 0; t < n->p->tile_count; t++) {
        uint64_t a = loads_of(n, &n->p->tiles[t], MSW_NPU_ACTIVATION);
        uint64_t w = loads_of(n, &n->p->tiles[t], MSW_NPU_WEIGHT);
        assert_true(a <= (uint64_t)n->config.spm_activation / share);
        assert_true(w <= (uint64_t)n->config.spm_weight / share);
        assert_true(t > 0 || (a && w));
    }
}

static void test_random_convolutions_are_sound(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < NETS; i++) {
        msw_rng rng;
        network n;
        msw_rng_init(&rng, 3, i);
        conv c = random_conv(&rng);
        bool depthwise = i % 3 == 0;
        c.filters = depthwise ? 1 + c.filters % 3 : c.filters;
        open_conv(&n, &c, depthwise ? "DPlayer" : "layer");
        random_config(&rng, &n.config);
        assert_ok(network_build(&n), n.err);
        assert_string_equal(network_fault(n.p) ? network_fault(n.p) : "", "");
        uint64_t outputs = windows(c.ih, c.fh, c.stride) * windows(c.iw, c.fw, c.stride) *
                           (uint64_t)n.config.batch * c.filters;
        assert_int_equal(n.p->macs, outputs * c.channels * c.fh * c.fw);
        assert_int_equal(n.p->store_bytes,
                         outputs * (depthwise ? c.channels : 1) * (uint64_t)n.config.element_bytes);
        check_operands(&n);
        check_fit(&n);
        network_close(&n);
    }
}

static uint64_t parts(uint64_t total, uint64_t part)
{
    return (total + part - 1) / part;
}

/* Columns that fill half of the weight scratchpad, whole array widths where there is one. */
static uint64_t tile_columns(const msw_npu_config *c, uint64_t k, uint64_t n)
{
    uint64_t columns = (uint64_t)c->spm_weight / 2 / (k * (uint64_t)c->element_bytes);
    uint64_t cols = (uint64_t)c->cols;
    return columns >= n ? n : columns > cols ? columns / cols * cols : columns;
}

/* With K whole, one operand is loaded once and the other once per tile of the first; the cheaper
 * order is taken. */
static void test_matrix_products_load_the_least_of_both_orders(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < NETS; i++) {
        msw_rng rng;
        network net;
        char text[128];
        msw_rng_init(&rng, 5, i);
        uint64_t m = pick(&rng, 900), n = pick(&rng, 900), k = pick(&rng, 60);
        snprintf(text, sizeof text, "Layer, M, N, K,\nfc, %d, %d, %d,\n", (int)m, (int)n, (int)k);
        assert_ok(network_text(&net, text), net.err);
        net.config.rows = net.config.cols = 16;
        net.config.spm_activation = 8192 + (int64_t)msw_rng_below(&rng, 30000);
        net.config.spm_weight = 8192 + (int64_t)msw_rng_below(&rng, 30000);
        assert_ok(network_build(&net), net.err);
        uint64_t a = m * k * 2, w = k * n * 2;
        uint64_t moves = parts(m, (uint64_t)net.config.spm_activation / 2 / (k * 2));
        uint64_t sets = parts(n, tile_columns(&net.config, k, n));
        uint64_t weights_once = w + a * (moves > 1 ? sets : 1);
        uint64_t inputs_once = a + w * (sets > 1 ? moves : 1);
        assert_int_equal(net.p->tile_count, moves * sets);
        assert_int_equal(net.p->load_bytes,
                         weights_once < inputs_once ? weights_once : inputs_once);
        network_close(&net);
    }
}

static uint64_t layer_cycles(const network *n)
{
    return n->p->compute_cycles;
}

/* However a layer is cut along N and K, with serial preload it takes what it takes whole. */
static void test_cutting_filters_and_channels_keeps_the_closed_form(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < NETS; i++) {
        msw_rng rng;
        network net;
        char text[128];
        msw_rng_init(&rng, 6, i);
        uint64_t m = pick(&rng, 8), n = pick(&rng, 900), k = pick(&rng, 900);
        snprintf(text, sizeof text, "Layer, M, N, K,\nfc, %d, %d, %d,\n", (int)m, (int)n, (int)k);
        assert_ok(network_text(&net, text), net.err);
        net.config.rows = net.config.cols = 16;
        net.config.preload = MSW_NPU_PRELOAD_SERIAL;
        net.config.spm_weight = 4096 + (int64_t)msw_rng_below(&rng, 100000);
        assert_ok(network_build(&net), net.err);
        assert_int_equal(layer_cycles(&net),
                         parts(k, 16) * parts(n, 16) * (2 * 16 + 16 + m - 2) - 1);
        network_close(&net);
    }
}

static const char STEPS[] =
    "idx,name,op,in,out_elems,M,N,K,count,seq,macs,IH,IW,IC,OH,OW,OC,KH,KW,SH,groups,fuse\n"
    "0,x,input,,640,0,0,0,1,1,0,0,0,0,10,1,64,1,1,1,1,0\n"
    "1,step,gemm,0,640,1,64,64,1,10,40960,0,0,0,10,1,64,1,1,1,1,0\n";

/* Weights that fit stay for all serial steps; those that do not are loaded in each. */
static void test_serial_steps_are_counted_not_copied(void **state)
{
    (void)state;
    network n;
    assert_ok(network_text(&n, STEPS), n.err);
    n.config.rows = n.config.cols = 16;
    assert_ok(network_build(&n), n.err);
    assert_int_equal(n.p->layer_count, 2);
    assert_int_equal(n.p->layers[1].repeat, 9);
    assert_int_equal(n.p->tiles_run, 10);
    assert_int_equal(n.p->load_bytes, 64 * 64 * 2 + 10 * 64 * 2);
    n.config.spm_weight = 8192;
    assert_ok(network_build(&n), n.err);
    assert_int_equal(n.p->layer_count, 1);
    assert_int_equal(n.p->tile_count, 2);
    assert_int_equal(n.p->tiles_run, 20);
    assert_int_equal(n.p->load_bytes, 10 * (64 * 64 * 2 + 64 * 2));
    assert_int_equal(n.p->macs, 40960);
    network_close(&n);
}

/* The loads of a tile overlap as the settings say. */
static void test_overlap_follows_the_settings(void **state)
{
    (void)state;
    network n;
    assert_ok(network_text(&n, "Layer, M, N, K,\na, 64, 64, 64,\nb, 64, 64, 64,\n"), n.err);
    n.config.spm_weight = 8192;
    assert_ok(network_build(&n), n.err);
    assert_int_equal(n.p->tiles[0].overlap, MSW_NPU_NONE);
    assert_int_equal(n.p->tiles[1].overlap, MSW_NPU_ALL);
    assert_int_equal(n.p->tiles[2].overlap, MSW_NPU_NONE);
    n.config.prefetch = 1;
    assert_ok(network_build(&n), n.err);
    assert_int_equal(n.p->tiles[2].overlap, MSW_NPU_WEIGHTS);
    assert_int_equal(n.p->segments[n.p->tiles[2].load_first].operand, MSW_NPU_WEIGHT);
    n.config.overlap = 0;
    assert_ok(network_build(&n), n.err);
    for (uint64_t t = 0; t < n.p->tile_count; t++)
        assert_int_equal(n.p->tiles[t].overlap, MSW_NPU_NONE);
    network_close(&n);
}

static const msw_npu_layer *layer_named(const network *n, const char *name)
{
    for (uint64_t l = 0; l < n->p->layer_count; l++)
        if (strcmp(n->p->layers[l].name, name) == 0)
            return &n->p->layers[l];
    fail_msg("no layer %s", name);
    return NULL;
}

static uint64_t reads(const network *n, const char *name)
{
    return layer_named(n, name)->tensors[MSW_NPU_ACTIVATION].address;
}

static uint64_t writes(const network *n, const char *name)
{
    return layer_named(n, name)->tensors[MSW_NPU_OUTPUT].address;
}

static void test_layers_of_a_chain_read_what_the_last_one_wrote(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"alexnet/b2", "vgg16/b1",
                                        "workloads/npu/scalesim/alexnet.conv.csv"};
    for (size_t i = 0; i < 3; i++) {
        network n;
        assert_ok(network_load(&n, NAMES[i]), n.err);
        assert_ok(network_build(&n), n.err);
        for (uint64_t l = 1; l < n.p->layer_count; l++)
            if (strncmp(n.p->layers[l].name, "fc", 2) != 0)
                assert_int_equal(n.p->layers[l].tensors[MSW_NPU_ACTIVATION].address,
                                 n.p->layers[l - 1].tensors[MSW_NPU_OUTPUT].address);
        network_close(&n);
    }
}

/* The branches of an inception module write side by side what the next module reads. */
static void test_branches_write_into_one_tensor(void **state)
{
    (void)state;
    network n;
    assert_ok(network_load(&n, "googlenet/b2"), n.err);
    assert_ok(network_build(&n), n.err);
    assert_int_equal(reads(&n, "3a_1x1"), reads(&n, "3a_3x3r"));
    assert_int_equal(writes(&n, "3a_1x1"), writes(&n, "3a_3x3"));
    assert_int_equal(writes(&n, "3a_1x1"), writes(&n, "3a_5x5"));
    assert_int_equal(writes(&n, "3a_1x1"), reads(&n, "3b_1x1"));
    assert_int_not_equal(writes(&n, "3a_3x3r"), writes(&n, "3a_3x3"));
    const msw_npu_tile *t = &n.p->tiles[layer_named(&n, "3a_3x3")->first_tile];
    const msw_npu_segment *s = &n.p->segments[t->store_first];
    assert_int_equal(s->address, writes(&n, "3a_3x3") + 64 * 2);
    assert_int_equal(s->rows, 2 * 28 * 28);
    assert_int_equal(s->row_bytes, 128 * 2);
    assert_int_equal(s->stride, 256 * 2);
    network_close(&n);
}

static void test_scratchpad_too_small_is_said(void **state)
{
    (void)state;
    network n;
    conv c = {2000, 2000, 5, 5, 3, 8, 1};
    open_conv(&n, &c, "wide");
    n.config.spm_activation = 16384;
    assert_int_equal(network_build(&n), -1);
    assert_string_equal(n.err.text, "layer 'wide': a tile may fill 8192 bytes of "
                                    "npu_spm_activation, but one row of one channel takes 20000; "
                                    "raise npu_spm_activation");
    network_close(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_convolutions_are_sound),
        cmocka_unit_test(test_matrix_products_load_the_least_of_both_orders),
        cmocka_unit_test(test_cutting_filters_and_channels_keeps_the_closed_form),
        cmocka_unit_test(test_serial_steps_are_counted_not_copied),
        cmocka_unit_test(test_overlap_follows_the_settings),
        cmocka_unit_test(test_layers_of_a_chain_read_what_the_last_one_wrote),
        cmocka_unit_test(test_branches_write_into_one_tensor),
        cmocka_unit_test(test_scratchpad_too_small_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
