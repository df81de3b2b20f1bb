// ATAX: y = A^T (A x). The first kernel has a row of A per thread, the second a column.
extern "C" __global__ void rows(const float *matrix, const float *x, float *sums, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n)
        for (int column = 0; column < n; column++)
            sums[row] = fmaf(matrix[row * n + column], x[column], sums[row]);
}

extern "C" __global__ void columns(const float *matrix, float *y, const float *sums, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column < n)
        for (int row = 0; row < n; row++)
            y[column] = fmaf(matrix[row * n + column], sums[row], y[column]);
}
