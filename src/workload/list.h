/* The front ends: one line each. */
FRONT(synth)
FRONT(npu)
FRONT(sparse)
FRONT(trace)
FRONT(simt)
