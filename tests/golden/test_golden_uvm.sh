#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does uvm give the digests and bytes of digests.txt?
. "$MEMSWEEP_SOURCE/tests/golden/golden.sh"
golden uvm
