// MAXP: maximum of 2 x 2 pixels. A CTA takes 128 outputs at a time: two rows of 256 inputs, each in
// two halves of 128, go through shared memory. The four quarters of the input (upper row left,
// upper row right, lower row left, lower row right) lie in an array each. Grid-stride.
#include "../common.h"

enum { THREADS = 128 };

extern "C" __global__ void maxpool(const float *in, float *out, int outputs)
{
    __shared__ float rows[2][2 * THREADS];
    int lane = threadIdx.x, threads = gridDim.x * THREADS;
    STRIDE
    for (int i = blockIdx.x * THREADS + lane; i < outputs; i += threads) {
        LOOP
        for (int row = 0; row < 2; row++) {
            LOOP
            for (int half = 0; half < 2; half++)
                rows[row][half * THREADS + lane] = in[(row * 2 + half) * outputs + i];
        }
        __syncthreads();
        float most = rows[0][2 * lane];
        LOOP
        for (int k = 1; k < 4; k++)
            most = fmaxf(most, rows[k / 2][2 * lane + k % 2]);
        __syncthreads();
        out[i] = most;
    }
}
