#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 041. Are figures drawn where folders are called as nobody should call them? A ' in the path
# of the data folder broke every figure, and could run commands.
source "$(dirname "$0")/../cli/common.sh"
command -v gnuplot >/dev/null || exit 77
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
sweep small
gives 0 "$memsweep" run small.yaml -o small.db -q
odd=$'it\'s "odd" `touch INJECTED` $(touch INJECTED) @x\n\';system("touch INJECTED");\'%s'
ln -s "$MEMSWEEP_SOURCE" "$odd"
mkdir "tmp$odd" "own$odd" long
cp "$MEMSWEEP_SOURCE"/analysis/lines.* "own$odd"
export MEMSWEEP_DATA=$work/$odd
gives 0 "$memsweep" plot small.db -F lines -o plain
gives 0 "$memsweep" plot small.db -F lines -o "out$odd"
cmp -s plain/small-lines.svg "out$odd/small-lines.svg" || fail "the figure depends on the folder"
gives 0 "$memsweep" plot small.db -F lines -o own --recipes "own$odd"
gives 0 env TMPDIR="$work/tmp$odd" "$memsweep" plot small.db -F lines -o tmp
cmp -s plain/small-lines.svg own/small-lines.svg || fail "the figure depends on the recipes' folder"
cmp -s plain/small-lines.svg tmp/small-lines.svg || fail "the figure depends on TMPDIR"

# A recipe may load what lies beside it.
printf 'load "lines.gp"\n' >"own$odd/mine.gp"
cp "own$odd/lines.sql" "own$odd/mine.sql"
gives 0 "$memsweep" plot small.db -F mine -o own --recipes "own$odd"

# A TMPDIR of more than 200 characters was cut off.
long=$work/long/$(printf 'x%.0s' $(seq 150))/$(printf 'y%.0s' $(seq 150))
mkdir -p "$long"
gives 0 env TMPDIR="$long" "$memsweep" plot small.db -F lines -o long
cmp -s plain/small-lines.svg long/small-lines.svg || fail "the figure depends on a long TMPDIR"
gives 3 env TMPDIR="$work/nowhere" "$memsweep" plot small.db -F lines -o never
has "$err" "TMPDIR"
[ -z "$(find "$long" "tmp$odd" -mindepth 1)" ] || fail "something was left in TMPDIR"
[ -z "$(find . -name 'INJECTED*')" ] || fail "a path was run"
finish
