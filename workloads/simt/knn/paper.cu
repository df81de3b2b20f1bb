// KNN: squared distance of every record to one point; coordinates in two arrays. Grid-stride.
#include "../common.h"

extern "C" __global__ void knn(const float *x, const float *y, float *distance, int n, float at_x,
                               float at_y)
{
    int threads = gridDim.x * blockDim.x;
    STRIDE
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        float dx = x[i] - at_x, dy = y[i] - at_y;
        distance[i] = dx * dx + dy * dy;
    }
}
