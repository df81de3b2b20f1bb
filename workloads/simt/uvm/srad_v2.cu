// Srad-v2: speckle-reducing diffusion of an image. The first kernel makes the derivatives and the
// coefficient of each pixel, the second moves the pixel by them.
enum { SIDE = 16 };

extern "C" __global__ void derive(float *east, float *west, float *north, float *south,
                                  const float *image, float *coefficient, int columns, int rows,
                                  float q0)
{
    __shared__ float here[SIDE][SIDE], n[SIDE][SIDE], s[SIDE][SIDE], w[SIDE][SIDE], e[SIDE][SIDE];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int x = SIDE * bx + tx, y = SIDE * by + ty, at = columns * y + x;
    n[ty][tx] = image[columns * max(SIDE * by - 1, 0) + x];
    s[ty][tx] = image[columns * min(SIDE * by + SIDE, rows - 1) + x];
    __syncthreads();
    w[ty][tx] = image[columns * y + max(SIDE * bx - 1, 0)];
    e[ty][tx] = image[columns * y + min(SIDE * bx + SIDE, columns - 1)];
    __syncthreads();
    here[ty][tx] = image[at];
    __syncthreads();
    float j = here[ty][tx];
    float dn = (ty == 0 ? n[ty][tx] : here[ty - 1][tx]) - j;
    float ds = (ty == SIDE - 1 ? s[ty][tx] : here[ty + 1][tx]) - j;
    float dw = (tx == 0 ? w[ty][tx] : here[ty][tx - 1]) - j;
    float de = (tx == SIDE - 1 ? e[ty][tx] : here[ty][tx + 1]) - j;
    float squares = fmaf(de, de, fmaf(dw, dw, fmaf(ds, ds, __fmul_rn(dn, dn))));
    float g2 = squares / __fmul_rn(j, j);
    float l = __fadd_rn(__fadd_rn(__fadd_rn(dn, ds), dw), de) / j;
    float num = fmaf(0.5f, g2, -__fmul_rn(0.0625f, __fmul_rn(l, l)));
    float den = fmaf(0.25f, l, 1.0f);
    float q = num / __fmul_rn(den, den);
    float d = __fadd_rn(q, -q0) / __fmul_rn(q0, __fadd_rn(1.0f, q0));
    float c = 1.0f / __fadd_rn(1.0f, d);
    coefficient[at] = c < 0 ? 0.0f : c > 1 ? 1.0f : c;
    east[at] = de;
    west[at] = dw;
    south[at] = ds;
    north[at] = dn;
}

extern "C" __global__ void diffuse(const float *east, const float *west, const float *north,
                                   const float *south, float *image, const float *coefficient,
                                   int columns, int rows, float lambda)
{
    __shared__ float c[SIDE][SIDE], s[SIDE][SIDE], e[SIDE][SIDE], here[SIDE][SIDE];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int x = SIDE * bx + tx, y = SIDE * by + ty, at = columns * y + x;
    here[ty][tx] = image[at];
    __syncthreads();
    s[ty][tx] = coefficient[columns * min(SIDE * by + SIDE, rows - 1) + x];
    e[ty][tx] = coefficient[columns * y + min(SIDE * bx + SIDE, columns - 1)];
    __syncthreads();
    c[ty][tx] = coefficient[at];
    __syncthreads();
    float cc = c[ty][tx];
    float cs = ty == SIDE - 1 ? s[ty][tx] : c[ty + 1][tx];
    float ce = tx == SIDE - 1 ? e[ty][tx] : c[ty][tx + 1];
    float sum = __fmul_rn(cc, north[at]);
    sum = fmaf(cs, south[at], sum);
    sum = fmaf(cc, west[at], sum);
    sum = fmaf(ce, east[at], sum);
    image[at] = fmaf(__fmul_rn(0.25f, lambda), sum, here[ty][tx]);
}
