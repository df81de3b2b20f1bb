#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does every link of the docs to a file of the tree, or to a heading, lead somewhere?
. "$(dirname "${BASH_SOURCE[0]}")/files.sh"

# anchors: "page#anchor" of every heading.
anchors() {
    files '*.md' | xargs awk '
        FNR == 1 { code = 0 }
        /^```/ { code = !code }
        code || !/^#/ { next }
        {
            sub(/^#+ */, "")
            while (match($0, /\]\([^)]*\)/)) $0 = substr($0, 1, RSTART - 1) substr($0, RSTART + RLENGTH)
            gsub(/[^a-zA-Z0-9_ -]/, "")
            gsub(/ /, "-")
            print FILENAME "#" tolower($0)
        }'
}
headings=$'\n'$(anchors)$'\n'

while IFS=: read -r page link; do
    target=${link%%#*}
    [ -z "$target" ] || [ -e "$(dirname "$page")/$target" ] || fail "$page: $link leads nowhere"
    [[ $link == *.md#* || $link == \#* ]] || continue
    file=$page
    [ -z "$target" ] || file=$(realpath -m --relative-to=. "$(dirname "$page")/$target")
    [[ $headings == *$'\n'"$file#${link#*#}"$'\n'* ]] || fail "$page: $link: no such heading"
done < <(files '*.md' | xargs grep -oE '\]\([^)[:space:]]+\)' | sed -E 's/:\]\(/:/; s/\)$//' |
    grep -vE ':(https?|mailto):')

exit $bad
