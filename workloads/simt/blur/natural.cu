// BLUR: mean of 3 x 3 pixels of an image in rows, clamped at the edges of the image; one thread per
// pixel, a tile with its halo in shared memory.
enum { W = 32, H = 8 };

extern "C" __global__ void blur(const float *__restrict__ in, float *__restrict__ out, int width,
                                int height, float scale)
{
    __shared__ float tile[H + 2][W + 2];
    int x = blockIdx.x * W + threadIdx.x, y = blockIdx.y * H + threadIdx.y;
    for (int i = threadIdx.y * W + threadIdx.x; i < (H + 2) * (W + 2); i += W * H) {
        int from_y = min(max((int)(blockIdx.y * H + i / (W + 2)) - 1, 0), height - 1);
        int from_x = min(max((int)(blockIdx.x * W + i % (W + 2)) - 1, 0), width - 1);
        tile[i / (W + 2)][i % (W + 2)] = in[from_y * width + from_x];
    }
    __syncthreads();
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++)
            sum += tile[threadIdx.y + dy][threadIdx.x + dx];
    out[y * width + x] = sum * scale;
}
