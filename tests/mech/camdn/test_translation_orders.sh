#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does translation in front of a shared cache go the ways that are published? The page of the paper
# `chip` is what it was: orders alone, as most numbers were read in abstracts (sweeps/paper/chip).
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
page=docs/internals/validation/chip.md

gives 0 "$memsweep" reproduce chip --quiet --docs "$work" --results "$work/results"
diff -u "$MEMSWEEP_SOURCE/$page" chip.md || fail "run scripts/validation"
grep -q "one-sided: [0-9]* pass" chip.md || fail "no verdicts: $(head -9 chip.md)"
finish
