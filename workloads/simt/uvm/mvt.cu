// MVT: x1 += A y1 and x2 += A^T y2. The first kernel has a row of A per thread, the second a column.
extern "C" __global__ void rows(const float *matrix, float *x1, const float *y1, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n)
        for (int column = 0; column < n; column++)
            x1[row] = fmaf(matrix[row * n + column], y1[column], x1[row]);
}

extern "C" __global__ void columns(const float *matrix, float *x2, const float *y2, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column < n)
        for (int row = 0; row < n; row++)
            x2[column] = fmaf(matrix[row * n + column], y2[row], x2[column]);
}
