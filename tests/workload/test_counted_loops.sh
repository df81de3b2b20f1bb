#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 440. Kernels were judged with every loop as it is written, while the compiler that the
# authors of MPU used unrolls loops whose turns it can count. Their released tests
# (program/test/test_load_kernel.py) say how many blocks each kernel's PTX has; ours have as many
# labels where the sources agree.
source "$(dirname "$0")/../cli/common.sh"
kernels=${MEMSWEEP_SOURCE:?}/workloads/simt

labels() { # KERNEL PTX: of its first entry, without the block that it begins with
    awk '/\.entry/ { entries++ } entries == 1 && /^\$L__BB.*:/ { n++ } END { print n + 0 }' "$kernels/$1/$2.ptx"
}

while read -r kernel released ours rolled; do
    [ "$(labels "$kernel" paper_counted)" = "$ours" ] ||
        fail "$kernel: $(labels "$kernel" paper_counted) labels, $ours expected (released: $released)"
    [ "$(labels "$kernel" paper)" = "$rolled" ] || fail "$kernel, rolled: $(labels "$kernel" paper)"
done <<'END'
axpy 2 2 2
pr 10 10 5
ttrans 2 2 4
knn 2 2 2
maxp 2 2 5
upsamp 2 2 4
blur 3 3 6
conv 5 4 7
hist 7 6 6
kmeans 4 3 4
nw 10 9 7
gemv 19 13 7
END
# conv, hist, kmeans, nw: one branch less in our sources; gemv: another compiler's remainder loop.

gives 0 "$memsweep" describe blur/paper_counted
has "$out" "paper_counted.ptx"

finish
