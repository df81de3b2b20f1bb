#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 078. The quickstart printed a plot command that is not the one it ran. Here it runs beside
# stand-ins that write down how they are called.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
mkdir -p scripts build/release bin
cp "$MEMSWEEP_SOURCE/scripts/quickstart" scripts/
cat >scripts/deps <<'END'
#!/usr/bin/env bash
[ "$1" = version ] && exit
{
    printf '%s\n' "$0"
    printf '<%s>' "$@"
    echo
} >>"${CALLS:-calls}"
END
chmod +x scripts/deps
cp scripts/deps scripts/build
cp scripts/deps build/release/memsweep
cp scripts/deps bin/gnuplot
PATH=$work/bin:$PATH gives 0 scripts/quickstart
same "$(grep -c '^== ' out)" 5 "steps"
# What is printed, given to a shell, calls the same things in the same way.
sed -n 's/^== [^:]*: //p' out >printed.sh
CALLS=$work/again gives 0 bash printed.sh
same "$(cat again)" "$(cat calls)" "what was printed and what was run"
finish
