// PR: sum of an array, one thread per two elements; warps reduce by shuffles, then the first warp
// reduces the CTA's eight sums, and one atomic addition per CTA finishes.
enum { THREADS = 256, WARPS = THREADS / 32 };

static __device__ float warp_sum(float value)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffff, value, distance);
    return value;
}

extern "C" __global__ void reduce(const float *in, float *total, int n)
{
    __shared__ float sums[WARPS];
    int i = blockIdx.x * THREADS * 2 + threadIdx.x;
    float sum = i < n ? in[i] : 0;
    sum += i + THREADS < n ? in[i + THREADS] : 0;
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = warp_sum(threadIdx.x < WARPS ? sums[threadIdx.x] : 0);
        if (threadIdx.x == 0)
            atomicAdd(total, sum);
    }
}
