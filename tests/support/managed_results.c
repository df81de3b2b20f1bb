/* SPDX-License-Identifier: MIT */
/* Results of the kernels in managed memory (workloads/simt/uvm). */
#include "kernel_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_vectors(const program *p, void *out)
{
    float *x = kernel_values(p, "x"), *y = kernel_values(p, "y"), *to = out;
    for (int i = 0, n = kernel_size(p, "n"); i < n; i++)
        to[i] = x[i] + y[i];
    free(x);
    free(y);
}

static void triad(const program *p, void *out)
{
    float *x = kernel_values(p, "x"), *y = kernel_values(p, "y"), *to = out;
    for (int i = 0, n = kernel_size(p, "n"); i < n; i++)
        to[i] = fmaf(3, y[i], x[i]);
    free(x);
    free(y);
}

static void convolve(const program *p, void *out)
{
    static const float WEIGHTS[] = {0.2f, -0.3f, 0.4f, 0.5f, 0.6f, 0.7f, -0.8f, -0.9f, 0.10f};
    float *in = kernel_values(p, "in"), *to = out;
    int h = kernel_size(p, "h"), w = kernel_size(p, "w");
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            float sum = WEIGHTS[0] * in[(y - 1) * w + x - 1];
            for (int k = 1; k < 9; k++)
                sum = fmaf(WEIGHTS[k], in[(y + k / 3 - 1) * w + x + k % 3 - 1], sum);
            to[y * w + x] = sum;
        }
    free(in);
}

/* to += M v, or M^T v; all numbers are small and whole, and sums exact. */
static void multiply(const program *p, const char *matrix, const float *v, bool transposed,
                     float *to)
{
    float *m = kernel_values(p, matrix);
    int n = kernel_size(p, "n");
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[i] += v[j] * (transposed ? m[j * n + i] : m[i * n + j]);
    free(m);
}

static void atax(const program *p, void *out)
{
    float *x = kernel_values(p, "x"), *sums = kernel_values(p, "tmp");
    multiply(p, "A", x, false, sums);
    multiply(p, "A", sums, true, out);
    free(x);
    free(sums);
}

static void product(const program *p, const char *matrix, const char *vector, bool transposed,
                    const char *start, void *out)
{
    float *v = kernel_values(p, vector), *initial = kernel_values(p, start);
    memcpy(out, initial, program_array(p, start)->bytes);
    multiply(p, matrix, v, transposed, out);
    free(v);
    free(initial);
}

static void bicg_s(const program *p, void *out)
{
    product(p, "A", "r", true, "s", out);
}

static void bicg_q(const program *p, void *out)
{
    product(p, "A", "p", false, "q", out);
}

static void mvt_x1(const program *p, void *out)
{
    product(p, "a", "y1", false, "x1", out);
}

static void mvt_x2(const program *p, void *out)
{
    product(p, "a", "y2", true, "x2", out);
}

static void backprop_partial(const program *p, void *out)
{
    float *inputs = kernel_values(p, "input_units"), *weights = kernel_values(p, "weights");
    float *to = out;
    for (int cta = 0; cta < kernel_size(p, "inputs") / 16; cta++)
        for (int x = 0; x < 16; x++) {
            float table[16];
            for (int y = 0; y < 16; y++) {
                int row = 16 * cta + y + 1;
                table[y] = weights[17 * row + x + 1] * inputs[row];
            }
            for (int step = 1; step < 16; step *= 2)
                for (int y = 0; y < 16; y += 2 * step)
                    table[y] += table[y + step];
            to[16 * cta + x] = table[0];
        }
    free(inputs);
    free(weights);
}

