#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 077. cmake --install behind a build of the program alone failed on a missing man page, with
# half of the files installed. The rules of cmake/install.cmake around a program of two lines.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
command -v cmake >/dev/null && command -v cc >/dev/null || exit 77
generator=(-G "Unix Makefiles")
! command -v ninja >/dev/null || generator=(-G Ninja)
mkdir -p source/sweeps
touch source/sweeps/one.yaml
cat >source/main.c <<'END'
#include <stdio.h>
int main(int argc, char **argv) { return argc > 1 ? printf("%s\n", argv[1]) < 0 : 0; }
END
cat >source/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.21)
project(memsweep VERSION 1 LANGUAGES C)
include(GNUInstallDirs)
add_executable(memsweep main.c)
include($MEMSWEEP_SOURCE/cmake/install.cmake)
END
gives 0 cmake "${generator[@]}" -S source -B build
gives 0 cmake --build build --target memsweep
gives 0 cmake --install build --prefix "$work/there"
for file in bin/memsweep share/man/man1/memsweep.1 share/memsweep/sweeps/one.yaml \
    share/bash-completion/completions/memsweep; do
    [ -s there/$file ] || [ -e there/$file -a "${file##*.}" = yaml ] || fail "no $file"
done
same "$(cat there/share/man/man1/memsweep.1)" man "man page"
same "$(cat there/share/bash-completion/completions/memsweep)" completion "completion"
DESTDIR=$work/dest gives 0 cmake --install build --prefix /usr/x
[ -s dest/usr/x/share/man/man1/memsweep.1 ] || fail "no man page under DESTDIR"
finish
