#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 444. Loads that were offloaded whole left the LSU at once and could wait for the near table
# without end: a kernel with eight of them in a row ran out of room for accesses, and the point
# failed. They wait in a buffer now, and the LSU behind it.
source "$(dirname "$0")/../../cli/common.sh"

cat >many.yaml <<'END'
sweep: many
mechanism: mpu
preset: far_shared
workloads: ["ttrans/paper_counted/h=256,w=256,ctas=16"]
fidelity: full
fix: {processors: 1, processor_columns: 1, cores: 4, core_columns: 2, tsv_bits: 256}
END
gives 0 "$memsweep" run -q many.yaml -o many.db
gives 0 "$memsweep" query many.db -f tsv -c status,whole_loads
has "$out" "ok	2048"

finish
