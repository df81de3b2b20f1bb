#!/usr/bin/env bash
# Does `describe` tell about workloads with settings in their names and about a user's own files, and
# what is wrong with them? A front end's further files lie beside the first.
source "$(dirname "$0")/common.sh"
example=${MEMSWEEP_SOURCE:?}/workloads/simt/example

gives 0 "$memsweep" describe alexnet/b3
has "$out" "workload alexnet/b3"
has "$out" "npu_batch            3"

gives 0 "$memsweep" describe gemv/paper_unrolled/rows=64
has "$out" "workloads/simt/gemv/paper.simt"
has "$out" "64 x f32"
has "$out" "paper_unrolled.ptx"
gives 2 "$memsweep" describe gemv/rows=0
has "$err" "found rows=0, allowed: 1 .. 65536"
gives 2 "$memsweep" describe gemv/lines=3
has "$err" "found size 'lines', allowed: rows, cols, ctas, ptx"
gives 2 "$memsweep" describe gemv/rows
has "$err" "nothing is called 'gemv/rows'"

mkdir mine
cp "$example/gather.simt" "$example/gather.ptx" mine
gives 0 "$memsweep" describe mine/gather.simt/n=0x30
has "$out" "48 x s32"
has "$out" "mine/gather.ptx"

printf 'ptx gather.ptx\nlaunch gater grid(1) block(1) args()\n' >mine/wrong.simt
gives 2 "$memsweep" describe mine/wrong.simt
has "$err" "mine/wrong.simt:2:8: "
has "$err" gather

# Sweeps read the same two files.
printf 'sweep: s\nmechanism: "null"\nworkloads: [mine/gather.simt]\n' >s.yaml
gives 2 "$memsweep" check s.yaml
has "$err" "gives programs, but mechanism 'null' works on units"

mv mine/gather.ptx mine/other.ptx
gives 3 "$memsweep" describe mine/gather.simt
has "$err" "mine/gather.simt: "
has "$err" "mine/gather.ptx"
gives 2 "$memsweep" describe mine/none.simt
has "$err" "no file 'mine/none.simt' here or in the data folders"
finish
