// BLUR: mean of 3 x 3 pixels. Tiles of 32 x 32 in shared memory, clamped at the edges of the tile.
// The image is laid out so that a warp reads 128 bytes in a row that belong to it: rows 4g .. 4g + 3
// of all tiles, then rows 4g + 4 .. of all tiles.
#include "../common.h"

enum { TILE = 32, ROWS = 4 };

static __device__ int clamp(int at)
{
    return min(max(at, 0), TILE - 1);
}

extern "C" __global__ void blur(const float *in, float *out, int tiles, float scale)
{
    __shared__ float tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
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
            for (int dy = -1; dy <= 1; dy++) {
                LOOP
                for (int dx = -1; dx <= 1; dx++)
                    sum += tile[clamp(g * ROWS + y + dy)][clamp(x + dx)];
            }
            out[((g * tiles + t) * ROWS + y) * TILE + x] = sum * scale;
        }
        __syncthreads();
    }
}
