#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is prose wrapped at 100 columns? Tables, code, links that cannot be broken and pages that commands make
# are left alone. READMEs of mechanisms hold what is always true, in 250 lines: tables of measurements are
# pages of docs/internals.
. "$(dirname "${BASH_SOURCE[0]}")/files.sh"

for path in $(files '*.md' | grep -vE '^docs/(reference|internals/validation|validation\.md|gallery|figures)'); do
    while read -r line; do
        fail "$path:$line"
    done < <(awk '
        /^[[:space:]]*(```|~~~)/ { fence = !fence; next }
        fence || /^[[:space:]]*[|#<>]/ || /^    / { next }
        {
            text = $0
            gsub(/[\200-\277]/, "", text) # a letter of several bytes counts once
        }
        length(text) > 100 {
            rest = text
            gsub(/`[^`]*`|\[[^]]*\]\([^)]*\)/, "x", rest)
            if (rest ~ / /) print FNR ": a line of " length(text) " columns"
        }' "$path")
done

for path in $(files 'src/mech/*README.md'); do
    lines=$(wc -l <"$path")
    [ "$lines" -le 250 ] || fail "$path: $lines lines, at most 250 are allowed"
done

exit $bad
