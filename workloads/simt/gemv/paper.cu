// GEMV: y = A x. The matrix is stored in slices of 128 columns: all rows of columns 0 .. 127, then
// all rows of columns 128 .. 255. One CTA per row at a time, a tree in shared memory.
#include "../common.h"

enum { THREADS = 128 };

extern "C" __global__ void gemv(const float *matrix, const float *x, float *y, int rows, int cols)
{
    __shared__ float sums[THREADS];
    int lane = threadIdx.x;
    STRIDE
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        float sum = 0;
        LOOP
        for (int slice = 0; slice < cols / THREADS; slice++)
            sum += matrix[(slice * rows + row) * THREADS + lane] * x[slice * THREADS + lane];
        sums[lane] = sum;
        __syncthreads();
        LOOP
        for (int half = THREADS / 2; half > 0; half /= 2) {
            if (lane < half)
                sums[lane] += sums[lane + half];
            __syncthreads();
        }
        if (lane == 0)
            y[row] = sums[0];
    }
}
