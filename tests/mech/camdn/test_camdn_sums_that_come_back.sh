#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 720. Does the closed form of camdn say what the cycle model says about who waits for
# memory, and who for the cache? A tile loads weights, sums that come back, then activations: where
# activations stay in their buffer it waits for its sums, which lie in the cache, not for its
# weights.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

# share METRIC FIDELITY: per mille of all cycles
share() {
    "$memsweep" eval camdn --fidelity "$2" -f tsv tiling=gemmini cache_control=pages bypass=on \
        tenants=1 tasks=2 >out 2>err || fail "eval at $2: exit code $?, $(cat err)"
    awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { printf "%d", 1000 * $at[name] / $at["cycles"] }' out
}

for metric in wait_cache wait_memory; do
    closed=$(share $metric analytic) cycles=$(share $metric full)
    apart=$((closed - cycles))
    [ "${apart#-}" -le 25 ] || fail "$metric: $closed per mille, at full $cycles"
done
finish
