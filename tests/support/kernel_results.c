/* SPDX-License-Identifier: MIT */
#include "kernel_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The size that a workload's name sets. */
int kernel_size(const program *p, const char *name)
{
    const char *at = strrchr(p->workload.name, '/');
    size_t length = strlen(name);
    while (at && (strncmp(at + 1, name, length) != 0 || at[1 + length] != '='))
        at = strchr(at + 1, ',');
    return at ? atoi(at + 2 + length) : 0;
}

/* The initial values of an array; the caller frees them. */
void *kernel_values(const program *p, const char *name)
{
    const msw_simt_array *a = program_array(p, name);
    uint64_t part = MSW_SIMT_COMPUTED_BYTES / a->element_bytes;
    char *values = calloc(1, a->bytes);
    for (uint64_t i = 0; a->initial && i < a->count; i += part)
        a->initial(a->context, i, a->count - i < part ? a->count - i : part,
                   values + i * a->element_bytes);
    return values;
}

static int clamped(int at, int count)
{
    return at < 0 ? 0 : at < count ? at : count - 1;
}

/* ---- streams ---- */

static void axpy(const program *p, void *out)
{
    float *a = kernel_values(p, "a"), *b = kernel_values(p, "b"), *c = out;
    for (int i = 0, n = kernel_size(p, "n"); i < n; i++)
        c[i] = a[i] + b[i];
    free(a);
    free(b);
}

static float squares(float dx, float dy)
{
    return fmaf(dx, dx, dy * dy);
}

static void knn_arrays(const program *p, void *out)
{
    float *x = kernel_values(p, "x"), *y = kernel_values(p, "y"), *distance = out;
    for (int i = 0, n = kernel_size(p, "n"); i < n; i++)
        distance[i] = squares(x[i] - 0.25f, y[i] - 0.75f);
    free(x);
    free(y);
}

static void knn_records(const program *p, void *out)
{
    float *r = kernel_values(p, "records"), *distance = out;
    for (int i = 0, n = kernel_size(p, "n"); i < n; i++)
        distance[i] = sqrtf(squares(r[2 * i] - 0.25f, r[2 * i + 1] - 0.75f));
    free(r);
}

/* ---- sums ---- */

