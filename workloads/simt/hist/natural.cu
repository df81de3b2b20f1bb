// HIST: bytes counted in 256 bins, four at a time, one thread per four bytes: atomic additions in
// shared memory, then in global memory.
enum { BINS = 256 };

extern "C" __global__ void histogram(const uchar4 *__restrict__ in, unsigned *__restrict__ out,
                                     int quads)
{
    __shared__ unsigned bins[BINS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        bins[b] = 0;
    __syncthreads();
    if (i < quads) {
        uchar4 v = in[i];
        atomicAdd(&bins[v.x], 1u);
        atomicAdd(&bins[v.y], 1u);
        atomicAdd(&bins[v.z], 1u);
        atomicAdd(&bins[v.w], 1u);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        if (bins[b])
            atomicAdd(&out[b], bins[b]);
}
