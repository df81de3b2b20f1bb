/* SPDX-License-Identifier: MIT */
/* Do Timeloop problems become the layers that they are? Known answers: AlexNet's first layer
 * (105,415,200 multiplications, ISCA 2016 Eyeriss table), products by hand. */
#include "networks.h"
#include "testing.h"

static int load(network *n, const char *text)
{
    *n = (network){.workload = {.frontend = &msw_frontend_npu, .name = msw_strdup("net.yaml")}};
    msw_params_defaults(msw_frontend_npu.params, &n->config);
    return msw_workload_load(&n->workload, "net.yaml", text, strlen(text), &n->err);
}

static void build(network *n)
{
    assert_ok(network_build(n), n->err);
    assert_string_equal(network_fault(n->p) ? network_fault(n->p) : "", "");
}

#define V3_SHAPE                                                                                   \
    "problem:\n  shape:\n    name: \"CNN-Layer\"\n    dimensions: [ C, M, R, S, N, P, Q ]\n"       \
    "    coefficients:\n    - name: Wstride\n      default: 1\n    - name: Hstride\n"              \
    "      default: 1\n    - name: Wdilation\n      default: 1\n    - name: Hdilation\n"           \
    "      default: 1\n    data-spaces:\n    - name: Weights\n      projection:\n"                 \
    "      - [ [C] ]\n      - [ [M] ]\n      - [ [R] ]\n      - [ [S] ]\n    - name: Inputs\n"     \
    "      projection:\n      - [ [N] ]\n      - [ [C] ]\n"                                        \
    "      - [ [R, Wdilation], [P, Wstride] ] # a sum\n"                                           \
    "      - [ [S, Hdilation], [Q, Hstride] ]\n    - name: Outputs\n      projection:\n"           \
    "      - [ [N] ]\n      - [ [M] ]\n      - [ [Q] ]\n      - [ [P] ]\n"                         \
    "      read-write: True\n  instance:\n"

static const char V4[] =
    "base: &base\n  version: 0.4\n  shape:\n    name: CNN_Layer\n"
    "    dimensions: [C, M, R, S, N, P, Q]\n    coefficients:\n"
    "    - {name: Wstride, default: 1}\n    - {name: Hstride, default: 1}\n"
    "    - {name: Wdilation, default: 1}\n    - {name: Hdilation, default: 1}\n"
    "    data_spaces:\n    - name: Weights\n      projection:\n      - - - C\n      - - - M\n"
    "      - - - R\n      - - - S\n    - name: Inputs\n      projection:\n      - - - N\n"
    "      - - - C\n      - - - R\n          - Wdilation\n        - - P\n          - Wstride\n"
    "      - - - S\n          - Hdilation\n        - - Q\n          - Hstride\n"
    "    - name: Outputs\n      projection: [[[N]], [[M]], [[Q]], [[P]]]\n      read_write: true\n"
    "problem:\n  <<<: *base\n"
    "  instance: {C: 256, M: 36, R: 1, S: 3, N: 1, P: 56, Q: 28, Hstride: 2, Wstride: 1}\n";

static void both_versions(void **state)
{
    (void)state;
    network n;
    assert_ok(load(&n, V3_SHAPE "    C: 3\n    M: 96\n    R: 11\n    S: 11\n    N: 1\n    P: 55\n"
                                "    Q: 55\n    Wstride: 4\n    Hstride: 4\n"),
              n.err);
    build(&n);
    assert_int_equal(n.p->macs, 105415200);
    assert_int_equal(n.p->layers[0].tensors[MSW_NPU_WEIGHT].bytes, 2 * 34848);
    assert_int_equal(n.p->layers[0].tensors[MSW_NPU_ACTIVATION].bytes, 2 * 227 * 227 * 3);
    assert_string_equal(n.p->layers[0].name, "CNN-Layer");
    network_close(&n);
    assert_ok(load(&n, V4), n.err);
    build(&n);
    assert_int_equal(n.p->macs, 256 * 36 * 3 * 56 * 28);
    /* S, Q are rows: (28 - 1) 2 + 3 of them, 56 columns */
    assert_int_equal(n.p->layers[0].tensors[MSW_NPU_ACTIVATION].bytes, 2 * 57 * 56 * 256);
    network_close(&n);
}

