#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do twelve networks that torch exports multiply as often as torch does when it runs them? The
# networks: tests/support/torch_exports.py. Skipped without torch (Debian: python3-torch).
source "$(dirname "$0")/../cli/common.sh"
exports=$(cd "$(dirname "$0")/../support" && pwd)/torch_exports.py
OMP_NUM_THREADS=1 python3 "$exports" "$work" >counts 2>err
case $? in
0) ;;
77) exit 77 ;;
*) fail "$(cat err)" ;;
esac
[ "$(wc -l <counts)" -eq 12 ] || fail "not twelve networks: $(cat counts)"
while read -r network count; do
    gives 0 "$memsweep" describe "$network.onnx"
    has "${out//,/}" " $count multiplications:"
done <counts
finish
