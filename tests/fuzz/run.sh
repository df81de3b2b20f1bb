#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh PROGRAM: a fuzzer on tests/fuzz/corpus/<name>, if there is one. Built with libFuzzer, it runs
# for MEMSWEEP_FUZZ_SECONDS (3), and PROGRAM.counts says the inputs tried, the seconds of processor time
# and the finds; else it makes MEMSWEEP_FUZZ_ROUNDS (5000) mutations.
set -euo pipefail
program=$1
name=$(basename "$program")
name=${name#fuzz_}
seeds=$(cd "$(dirname "$0")" && pwd)/corpus/$name
[ -d "$seeds" ] || seeds=
if [ "${2:-}" = --mutate ]; then
    exec "$program" -rounds="${MEMSWEEP_FUZZ_ROUNDS:-5000}" ${seeds:+"$seeds"}
fi
found=$program.corpus
mkdir -p "$found"
rm -f "$program".{crash,leak,oom,timeout}-*
code=0
"$program" -max_total_time="${MEMSWEEP_FUZZ_SECONDS:-3}" -timeout=25 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$program." "$found" ${seeds:+"$seeds"} \
    >"$program.log" 2>&1 || code=$?
times >"$program.times" # those of its children stand in the second line
finds=$(find "$(dirname "$program")" -maxdepth 1 -name "fuzz_$name.*-*" | wc -l)
inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$program.log")
awk -v name="$name" -v inputs="${inputs:-0}" -v finds="$finds" '
    NR == 2 { gsub(/[ms]/, " "); printf "%s\t%d\t%d\t%d\n", name, inputs, $1 * 60 + $2 + $3 * 60 + $4, finds }' \
    "$program.times" >"$program.counts"
tail -n 20 "$program.log"
exit $code
