// 2DCONV: 3 x 3 convolution of the interior of an image, one pixel per thread, CTAs of 32 x 8.
extern "C" __global__ void convolve(const float *in, float *out, int rows, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= columns - 1 || y >= rows - 1)
        return;
    const float *above = in + (y - 1) * columns + x, *here = above + columns, *below = here + columns;
    float sum = 0.2f * above[-1];
    sum = fmaf(-0.3f, above[0], sum);
    sum = fmaf(0.4f, above[1], sum);
    sum = fmaf(0.5f, here[-1], sum);
    sum = fmaf(0.6f, here[0], sum);
    sum = fmaf(0.7f, here[1], sum);
    sum = fmaf(-0.8f, below[-1], sum);
    sum = fmaf(-0.9f, below[0], sum);
    out[y * columns + x] = fmaf(0.10f, below[1], sum);
}
