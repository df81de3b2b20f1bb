#!/usr/bin/env bash
# Are the pages in docs/validation what memsweep reproduce writes today? Each page says how it was
# made; those at the full fidelity take minutes and are made with MEMSWEEP_FULL=1 only.
set -u
cd "${MEMSWEEP_SOURCE:?}" || exit 1
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
bad=0
for page in docs/validation/*.md; do
    name=$(basename "$page" .md)
    case $name in
    README) continue ;;
    *-analytic | *-sampled) ;;
    *) [ "${MEMSWEEP_FULL:-}" ] || continue ;;
    esac
    made=$(sed -nE 's/^<!-- made by memsweep (.*) -->$/\1/p' "$page")
    eval "set -- $made --quiet --docs $fresh --results $fresh"
    "${MEMSWEEP_BUILD:?}/memsweep" "$@" >/dev/null 2>"$fresh/messages" || {
        cat "$fresh/messages"
        bad=1
    }
    diff -u "$page" "$fresh/$name.md" || {
        echo "run: memsweep $made --docs docs/validation"
        bad=1
    }
done
exit $bad
