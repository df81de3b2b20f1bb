#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Are the pages in docs/internals/validation what memsweep reproduce writes today? Those that simulate every
# point take minutes and are looked at with MEMSWEEP_FULL=1 only.
set -u
cd "${MEMSWEEP_SOURCE:?}" || exit 1
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
quick=--quick
[ -z "${MEMSWEEP_FULL:-}" ] || quick=
scripts/validation $quick "$fresh" || exit 1
bad=0
for page in "$fresh"/*.md; do
    diff -u "docs/internals/validation/$(basename "$page")" "$page" || bad=1
done
scripts/validation --table | diff -u docs/validation.md - || bad=1
[ $bad = 0 ] || echo "run scripts/validation"
exit $bad
