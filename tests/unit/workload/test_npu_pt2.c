/* SPDX-License-Identifier: MIT */
/* Do archives of torch.export become the networks that they are, and are broken or hostile ones
 * refused? Graphs by the schema of torch/_export/serde/schema.py (8.7), made by hand; known
 * answers: products by hand, ResNet's first layer (118,013,952 multiplications). */
#include "networks.h"
#include "testing.h"
#include "zip_file.h"

#define SIZES(...)      "\"sizes\": [" __VA_ARGS__ "]"
#define INT(n)          "{\"as_int\": " #n "}"
#define TENSOR(name, s) "\"" name "\": {\"dtype\": 7, " s "}"
#define ARG(name, t)    "{\"name\": \"" name "\", \"arg\": {\"as_tensor\": {\"name\": \"" t "\"}}}"
#define INTS(name, l)   "{\"name\": \"" name "\", \"arg\": {\"as_ints\": [" l "]}}"
#define NODE(op, in, out)                                                                          \
    "{\"target\": \"torch.ops.aten." op "\", \"inputs\": [" in                                     \
    "], \"outputs\": [{\"as_tensor\": {\"name\": \"" out "\"}}], \"metadata\": {}}"
#define GRAPH(tensors, nodes, specs)                                                               \
    "{\"graph_module\": {\"graph\": {\"inputs\": [], \"outputs\": [], \"nodes\": [" nodes          \
    "], \"tensor_values\": {" tensors "}}, \"signature\": {\"input_specs\": [" specs               \
    "], \"output_specs\": []}}, \"schema_version\": {\"major\": 8, \"minor\": 7}}"
#define USER(name) "{\"user_input\": {\"arg\": {\"as_tensor\": {\"name\": \"" name "\"}}}}"
#define PARAMETER(name)                                                                            \
    "{\"parameter\": {\"arg\": {\"name\": \"" name "\"}, \"parameter_name\": \"w\"}}"

#define FIRST_TENSORS                                                                              \
    TENSOR("x", SIZES(INT(1) "," INT(3) "," INT(224) "," INT(224)))                                \
    "," TENSOR("w", SIZES(INT(64) "," INT(3) "," INT(7) "," INT(7))) "," TENSOR(                   \
        "c", SIZES(INT(1) "," INT(64) "," INT(112) "," INT(                                        \
                 112))) "," TENSOR("r",                                                            \
                                   SIZES(INT(1) "," INT(64) "," INT(112) "," INT(                  \
                                       112))) "," TENSOR("m",                                      \
                                                         SIZES(INT(1) "," INT(64) "," INT(         \
                                                             56) "," INT(56)))
#define CONV                                                                                       \
    NODE("conv2d.default",                                                                         \
         ARG("input", "x") "," ARG("weight", "w") "," INTS("stride", "2, 2") "," INTS("padding",   \
                                                                                      "3, 3"),     \
         "c")
#define POOL                                                                                       \
    NODE("max_pool2d.default",                                                                     \
         ARG("self", "r") "," INTS("kernel_size",                                                  \
                                   "3, 3") "," INTS("stride", "2, 2") "," INTS("padding", "1, 1"), \
         "m")
#define FIRST_LAYER                                                                                \
    GRAPH(FIRST_TENSORS, CONV "," NODE("relu_.default", ARG("self", "c"), "r") "," POOL,           \
          PARAMETER("w") "," USER("x"))

static int load(network *n, const char *name, zip_file *zip)
{
    *n = (network){.workload = {.frontend = &msw_frontend_npu, .name = msw_strdup(name)}};
    msw_params_defaults(msw_frontend_npu.params, &n->config);
    int rc = msw_workload_load(&n->workload, "m.pt2", zip->bytes.data, zip->bytes.size, &n->err);
    zip_free(zip);
    return rc;
}

static int load_graph(network *n, const char *name, const char *graph)
{
    zip_file zip = {0};
    zip_add(&zip, "m/models/model.json", graph, strlen(graph), 0);
    zip_end(&zip);
    return load(n, name, &zip);
}

static void build(network *n)
{
    assert_ok(network_build(n), n->err);
    assert_string_equal(network_fault(n->p) ? network_fault(n->p) : "", "");
}

