#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 702. Does `describe` say what a workload consists of: a stream and a page trace by their
# pages, a network without a file of its own by its layers? Pages of the examples were counted by
# hand.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

says() {
    "$memsweep" describe "$1" >out 2>err || fail "describe $1: exit code $?, $(cat err)"
    grep -qE "$2" out || fail "describe $1: no line '$2' in: $(tail -6 out)"
}

says trace/example '^  12, 4 of them writes, 0.001 MB, by 3 requesters'
says trace/example '^  4 KiB +6 +0.5000'
says pages/example '^  48, 16 of them writes, by 2 SMs of 2 warps'
says pages/example '^  4 KiB +48 +0.0000'
says pages/example '^  64 KiB +3 +0.9375'
says llm7b/decode '^  289 layers, '
says alexnet/b1 '^  fc6 +1 +16 '
finish
