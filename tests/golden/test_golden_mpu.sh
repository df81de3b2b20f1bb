#!/usr/bin/env bash
# Does mpu give the digests and bytes of digests.txt?
. "$MEMSWEEP_SOURCE/tests/golden/golden.sh"
golden mpu
