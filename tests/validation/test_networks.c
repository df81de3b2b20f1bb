/* SPDX-License-Identifier: MIT */
/* Do the networks have the multiplications, weights and outputs that are published for them, and is
 * every layer of a systolic array as long as SCALE-Sim's closed form says? */
#include "csv.h"
#include "networks.h"
#include "testing.h"

/* Multiplications: operator tables made from the published architectures, which agree with
 * torchvision's, Open Model Zoo's and the GNMT papers' totals as workloads/README.md lists. */
static const struct {
    const char *name;
    uint64_t macs, weights;
} NETWORKS[] = {
    {"resnet50/b1", 4089184256, 25502912},
    {"mobilenet_v2/b1", 300774272, 3469760},
    {"efficientnet_b0/b1", 385814752, 5236192},
    {"vit_b16/b1", 17563828224, 86292480},
    {"bert_base_s128/b1", 11174215680, 0},
    {"bert_base_s384/b1", 35333406720, 0},
    {"bert_base_s512/b1", 48318971904, 0},
    {"gnmt_s25/b1", 5276288000, 0},
    {"gnmt_s1/b1", 211026944, 0},
    {"gnmt_v2_s25/b1", 3187328000, 0},
    {"wav2vec2_base_1s/b1", 6911374336, 94245888},
    {"wav2vec2_base_10s/b1", 74066523136, 94245888},
    {"pointpillars/b1", 34865012736, 4828736},
    {"alexnet/b1", 714188480, 61090496},
    {"alexnet_grouped/b1", 724406816, 60954656},
    {"googlenet/b1", 1582671872, 6990272},
    {"googlenet_tv/b1", 1498376192, 6609344},
    {"vgg16/b1", 15470264320, 138344128},
    {"dlrm_rm1/b1", 100416, 0},
    {"dlrm_rm2/b1", 319552, 0},
    {"dlrm_rm3/b64", 205012992, 0},
    {"dlrm_kaggle/b64", 31106048, 0},
    {"ncf/b64", 6823936, 0},
    /* steps x gates x hidden x 2 hidden (input and state) */
    {"rnn1/b1", UINT64_C(50) * 2560 * 5120, UINT64_C(2560) * 5120},
    {"rnn2/b1", UINT64_C(25) * 4096 * 2048, UINT64_C(4096) * 2048},
    {"rnn3/b1", UINT64_C(25) * 8192 * 4096, UINT64_C(8192) * 4096},
};

enum { COUNT = sizeof NETWORKS / sizeof *NETWORKS };

static uint64_t weight_bytes(const msw_npu_product *p)
{
    uint64_t bytes = 0;
    for (uint64_t l = 0; l < p->layer_count; l++)
        bytes += p->layers[l].tensors[MSW_NPU_WEIGHT].bytes;
    return bytes;
}

static void test_published_totals(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        network n;
        assert_ok(network_load(&n, NETWORKS[i].name), n.err);
        n.config.element_bytes = 1;
        assert_ok(network_build(&n), n.err);
        assert_string_equal(network_fault(n.p) ? network_fault(n.p) : "", "");
        assert_int_equal(n.p->macs, NETWORKS[i].macs);
        if (NETWORKS[i].weights && strncmp(NETWORKS[i].name, "vit", 3) != 0 &&
            strncmp(NETWORKS[i].name, "wav", 3) != 0)
            assert_int_equal(weight_bytes(n.p), NETWORKS[i].weights);
        network_close(&n);
    }
}

/* The same networks in SCALE-Sim's formats, whose own parser counts these totals too. */
static void test_scalesim_tables_have_the_same_totals(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t macs;
    } TABLES[] = {
        {"workloads/npu/scalesim/alexnet.conv.csv", 714188480},
        {"workloads/npu/scalesim/alexnet.gemm.csv", 714188480},
        {"workloads/npu/scalesim/resnet50.conv.csv/b2", UINT64_C(2) * 4089184256},
        {"workloads/npu/scalesim/mobilenet_v2.conv.csv", 300774272},
        {"workloads/npu/scalesim/bert_base_s128.gemm.csv", 11174215680},
    };
    for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++) {
        network n;
        assert_ok(network_load(&n, TABLES[i].name), n.err);
        assert_ok(network_build(&n), n.err);
        assert_string_equal(network_fault(n.p) ? network_fault(n.p) : "", "");
        assert_int_equal(n.p->macs, TABLES[i].macs);
        network_close(&n);
    }
}

/* Attention products count their second operand as a weight operand; the others' weights are the
 * parameters without biases and norms. */
static void test_parameters_of_attention_networks(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        network n;
        uint64_t bytes = 0;
        if (strncmp(NETWORKS[i].name, "vit", 3) != 0 && strncmp(NETWORKS[i].name, "wav", 3) != 0)
            continue;
        assert_ok(network_load(&n, NETWORKS[i].name), n.err);
        n.config.element_bytes = 1;
        assert_ok(network_build(&n), n.err);
        for (uint64_t l = 0; l < n.p->layer_count; l++) {
            const char *name = n.p->layers[l].name;
            if (!strstr(name, "_qk") && !strstr(name, "_av"))
                bytes += n.p->layers[l].tensors[MSW_NPU_WEIGHT].bytes;
        }
        assert_int_equal(bytes, NETWORKS[i].weights);
        network_close(&n);
    }
}

