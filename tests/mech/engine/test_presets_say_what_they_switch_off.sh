#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a preset say which parameters do nothing behind it? Four bandwidths behind `mnpusim`, whose
# memory has banks, gave four equal rows, and nothing on its page said why.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
memsweep=$MEMSWEEP_BUILD/memsweep
off() {
    "$memsweep" describe "$1" | sed -n 's/.*; then these do nothing: //p'
}
[ "$(off mnpusim)" = "walk_level_cycles, path_cycles, bandwidth, memory_cycles, path_register_bytes" ]
[ "$(off gaudi2)" = "" ]
# What it names does nothing, and what it does not name does something.
cycles() {
    "$memsweep" eval neummu -w ncf/b1 -p mnpusim "$@" --fidelity full --format csv >"$work/row"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cycles") at = i } NR == 2 { print $at }' \
        "$work/row"
}
[ -n "$(cycles)" ]
[ "$(cycles bandwidth=64)" = "$(cycles bandwidth=900)" ]
[ "$(cycles walk_level_cycles=10)" = "$(cycles)" ]
[ "$(cycles memory_channels=2)" != "$(cycles)" ]
