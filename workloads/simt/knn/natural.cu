// KNN: distance of every record to one point; records of two coordinates (array of structures), one
// thread per record, with the square root.
struct record {
    float x, y;
};

extern "C" __global__ void knn(const record *records, float *distance, int n, float at_x,
                               float at_y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float dx = records[i].x - at_x, dy = records[i].y - at_y;
        distance[i] = sqrtf(dx * dx + dy * dy);
    }
}