static void archives_of_all_kinds(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"m/models/model.json", "serialized_exported_program.json"};
    for (unsigned kind = 0; kind < 8; kind++) {
        network n;
        zip_file zip = {.wide = kind & 4};
        zip_add(&zip, "m/archive_format", "pt2", 3, 0);
        zip_add(&zip, NAMES[kind & 1], FIRST_LAYER, strlen(FIRST_LAYER), kind & 2 ? 8 : 0);
        zip_add(&zip, "m/data/weights/weight_0", "1234", 4, 0);
        zip_end(&zip);
        assert_ok(load(&n, "m.pt2/b2", &zip), n.err);
        n.config.batch = 2;
        build(&n);
        assert_int_equal(n.p->layer_count, 1);
        assert_int_equal(n.p->macs, 2 * 118013952);
        assert_int_equal(n.p->layers[0].tensors[MSW_NPU_WEIGHT].bytes, 2 * 9408);
        n.config.elementwise = MSW_NPU_STORED;
        build(&n);
        assert_int_equal(n.p->layer_count, 1); /* the pool runs beside the convolution */
        network_close(&n);
    }
}

#define HEADS SIZES(INT(1) "," INT(4) "," INT(16) "," INT(8))
#define ATTENTION                                                                                  \
    GRAPH(                                                                                         \
        TENSOR("t", SIZES(INT(1) "," INT(16) "," INT(32))) "," TENSOR(                             \
            "w",                                                                                   \
            SIZES(INT(32) "," INT(                                                                 \
                32))) "," TENSOR("l",                                                              \
                                 SIZES(INT(1) "," INT(16) "," INT(                                 \
                                     32))) "," TENSOR("h",                                         \
                                                      HEADS) "," TENSOR("k",                       \
                                                                        HEADS) "," TENSOR("a",     \
                                                                                          HEADS),  \
        NODE("linear.default", ARG("input", "t") "," ARG("weight", "w"), "l") "," NODE(            \
            "view.default", ARG("self", "l"),                                                      \
            "h") "," NODE("scaled_dot_product_attention.default",                                  \
                          ARG("query", "h") "," ARG("key", "k") "," ARG("value", "k"), "a"),       \
        PARAMETER("w") "," USER("t") "," USER("k"))

static void attention_is_three_operators(void **state)
{
    (void)state;
    network n;
    assert_ok(load_graph(&n, "m.pt2", ATTENTION), n.err);
    build(&n);
    assert_int_equal(n.p->layer_count, 3);
    assert_int_equal(n.p->macs, 16 * 32 * 32 + 2 * 4 * 16 * 16 * 8);
    n.config.elementwise = MSW_NPU_STORED;
    build(&n);
    assert_int_equal(n.p->layer_count, 4); /* softmax */
    network_close(&n);
}

static void symbols_and_unknown_operators(void **state)
{
    (void)state;
    static const char GRAPH_TEXT[] = GRAPH(
        TENSOR("x", SIZES("{\"as_expr\": {\"expr_str\": \"s0\"}}," INT(16))) "," TENSOR(
            "u", SIZES("{\"as_expr\": {\"expr_str\": \"s0\"}}," INT(
                     16))) "," TENSOR("w",
                                      SIZES(INT(16) "," INT(
                                          8))) "," TENSOR("y", SIZES("{\"as_expr\": {\"expr_str\": "
                                                                     "\"s0\"}}," INT(8))),
        NODE("strange.default", ARG("self", "x"),
             "u") "," NODE("mm.default", ARG("self", "u") "," ARG("mat2", "w"), "y"),
        PARAMETER("w") "," USER("x"));
    network n;
    assert_int_equal(load_graph(&n, "m.pt2", GRAPH_TEXT), -1);
    assert_non_null(strstr(n.err.text, "say model.pt2/s0=128"));
    network_close(&n);
    assert_int_equal(load_graph(&n, "m.pt2/s0=5", GRAPH_TEXT), -1);
    assert_non_null(strstr(n.err.text, "operator 'torch.ops.aten.strange.default' is not known"));
    network_close(&n);
    assert_ok(load_graph(&n, "m.pt2/s0=5/skip_unknown", GRAPH_TEXT), n.err);
    build(&n);
    assert_int_equal(n.p->macs, 5 * 16 * 8);
    network_close(&n);
}

