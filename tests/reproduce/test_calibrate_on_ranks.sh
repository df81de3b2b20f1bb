#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 900. Does calibrate print, write and store the same on one process and on 1, 2 and 3 ranks,
# whose points all of them compute?
source "$(dirname "$0")/../mpi/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
toy_published ',0.6'
ask="--unknowns x1,x2 --waves 2 --samples 24 --errors 4 --full 8 --directed 4 --threads 1 --no-figures"

# rows_of FILE: all rows of a database, whoever computed them and in which order.
rows_of() {
    "$memsweep" query "$1" -f tsv --sql \
        'SELECT hex(key) AS k, status, y, f1, f2, f3, x1, x2, x3 FROM points_null ORDER BY k'
}

gives 0 "$memsweep" calibrate toy $ask --results one -o one
cp out one.out
rows_of one/toy-unknowns.db >one.rows
[ "$(wc -l <one.rows)" -gt 200 ] || fail "few rows: $(wc -l <one.rows)"
for count in 1 2 3; do
    dir=on-$count
    gives 0 ranks $count calibrate toy $ask --results $dir -o $dir
    cmp out one.out || fail "$count ranks print another table"
    for file in toy-region.md toy-settings.tsv; do
        cmp one/$file $dir/$file || fail "$count ranks write another $file"
    done
    rows_of $dir/toy-unknowns.db | cmp - one.rows || fail "$count ranks store other rows"
    for file in toy.db toy-unknowns.db; do
        same "$(digest $dir/$file)" "$(digest one/$file)" "digest of $file on $count ranks"
    done
    gives 0 "$memsweep" query $dir/toy-unknowns.db --sql 'SELECT DISTINCT ranks FROM msw_run' -f tsv
    same "$(echo "$out" | tail -n +2)" $count "ranks of the runs"
done

# Who is not rank 0 reads nothing: rank 1 stands where the paper is not.
mkdir -p elsewhere
gives 0 mpirun --oversubscribe --bind-to none -n 1 "$memsweep" calibrate toy $ask --results apart -o apart : \
    -n 1 -wdir "$PWD/elsewhere" "$memsweep" calibrate toy $ask --results apart -o apart
cmp one/toy-region.md apart/toy-region.md || fail "ranks in two folders write another page"
same "$(ls -A elsewhere)" "" "what rank 1 wrote"

# Copies that do not see one another would write into the same files.
SLURM_STEP_NUM_TASKS=4 gives 2 "$memsweep" calibrate toy $ask
has "$err" "4 copies were started"
finish
