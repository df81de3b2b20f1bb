#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 920. Does calibrate draw parameters of a front end where they act alone: for look-ups in
# embedding tables none of strides, graphs or matrices; those of a stream with jumps where one
# workload of a sweep is one; and where no workload of a sweep is, the default?
source "$(dirname "$0")/../cli/common.sh"
mkdir -p sweeps/paper/tables sweeps/paper/both
sweep() { # PAPER WORD WORKLOADS
    cat >sweeps/paper/"$1"/"$2".yaml <<END
sweep: $1-$2
mechanism: neummu_sparse
preset: neummu
workloads: [$3]
fidelity: full
design: grid
vary: {mode: [numa_slow, numa_fast]}
fix: {sparse_batch: 4, sparse_batches: 2, sparse_dimension: 16, sparse_request_bytes: 64}
END
}
published() { # PAPER WORD...
    local paper=$1 word
    shift
    echo 'id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note,depends'
    for word in "$@"; do
        echo "$word,fig. 1,latency of a batch,ns,500,stated,text,1,1000000,SELECT avg(batch_latency) AS value FROM :$word,,,"
    done >rows
    cat rows
}
few="--waves 1 --samples 8 --inner 4 --errors 2 --full 2 --directed 0 --aimed 0 --threads 1 --no-figures"
# drawn PAPER: the front end's parameters among the unknowns, in the order of its table.
drawn() { sed -n 's/^| \(sparse_[a-z_]*\) |.*/\1/p' results/paper/"$1"-region.md | sort -u | tr '\n' ' '; }

sweep tables looked 'dlrm/b1'
published tables looked >sweeps/paper/tables/published.csv
gives 0 "$memsweep" calibrate tables $few
same "$(drawn tables)" "sparse_alignment sparse_burst sparse_ids sparse_indices sparse_interval sparse_zipf " "drawn for look-ups"
# Of equal tables 2, of a graph 1, of a matrix 1, of a stream 6; others are the mechanism's.
nowhere=$(grep -oE '[0-9]+ further unknowns act at no point of the sweeps' results/paper/tables-region.md | cut -d ' ' -f 1)
[ "${nowhere:-0}" -ge 10 ] || fail "'$nowhere' unknowns act nowhere, wanted 10 and more"

sweep both looked 'dlrm/b1'
sweep both mixed 'dlrm/b1, jumps'
published both looked mixed >sweeps/paper/both/published.csv
gives 0 "$memsweep" calibrate both $few
same "$(drawn both)" "sparse_alignment sparse_burst sparse_far sparse_ids sparse_indices sparse_interval \
sparse_near_span sparse_run sparse_run_shape sparse_span sparse_stride sparse_zipf " "drawn for both"
values() { # WORD COLUMNS: of the settings at the closed form, each once
    "$memsweep" query results/paper/both-unknowns.db -s both-"$1"@analytic -c "$2" -f tsv | tail -n +2 | sort -u
}
same "$(values looked sparse_span,sparse_far,sparse_run,sparse_stride)" "$(printf '1073741824\t1\t1\t64')" \
    "where no workload has jumps"
[ "$(values mixed sparse_span,sparse_far,sparse_run,sparse_stride | wc -l)" -gt 1 ] || fail "jumps were not drawn"
[ "$(values looked sparse_zipf | wc -l)" -gt 1 ] || fail "popularity was not drawn"
finish
