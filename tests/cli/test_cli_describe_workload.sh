#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
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
has "$out" "ptx         gather.ptx"

sed 's/f32\[n\] = 0.5/f32[n - 256] = 0.5/' mine/gather.simt >mine/short.simt
gives 2 "$memsweep" describe mine/short.simt
has "$err" "mine/gather.ptx:51: kernel gather, CTA 4095,0,0, warp "
has "$err" "of array 'scale', which has 4193280 bytes"

# What no address depends on is not loaded, but is asked for all the same.
cp "$MEMSWEEP_SOURCE"/workloads/simt/axpy/natural.ptx mine
sed 's/array b f32\[n\]/array b f32[n - 256]/' "$MEMSWEEP_SOURCE"/workloads/simt/axpy/natural.simt >mine/natural.simt
gives 2 "$memsweep" describe mine/natural.simt
has "$err" "kernel axpy, CTA 65535,0,0, warp 1: found 4 bytes at address"
has "$err" "of array 'b', which has 67107840 bytes"

printf 'ptx gather.ptx\nlaunch gater grid(1) block(1) args()\n' >mine/wrong.simt
gives 2 "$memsweep" describe mine/wrong.simt
has "$err" "mine/wrong.simt:2:8: "
has "$err" gather

# Sweeps read the same two files.
printf 'sweep: s\nmechanism: "null"\nworkloads: [mine/gather.simt]\n' >s.yaml
gives 2 "$memsweep" check s.yaml
has "$err" "gives programs, but mechanism 'null' works on units"

# Settings of the front end, as a sweep file has them.
gives 0 "$memsweep" describe llama3_1b/decode npu_context=4096 npu.weight_bits=4
has "$out" "npu_context          4096"
has "$out" "1,235,814,400 parameters"
has "$out" "in attention to 4096 tokens"
has "$out" "keys and values: 32,768 B a token"
gives 2 "$memsweep" describe llama3_1b/decode npu_contxt=1
has "$err" "front end 'npu' has no parameter 'npu_contxt'"
gives 2 "$memsweep" describe llama3_1b/decode npu_context=0
has "$err" "npu_context"
gives 2 "$memsweep" describe null npu_context=1
has "$err" "null: found npu_context=1, allowed: of a workload"

# Tables that a list names lie beside it, or, where they are ours, in a data folder.
gives 0 "$memsweep" describe mix/camdn_light
has "$out" "mobilenet_v2              1     1    2.8       64"
gives 0 "$memsweep" describe mix:mobilenet_v2+gnmt_s1/b2:3
has "$out" "gnmt_s1                   3     2"
head -12 "$MEMSWEEP_SOURCE"/workloads/npu/resnet50.csv >mine/head.csv
printf 'network,weight\nhead.csv,2\ngnmt_s1,1\n' >mine/list.csv
gives 0 "$memsweep" describe mix:mine/list.csv
has "$out" "head.csv                  2"
has "$out" "gnmt_s1                   1"
printf 'network\nother.csv\n' >mine/list.csv
gives 3 "$memsweep" describe mix:mine/list.csv
has "$err" "mine/other.csv"
gives 2 "$memsweep" describe mix:resnet
has "$err" "no network 'resnet', did you mean 'resnet50'?"

mv mine/gather.ptx mine/other.ptx
gives 3 "$memsweep" describe mine/gather.simt
has "$err" "mine/gather.simt: "
has "$err" "mine/gather.ptx"
gives 2 "$memsweep" describe mine/none.simt
has "$err" "no file 'mine/none.simt' here or in the data folders"
finish
