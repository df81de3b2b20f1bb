// CONV: 3 x 3 convolution of one channel of an image in rows, zeroes around it; one thread per
// pixel, neighbours and weights from global memory.
extern "C" __global__ void conv(const float *__restrict__ in, const float *__restrict__ weights,
                                float *__restrict__ out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int ky = 0; ky < 3; ky++)
        for (int kx = 0; kx < 3; kx++) {
            int from_x = x + kx - 1, from_y = y + ky - 1;
            if (from_x >= 0 && from_x < width && from_y >= 0 && from_y < height)
                sum += weights[ky * 3 + kx] * in[from_y * width + from_x];
        }
    out[y * width + x] = sum;
}