/* Every output element of every operator with multiplications is stored once per step. */
static void test_stored_bytes_are_the_outputs(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        network n;
        char path[256];
        uint64_t elements = 0;
        assert_ok(network_load(&n, NETWORKS[i].name), n.err);
        n.config.batch = 3;
        assert_ok(network_build(&n), n.err);
        snprintf(path, sizeof path, "%s/workloads/npu/%.*s.csv", MEMSWEEP_SOURCE,
                 (int)strcspn(NETWORKS[i].name, "/"), NETWORKS[i].name);
        csv table = {.file = fopen(path, "r")};
        assert_non_null(table.file);
        while (csv_next(&table))
            if (csv_number(&table, 14) > 0)
                elements += (uint64_t)csv_number(&table, 6);
        assert_int_equal(n.p->store_bytes, 3 * 2 * elements);
        network_close(&n);
    }
}

/* LLaMA-7B (arXiv:2302.13971): 6.74 G parameters, of which the word embeddings are looked up, not
 * multiplied, and the norms are left out. */
static void test_decoder_has_its_published_size(void **state)
{
    (void)state;
    const uint64_t layer = 4 * 4096 * 4096 + 3 * 4096 * 11008, head = 4096 * 32000;
    const uint64_t weights = 32 * layer + head;
    network n;
    assert_near((double)(weights + head) / 1e9, 6.74, 0.005);
    assert_ok(network_load(&n, "llm7b/decode/b2"), n.err);
    n.config.context = 1024;
    assert_ok(network_build(&n), n.err);
    assert_string_equal(network_fault(n.p) ? network_fault(n.p) : "", "");
    assert_int_equal(n.p->macs, 2 * (weights + UINT64_C(32) * 2 * 1024 * 4096));
    network_close(&n);
    assert_ok(network_load(&n, "llm7b/prefill"), n.err);
    n.config.context = 256;
    assert_ok(network_build(&n), n.err);
    assert_string_equal(network_fault(n.p) ? network_fault(n.p) : "", "");
    assert_int_equal(n.p->macs, 256 * (32 * layer + UINT64_C(32) * 2 * 256 * 4096) + head);
    network_close(&n);
}

/* One step of decoding reads all weights and both caches once, whatever the batch. */
static void test_decoding_reads_weights_once_and_the_cache_once(void **state)
{
    (void)state;
    for (int batch = 1; batch <= 16; batch *= 4) {
        network n;
        uint64_t weights =
            32 * (UINT64_C(4) * 4096 * 4096 + UINT64_C(3) * 4096 * 11008) + UINT64_C(4096) * 32000;
        uint64_t cache = UINT64_C(32) * 2 * 2048 * 4096 * (uint64_t)batch, got = 0;
        assert_ok(network_load(&n, "llm7b/decode"), n.err);
        n.config.batch = batch;
        assert_ok(network_build(&n), n.err);
        for (uint64_t s = 0; s < n.p->segment_count; s++)
            if (n.p->segments[s].operand == MSW_NPU_WEIGHT)
                got += n.p->segments[s].rows * n.p->segments[s].row_bytes;
        assert_int_equal(got, 2 * (weights + cache));
        network_close(&n);
    }
}

static uint64_t parts(uint64_t total, uint64_t part)
{
    return (total + part - 1) / part;
}

/* The layers of SCALE-Sim's matrix table, each in one tile with serial preload. */
static void check_scalesim(const char *name, const char *file, int64_t size)
{
    network n;
    char path[256];
    size_t layer = 0;
    assert_ok(network_load(&n, name), n.err);
    n.config.preload = MSW_NPU_PRELOAD_SERIAL;
    n.config.spm_activation = n.config.spm_weight = 1 << 30;
    n.config.rows = n.config.cols = size;
    assert_ok(network_build(&n), n.err);
    snprintf(path, sizeof path, "%s/workloads/npu/scalesim/%s", MEMSWEEP_SOURCE, file);
    csv table = {.file = fopen(path, "r")};
    assert_non_null(table.file);
    assert_true(csv_next(&table));
    for (; csv_next(&table); layer++) {
        uint64_t m = (uint64_t)csv_number(&table, 1), c = (uint64_t)csv_number(&table, 2);
        uint64_t k = (uint64_t)csv_number(&table, 3), r = (uint64_t)size;
        assert_int_equal(n.p->tiles[layer].compute_cycles,
                         parts(k, r) * parts(c, r) * (3 * r + m - 2) - 1);
    }
    assert_int_equal(n.p->tile_count, layer);
    network_close(&n);
}

static void test_layers_take_scalesims_cycles(void **state)
{
    (void)state;
    for (int64_t size = 8; size <= 256; size *= 2) {
        check_scalesim("alexnet/b1", "alexnet.gemm.csv", size);
        check_scalesim("workloads/npu/scalesim/alexnet.conv.csv", "alexnet.gemm.csv", size);
        check_scalesim("workloads/npu/scalesim/bert_base_s128.gemm.csv", "bert_base_s128.gemm.csv",
                       size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_totals),
        cmocka_unit_test(test_scalesim_tables_have_the_same_totals),
        cmocka_unit_test(test_parameters_of_attention_networks),
        cmocka_unit_test(test_stored_bytes_are_the_outputs),
        cmocka_unit_test(test_decoder_has_its_published_size),
        cmocka_unit_test(test_decoding_reads_weights_once_and_the_cache_once),
        cmocka_unit_test(test_layers_take_scalesims_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
