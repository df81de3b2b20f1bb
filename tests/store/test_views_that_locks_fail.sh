#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 923. Where a lock cannot be had while the view of a sweep is made, does a query say that,
# with exit code 3, and not that there is no such sweep?
source "$(dirname "$0")/../cli/common.sh"
faults=$MEMSWEEP_BUILD/tests/faults
[ -x "$faults" ] || {
    echo "skipped: no $faults"
    exit 77
}
for cv in 0.1 0.2 0.3 0.4; do
    printf 'sweep: small\nmechanism: null\nworkloads: [synth/small]\nfix: {x1: %s}\n' $cv >small.yaml
    gives 0 "$memsweep" run small.yaml -q -o small.db
done
old=$("$memsweep" query small.db -f tsv --sql \
    "SELECT name || '@' || substr(digest, 1, 8) FROM msw_sweep WHERE is_current = 0" | tail -n 1)
has "$old" "small@"
failed=0
for seed in $(seq 1 150); do
    timeout 60 "$faults" --program lock 0.05 "$seed" 0 query small.db --sql "SELECT x1 FROM \"$old\"" >out 2>err
    code=$?
    case $code in
    0) ;;
    3) failed=$((failed + 1)) ;;
    *) fail "seed $seed: exit code $code: $(head -c 300 err)" ;;
    esac
done
[ $failed -ge 30 ] || fail "only $failed of 150 locks mattered"
finish
