#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do the same rows come out for any number of ranks and threads?
source "$(dirname "$0")/common.sh"
sweep same 'fail_share: 0.05' 'gain: 1.5'
sed -i '/^  gain: \[1, 2, 3\]/d; s/small\]/small, synth\/even]/; s/count: 11/count: 21/g' same.yaml
sed -i 's/fidelity: analytic/fidelity: sampled/' same.yaml
gives 1 "$memsweep" run same.yaml -q -t 1 -o one.db
wanted=$(digest one.db)
for count in 1 2 4 8; do
    for threads in 1 2; do
        gives 1 ranks $count run same.yaml -t $threads -o "$count-$threads.db"
        same "$(digest "$count-$threads.db")" "$wanted" "digest of $count ranks x $threads threads"
        has "$err" "point "
    done
done
gives 1 ranks 3 run same.yaml -q --shuffle -o shuffled.db
same "$(digest shuffled.db)" "$wanted" "digest of a shuffled run"

# A file that is partly filled is completed; nothing is left to do afterwards.
sweep part 'x3: 0'
gives 0 "$memsweep" run part.yaml -q
sed -i 's/gain: \[1, 2, 3\]/gain: [1, 2, 3, 4]/' part.yaml
gives 0 ranks 3 run part.yaml
has "$out" "121 to evaluate on 3 ranks"
gives 0 ranks 3 run part.yaml
has "$out" "none to evaluate"
gives 0 "$memsweep" run part.yaml -q -o part-one.db
same "$(digest part)" "$(digest part-one.db)" "digest of a completed file"
gives 0 ranks 2 run part.yaml --no-store

# A sweep whose points need files.
cat >listed.yaml <<'YAML'
extends: base.yaml
sweep: listed
design: {kind: list, file: points.csv}
YAML
printf 'mechanism: null\nworkloads: [synth/small]\nfidelity: analytic\n' >base.yaml
printf 'x1,x2\n0.25,0.5\n0.75,1\n' >points.csv
gives 0 ranks 3 run listed.yaml
has "$out" "2 points"
finish
