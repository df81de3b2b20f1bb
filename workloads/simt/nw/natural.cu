// NW: global alignment of two long sequences, one anti-diagonal of 16 x 16 tiles per launch, scores
// in rows; the first row and the first column hold the penalties.
enum { SIDE = 16 };

extern "C" __global__ void align(const int *__restrict__ substitution, int *scores, int columns,
                                 int tiles, int diagonal, int penalty)
{
    __shared__ int reference[SIDE][SIDE];
    __shared__ int table[SIDE + 1][SIDE + 1];
    int lane = threadIdx.x;
    int tile_x = blockIdx.x + max(diagonal - tiles + 1, 0), tile_y = diagonal - tile_x;
    int corner = tile_y * SIDE * columns + tile_x * SIDE, inner = corner + columns + 1;
    if (lane == 0)
        table[0][0] = scores[corner];
    for (int row = 0; row < SIDE; row++)
        reference[row][lane] = substitution[inner + row * columns + lane];
    table[lane + 1][0] = scores[corner + (lane + 1) * columns];
    table[0][lane + 1] = scores[corner + lane + 1];
    __syncthreads();
    for (int step = 0; step < 2 * SIDE - 1; step++) {
        int y = step - lane;
        if (y >= 0 && y < SIDE) {
            int best = table[y][lane] + reference[y][lane];
            best = max(best, table[y + 1][lane] - penalty);
            table[y + 1][lane + 1] = max(best, table[y][lane + 1] - penalty);
        }
        __syncthreads();
    }
    for (int row = 0; row < SIDE; row++)
        scores[inner + row * columns + lane] = table[row + 1][lane + 1];
}
