// MAXP: maximum of 2 x 2 pixels of an image in rows, one thread per output.
extern "C" __global__ void maxpool(const float *__restrict__ in, float *__restrict__ out, int width,
                                   int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const float *from = in + 2 * y * 2 * width + 2 * x;
    out[y * width + x] = fmaxf(fmaxf(from[0], from[1]), fmaxf(from[2 * width], from[2 * width + 1]));
}
