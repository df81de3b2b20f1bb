// NW: global alignment of independent pairs of length 32, one warp per pair at a time, the table of
// scores and the substitution scores in shared memory. Row r of all pairs lies before row r + 1.
#include "../common.h"

enum { LENGTH = 32 };

static __device__ void score(int (*scores)[LENGTH + 1], int (*reference)[LENGTH], int x, int y,
                             int penalty)
{
    int best = scores[y][x] + reference[y][x];
    best = max(best, scores[y + 1][x] - penalty);
    scores[y + 1][x + 1] = max(best, scores[y][x + 1] - penalty);
}

extern "C" __global__ void align(const int *first, const int *second, const int *substitution,
                                 int *out, int pairs, int penalty)
{
    __shared__ int reference[LENGTH][LENGTH];
    __shared__ int scores[LENGTH + 1][LENGTH + 1];
    int lane = threadIdx.x;
    STRIDE
    for (int pair = blockIdx.x; pair < pairs; pair += gridDim.x) {
        if (lane == 0)
            scores[0][0] = 0;
        scores[0][lane + 1] = first[pair * LENGTH + lane];
        scores[lane + 1][0] = second[pair * LENGTH + lane];
        LOOP
        for (int row = 0; row < LENGTH; row++)
            reference[row][lane] = substitution[(row * pairs + pair) * LENGTH + lane];
        __syncthreads();
        LOOP
        for (int diagonal = 0; diagonal < 2 * LENGTH - 1; diagonal++) {
            int y = diagonal - lane;
            if (y >= 0 && y < LENGTH)
                score(scores, reference, lane, y, penalty);
            __syncthreads();
        }
        LOOP
        for (int row = 0; row < LENGTH; row++)
            out[(row * pairs + pair) * LENGTH + lane] = scores[row + 1][lane + 1];
        __syncthreads();
    }
}
