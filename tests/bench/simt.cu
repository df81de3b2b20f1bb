__global__ void axpy(const float *__restrict__ x, float *y, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}
__global__ void hist(const float *__restrict__ x, unsigned *h, int n) {
  __shared__ unsigned bins[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[((int)(x[i] * 256.f)) & 255], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&h[i], bins[i]);
}
__global__ void blur(const float *__restrict__ in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  float s = 0;
  #pragma unroll
  for (int j = -1; j <= 1; j++)
  #pragma unroll
    for (int i = -1; i <= 1; i++) s += in[(y + j) * w + x + i];
  out[y * w + x] = s * (1.f / 9);
}
__global__ void reduce(const float *__restrict__ x, float *y, int n) {
  __shared__ float s[256];
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
  s[threadIdx.x] = v; __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) { if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d]; __syncthreads(); }
  if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}
__global__ void matmul(const float *__restrict__ a, const float *__restrict__ b, float *c, int n) {
  __shared__ float as[16][16], bs[16][16]; int tx=threadIdx.x, ty=threadIdx.y, r=blockIdx.y*16+ty, q=blockIdx.x*16+tx; float s=0;
  for (int t=0;t<n/16;t++){ as[ty][tx]=a[r*n+t*16+tx]; bs[ty][tx]=b[(t*16+ty)*n+q]; __syncthreads(); for(int k=0;k<16;k++) s+=as[ty][k]*bs[k][tx]; __syncthreads(); }
  c[r*n+q]=s;
}
__global__ void mandel(float *out, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; float cx = (i % w) * 3.f / w - 2, cy = (i / w) * 2.f / w - 1, x = 0, y = 0; int k = 0;
  while (k < 200 && x*x + y*y < 4) { float t = x*x - y*y + cx; y = 2*x*y + cy; x = t; k++; } out[i] = k;
}
__global__ void doubles(const double *__restrict__ x, double *y, int n) { int i = blockIdx.x*blockDim.x+threadIdx.x; if (i<n) { double v=x[i]; for (int k=0;k<50;k++) v = v*v - 0.7; y[i]=v; } }
