#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 1102. Does `describe uvm --all` leave what a predictor learns by to `describe uvm_predictor`: named
# here, told there, and set here as before?
source "$(dirname "$0")/../../cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE


same "$("$memsweep" describe uvm --all | grep -c '^  dropout ')" 0 "uvm does not tell of dropout"
same "$("$memsweep" describe uvm_predictor --all | grep -c '^  dropout ')" 1 "uvm_predictor does"
for name in $("$memsweep" describe uvm --all | sed '1,/says what these are/d;/^$/,$d' | tr -d ','); do
    "$memsweep" describe uvm_predictor --all | grep -q "^  $name " || fail "$name is told nowhere"
done
same "$("$memsweep" eval uvm -w uvm/streamtriad/n=4Ki dropout=0.2 -f tsv | tr '\t' '\n' | grep -c '^0.2$')" 1 "it is set"
finish
