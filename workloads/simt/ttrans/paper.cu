// TTRANS: transposition in tiles of 32 x 32 through shared memory, which has 33 columns against
// conflicts. Layout of the tiles as in blur/paper.cu, of the output too.
#include "../common.h"

enum { TILE = 32, ROWS = 4 };

extern "C" __global__ void transpose(const float *in, float *out, int tiles)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    STRIDE
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        LOOP
        for (int g = 0; g < TILE / ROWS; g++)
            tile[g * ROWS + y][x] = in[((g * tiles + t) * ROWS + y) * TILE + x];
        __syncthreads();
        LOOP
        for (int g = 0; g < TILE / ROWS; g++)
            out[((g * tiles + t) * ROWS + y) * TILE + x] = tile[x][g * ROWS + y];
        __syncthreads();
    }
}
