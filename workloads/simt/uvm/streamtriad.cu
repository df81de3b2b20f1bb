// StreamTriad: z = x + scale * y, one element per thread.
extern "C" __global__ void triad(const float *x, const float *y, float *z, float scale, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = fmaf(scale, y[i], x[i]);
}
