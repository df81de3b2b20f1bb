// GEMV: y = A x, the matrix in rows, one warp per row, reduced by shuffles.
extern "C" __global__ void gemv(const float *__restrict__ matrix, const float *__restrict__ x,
                                float *__restrict__ y, int rows, int cols)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0;
    for (int col = lane; col < cols; col += 32)
        sum += matrix[(size_t)row * cols + col] * x[col];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (lane == 0)
        y[row] = sum;
}