static void backprop_weights(const program *p, void *out)
{
    float *inputs = kernel_values(p, "input_units"), *to = kernel_values(p, "weights_back");
    float *delta = kernel_values(p, "hidden_delta"), *moves = kernel_values(p, "moves");
    for (int row = 1; row <= kernel_size(p, "inputs"); row++)
        for (int x = 1; x < 17; x++)
            to[17 * row + x] += fmaf(0.3f * delta[x], inputs[row], 0.3f * moves[17 * row + x]);
    for (int x = 1; x < 17; x++)
        to[x] += fmaf(0.3f, delta[x], 0.3f * moves[x]);
    memcpy(out, to, program_array(p, "weights_back")->bytes);
    free(inputs);
    free(to);
    free(delta);
    free(moves);
}

static int at_edge(int at, int count)
{
    return at < 0 ? 0 : at < count ? at : count - 1;
}

static void heat_once(const float *from, const float *power, float *to, int n)
{
    for (int i = 0; i < n * n; i++) {
        int y = i / n, x = i % n;
        float here = from[i], sum = power[i];
        float south = from[at_edge(y + 1, n) * n + x], north = from[at_edge(y - 1, n) * n + x];
        float east = from[y * n + at_edge(x + 1, n)], west = from[y * n + at_edge(x - 1, n)];
        sum = fmaf(south + north - (here + here), 0.125f, sum);
        sum = fmaf(east + west - (here + here), 0.125f, sum);
        sum = fmaf(80 - here, 0.03125f, sum);
        to[i] = fmaf(0.0625f, sum, here);
    }
}