static float tree(float *sums, int count)
{
    for (int half = count / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            sums[i] += sums[i + half];
    return sums[0];
}

static void partial_sums(const program *p, void *out)
{
    float *in = kernel_values(p, "in"), *partial = out;
    int n = kernel_size(p, "n"), ctas = kernel_size(p, "ctas");
    for (int c = 0; c < ctas; c++) {
        float sums[128] = {0};
        for (int t = 0; t < 128; t++)
            for (int i = c * 128 + t; i < n; i += ctas * 128)
                sums[t] += in[i];
        partial[c] = tree(sums, 128);
    }
    free(in);
}

static void exact_sum(const program *p, void *out)
{
    float *in = kernel_values(p, "in"), *total = out;
    *total = 0;
    for (int i = 0, n = kernel_size(p, "n"); i < n; i++)
        *total += in[i];
    free(in);
}

static void gemv_slices(const program *p, void *out)
{
    float *matrix = kernel_values(p, "matrix"), *x = kernel_values(p, "x"), *y = out;
    int rows = kernel_size(p, "rows"), cols = kernel_size(p, "cols");
    for (int r = 0; r < rows; r++) {
        float sums[128] = {0};
        for (int c = 0; c < cols; c++)
            sums[c % 128] = fmaf(matrix[(c / 128 * rows + r) * 128 + c % 128], x[c], sums[c % 128]);
        y[r] = tree(sums, 128);
    }
    free(matrix);
    free(x);
}

static void gemv_rows(const program *p, void *out)
{
    float *matrix = kernel_values(p, "matrix"), *x = kernel_values(p, "x"), *y = out;
    int rows = kernel_size(p, "rows"), cols = kernel_size(p, "cols");
    for (int r = 0; r < rows; r++) {
        float sums[32] = {0};
        for (int c = 0; c < cols; c++)
            sums[c % 32] = fmaf(matrix[r * cols + c], x[c], sums[c % 32]);
        y[r] = tree(sums, 32);
    }
    free(matrix);
    free(x);
}

/* ---- histograms ---- */

static void bins_of_numbers(const program *p, void *out)
{
    float *in = kernel_values(p, "in");
    uint32_t *bins = out;
    memset(bins, 0, 256 * sizeof *bins);
    for (int i = 0, n = kernel_size(p, "n"); i < n; i++)
        bins[clamped((int)(in[i] * 256), 256)]++;
    free(in);
}

static void bins_of_bytes(const program *p, void *out)
{
    unsigned char *in = kernel_values(p, "in");
    uint32_t *bins = out;
    memset(bins, 0, 256 * sizeof *bins);
    for (int i = 0, n = kernel_size(p, "n"); i < n; i++)
        bins[in[i]]++;
    free(in);
}

/* ---- images ---- */

/* Where row y, column x of tile t lies: rows of four of all tiles, then the next four. */
static int in_tile(int t, int y, int x, int tiles)
{
    return ((y / 4 * tiles + t) * 4 + y % 4) * 32 + x;
}

static int tiles_of(const program *p)
{
    return kernel_size(p, "h") / 32 * (kernel_size(p, "w") / 32);
}

static void blur_tiles(const program *p, void *out)
{
    float *in = kernel_values(p, "in"), *to = out;
    int tiles = tiles_of(p);
    for (int i = 0; i < tiles * 1024; i++) {
        int t = i / 1024, y = i / 32 % 32, x = i % 32;
        float sum = 0;
        for (int k = 0; k < 9; k++)
            sum += in[in_tile(t, clamped(y + k / 3 - 1, 32), clamped(x + k % 3 - 1, 32), tiles)];
        to[in_tile(t, y, x, tiles)] = sum * (float)(1.0 / 9);
    }
    free(in);
}

static void blur_rows(const program *p, void *out)
{
    float *in = kernel_values(p, "in"), *to = out;
    int h = kernel_size(p, "h"), w = kernel_size(p, "w");
    for (int i = 0; i < h * w; i++) {
        float sum = 0;
        for (int k = 0; k < 9; k++)
            sum += in[clamped(i / w + k / 3 - 1, h) * w + clamped(i % w + k % 3 - 1, w)];
        to[i] = sum * (float)(1.0 / 9);
    }
    free(in);
}

static void conv_tiles(const program *p, void *out)
{
    float *in = kernel_values(p, "in"), *weights = kernel_values(p, "weights"), *to = out;
    int tiles = tiles_of(p);
    for (int i = 0; i < tiles * 1024; i++) {
        int t = i / 1024, y = i / 32 % 32, x = i % 32;
        float sum = 0;
        for (int k = 0; k < 9; k++)
            sum = fmaf(
                weights[k],
                in[in_tile(t, clamped(y + k / 3 - 1, 32), clamped(x + k % 3 - 1, 32), tiles)], sum);
        to[in_tile(t, y, x, tiles)] = sum;
    }
    free(in);
    free(weights);
}

static void conv_rows(const program *p, void *out)
{
    float *in = kernel_values(p, "in"), *weights = kernel_values(p, "weights"), *to = out;
    int h = kernel_size(p, "h"), w = kernel_size(p, "w");
    for (int i = 0; i < h * w; i++) {
        to[i] = 0;
        for (int k = 0; k < 9; k++) {
            int y = i / w + k / 3 - 1, x = i % w + k % 3 - 1;
            if (y >= 0 && y < h && x >= 0 && x < w)
                to[i] = fmaf(weights[k], in[y * w + x], to[i]);
        }
    }
    free(in);
    free(weights);
}

static void transpose_tiles(const program *p, void *out)
{
    float *in = kernel_values(p, "in"), *to = out;
    int tiles = tiles_of(p);
    for (int i = 0; i < tiles * 1024; i++)
        to[in_tile(i / 1024, i / 32 % 32, i % 32, tiles)] =
            in[in_tile(i / 1024, i % 32, i / 32 % 32, tiles)];
    free(in);
}

static void transpose_rows(const program *p, void *out)
{
    float *in = kernel_values(p, "in"), *to = out;
    int h = kernel_size(p, "h"), w = kernel_size(p, "w");
    for (int i = 0; i < h * w; i++)
        to[i % w * h + i / w] = in[i];
    free(in);
}

/* The four neighbours of an output in quarters: pixels 2 k and 2 k + 1 of two rows of 256, of which
 * each half has an array. */
static void maxpool_quarters(const program *p, void *out)
{
    float *in = kernel_values(p, "in"), *to = out;
    int n = kernel_size(p, "h") * kernel_size(p, "w");
    for (int i = 0; i < n; i++) {
        int first = i / 128 * 128, lane = i % 128;
        to[i] = -INFINITY;
        for (int k = 0; k < 4; k++) {
            int column = 2 * lane + k % 2;
            to[i] = fmaxf(to[i], in[(k / 2 * 2 + column / 128) * n + first + column % 128]);
        }
    }
    free(in);
}

static void maxpool_rows(const program *p, void *out)
{
    float *in = kernel_values(p, "in"), *to = out;
    int h = kernel_size(p, "h"), w = kernel_size(p, "w");
    for (int i = 0; i < h * w; i++) {
        const float *from = in + 4 * w * (i / w) + 2 * (i % w);
        to[i] = fmaxf(fmaxf(from[0], from[1]), fmaxf(from[2 * w], from[2 * w + 1]));
    }
    free(in);
}

static void upsample_quarters(const program *p, void *out)
{
    float *in = kernel_values(p, "in"), *to = out;
    int n = kernel_size(p, "h") * kernel_size(p, "w");
    for (int i = 0; i < 4 * n; i++)
        to[i] = in[i % n / 128 * 128 + (i / n % 2 * 128 + i % 128) / 2];
    free(in);
}

static void upsample_rows(const program *p, void *out)
{
    float *in = kernel_values(p, "in"), *to = out;
    int h = kernel_size(p, "h"), w = kernel_size(p, "w");
    for (int i = 0; i < 4 * h * w; i++)
        to[i] = in[i / (2 * w) / 2 * w + i % (2 * w) / 2];
    free(in);
}

/* ---- points, sequences ---- */

static void nearest_columns(const program *p, void *out)
{
    float *f = kernel_values(p, "features"), *c = kernel_values(p, "centres");
    int32_t *nearest = out;
    for (int i = 0, n = kernel_size(p, "n"); i < n; i++) {
        float best = 3.4e38f;
        for (int k = 0; k < 4; k++) {
            float distance = squares(f[i] - c[k], f[n + i] - c[4 + k]);
            for (int d = 2; d < 4; d++) {
                float difference = f[d * n + i] - c[4 * d + k];
                distance = fmaf(difference, difference, distance);
            }
            nearest[i] = distance < best ? k : nearest[i];
            best = distance < best ? distance : best;
        }
    }
    free(f);
    free(c);
}

static void nearest_records(const program *p, void *out)
{
    float *points = kernel_values(p, "points"), *centre = kernel_values(p, "centre");
    int32_t *nearest = out;
    int features = kernel_size(p, "features"), centres = kernel_size(p, "centres");
    for (int i = 0, n = kernel_size(p, "n"); i < n; i++) {
        float best = 3.4e38f;
        for (int k = 0; k < centres; k++) {
            float distance = 0;
            for (int f = 0; f < features; f++) {
                float d = points[i * features + f] - centre[k * features + f];
                distance = fmaf(d, d, distance);
            }
            nearest[i] = distance < best ? k : nearest[i];
            best = distance < best ? distance : best;
        }
    }
    free(points);
    free(centre);
}

static int best_of(int corner, int left, int above, int penalty)
{
    int best = corner > left - penalty ? corner : left - penalty;
    return best > above - penalty ? best : above - penalty;
}

static void align_pairs(const program *p, void *out)
{
    int32_t *first = kernel_values(p, "first"), *second = kernel_values(p, "second"), *to = out;
    int32_t *substitution = kernel_values(p, "substitution");
    int pairs = kernel_size(p, "pairs");
    for (int q = 0; q < pairs; q++) {
        int t[33][33] = {{0}};
        for (int k = 0; k < 32; k++) {
            t[0][k + 1] = first[q * 32 + k];
            t[k + 1][0] = second[q * 32 + k];
        }
        for (int i = 0; i < 1024; i++) {
            int y = i / 32, x = i % 32, at = (y * pairs + q) * 32 + x;
            to[at] = t[y + 1][x + 1] =
                best_of(t[y][x] + substitution[at], t[y + 1][x], t[y][x + 1], 1);
        }
    }
    free(first);
    free(second);
    free(substitution);
}

static void align_long(const program *p, void *out)
{
    int32_t *substitution = kernel_values(p, "substitution"), *initial = kernel_values(p, "scores");
    int32_t *scores = out;
    int columns = 16 * kernel_size(p, "tiles") + 1;
    memcpy(scores, initial, (size_t)columns * (size_t)columns * sizeof *scores);
    for (int y = 1; y < columns; y++)
        for (int x = 1; x < columns; x++) {
            int at = y * columns + x;
            scores[at] = best_of(scores[at - columns - 1] + substitution[at], scores[at - 1],
                                 scores[at - columns], 10);
        }
    free(substitution);
    free(initial);
}

#define PAPER(kernel, sizes, out, result)                                                          \
    {kernel "/" sizes, out, result}, {kernel "/paper_counted/" sizes, out, result},                \
    {                                                                                              \
        kernel "/paper_unrolled/" sizes, out, result                                               \
    }
#define NATURAL(kernel, sizes, out, result)                                                        \
    {                                                                                              \
        kernel "/natural/" sizes, out, result                                                      \
    }

/* Sizes are no multiples of what a CTA or a warp takes, where a kernel allows that. */
const kernel_case kernel_cases[] = {
    PAPER("axpy", "n=3001,ctas=4", "c", axpy),
    NATURAL("axpy", "n=3001", "c", axpy),
    PAPER("blur", "h=64,w=96,ctas=4", "out", blur_tiles),
    NATURAL("blur", "h=37,w=70", "out", blur_rows),
    PAPER("conv", "h=64,w=96,ctas=4", "out", conv_tiles),
    NATURAL("conv", "h=37,w=70", "out", conv_rows),
    PAPER("gemv", "rows=37,cols=384,ctas=4", "y", gemv_slices),
    NATURAL("gemv", "rows=37,cols=301", "y", gemv_rows),
    PAPER("hist", "n=5001,ctas=3", "out", bins_of_numbers),
    NATURAL("hist", "n=5004", "out", bins_of_bytes),
    PAPER("kmeans", "n=1501,ctas=4", "nearest", nearest_columns),
    NATURAL("kmeans", "n=501,features=5,centres=3", "nearest", nearest_records),
    PAPER("knn", "n=3001,ctas=4", "distance", knn_arrays),
    NATURAL("knn", "n=3001", "distance", knn_records),
    PAPER("maxp", "h=3,w=256,ctas=4", "out", maxpool_quarters),
    NATURAL("maxp", "h=19,w=45", "out", maxpool_rows),
    PAPER("nw", "pairs=5,ctas=3", "out", align_pairs),
    NATURAL("nw", "tiles=3", "scores", align_long),
    PAPER("pr", "n=3001,ctas=4", "partial", partial_sums),
    NATURAL("pr", "n=3001", "total", exact_sum),
    PAPER("ttrans", "h=64,w=96,ctas=4", "out", transpose_tiles),
    NATURAL("ttrans", "h=37,w=70", "out", transpose_rows),
    PAPER("upsamp", "h=3,w=256,ctas=4", "out", upsample_quarters),
    NATURAL("upsamp", "h=19,w=45", "out", upsample_rows),
    {NULL, NULL, NULL},
};
