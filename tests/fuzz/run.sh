#!/usr/bin/env bash
# run.sh PROGRAM: fuzzes for MEMSWEEP_FUZZ_SECONDS (3), from tests/fuzz/corpus/<name> if there is one.
set -euo pipefail
program=$1
name=$(basename "$program")
seeds=$(cd "$(dirname "$0")" && pwd)/corpus/${name#fuzz_}
found=$program.corpus
mkdir -p "$found"
[ -d "$seeds" ] || seeds=
exec "$program" -max_total_time="${MEMSWEEP_FUZZ_SECONDS:-3}" -timeout=25 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$program." "$found" ${seeds:+"$seeds"}
