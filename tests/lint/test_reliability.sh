#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does docs/internals/reliability.md show what tests/reliability holds, are its counts whole, and are there no
# defects among them?
set -u
cd "${MEMSWEEP_SOURCE:?}" || exit 1
bad=0
page=$(mktemp)
trap 'rm -f "$page"' EXIT
if ! scripts/reliability "$page" || ! diff docs/internals/reliability.md "$page"; then
    echo "docs/internals/reliability.md differs from tests/reliability: run scripts/reliability"
    bad=1
fi
awk -F '\t' '
    FNR > 1 { name = $1 " / " $2; times[name] = $3; sum[name] += $5 }
    FNR > 1 && $4 == "DEFECT" { print FILENAME ": " name ": a defect"; bad = 1 }
    END {
        for (name in times)
            if (times[name] != sum[name]) {
                print "tests/reliability: " name ": " times[name] " times, but " sum[name] " outcomes"
                bad = 1
            }
        exit bad
    }' tests/reliability/*.tsv || bad=1
for target in tests/fuzz/fuzz_*.c; do
    name=${target##*/fuzz_}
    grep -q "^${name%.c}	" tests/fuzz/inputs.tsv || {
        echo "tests/fuzz/inputs.tsv does not say what $target reads"
        bad=1
    }
done
for kind in $(tail -qn +2 tests/reliability/*.tsv | cut -f 1 | sort -u); do
    grep -q "^<!-- measured: $kind -->" docs/internals/reliability.md || {
        echo "docs/internals/reliability.md has no table of $kind"
        bad=1
    }
done
exit $bad
