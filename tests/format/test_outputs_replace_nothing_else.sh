#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 046. Does an output replace only what memsweep wrote, and only when it is whole? `report -o
# x.db` overwrote the database.
source "$(dirname "$0")/../cli/common.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
sweep small
gives 0 "$memsweep" run small.yaml -o small.db -q
cp small.db other.db
ln -s small.db link.db
ln small.db hard.db
sum=$(md5sum <small.db)
d3=/usr/share/nodejs/d3/dist/d3.min.js
report=()
[ -f $d3 ] && report=(report)
for command in "${report[@]}" export; do
    for file in small.db ./small.db link.db hard.db other.db; do
        options=()
        [ $command = export ] && options=(-f tsv)
        gives 2 "$memsweep" $command small.db -o $file "${options[@]}"
        has "$err" "name another"
    done
    gives 2 "$memsweep" $command small.db -o small.db-journal "${options[@]}"
    ln -sf nothing dangling
    gives 3 "$memsweep" $command small.db -o dangling "${options[@]}"
    gives 3 "$memsweep" $command small.db -o "$work" "${options[@]}"
done
same "$(md5sum <small.db)" "$sum" "the database"
same "$(md5sum <other.db)" "$sum" "another database"

# Our own are replaced, empty files and streams are written, what is somebody else's stays.
echo 'my own page' >mine.html
printf '\211PNG\r\n\032\n' >mine.tsv
: >empty.html
: >empty.tsv
gives 0 "$memsweep" export small.db -o rows.tsv
gives 0 "$memsweep" export small.db -o rows.tsv
gives 0 "$memsweep" export small.db -o empty.tsv
gives 2 "$memsweep" export small.db -o mine.tsv
gives 0 "$memsweep" export small.db -o /dev/null -f csv
gives 0 "$memsweep" export small.db -o /dev/stdout -f csv
has "$out" "point,"
ln -s rows.tsv rows-link.tsv
gives 0 "$memsweep" export small.db -o rows-link.tsv -c point
[ -L rows-link.tsv ] || fail "a link was replaced"
same "$(head -n 1 rows.tsv)" point "what a link means"
chmod 640 rows.tsv
gives 0 "$memsweep" export small.db -o rows.tsv
same "$(stat -c %a rows.tsv)" 640 "rights of the file"
if [ -f $d3 ]; then
    gives 0 "$memsweep" report small.db -o page.html --no-figures
    gives 0 "$memsweep" report small.db -o page.html --no-figures
    gives 0 "$memsweep" report small.db -o empty.html --no-figures
    gives 2 "$memsweep" report small.db -o mine.html --no-figures
    has "$err" "mine.html: is no page that memsweep wrote: remove it"
    gives 2 "$memsweep" report small.db -o rows.tsv --no-figures
    gives 2 "$memsweep" export small.db -o page.html -f tsv
    same "$(cat mine.html)" "my own page" "a page of somebody else"
fi
if command -v gnuplot >/dev/null; then
    for format in svg png pdf; do
        gives 0 "$memsweep" plot small.db -F lines -f $format -o figures
        gives 0 "$memsweep" plot small.db -F lines -f $format -o figures
        echo mine >figures/small-front.$format
        gives 2 "$memsweep" plot small.db -F front -f $format -o figures
        has "$err" "is no figure that memsweep wrote"
        same "$(cat figures/small-front.$format)" mine "a $format of somebody else"
        cp figures/small-lines.$format rows2.tsv
        gives 2 "$memsweep" export small.db -o rows2.tsv
    done
    gives 0 "$memsweep" plot small.db -F lines -o figures --data
    gives 0 "$memsweep" plot small.db -F lines -o figures --data
fi

# A full disk leaves the old one.
old=$(md5sum <rows.tsv)
(
    ulimit -f 1
    trap '' XFSZ
    "$memsweep" export small.db -o rows.tsv >said 2>&1
) && fail "exit code 0 when the file could not be written"
same "$(md5sum <rows.tsv)" "$old" "the old file after a failure"
[ -z "$(find . -name '.memsweep*')" ] || fail "parts were left: $(find . -name '.memsweep*')"
finish
