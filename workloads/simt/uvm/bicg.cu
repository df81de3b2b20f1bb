// BICG: s = A^T r and q = A p. The first kernel has a column of A per thread, the second a row.
extern "C" __global__ void columns(const float *matrix, const float *r, float *s, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= n)
        return;
    s[column] = 0;
    for (int row = 0; row < n; row++)
        s[column] = fmaf(r[row], matrix[row * n + column], s[column]);
}

extern "C" __global__ void rows(const float *matrix, const float *p, float *q, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    q[row] = 0;
    for (int column = 0; column < n; column++)
        q[row] = fmaf(matrix[row * n + column], p[column], q[row]);
}
