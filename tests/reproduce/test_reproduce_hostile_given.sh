#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 908. A paper's database may come from anybody. Does reproduce show nothing of what a
# calibration is said to have kept where that makes no sense, end well, and show no command that
# does more than calibrate?
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
command -v sqlite3 >/dev/null || exit 77
toy_published ',0.6'
gives 0 "$memsweep" calibrate toy $small --waves 1 --directed 0
db=results/paper/toy.db
last="kind = 'given' AND id = (SELECT max(id) FROM msw_analysis)"
cp $db good.db
page() { # COMMAND...: what is kept is changed; the page then
    cp good.db $db
    sqlite3 $db "$1" >/dev/null || fail "sqlite3: $1"
    gives 0 "$memsweep" reproduce toy --no-figures -q
    page=$(cat results/paper/toy.md)
}
nonsense="What a calibration kept makes no sense; made again by \`memsweep calibrate toy\`."
refused() {
    page "$1"
    has "$page" "$nonsense"
    lacks "$page" "Over what is not said"
    has "$page" "## Sweeps"
}
page "SELECT 1"
has "$page" "Over what is not said: 4 pass"
set_of() { echo "UPDATE msw_analysis SET $1 WHERE $last"; }
refused "$(set_of "result = ''")"
refused "$(set_of "result = '{}'")"
refused "$(set_of "result = 7")"
refused "$(set_of "result = x'00ff00'")"
refused "$(set_of "result = '[7, null]'")"
refused "$(set_of "result = '[{}]'")"
refused "$(set_of "result = replace(result, '\"median\"', '\"middle\"')")"
refused "$(set_of "result = replace(result, '\"pass\"', '\"sure\"')")"
refused "$(set_of "result = replace(result, '\"pass\"', 'null')")"
refused "$(set_of "result = replace(result, '\"id\": \"sum\"', '\"id\": \"none\"')")"
refused "$(set_of "result = json_set(result, '\$[0].low', 'low')")"
refused "$(set_of "result = json_set(result, '\$[0].narrow', 1)")"
refused "$(set_of "result = replace(result, '\"low\": ', '\"low\": 1e999, \"was\": ')")"
refused "$(set_of "result = substr(result, 1, length(result) / 2)")"
refused "$(set_of "result = replace(hex(zeroblob(100000)), '0', '[')")"
refused "$(set_of "settings = '[]'")"
refused "$(set_of "settings = 1e300")"
refused "$(set_of "settings = json_set(settings, '\$.against', 7)")"
refused "$(set_of "settings = json_remove(settings, '\$.command')")"

# A table with other columns is not memsweep's, and the file is refused as a whole.
cp good.db $db
sqlite3 $db "ALTER TABLE msw_analysis RENAME COLUMN result TO outcome"
gives 3 "$memsweep" reproduce toy --no-figures -q
has "$err" "column outcome of table msw_analysis is not declared as memsweep declares it"

# Rows of nobody's digest; no rows; and rows twice, of which one is shown.
page "$(set_of "settings = json_set(settings, '\$.against', '')")"
has "$page" "The last calibration is of another version"
page "DELETE FROM msw_analysis WHERE kind = 'given'"
lacks "$page" "## Given"
page "$(set_of "result = json_insert(result, '\$[#]', json_extract(result, '\$[0]'))")"
given=$(sed -n '/^## Given everything/,/^## Sweeps$/p' <<<"$page")
same "$(grep -c '^| x1 + x2 | 0.9 | 1 | ' <<<"$given")" 1 "rows of a quantity that is kept twice"
page "$(set_of "result = json_set(result, '\$[0].low', NULL, '\$[0].median', NULL, '\$[0].high', NULL)")"
has "$page" "| x1 + x2 | 0.9 | 1 |  | "

# A command that does something else is not shown.
for command in 'memsweep calibrate toy; rm -rf x' 'memsweep calibrate `id`' 'memsweep calibrate $(id)' \
    'rm -rf x' 'memsweep calibrate toy | sh' 'memsweep calibrate toy > x'; do
    page "$(set_of "settings = json_set(settings, '\$.command', '$command', '\$.against', '')")"
    has "$page" "made again by \`memsweep calibrate toy\`."
    lacks "$page" "$command"
done
finish
