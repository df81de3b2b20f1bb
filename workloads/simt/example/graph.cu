// SPDX-License-Identifier: MIT
// Two kernels on a graph, or a sparse matrix, in rows: rows[v] .. rows[v + 1] are the places of row v
// in columns. bfs.simt and spmv.simt say what surrounds them.

// One step of a breadth-first search: neighbours of level `now` get level `now + 1`.
extern "C" __global__ void bfs(const unsigned *rows, const unsigned *columns, int *level,
                               unsigned *more, unsigned n, int now)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] != now)
        return;
    for (unsigned e = rows[v]; e < rows[v + 1]; e++)
        if (level[columns[e]] < 0) {
            level[columns[e]] = now + 1;
            *more = 1;
        }
}

// y = A x, a thread per row.
extern "C" __global__ void spmv(const unsigned *rows, const unsigned *columns,
                                const float *weights, const float *x, float *y, unsigned n)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    float sum = 0;
    for (unsigned e = rows[v]; e < rows[v + 1]; e++)
        sum = __fmaf_rn(weights[e], x[columns[e]], sum);
    y[v] = sum;
}
