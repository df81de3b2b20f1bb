/* SPDX-License-Identifier: MIT */
/* Are multiplications, weights and outputs of imported networks those that others count? Models:
 * data/onnx, the graphs of torchvision 0.14.1's networks as torch.onnx exports them (opset 14), a
 * line for each node, without values of weights. Counts of data/networks.csv: macs, weights and
 * outputs by hooks on the modules of torchvision's models (not on the graph); left_out: their other
 * parameters; macs_published (10^9): "_ops" in torchvision/models of github.com/pytorch/vision;
 * params_published: "num_params" there; macs_timm (10^9), outputs_timm (10^6):
 * results/benchmark-infer-amp-nhwc-pt113-cu117-rtx3090.csv of
 * github.com/huggingface/pytorch-image-models, whose fvcore counts norms and pools as well.
 * docs/models/npu.md, 'Counts beside others', is this table. */
#include "csv.h"
#include "networks.h"
#include "onnx_file.h"
#include "testing.h"

#include <math.h>

enum {
    NETWORK,
    MACS,
    WEIGHTS,
    OUTPUTS,
    LEFT_OUT,
    MACS_PUBLISHED,
    PARAMS_PUBLISHED,
    MACS_TIMM,
    OUTPUTS_TIMM
};

static void load_model(network *n, const char *name)
{
    char path[512], *lines;
    size_t size;
    msw_text model = MSW_TEXT_EMPTY;
    *n = (network){.workload = {.frontend = &msw_frontend_npu}};
    snprintf(path, sizeof path, "%s/tests/validation/data/onnx/%s.txt", MEMSWEEP_SOURCE, name);
    assert_ok(msw_read_file(path, &lines, &size, &n->err), n->err);
    onnx_lines(lines, &model);
    n->workload.name = msw_strdup("model.onnx");
    msw_params_defaults(msw_frontend_npu.params, &n->config);
    assert_ok(msw_workload_load(&n->workload, "model.onnx", model.data, model.size, &n->err),
              n->err);
    n->config.spm_activation = n->config.spm_weight = 1 << 30; /* each byte once */
    assert_ok(network_build(n), n->err);
    assert_string_equal(network_fault(n->p) ? network_fault(n->p) : "", "");
    msw_text_free(&model);
    free(lines);
}

/* Whether a second operand is made: weights lie before all activations. */
static bool is_made(const msw_npu_product *p, uint64_t address)
{
    uint64_t first = UINT64_MAX;
    for (uint64_t l = 0; l < p->layer_count; l++)
        for (int i = MSW_NPU_ACTIVATION; i <= MSW_NPU_OUTPUT; i += MSW_NPU_OUTPUT)
            if (p->layers[l].tensors[i].address < first)
                first = p->layers[l].tensors[i].address;
    return address >= first;
}

static uint64_t weights_of(const msw_npu_product *p)
{
    uint64_t sum = 0;
    for (uint64_t l = 0; l < p->layer_count; l++)
        if (!is_made(p, p->layers[l].tensors[MSW_NPU_WEIGHT].address))
            sum += p->layers[l].tensors[MSW_NPU_WEIGHT].bytes / 2;
    return sum;
}

/* Equal when rounded to as many places as `text` has. */
static void assert_rounds_to(double value, const char *text)
{
    const char *point = strchr(text, '.');
    int places = point ? (int)strcspn(point + 1, "\r\n") : 0;
    double unit = pow(10, -places);
    if (!(fabs(value - atof(text)) <= 0.5000001 * unit))
        fail_msg("%.6f is not %s", value, text);
}

