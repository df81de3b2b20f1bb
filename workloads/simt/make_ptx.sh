#!/usr/bin/env bash
# make_ptx.sh: makes the .ptx files here from the .cu files, with nvcc 13 (`-arch=sm_75` is its oldest
# target). Nobody needs it to build, test or use memsweep: what it makes is committed.
set -euo pipefail
cd "$(dirname "$0")"
for source in */*.cu; do
    nvcc -ptx -O3 -arch=sm_75 "$source" -o "${source%.cu}.ptx"
done
for source in */paper.cu; do
    nvcc -ptx -O3 -arch=sm_75 -DCOUNTED "$source" -o "${source%.cu}_counted.ptx"
    nvcc -ptx -O3 -arch=sm_75 -DUNROLLED "$source" -o "${source%.cu}_unrolled.ptx"
done
