// NW: global alignment of two sequences, scores in rows. One launch per anti-diagonal of tiles of
// 16 x 16, 16 threads each; the second kernel does the shrinking diagonals.
enum { SIDE = 16 };

__device__ static void sweep(int (*table)[SIDE + 1], const int (*reference)[SIDE], int lane,
                             int penalty)
{
    for (int step = 0; step < 2 * SIDE - 1; step++) {
        int y = step - lane;
        if (y >= 0 && y < SIDE) {
            int best = table[y][lane] + reference[y][lane];
            best = max(best, table[y + 1][lane] - penalty);
            table[y + 1][lane + 1] = max(best, table[y][lane + 1] - penalty);
        }
        __syncthreads();
    }
}

extern "C" __global__ void grow(const int *references, int *items, int columns, int penalty,
                                int diagonal)
{
    __shared__ int table[SIDE + 1][SIDE + 1];
    __shared__ int reference[SIDE][SIDE];
    int lane = threadIdx.x, tile_x = blockIdx.x, tile_y = diagonal - 1 - tile_x;
    int corner = columns * SIDE * tile_y + SIDE * tile_x, inner = corner + columns + 1;
    if (lane == 0)
        table[0][0] = items[corner];
    for (int y = 0; y < SIDE; y++)
        reference[y][lane] = references[inner + y * columns + lane];
    __syncthreads();
    table[lane + 1][0] = items[corner + columns * (lane + 1)];
    __syncthreads();
    table[0][lane + 1] = items[corner + lane + 1];
    __syncthreads();
    sweep(table, reference, lane, penalty);
    for (int y = 0; y < SIDE; y++)
        items[inner + y * columns + lane] = table[y + 1][lane + 1];
}

extern "C" __global__ void shrink(const int *references, int *items, int columns, int penalty,
                                  int diagonal, int tiles)
{
    __shared__ int table[SIDE + 1][SIDE + 1];
    __shared__ int reference[SIDE][SIDE];
    int lane = threadIdx.x, tile_x = blockIdx.x + tiles - diagonal, tile_y = tiles - blockIdx.x - 1;
    int corner = columns * SIDE * tile_y + SIDE * tile_x, inner = corner + columns + 1;
    for (int y = 0; y < SIDE; y++)
        reference[y][lane] = references[inner + y * columns + lane];
    __syncthreads();
    if (lane == 0)
        table[0][0] = items[corner];
    table[lane + 1][0] = items[corner + columns * (lane + 1)];
    __syncthreads();
    table[0][lane + 1] = items[corner + lane + 1];
    __syncthreads();
    sweep(table, reference, lane, penalty);
    for (int y = 0; y < SIDE; y++)
        items[inner + y * columns + lane] = table[y + 1][lane + 1];
}