static void models_of_torchvision(void **state)
{
    csv r;
    int count = 0;
    (void)state;
    for (csv_open(&r, "networks.csv"); csv_next(&r); count++) {
        network n;
        load_model(&n, r.field[NETWORK]);
        print_message("%s\n", r.field[NETWORK]);
        assert_int_equal(n.p->macs, atoll(r.field[MACS]));
        assert_int_equal(weights_of(n.p), atoll(r.field[WEIGHTS]));
        assert_int_equal(n.p->store_bytes / 2, atoll(r.field[OUTPUTS]));
        assert_int_equal(weights_of(n.p) + (uint64_t)atoll(r.field[LEFT_OUT]),
                         atoll(r.field[PARAMS_PUBLISHED]));
        assert_rounds_to((double)n.p->macs / 1e9, r.field[MACS_PUBLISHED]);
        if (r.fields > MACS_TIMM && *r.field[MACS_TIMM]) {
            double more = atof(r.field[MACS_TIMM]) / ((double)n.p->macs / 1e9);
            assert_true(more > 0.999 && more < 1.014); /* norms and pools */
            assert_true(fabs((double)n.p->store_bytes / 2e6 - atof(r.field[OUTPUTS_TIMM])) <
                        0.0051);
        }
        network_close(&n);
    }
    assert_int_equal(count, 23);
}

typedef struct decoder {
    const char *name, *config;
    uint64_t published, left_out;
} decoder;

#define NEOX(layers, hidden, heads)                                                                \
    "{\"model_type\": \"gpt_neox\", \"num_hidden_layers\": " #layers ", \"hidden_size\": " #hidden \
    ", \"num_attention_heads\": " #heads ", \"intermediate_size\": 0, \"vocab_size\": 50304}"

/* Norms, biases: of a layer 13 x hidden (4 of norms, 4 of attention's biases, 5 of the other's), at
 * the end 2. */
#define NEOX_REST(layers, hidden) ((layers)*13 * (hidden) + 2 * (hidden))

/* "Non-Embedding Params" of the model card huggingface.co/EleutherAI/pythia-12b-v0; the head is the
 * second embedding and left out there. */
static const decoder PYTHIA[] = {
    {"pythia-70m", NEOX(6, 512, 8), 18915328, NEOX_REST(6, 512)},
    {"pythia-160m", NEOX(12, 768, 12), 85056000, NEOX_REST(12, 768)},
    {"pythia-410m", NEOX(24, 1024, 16), 302311424, NEOX_REST(24, 1024)},
    {"pythia-1b", NEOX(16, 2048, 8), 805736448, NEOX_REST(16, 2048)},
    {"pythia-1.4b", NEOX(24, 2048, 16), 1208602624, NEOX_REST(24, 2048)},
    {"pythia-2.8b", NEOX(32, 2560, 32), 2517652480, NEOX_REST(32, 2560)},
};

static void decoders_of_pythia(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof PYTHIA / sizeof *PYTHIA; i++) {
        network n = {.workload = {.frontend = &msw_frontend_npu}};
        char text[512], *inner;
        uint64_t hidden, sum = 0;
        snprintf(text, sizeof text, "%s", PYTHIA[i].config);
        inner = strstr(text, "\"intermediate_size\": 0");
        hidden = (uint64_t)atoll(strstr(text, "hidden_size") + 14);
        snprintf(inner, 64, "\"intermediate_size\": %d, \"vocab_size\": 50304}", (int)(4 * hidden));
        msw_params_defaults(msw_frontend_npu.params, &n.config);
        assert_ok(msw_workload_load(&n.workload, "config.json", text, strlen(text), &n.err), n.err);
        assert_ok(network_build(&n), n.err);
        for (uint64_t l = 0; l < n.p->layer_count; l++)
            if (!is_made(n.p, n.p->layers[l].tensors[MSW_NPU_WEIGHT].address) &&
                strcmp(n.p->layers[l].name, "head") != 0)
                sum += n.p->layers[l].tensors[MSW_NPU_WEIGHT].bytes / 2;
        assert_int_equal(sum + PYTHIA[i].left_out, PYTHIA[i].published);
        /* a new token multiplies each weight once, and the head's; attention besides */
        assert_int_equal(n.p->macs, sum + hidden * 50304 +
                                        2 * hidden * 2048 *
                                            (uint64_t)atoll(strstr(text, "hidden_layers") + 16));
        network_close(&n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_of_torchvision),
        cmocka_unit_test(decoders_of_pythia),
    };
    return cmocka_run_group_tests_name("published counts", tests, NULL, NULL);
}
