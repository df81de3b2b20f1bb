#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 076. Sizes such as 4KB, 2M and 64k got no hint at what was meant.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
check() {
    printf 'sweep: s\nmechanism: neummu\nworkloads: [alexnet]\nvary: {ptw_count: [1, 2]}\n' >s.yaml
    echo "fix: {page_size: $1}" >>s.yaml
    gives "$2" "$memsweep" check s.yaml
}
for pair in 4KB:4KiB 4kb:4KiB 2M:2MiB 64k:64KiB 64K:64KiB 1g:1GiB 4Ki:4KiB 4096b:4096B; do
    check ${pair%:*} 2
    has "$err" "did you mean '${pair#*:}'?"
done
check 4KiB 0
check 4xx 2
has "$err" "is not a"
finish
