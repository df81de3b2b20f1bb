// TTRANS: transposition of a matrix in rows, one CTA of 32 x 8 threads per tile of 32 x 32.
enum { TILE = 32, ROWS = 8 };

extern "C" __global__ void transpose(const float *__restrict__ in, float *__restrict__ out,
                                     int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int r = 0; r < TILE; r += ROWS)
        if (x < width && y + r < height)
            tile[threadIdx.y + r][threadIdx.x] = in[(y + r) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int r = 0; r < TILE; r += ROWS)
        if (x < height && y + r < width)
            out[(y + r) * height + x] = tile[threadIdx.x][threadIdx.y + r];
}
