#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 047. Is what comes out of a database text in a page and in the sweep file saved from it?
# Labels stood unquoted in the YAML, so a line end added keys; names of recipes stood unescaped in
# the HTML.
source "$(dirname "$0")/../cli/common.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
[ -f /usr/share/nodejs/d3/dist/d3.min.js ] && command -v sqlite3 >/dev/null || exit 77
sweep small
gives 0 "$memsweep" run small.yaml -o small.db -q
tag='</script><!--<script><img src=x onerror=alert(1)>'
image='<b><img src=x onerror=alert(1)></b>' # what a comment before it would hide
sqlite3 small.db "UPDATE points_null SET synth_shape = 'even' || char(10) || 'extends: other$tag';
    UPDATE points_null SET bound_by = '$tag' || id, reason = '$tag', status = 'failed' WHERE id < 9;
    UPDATE msw_run SET host = '$tag', command_line = '$image', version = '$tag';
    UPDATE msw_column SET unit = '$tag', doc = '$image'; UPDATE msw_column SET unit = '$image' WHERE name = 'x1'"
mkdir data
cp -r "$MEMSWEEP_SOURCE/analysis" data
cp data/analysis/lines.sql "data/analysis/<b>.sql"
cp data/analysis/lines.gp "data/analysis/<b>.gp"
gives 0 env MEMSWEEP_DATA="$work/data" "$memsweep" report small.db -o page.html
lacks "$(grep figure page.html)" "<b>"
lacks "$(cat page.html)" "<img src"
same "$(grep -o '</script>' page.html | wc -l)" "$(grep -o '<script' page.html | wc -l)" "script elements"
lacks "$(grep -o '<!--.*' page.html | head -c 300)" "onerror"
has "$(cat page.html)" 'synth_shape: \"even\\nextends: other'

command -v python3 >/dev/null && command -v chromium >/dev/null || finish
timeout 120 python3 "$MEMSWEEP_SOURCE/tests/cli/report_page.py" hostile page.html "$work" || bad=1
finish
