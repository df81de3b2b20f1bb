# SPDX-License-Identifier: MIT
# Sourced by the lint scripts: moves to the source folder and says which files belong to it.
set -euo pipefail
cd "${MEMSWEEP_SOURCE:-$(dirname "${BASH_SOURCE[0]}")/../..}"

# files PATTERN...: paths of the project's files, new ones included, that match (git's pathspecs).
files() {
    git ls-files -co --exclude-standard -- "$@" | while read -r path; do
        [ ! -f "$path" ] || echo "$path"
    done
}

git rev-parse --is-inside-work-tree >/dev/null 2>&1 || {
    echo "not a git checkout: nothing says which files belong to the project"
    exit 77
}

bad=0

# fail MESSAGE...: prints a finding and remembers that there was one.
fail() {
    echo "$*"
    bad=1
}
