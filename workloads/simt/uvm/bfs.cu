// Breadth-first search of Rodinia's kind: two kernels a level, a thread per node. The first visits the
// nodes of the mask, the second makes what it found the next mask. Where several nodes reach one, all
// write the same cost. A host loop launches both until nothing was found.
struct node {
    int first, degree;
};

extern "C" __global__ void visit(const node *nodes, const int *edges, unsigned char *mask,
                                 unsigned char *found, const unsigned char *visited, int *cost, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || !mask[v])
        return;
    mask[v] = 0;
    for (int e = nodes[v].first; e < nodes[v].first + nodes[v].degree; e++) {
        int to = edges[e];
        if (visited[to])
            continue;
        cost[to] = cost[v] + 1;
        found[to] = 1;
    }
}

extern "C" __global__ void advance(unsigned char *mask, unsigned char *found, unsigned char *visited,
                                   unsigned char *more, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || !found[v])
        return;
    mask[v] = visited[v] = *more = 1;
    found[v] = 0;
}
