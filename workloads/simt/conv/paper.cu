// CONV: 3 x 3 convolution of one channel, tiles and layout as in blur/paper.cu, the nine weights in
// shared memory.
#include "../common.h"

enum { TILE = 32, ROWS = 4, SIDE = 3 };

static __device__ int clamp(int at)
{
    return min(max(at, 0), TILE - 1);
}

extern "C" __global__ void conv(const float *in, const float *weights, float *out, int tiles)
{
    __shared__ float tile[TILE][TILE];
    __shared__ float w[SIDE * SIDE];
    int x = threadIdx.x, y = threadIdx.y, thread = y * TILE + x;
    if (thread < SIDE * SIDE)
        w[thread] = weights[thread];
    __syncthreads();
    STRIDE
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        LOOP
        for (int g = 0; g < TILE / ROWS; g++)
            tile[g * ROWS + y][x] = in[((g * tiles + t) * ROWS + y) * TILE + x];
        __syncthreads();
        LOOP
        for (int g = 0; g < TILE / ROWS; g++) {
            float sum = 0;
            LOOP
            for (int ky = 0; ky < SIDE; ky++) {
                LOOP
                for (int kx = 0; kx < SIDE; kx++)
                    sum += w[ky * SIDE + kx] *
                           tile[clamp(g * ROWS + y + ky - 1)][clamp(x + kx - 1)];
            }
            out[((g * tiles + t) * ROWS + y) * TILE + x] = sum;
        }
        __syncthreads();
    }
}
