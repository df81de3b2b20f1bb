#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does camdn give the digests and bytes of digests.txt?
. "$MEMSWEEP_SOURCE/tests/golden/golden.sh"
golden camdn
