// Backprop: one layer of 16 hidden units. Forward: each CTA of 16 x 16 weighs 16 inputs and sums them
// by a tree in shared memory. Back: weights move by their gradient and by their last move.
enum { SIDE = 16 };

extern "C" __global__ void forward(const float *inputs, float *weights, float *partial)
{
    __shared__ float input[SIDE];
    __shared__ float table[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y, row = SIDE * blockIdx.y + y;
    int at = (SIDE + 1) * (row + 1) + x + 1;
    if (x == 0)
        input[y] = inputs[row + 1];
    __syncthreads();
    table[y][x] = weights[at];
    __syncthreads();
    table[y][x] *= input[y];
    __syncthreads();
    for (int step = 2; step <= SIDE; step *= 2) {
        if (y % step == 0)
            table[y][x] += table[y + step / 2][x];
        __syncthreads();
    }
    weights[at] = table[y][x];
    __syncthreads();
    if (x == 0)
        partial[SIDE * blockIdx.y + y] = table[0][y];
}

extern "C" __global__ void back(const float *delta, const float *inputs, float *weights, float *moves)
{
    int x = threadIdx.x + 1, row = SIDE * blockIdx.y + threadIdx.y + 1;
    int at = (SIDE + 1) * row + x;
    weights[at] += fmaf(0.3f * delta[x], inputs[row], 0.3f * moves[at]);
    moves[at] = fmaf(0.3f * delta[x], inputs[row], 0.3f * moves[at]);
    __syncthreads();
    if (blockIdx.y == 0 && threadIdx.y == 0) {
        weights[x] += fmaf(0.3f, delta[x], 0.3f * moves[x]);
        moves[x] = fmaf(0.3f, delta[x], 0.3f * moves[x]);
    }
}