static void products_groups_and_documents(void **state)
{
    (void)state;
    network n;
    assert_ok(load(&n, "problem:\n  shape: cnn-layer\n  R: 3\n  S: 3\n  P: 14\n  Q: 14\n  C: 8\n"
                       "  K: 16\n  N: 1\n  G: 2\n---\nproblem:\n"
                       "  shape: {name: gemm, dimensions: [M, N, K], data-spaces: ["
                       "{name: A, projection: [[[M]], [[K]]]}, {name: B, projection: [N, K]},"
                       "{name: Z, projection: [[[M]], [[N]]], read-write: true}]}\n"
                       "  instance: {M: 196, N: 10, K: 32}\n...\n"),
              n.err);
    n.config.batch = 3;
    build(&n);
    assert_int_equal(n.p->layer_count, 2);
    assert_int_equal(n.p->layers[0].macs, 3 * 196 * 9 * 8 * 16 * 2);
    assert_int_equal(n.p->layers[0].tensors[MSW_NPU_WEIGHT].bytes, 2 * 9 * 8 * 16 * 2);
    assert_int_equal(n.p->layers[1].macs, 3 * 196 * 10 * 32);
    assert_string_equal(n.p->layers[1].name, "gemm");
    network_close(&n);
}

static void what_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } CASES[] = {
        {"", "found nothing"},
        {"a: 1\n", "there is no problem"},
        {"- 1\n", "there is no problem"},
        {"{{include('x')}}\n", "a key must be a single word"},
        {"problem: |\n  x\n", "there is no problem"},
        {"problem: !conv\n  x: 1\n", "tags"},
        {"problem:\n\tshape: cnn\n", "tab character"},
        {"problem:\n  shape: cnn\n R: 3\n", "invalid indentation"},
        {"problem:\n  shape: cnn\n  R: 3\n  R: 3\n", "duplicate key 'R', already given at line 3"},
        {"problem:\n  shape: cnn\n  R: 0\n", "R: found 0, allowed: whole numbers from 1"},
        {"problem:\n  shape: cnn\n  R: 1e9\n", "from 1 to 2^26"},
        {"problem:\n  shape: cnn\n  HStride: 2\n", "found 'HStride', allowed:"},
        {"problem:\n  shape: cnn\n  R: 3\n  Wdilation: 2\n", "dilations"},
        {"problem:\n  shape: cnn\n  N: 4\n", "said in the workload's name (/b4)"},
        {"problem:\n  shape: cnn\n  C: 67108864\n  K: 2\n  P: 67108864\n", "2^50 elements"},
        {"problem:\n  shape: cnn\n  densities: {Weights: 0.5}\n", "sparsity is not modelled"},
        {"problem:\n  shape: {dimensions: [A], data-spaces: []}\n  instance: {A: 1}\n",
         "two tensors that are read"},
        {"problem:\n  shape: {dimensions: [A]}\n  instance: {}\n", "how large 'A' is"},
        {"a: *b\n", "an alias of an anchor that is not there"},
        {"a: [1, 2\n", "without a closing bracket"},
        {"a: \"x\n", "without closing quote"},
        {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "more than 32 levels deep"},
        {"- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - 1\n",
         "more than 32 levels deep"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        network n;
        assert_int_equal(load(&n, CASES[i].text), -1);
        if (!strstr(n.err.text, CASES[i].says))
            fail_msg("%zu: \"%s\" does not say \"%s\"", i, n.err.text, CASES[i].says);
        network_close(&n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_versions),
        cmocka_unit_test(products_groups_and_documents),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests_name("Timeloop problems", tests, NULL, NULL);
}
