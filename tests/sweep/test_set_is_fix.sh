#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 1101. Does a sweep that says `set:` hear of `fix`, which it means, and not of `seed`, which is
# spelt more like it?
source "$(dirname "$0")/../cli/common.sh"

printf 'sweep: one\nmechanism: null\nset:\n  gain: 2\n' >one.yaml
same "$("$memsweep" check one.yaml 2>&1)" "one.yaml:3:1: unknown key 'set', did you mean 'fix'?" "set"
finish
