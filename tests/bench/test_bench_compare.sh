#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 801. Does scripts/bench-compare tell a change from noise: one of 30 %, none of 1 %, both
# directions, rows that came or went, and does it refuse what cannot be compared?
set -euo pipefail
compare=$MEMSWEEP_SOURCE/scripts/bench-compare
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
bad=0

# expect CODE PATTERN WORD...: what bench-compare gives.
expect() {
    local code=0 wanted=$1 pattern=$2
    shift 2
    "$compare" "$@" >out 2>&1 || code=$?
    if [ "$code" != "$wanted" ] || ! grep -qE -- "$pattern" out; then
        echo "bench-compare $*: exit code $code, wanted $wanted and /$pattern/ in:"
        cat out
        bad=1
    fi
}

# refuse_line PATTERN: what the last output must not hold.
absent() {
    ! grep -qE -- "$1" out || { echo "/$1/ stands in:" && cat out && bad=1; }
}

# results FACTOR [QUICK]: five repetitions with a spread of 2 %; a machine whose speed differs by half
# gives values and calibration alike. Rows: a time, a rate, a size, a fact.
results() {
    awk -v f="$1" -v quick="${2:-false}" -v machine="${3:-1}" -v more="${4:-}" 'BEGIN {
        printf "{\"memsweep_bench\": 1, \"machine\": {\"processor\": \"p\"},\n"
        printf "\"settings\": {\"quick\": %s, \"repeat\": 5, \"set\": []},\n", quick
        printf "\"sections\": [{\"name\": \"s\", \"status\": \"ok\", \"message\": \"\"}], \"rows\": [\n"
        split("0.99 1 1.01 0.995 1.005", noise, " ")
        row("s/a time: x, [y] {z}", "s", "lower", f / machine, f)
        row("s/rate \\\"of\\\" rows", "/s", "higher", machine / f, 1 / f)
        row("s/memory high water", "B", "lower", 4e6 * f, 0)
        if (more) row("s/" more, "s", "lower", 1, 1)
        last = 1
        row("s/fact", "cycles", "neither", 1234 * (f > 1.2 ? 1.001 : 1), 0)
        print "]}"
    }
    function row(name, unit, better, value, ratio,    k, text, ratios) {
        for (k = 1; k <= 5; k++) {
            text = text (k > 1 ? ", " : "") value * (better == "neither" ? 1 : noise[k])
            ratios = ratios (k > 1 ? ", " : "") (ratio ? ratio * noise[k] : "null")
        }
        printf "{\"name\": \"%s\", \"unit\": \"%s\", \"better\": \"%s\", \"values\": [%s], \"ratios\": [%s]}%s\n",
            name, unit, better, text, ratios, last ? "" : ","
    }'
}

results 1 >a.json
results 1.3 >slow.json
results 1.01 >same.json
results 1 true >quick.json
results 1 false 0.5 >other.json
results 1 false 1 extra >more.json

expect 0 '^worse +\+30\.0 % +s/a time: x, \[y\] \{z\} ' a.json slow.json
expect 0 '^worse +-23\.1 % +s/rate "of" rows ' a.json slow.json
expect 0 '^changed +\+0\.1 % +s/fact' a.json slow.json
expect 1 '4 rows compared: 3 worse, 0 better, 1 changed' --strict a.json slow.json
expect 0 '0 worse, 3 better' --strict slow.json a.json
expect 0 '4 rows compared: 0 worse, 0 better, 0 changed' --strict a.json same.json
absent '^(worse|better|changed)'
expect 0 ' 0 worse, 0 better' --strict --least 40 a.json slow.json
# Another machine, half as fast: the ratios are the same.
expect 0 ' 0 worse, 0 better' --strict a.json other.json
# Rows that came and went, in whatever layout.
expect 0 '^new .* s/extra' --strict a.json more.json
expect 1 '^gone .* s/extra' --strict more.json a.json
tr -d '\n' <slow.json >flat.json
expect 1 ' 3 worse' --strict a.json flat.json
sed 's/"ok", "message": ""/"failed", "message": "ended by signal 11"/' a.json >failed.json
expect 1 '^failed .*s: ended by signal 11' --strict a.json failed.json
# Repetitions in several files: half of A is as slow as B, so the intervals touch.
expect 0 ' 0 worse, 0 better' --strict a.json slow.json -- slow.json slow.json
expect 3 'other settings' a.json quick.json
expect 3 'no such file' a.json missing.json
head -n 5 a.json >cut.json
expect 3 'not a whole file' a.json cut.json
echo 'a,b' >text.json
expect 3 'not ' a.json text.json
expect 2 'two files' a.json
expect 2 'no option is named --strikt' --strikt a.json slow.json
expect 0 'How it judges' --help
exit $bad
