#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does every link of the docs to a file of the tree lead somewhere?
. "$(dirname "${BASH_SOURCE[0]}")/files.sh"

while IFS=: read -r page link; do
    target=${link%%#*}
    [ -z "$target" ] || [ -e "$(dirname "$page")/$target" ] || fail "$page: $link leads nowhere"
done < <(files '*.md' | xargs grep -oE '\]\([^)[:space:]]+\)' | sed -E 's/:\]\(/:/; s/\)$//' |
    grep -vE ':(https?|mailto):')

exit $bad
