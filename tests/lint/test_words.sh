#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Are the files free of promises for later, of paths of one machine and of package servers?
source "$(dirname "$0")/files.sh"

# forbid WHAT PATTERN: no text file of the project may match.
forbid() {
    local found
    found=$(files ':!tests/lint/test_words.sh' ':!*/data/*' | tr '\n' '\0' |
        xargs -0 grep -nIE "$2" || true)
    [ -z "$found" ] || fail "$1:"$'\n'"$found"
}

forbid "left for later" '\b(TODO|FIXME|XXX:|HACK)\b'
forbid "path of one machine" '(^|[^A-Za-z0-9_.$}/*~-])/(work|home|root|Users|mnt|opt|srv|data|scratch|var/tmp)/'
forbid "package server" \
    '(deb\.debian\.org|archive\.ubuntu\.com|snapshot\.debian|pypi\.org|files\.pythonhosted|conda\.anaconda)'
forbid "package source" '^ *deb(-src)? +(\[|https?:)'
exit $bad