static void wrong_graphs_are_refused(void **state)
{
    (void)state;
#define X           TENSOR("x", SIZES(INT(1) "," INT(16)))
#define Y           TENSOR("y", SIZES(INT(1) "," INT(8)))
#define W           TENSOR("w", SIZES(INT(16) "," INT(8)))
#define MM(in, out) NODE("mm.default", ARG("self", in) "," ARG("mat2", "w"), out)
    static const struct {
        const char *graph, *says;
    } CASES[] = {
        {"{}", "there is no graph_module"},
        {"[", "1:2"},
        {"\"\xff\"", "m.pt2"},
        {GRAPH(X "," X, "", ""), "m.pt2"},
        {GRAPH(X "," Y "," W, MM("y", "y"), PARAMETER("w")), "no earlier node makes"},
        {GRAPH(X "," Y "," W, MM("x", "x"), PARAMETER("w") "," USER("x")), "there already"},
        {GRAPH(X "," Y "," W, MM("x", "y") "," MM("x", "y"), PARAMETER("w") "," USER("x")),
         "there already"},
        {GRAPH(X "," TENSOR("y", SIZES(INT(1) "," INT(9))) "," W, MM("x", "y"),
               PARAMETER("w") "," USER("x")),
         "where the file says 9"},
        {GRAPH(X "," W, "{}", ""), "a node without a target"},
        {GRAPH(TENSOR("x", SIZES(INT(67108865))), "", ""), "up to 2^26"},
        {GRAPH(TENSOR("x", SIZES(INT(67108864) "," INT(67108864))), "", ""), "2^50"},
        {GRAPH(TENSOR("x", SIZES("{\"as_int\": -1}")), "", ""), "no whole number"},
        {GRAPH(TENSOR("x", "\"sizes\": 3"), "", ""), "without a list"},
        {GRAPH(X, "", USER("x") "," USER("x")), "an input that is there twice"},
        {GRAPH(X, "", USER("x")), "none of its 0 nodes"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        network n;
        assert_int_equal(load_graph(&n, "m.pt2", CASES[i].graph), -1);
        if (!strstr(n.err.text, CASES[i].says))
            fail_msg("%zu: \"%s\" does not say \"%s\"", i, n.err.text, CASES[i].says);
        network_close(&n);
    }
}

/* Offsets in an archive of one entry "m/models/model.json": its header, then 19 bytes of name. */
enum { DATA = 30 + 19 };

static void broken_archives_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t at; /* in the directory's entry */
        uint64_t value;
        unsigned bytes;
        const char *says;
    } CASES[] = {
        {8, 1, 2, "encrypted"},
        {10, 12, 2, "neither stored nor deflated"},
        {16, 7, 4, "damaged"},
        {20, 1, 4, "a stored entry of two sizes"},
        {24, 1u << 30, 4, "a stored entry of two sizes"},
        {28, 60000, 2, "cut off"},
        {42, 9, 4, "not where the directory says"},
        {42, 0xfffffff0, 4, "not where the directory says"},
        {0, 0, 4, "a directory that is cut off or none"},
    };
    size_t size = strlen(FIRST_LAYER);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        network n;
        zip_file zip = {0};
        zip_add(&zip, "m/models/model.json", FIRST_LAYER, size, 0);
        zip_end(&zip);
        zip_patch(&zip, DATA + size + CASES[i].at, CASES[i].value, CASES[i].bytes);
        assert_int_equal(load(&n, "m.pt2", &zip), -1);
        if (!strstr(n.err.text, CASES[i].says))
            fail_msg("%zu: \"%s\" does not say \"%s\"", i, n.err.text, CASES[i].says);
        network_close(&n);
    }
}

/* A few bytes that say they become a gigabyte; two graphs; none; any cut. */
static void hostile_archives_are_refused(void **state)
{
    (void)state;
    network n;
    zip_file zip = {.wide = true};
    size_t size = strlen(FIRST_LAYER);
    zip_add(&zip, "m/models/model.json", FIRST_LAYER, size, 8);
    zip_end(&zip);
    zip_patch(&zip, DATA + size + 5 + 46 + 19 + 4, UINT64_C(1) << 40, 8);
    assert_int_equal(load(&n, "m.pt2", &zip), -1);
    assert_non_null(strstr(n.err.text, "allowed: up to 268435456"));
    network_close(&n);
    zip = (zip_file){0};
    zip_add(&zip, "models/a.json", "{}", 2, 0);
    zip_add(&zip, "models/b.json", "{}", 2, 0);
    zip_end(&zip);
    assert_int_equal(load(&n, "m.pt2", &zip), -1);
    assert_non_null(strstr(n.err.text, "found 2 graphs"));
    network_close(&n);
    for (size_t cut = 0; cut < 200; cut++) {
        zip = (zip_file){0};
        zip_add(&zip, "m/models/model.json", FIRST_LAYER, size, 0);
        zip_end(&zip);
        zip.bytes.size -= 1 + cut;
        assert_int_equal(load(&n, "m.pt2", &zip), -1);
        network_close(&n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(archives_of_all_kinds),
        cmocka_unit_test(attention_is_three_operators),
        cmocka_unit_test(symbols_and_unknown_operators),
        cmocka_unit_test(wrong_graphs_are_refused),
        cmocka_unit_test(broken_archives_are_refused),
        cmocka_unit_test(hostile_archives_are_refused),
    };
    return cmocka_run_group_tests_name("archives of torch.export", tests, NULL, NULL);
}
