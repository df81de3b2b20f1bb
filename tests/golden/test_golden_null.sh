#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does null give the digests and bytes of digests.txt, and read, resume and merge the database
# that an older version wrote?
. "$MEMSWEEP_SOURCE/tests/golden/golden.sh"
golden null
