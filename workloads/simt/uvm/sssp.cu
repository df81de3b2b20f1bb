// Shortest paths from a node after Harish and Narayanan: two kernels a round, a thread per node. The
// first relaxes the edges of the nodes in the mask into costs to come, the second takes what is lower
// and makes these nodes the next mask. A host loop launches both until nothing was lower.
extern "C" __global__ void relax(const unsigned *rows, const unsigned *edges, const unsigned *weights,
                                 unsigned char *mask, const unsigned *cost, unsigned *coming, unsigned n)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || !mask[v])
        return;
    mask[v] = 0;
    for (unsigned e = rows[v]; e < rows[v + 1]; e++)
        atomicMin(&coming[edges[e]], cost[v] + weights[e]);
}

extern "C" __global__ void take(unsigned char *mask, unsigned *cost, unsigned *coming,
                                unsigned char *more, unsigned n)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    if (coming[v] < cost[v]) {
        cost[v] = coming[v];
        mask[v] = *more = 1;
    }
    coming[v] = cost[v];
}
