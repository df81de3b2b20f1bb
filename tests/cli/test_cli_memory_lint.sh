#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Are settings of a memory that make no sense told with their place and numbers, by check and plan,
# once each; and sound ones not?
source "$(dirname "$0")/common.sh"

cat >odd.yaml <<'YAML'
sweep: odd
mechanism: htmmu
fidelity: analytic
fix:
  memory_model: banks
  memory_preset: gddr6_16
vary:
  memory_banks: [1, 16]
  streams: [1, 2, 4]
YAML
for command in check plan; do
    "$memsweep" $command odd.yaml >out 2>err || fail "$command failed: $(cat err)"
    [ "$(wc -l <err)" = 2 ] || fail "$command: not two warnings: $(cat err)"
    grep -q 'odd.yaml:8:3: with memory_banks = 1, memory_preset = gddr6_16, memory_model = banks: one_group: ccd_s 1 .* ccd_l 2$' err ||
        fail "$command names no group: $(cat err)"
    grep -q 'odd.yaml:8:3: .*: sequential: sequential reads reach [1-4][0-9] % of the peak' err ||
        fail "$command names no bandwidth: $(cat err)"
done
sed -i 's/\[1, 16\]/[16]/' odd.yaml
"$memsweep" check odd.yaml >out 2>err || fail "check failed: $(cat err)"
[ ! -s err ] || fail "sixteen banks are warned of: $(cat err)"
sed -i 's/\[16\]/[1]/; s/banks$/fixed/' odd.yaml
"$memsweep" check odd.yaml >out 2>err || fail "check failed: $(cat err)"
[ ! -s err ] || fail "a memory that is not used is warned of: $(cat err)"
finish
