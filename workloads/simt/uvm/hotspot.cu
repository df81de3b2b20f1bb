// Hotspot: temperatures of a chip. A CTA of 16 x 16 takes a tile with its surroundings and does
// `steps` time steps in shared memory; each step leaves one ring less that is right.
enum { SIDE = 16 };

extern "C" __global__ void step(int steps, const float *power, const float *from, float *to,
                                int columns, int rows, int border, float rate, float rx, float ry,
                                float rz)
{
    __shared__ float now[SIDE][SIDE];
    __shared__ float heat[SIDE][SIDE];
    __shared__ float next[SIDE][SIDE];
    int tx = threadIdx.x, ty = threadIdx.y, inner = SIDE - 2 * border;
    int top = inner * blockIdx.y - border, left = inner * blockIdx.x - border;
    int y = top + ty, x = left + tx;
    bool inside = y >= 0 && y < rows && x >= 0 && x < columns;
    if (inside) {
        now[ty][tx] = from[columns * y + x];
        heat[ty][tx] = power[columns * y + x];
    }
    __syncthreads();
    int first_y = max(0, -top), last_y = min(SIDE - 1, rows - 1 - top);
    int first_x = max(0, -left), last_x = min(SIDE - 1, columns - 1 - left);
    int north = max(ty - 1, first_y), south = min(ty + 1, last_y);
    int west = max(tx - 1, first_x), east = min(tx + 1, last_x);
    bool done = false;
    for (int i = 0; i < steps; i++) {
        done = false;
        if (tx >= i + 1 && tx <= SIDE - 2 - i && ty >= i + 1 && ty <= SIDE - 2 - i && inside) {
            done = true;
            float here = now[ty][tx];
            float sum = heat[ty][tx];
            sum = fmaf(now[south][tx] + now[north][tx] - (here + here), ry, sum);
            sum = fmaf(now[ty][east] + now[ty][west] - (here + here), rx, sum);
            sum = fmaf(80.0f - here, rz, sum);
            next[ty][tx] = fmaf(rate, sum, here);
        }
        __syncthreads();
        if (i == steps - 1)
            break;
        if (done)
            now[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (done)
        to[columns * y + x] = next[ty][tx];
}