static void hotspot(const program *p, void *out)
{
    float *power = kernel_values(p, "power"), *now = kernel_values(p, "temp0");
    int n = kernel_size(p, "side");
    for (int step = 0; step < kernel_size(p, "steps"); step++) {
        heat_once(now, power, out, n);
        memcpy(now, out, (size_t)n * (size_t)n * sizeof *now);
    }
    free(power);
    free(now);
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static void align(const program *p, void *out)
{
    int32_t *references = kernel_values(p, "references"), *initial = kernel_values(p, "items");
    int32_t *items = out;
    int columns = kernel_size(p, "n") + 1;
    memcpy(items, initial, program_array(p, "items")->bytes);
    for (int y = 1; y < columns; y++)
        for (int x = 1; x < columns; x++) {
            int at = y * columns + x;
            items[at] = larger(items[at - columns - 1] + references[at],
                               larger(items[at - 1] - 10, items[at - columns] - 10));
        }
    free(references);
    free(initial);
}

/* After an even number of launches the sums are in res0. */
static void path(const program *p, void *out)
{
    int32_t *wall = kernel_values(p, "wall"), *now = kernel_values(p, "res0"), *next = out;
    int columns = kernel_size(p, "columns");
    for (int row = 0; row < kernel_size(p, "rows") - 1; row++) {
        for (int x = 0; x < columns; x++) {
            int west = now[at_edge(x - 1, columns)], east = now[at_edge(x + 1, columns)];
            next[x] = -larger(-west, larger(-now[x], -east)) + wall[row * columns + x];
        }
        memcpy(now, next, (size_t)columns * sizeof *now);
    }
    free(wall);
    free(now);
}

static float coefficient_at(const float *image, int n, int i, float *d)
{
    int y = i / n, x = i % n;
    float j = image[i], q0 = 0.05f;
    d[0] = image[at_edge(y - 1, n) * n + x] - j;
    d[1] = image[at_edge(y + 1, n) * n + x] - j;
    d[2] = image[y * n + at_edge(x - 1, n)] - j;
    d[3] = image[y * n + at_edge(x + 1, n)] - j;
    float squares = fmaf(d[3], d[3], fmaf(d[2], d[2], fmaf(d[1], d[1], d[0] * d[0])));
    float g2 = squares / (j * j), l = (d[0] + d[1] + d[2] + d[3]) / j;
    float half = l * l;
    half *= 0.0625f;
    float num = fmaf(0.5f, g2, -half), den = fmaf(0.25f, l, 1);
    float q = num / (den * den);
    float c = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
    return c < 0 ? 0 : c > 1 ? 1 : c;
}

static void diffuse_once(float *image, int n)
{
    float *c = calloc((size_t)n * (size_t)n, sizeof *c),
          (*d)[4] = calloc((size_t)n * (size_t)n, sizeof *d);
    for (int i = 0; i < n * n; i++)
        c[i] = coefficient_at(image, n, i, d[i]);
    for (int i = 0; i < n * n; i++) {
        int y = i / n, x = i % n;
        float sum = c[i] * d[i][0];
        sum = fmaf(c[at_edge(y + 1, n) * n + x], d[i][1], sum);
        sum = fmaf(c[i], d[i][2], sum);
        sum = fmaf(c[y * n + at_edge(x + 1, n)], d[i][3], sum);
        image[i] = fmaf(0.25f * 0.5f, sum, image[i]);
    }
    free(c);
    free(d);
}

static void diffuse(const program *p, void *out)
{
    float *image = kernel_values(p, "J");
    for (int k = 0; k < kernel_size(p, "iterations"); k++)
        diffuse_once(image, kernel_size(p, "side"));
    memcpy(out, image, program_array(p, "J")->bytes);
    free(image);
}

/* Levels, node after node of a queue. */
static void search(const program *p, void *out)
{
    int32_t *nodes = kernel_values(p, "nodes"), *edges = kernel_values(p, "edges"), *cost = out;
    int n = kernel_size(p, "n"), head = 0, tail = 1;
    int *queue = calloc((size_t)n, sizeof *queue);
    for (int v = 0; v < n; v++)
        cost[v] = v ? -1 : 0;
    for (; head < tail; head++)
        for (int k = 0; k < nodes[2 * queue[head] + 1]; k++) {
            int to = edges[nodes[2 * queue[head]] + k];
            if (cost[to] < 0) {
                cost[to] = cost[queue[head]] + 1;
                queue[tail++] = to;
            }
        }
    free(nodes);
    free(edges);
    free(queue);
}

/* Edges are relaxed n - 1 times, one after the other. */
static void shortest(const program *p, void *out)
{
    uint32_t *rows = kernel_values(p, "rows"), *edges = kernel_values(p, "edges"),
             *weights = kernel_values(p, "weights"), *distance = out;
    int n = kernel_size(p, "n");
    for (int v = 0; v < n; v++)
        distance[v] = v ? UINT32_MAX : 0;
    for (int round = 1; round < n; round++)
        for (int v = 0; v < n; v++)
            for (uint32_t e = rows[v]; distance[v] != UINT32_MAX && e < rows[v + 1]; e++)
                if (distance[v] + weights[e] < distance[edges[e]])
                    distance[edges[e]] = distance[v] + weights[e];
    free(rows);
    free(edges);
    free(weights);
}

const kernel_case managed_cases[] = {
    {"uvm/addvectors/n=3001", "y", add_vectors},
    {"uvm/streamtriad/n=3001", "z", triad},
    {"uvm/2dconv/h=37,w=70", "out", convolve},
    {"uvm/atax/n=45", "y", atax},
    {"uvm/bicg/n=77", "s", bicg_s},
    {"uvm/bicg/n=77", "q", bicg_q},
    {"uvm/mvt/n=77", "x1", mvt_x1},
    {"uvm/mvt/n=77", "x2", mvt_x2},
    {"uvm/backprop/inputs=48", "partial", backprop_partial},
    {"uvm/backprop/inputs=48", "weights_back", backprop_weights},
    {"uvm/bfs/n=700,degree=2", "cost", search},
    {"uvm/hotspot/side=40,steps=4,pyramid=2", "temp0", hotspot},
    {"uvm/nw/n=48", "items", align},
    {"uvm/pathfinder/columns=777,rows=20,pyramid=10", "res0", path},
    {"uvm/srad_v2/side=128,iterations=2", "J", diffuse},
    {"uvm/sssp/n=700,degree=3", "cost", shortest},
    {NULL, NULL, NULL},
};
