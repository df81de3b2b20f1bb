# SPDX-License-Identifier: MIT
# Sourced by the lint scripts that look into compiled objects; skips builds with instrumentation,
# which adds symbols of its own.
source "$(dirname "${BASH_SOURCE[0]}")/files.sh"
objects=${MEMSWEEP_BUILD:-build/release}/CMakeFiles/memsweep_objects.dir/src
# Where whole-program optimisation is on, objects hold no machine code: this one holds that of all.
merged=${MEMSWEEP_BUILD:-build/release}/memsweep_merged.o
command -v objdump >/dev/null || exit 77
[ -d "$objects" ] || exit 77
if grep -qE '^MEMSWEEP_(SANITIZE:STRING=.+|COVERAGE:BOOL=ON)' "$objects/../../../CMakeCache.txt"; then
    echo "skipped: instrumented build"
    exit 77
fi

# all_objects FOLDER...: object files below folders of src whose source still exists.
all_objects() {
    local folder
    for folder in "$@"; do
        [ ! -d "$objects/$folder" ] || find "$objects/$folder" -name '*.o'
    done | while read -r object; do
        source=${object#"$objects"/}
        [ ! -f "src/${source%.o}" ] || echo "$object"
    done
}
