// Pathfinder: the cheapest way down a wall, row by row. A CTA of 256 does `steps` rows in shared
// memory; each row leaves one column less on both sides that is right.
enum { SIDE = 256 };

extern "C" __global__ void walk(int steps, const int *wall, const int *from, int *to, int columns,
                                int start, int border)
{
    __shared__ int now[SIDE];
    __shared__ int next[SIDE];
    int lane = threadIdx.x, left = (SIDE - 2 * steps) * blockIdx.x - border, x = left + lane;
    int first = max(0, -left), last = min(SIDE - 1, columns - 1 - left);
    int west = max(lane - 1, first), east = min(lane + 1, last);
    bool inside = lane >= first && lane <= last, done = false;
    if (x >= 0 && x < columns)
        now[lane] = from[x];
    __syncthreads();
    for (int i = 0; i < steps; i++) {
        done = false;
        if (lane >= i + 1 && lane <= SIDE - 2 - i && inside) {
            done = true;
            next[lane] = min(min(now[west], now[lane]), now[east]) + wall[columns * (start + i) + x];
        }
        __syncthreads();
        if (i == steps - 1)
            break;
        if (done)
            now[lane] = next[lane];
        __syncthreads();
    }
    if (done)
        to[x] = next[lane];
}
