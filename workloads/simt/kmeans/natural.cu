// KMEANS: the nearest of some centres for each point, features of a point side by side (array of
// structures), any numbers of both; one thread per point, all from global memory.
extern "C" __global__ void kmeans(const float *__restrict__ points,
                                  const float *__restrict__ centres, int *__restrict__ nearest,
                                  int n, int features, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float best = 3.4e38f;
    int found = 0;
    for (int k = 0; k < count; k++) {
        float distance = 0;
        for (int f = 0; f < features; f++) {
            float d = points[i * features + f] - centres[k * features + f];
            distance += d * d;
        }
        if (distance < best) {
            best = distance;
            found = k;
        }
    }
    nearest[i] = found;
}
