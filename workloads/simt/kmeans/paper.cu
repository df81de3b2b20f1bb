// KMEANS: the nearest of 4 centres for each point of 4 features. Features in an array each, centres
// in shared memory. Grid-stride.
#include "../common.h"

enum { CENTRES = 4, FEATURES = 4 };

extern "C" __global__ void kmeans(const float *features, const float *centres, int *nearest, int n)
{
    __shared__ float centre[CENTRES * FEATURES];
    int threads = gridDim.x * blockDim.x;
    if (threadIdx.x < CENTRES * FEATURES)
        centre[threadIdx.x] = centres[threadIdx.x];
    __syncthreads();
    STRIDE
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        float a = features[i], b = features[n + i], c = features[2 * n + i],
              d = features[3 * n + i], best = 3.4e38f;
        int found = 0;
        LOOP
        for (int k = 0; k < CENTRES; k++) {
            float da = a - centre[k], db = b - centre[CENTRES + k],
                  dc = c - centre[2 * CENTRES + k], dd = d - centre[3 * CENTRES + k];
            float distance = da * da + db * db + dc * dc + dd * dd;
            if (distance < best) {
                best = distance;
                found = k;
            }
        }
        nearest[i] = found;
    }
}
