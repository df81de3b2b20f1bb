#!/usr/bin/env bash
# run.sh PROGRAM: a fuzzer on tests/fuzz/corpus/<name>, if there is one. Built with libFuzzer, it runs
# for MEMSWEEP_FUZZ_SECONDS (3); else it makes MEMSWEEP_FUZZ_ROUNDS (5000) mutations.
set -euo pipefail
program=$1
name=$(basename "$program")
seeds=$(cd "$(dirname "$0")" && pwd)/corpus/${name#fuzz_}
[ -d "$seeds" ] || seeds=
if [ "${2:-}" = --mutate ]; then
    exec "$program" -rounds="${MEMSWEEP_FUZZ_ROUNDS:-5000}" ${seeds:+"$seeds"}
fi
found=$program.corpus
mkdir -p "$found"
exec "$program" -max_total_time="${MEMSWEEP_FUZZ_SECONDS:-3}" -timeout=25 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$program." "$found" ${seeds:+"$seeds"}
