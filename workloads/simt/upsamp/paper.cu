// UPSAMP: every pixel becomes 2 x 2. A CTA takes 128 inputs at a time through shared memory and
// writes two rows of 256 outputs, each in two halves of 128; quarters of the output lie in an array
// each, as in maxp/paper.cu. Grid-stride.
#include "../common.h"

enum { THREADS = 128 };

extern "C" __global__ void upsample(const float *in, float *out, int inputs)
{
    __shared__ float pixels[THREADS];
    int lane = threadIdx.x, threads = gridDim.x * THREADS;
    STRIDE
    for (int i = blockIdx.x * THREADS + lane; i < inputs; i += threads) {
        pixels[lane] = in[i];
        __syncthreads();
        LOOP
        for (int row = 0; row < 2; row++) {
            LOOP
            for (int half = 0; half < 2; half++)
                out[(row * 2 + half) * inputs + i] = pixels[(half * THREADS + lane) / 2];
        }
        __syncthreads();
    }
}
