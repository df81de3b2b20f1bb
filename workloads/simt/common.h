/* Loops whose number of turns the compiler knows or that step by one say LOOP, those that step
 * through the grid STRIDE. The presets: paper keeps every loop as it is, paper_counted (COUNTED)
 * leaves LOOP to the compiler, paper_unrolled (UNROLLED) all. */
#if defined UNROLLED
#define LOOP
#define STRIDE
#elif defined COUNTED
#define LOOP
#define STRIDE _Pragma("unroll 1")
#else
#define LOOP   _Pragma("unroll 1")
#define STRIDE _Pragma("unroll 1")
#endif
