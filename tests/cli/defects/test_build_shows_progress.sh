#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 079. Building was silent for minutes. A stand-in for cmake prints what Ninja and make
# print.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
mkdir -p scripts bin
cp "$MEMSWEEP_SOURCE/scripts/build" scripts/
cat >bin/cmake <<'END'
#!/bin/sh
case $1 in
--preset) echo configured ;;
*)
    echo "[1/3] Building C object a.o"
    echo "some warning"
    echo "[ 66%] Building C object b.o"
    [ ! -e broken ] || { echo "b.c: error: broken"; exit 1; }
    echo "[3/3] Linking"
    ;;
esac
END
chmod +x bin/cmake
PATH=$work/bin:$PATH
BUILD_PROGRESS_SECONDS=0 gives 0 scripts/build release memsweep
same "$out" "" "standard output"
has "$err" "[1/3] building release"
has "$err" "[ 66%] building release"
has "$err" "[3/3] building release"
gives 0 scripts/build release memsweep
same "$err" "" "what a build of a moment says"
touch broken
gives 1 scripts/build release memsweep
has "$err" "b.c: error: broken"
lacks "$err" "[1/3] Building"
finish
