#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 421. Do limits of a sweep file hold in every analysis, over workloads in each of them, and
# are they checked when the file is read? Does a sweep without limits keep its text?
source "$(dirname "$0")/../cli/common.sh"

cat >free.yaml <<'END'
sweep: free
mechanism: null
workloads: [synth/even, synth/small]
fidelity: analytic
vary: {gain: [1, 1.5, 2, 3], carry: [0, 0.5]}
derive: {twice: "2 * slowdown"}
objectives: {minimize: [slowdown], maximize: [rate]}
END
{ sed 's/free/held/' free.yaml && printf 'subject_to: ["twice <= 5", "slowdown >= 1 + carry / 2"]\n'; } >held.yaml
gives 0 "$memsweep" run free.yaml -o all.db -q
gives 0 "$memsweep" run held.yaml -o all.db -q
count() {
    "$memsweep" query all.db -f tsv "$@" -c point | tail -n +2 | wc -l
}
inside="2 * slowdown <= 5 AND slowdown >= 1 + carry / 2"
same "$(count -s held -w within_limits)" "$(count -s free -w "$inside")" 'rows within'
gives 0 "$memsweep" pareto all.db -s free -w "$inside" --ranks 99 -f tsv -c point
front=$out
gives 0 "$memsweep" pareto all.db -s held --ranks 99 -f tsv -c point
same "$out" "$front" 'front within limits'
gives 0 "$memsweep" pareto all.db -s held
has "$out" "beyond the limits of the sweep"
gives 0 "$memsweep" pareto all.db -s held --limits off --ranks 99 -f tsv -c point
off=$out
gives 0 "$memsweep" pareto all.db -s free --ranks 99 -f tsv -c point
same "$out" "$off" 'front without limits'
gives 0 "$memsweep" sensitivity all.db -s held -m slowdown --method regression
has "$out" "beyond the limits of the sweep left out"
gives 0 "$memsweep" sensitivity all.db -s held -m slowdown --limits off
lacks "$out" "beyond the limits"
# over workloads a limit holds where it holds in each
same "$(count -s held@worst -w within_limits)" \
    "$("$memsweep" query all.db -f tsv --sql "SELECT count(*) AS n FROM (SELECT min($inside) AS kept FROM free GROUP BY design_index) WHERE kept" | tail -n 1)" \
    'designs within'

sed -i 's/twice <=/twicee <=/' held.yaml
gives 2 "$memsweep" check held.yaml
has "$err" "held.yaml:8:15: subject_to: "
has "$err" "twicee"
printf 'derive: {within_limits: "1"}\nsubject_to: "slowdown < 2"\n' | cat <(sed '/^derive/d' free.yaml) - >twice.yaml
gives 2 "$memsweep" check twice.yaml
has "$err" "'derive' has a column 'within_limits' already"
finish
