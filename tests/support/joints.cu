// SPDX-License-Identifier: MIT
// Kernels whose results are addresses and predicates of others; joints.ptx is what
// nvcc -ptx -O3 -arch=sm_75 makes of them. All values of arrays stay below n.
struct both {
    const unsigned *from;
    unsigned *to;
};

__device__ unsigned turns;
__device__ unsigned kept[256];

#define I (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" {

__global__ void build(const unsigned *a, unsigned *b, unsigned n)
{
    if (I < n)
        b[I] = (a[I] * 17 + I) % n;
}

__global__ void gather(const unsigned *a, const unsigned *b, unsigned *c, unsigned n)
{
    if (I < n)
        c[I] = a[b[I]];
}

__global__ void chase(const unsigned *a, unsigned *c, unsigned n)
{
    unsigned p = I;
    if (I >= n)
        return;
    for (int k = 0; k < 5; k++)
        p = a[p];
    c[I] = p;
}

__global__ void permute(const unsigned *a, unsigned *c, unsigned n)
{
    if (I < n)
        c[a[I]] = I;
}

__global__ void swap_pairs(unsigned *a, unsigned n, unsigned odd)
{
    unsigned k = 2 * I + odd;
    if (k + 1 < n && a[k] > a[k + 1]) {
        unsigned x = a[k];
        a[k] = a[k + 1];
        a[k + 1] = x;
    }
}

__global__ void zero(unsigned *a, unsigned n)
{
    if (I < n)
        a[I] = 0;
}

__global__ void count(const unsigned *a, unsigned *c, unsigned n)
{
    if (I < n)
        atomicInc(&c[a[I] / 2], n - 1);
}

__global__ void scan(const unsigned *a, unsigned *c, unsigned n)
{
    unsigned sum = 0;
    if (I == 0)
        for (unsigned k = 0; k < n; k++) {
            c[k] = sum % n;
            sum += a[k];
        }
}

__global__ void scatter(const unsigned *a, unsigned *b, unsigned *c, unsigned n)
{
    if (I < n)
        c[atomicInc(&b[a[I]], n - 1)] = I;
}

__global__ void rows(const unsigned *a, const unsigned *b, unsigned *c, unsigned n)
{
    unsigned sum = 0;
    if (I >= n)
        return;
    for (unsigned e = a[I]; e < n && e < a[I] + b[I] % 8; e++)
        sum += a[b[e]];
    c[I] = sum % n;
}

__global__ void heavy(const unsigned *a, unsigned *c, unsigned n)
{
    if (I >= n)
        return;
    float x = (float)a[I];
    for (int k = 0; k < 8; k++)
        x = sqrtf(x * x + 1);
    c[I] = (unsigned)x % n;
}

__global__ void by_struct(both p, unsigned n)
{
    if (I < n)
        p.to[I] = (p.from[I] + 1) % n;
}

__global__ void point(unsigned **table, unsigned *a, unsigned n)
{
    if (I < n)
        table[I] = a + (I * 7) % n;
}

__global__ void follow(unsigned **table, const unsigned *a, unsigned *c, unsigned n)
{
    if (I < n) {
        c[I] = a[*table[I]];
        *table[I] = (I * 3) % n;
    }
}

__global__ void keep(const unsigned *a, unsigned n)
{
    if (I < 256 && I < n)
        kept[I] = a[I];
    if (I == 0)
        turns = a[0] % 4 + 1;
}

__global__ void recall(const unsigned *a, unsigned *c, unsigned n)
{
    for (unsigned k = 0; k < turns && I < n; k++)
        c[(I + k) % n] = a[kept[I % 256] % n];
}

__global__ void between(unsigned *a, const unsigned *end, unsigned *c, unsigned n)
{
    const unsigned *p = end - 1 - I;
    if (p >= a && I < n)
        c[*p] = I;
}

// CTAs that wait for each other: for those before, for the next one, for all, for nobody.
__global__ void lookback(const unsigned *in, volatile unsigned *flag, volatile unsigned *sum,
                         unsigned *out, unsigned n)
{
    __shared__ unsigned before;
    if (threadIdx.x == 0) {
        unsigned b = blockIdx.x, s = 0;
        if (b) {
            while (flag[b - 1] == 0) {
            }
            __threadfence();
            s = sum[b - 1];
        }
        before = s;
        sum[b] = s + in[b];
        __threadfence();
        flag[b] = 1;
    }
    __syncthreads();
    if (I < n)
        out[I] = in[I] + before;
}

__global__ void ahead(volatile unsigned *flag)
{
    if (threadIdx.x == 0) {
        while (blockIdx.x + 1 < gridDim.x && flag[blockIdx.x + 1] == 0) {
        }
        flag[blockIdx.x] = 1;
    }
}

__global__ void all(unsigned *count, unsigned *out)
{
    if (threadIdx.x == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < gridDim.x) {
        }
    }
    __syncthreads();
    out[I] = *count;
}

__global__ void never(volatile unsigned *flag)
{
    while (flag[0] == 0) {
    }
}

}
