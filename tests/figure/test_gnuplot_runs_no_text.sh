#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 040. Does text of a database stay text in figures, whatever it holds? A line end in a unit
# ended gnuplot's quoted text, and the rest ran as commands.
source "$(dirname "$0")/../cli/common.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
command -v gnuplot >/dev/null && command -v sqlite3 >/dev/null || exit 77
cat >two.yaml <<'END'
sweep: two
mechanism: null
workloads: [synth/even, synth/small]
fidelity: sampled
vary:
  function: [zdt1, zdt2, dtlz2]
  gain: [1, 2, 4]
derive: {area: cycles * gain}
objectives: {minimize: [f1, f2, area]}
END
gives 0 "$memsweep" run two.yaml -o two.db -q

# What would run, were it read as code in any kind of quotes.
cat >evil.sql <<'END'
CREATE TEMP TABLE evil(n, t);
INSERT INTO evil VALUES
 (0, 'a' || char(10) || 'system("touch INJECTED")' || char(10)),
 (1, '''.system("touch INJECTED").'''),
 (2, '".system("touch INJECTED")."'),
 (3, '`touch INJECTED` @x {/Symbol a}_b^c \' || char(10) || 'system("touch INJECTED")'),
 (4, '<script>x</script>&#x3c;b&#1; %n%s%d' || char(9) || char(27) || '[31m' || x'ff'),
 (5, ''');system("touch' || char(9) || 'INJECTED");('''),
 (6, '# NaN "');
END
for n in 0 1 2 3 4 5 6; do
    cp two.db "evil$n.db"
    {
        cat evil.sql
        echo "UPDATE msw_column SET unit = (SELECT t FROM evil WHERE n = $n), doc = unit, kind = unit;"
        echo "UPDATE points_null SET function = (SELECT t FROM evil WHERE n = $n) || function;"
        echo "UPDATE points_null SET bound_by = function, fidelity = function, reason = function;"
        echo "UPDATE msw_run SET host = (SELECT t FROM evil WHERE n = $n), command_line = host;"
    } | sqlite3 "evil$n.db"
    for factors in function,gain gain,function; do
        gives 0 "$memsweep" plot "evil$n.db" -x $factors -F lines,heat,front,stack,parallel -o "out$n"
        for name in lines heat front stack parallel; do
            [ -s "out$n/two-$name.svg" ] || fail "no out$n/two-$name.svg"
        done
    done
    "$memsweep" report "evil$n.db" -o "out$n/page.html" >/dev/null 2>&1
    "$memsweep" query "evil$n.db" >shown 2>&1
    if grep -q "$(printf '\033')" shown; then fail "a table sends escape sequences to the terminal"; fi
    if command -v python3 >/dev/null; then
        python3 -c 'import sys, xml.dom.minidom as x; [x.parse(p) for p in sys.argv[1:]]' \
            "out$n"/*.svg || fail "a figure of evil$n.db is no XML"
    fi
done

# Names of columns: what a recipe puts together for eval is made of numbers.
sqlite3 two.db "SELECT sql FROM sqlite_master WHERE name = 'two'" |
    sed "s/^CREATE VIEW \"two\"/CREATE VIEW two/" >view.sql
name="f1'.system(\"touch_INJECTED\").'"
quoted=${name//\"/\"\"}
{
    echo "DROP VIEW two;"
    sed "s/p\\.f1 AS f1,/p.f1 AS f1, p.f1 AS \"${quoted//\//\\/}\",/" view.sql
    echo ";"
} | sqlite3 two.db
mkdir bin
printf '#!/bin/sh\ntouch "%s/INJECTED"\n' "$work" >bin/touch_INJECTED
chmod +x bin/touch_INJECTED
PATH=$work/bin:$PATH "$memsweep" plot two.db -m "$name,f2" -F parallel,front,lines -o columns >/dev/null 2>&1
[ -z "$(find . -name 'INJECTED*')" ] || fail "text of a database was run"
finish
