/* SPDX-License-Identifier: MIT */
/* A chunk of a batch through all layers, and back. */
#include "sim/learn/layer.h"

#include "memsweep/base/math.h"

void learn_forward(learn_pass *p)
{
    const msw_net *net = p->net;
    for (size_t i = 0; i < net->layer_count; i++) {
        const learn_layer *l = &net->layers[i];
        l->forward(l, p, p->values[i], p->values[i + 1], p->kept[i]);
        if (i + 1 < net->layer_count)
            learn_round(net->loops, net->shape.activations, p->count * l->out / l->made, l->made,
                        p->values[i + 1]);
        learn_drop(p, i, p->values[i + 1]);
    }
}

/* Scores become slopes: (softmax - 1 at the label) / batch. */
void learn_loss(learn_pass *p, uint32_t batch)
{
    uint32_t classes = p->net->shape.classes;
    float *scores = p->values[p->net->layer_count], share = 1 / (float)batch;
    for (size_t s = 0; s < p->count; s++, scores += classes) {
        float most = scores[0], label = scores[p->labels[s]];
        double sum = 0;
        for (uint32_t k = 1; k < classes; k++)
            most = scores[k] > most ? scores[k] : most;
        for (uint32_t k = 0; k < classes; k++) {
            double e = msw_math_exp((double)(scores[k] - most));
            scores[k] = (float)e;
            sum += e;
        }
        p->loss += msw_math_log(sum) - (double)(label - most);
        for (uint32_t k = 0; k < classes; k++)
            scores[k] *= share / (float)sum;
        scores[p->labels[s]] -= share;
    }
}

void learn_backward(learn_pass *p)
{
    const msw_net *net = p->net;
    float *dy = p->values[net->layer_count];
    for (size_t i = net->layer_count; i-- > 0;) {
        float *dx = p->errors[i % 2];
        learn_drop(p, i, dy);
        net->layers[i].backward(&net->layers[i], p, p->values[i], p->values[i + 1], p->kept[i], dy,
                                dx);
        dy = dx;
    }
}
