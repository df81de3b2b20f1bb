#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 781. A power failure may leave a lock that is full of zeros, or has zeros before the name
# of a copy: it was taken for a file of somebody else, and no run could begin until it was moved
# away.
source "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
printf 'sweep: s\nmechanism: null\nworkloads: [synth/small]\nfidelity: analytic\nvary: {x1: [0, 1]}\n' >s.yaml
head -c 50 /dev/zero >x.db.lock
gives 0 "$memsweep" run s.yaml -q -o x.db
{ head -c 50 /dev/zero && printf 'copy 1 2 x.db.part-7\n'; } >x.db.lock
gives 0 "$memsweep" run s.yaml -q -o x.db
# What else stands there is left alone.
printf '\0mine' >x.db.lock
gives 3 "$memsweep" run s.yaml -q -o x.db
has "$err" "no lock of memsweep"
finish
