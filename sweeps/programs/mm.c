/* SPDX-License-Identifier: MIT */
/* mm N TILE: multiplies two N x N matrices of doubles, block by block. */
#include <stdio.h>
#include <stdlib.h>

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void multiply(int n, int t, const double *a, const double *b, double *c)
{
    for (int ii = 0; ii < n; ii += t)
        for (int kk = 0; kk < n; kk += t)
            for (int jj = 0; jj < n; jj += t)
                for (int i = ii; i < least(n, ii + t); i++)
                    for (int k = kk; k < least(n, kk + t); k++)
                        for (int j = jj; j < least(n, jj + t); j++)
                            c[i * n + j] += a[i * n + k] * b[k * n + j];
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[1]) : 0, t = argc > 2 ? atoi(argv[2]) : 0;
    if (n < 1 || t < 1)
        return 2;
    size_t cells = (size_t)n * (size_t)n;
    double *a = calloc(cells, sizeof *a), *b = calloc(cells, sizeof *b),
           *c = calloc(cells, sizeof *c);
    if (!a || !b || !c)
        return 3;
    for (size_t i = 0; i < cells; i++) {
        a[i] = (double)(i % 7);
        b[i] = (double)(i % 5);
    }
    multiply(n, t, a, b, c);
    printf("%g\n", c[cells - 1]);
    return 0;
}
