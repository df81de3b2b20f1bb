// The kernel of docs/simt-tutorial.md.
extern "C" __global__ void gather(const float *values, const int *index, const float *scale,
                                  float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = scale[i] * values[index[i]];
}
