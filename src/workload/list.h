/* SPDX-License-Identifier: MIT */
/* The front ends: one line each. */
FRONT(synth)
FRONT(mix) /* before npu: mix:mine.csv ends as its files do */
FRONT(npu)
FRONT(sparse)
FRONT(trace)
FRONT(simt)
FRONT(pages)
FRONT(decode)
