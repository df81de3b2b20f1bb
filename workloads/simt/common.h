/* Every loop of the kernels says LOOP: as it is for the preset paper_unrolled, not unrolled
 * otherwise. */
#ifdef UNROLLED
#define LOOP
#else
#define LOOP _Pragma("unroll 1")
#endif
