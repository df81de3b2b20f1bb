#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Are the pages in docs/reference what the program prints today?
source "$(dirname "$0")/files.sh"
[ -x "$MEMSWEEP_BUILD/memsweep" ] || exit 77
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
scripts/reference "$fresh"
diff -ru docs/reference "$fresh" || {
    echo "run scripts/reference"
    exit 1
}
