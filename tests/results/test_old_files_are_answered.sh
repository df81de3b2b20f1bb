#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do all commands that read answer from files of earlier versions, which lack the parameters and the
# metrics that came since? `agree` asked for every parameter of today's mechanism and refused them all.
source "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"

for database in "$MEMSWEEP_SOURCE"/tests/golden/databases/*.db; do
    cp "$database" old.db
    for command in agree 'agree --worst 3' pareto export 'query -n 1' status verify digest \
        'report -o old.html --no-figures' 'sensitivity -m cycles --method oat'; do
        read -ra words <<<"$command"
        gives 0 "$memsweep" "${words[0]}" old.db "${words[@]:1}"
    done
done
# Nothing is stated about rows of an older model.
cp "$MEMSWEEP_SOURCE/tests/golden/databases/neummu.db" old.db
gives 0 "$memsweep" agree old.db -f tsv
has "$(tr '\t' ' ' <out)" 'analytic full cycles 1'
lacks "$out" verdict
lacks "$out" holds
finish
