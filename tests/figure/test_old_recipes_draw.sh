#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 831. Does a recipe of before, with the words and functions that it was told of, still draw
# all of what it shows?
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
. "$MEMSWEEP_SOURCE/tests/cli/svg.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
sweep old
sed -i 's|\[synth/small\]|[synth/small, synth/even]|' old.yaml
gives 0 "$memsweep" run old.yaml -o old.db -q
mkdir mine
cat >mine/mine.sql <<'END'
SELECT workload AS panel, :series AS series, :factor_at AS x, avg(:metric) AS y,
       avg(:metric) - coalesce(avg(:metric_hw), 0) AS low,
       avg(:metric) + coalesce(avg(:metric_hw), 0) AS high
FROM :rows
WHERE status = 'ok' AND :metric IS NOT NULL
GROUP BY (:workload_step * 1000 + :series_step) * 1000 + :factor_step
ORDER BY 1, 2, 3
END
cat >mine/mine.gp <<'END'
xlabel = factor_label
ylabel = metric_label
key_rows = key_lines(shown_count)
note = add_note(others eq '' ? '' : 'mean over '.others)
stats data using 'y' name 'y' nooutput
stats data using 'x' name 'x' nooutput
eval find_ends
eval frame(lines > 1 ? 1.1 : 1.6)
if (spans(y_min, y_max)) { set logscale y }
set format y numbers(y_max)
do for [i = 1:panel_count] {
    eval panel(i)
    eval factor_x
    eval tics_of('x', x_low(i), x_high(i), 0)
    plot for [k = 1:shown_count] data using (here(i, shown(k)) ? column('x') : NaN):'y' with linespoints lt k notitle
}
eval legend
plot for [k = 1:shown_count] NaN with linespoints lt k title series_title[shown(k)]
eval close
END
gives 0 "$memsweep" plot old.db -F mine --recipes mine -f svg -o . -m f2 -x x1,gain --data
in_order old-mine.svg synth/small synth/even
inside_frame old-mine.svg
for text in 'mean over x2' f2 x1; do has "$(said old-mine.svg)" "$text"; done
# a mean stays a mean where a recipe takes one, whatever is held elsewhere
same "$(tail -n +2 old-mine.tsv | wc -l)" 66 'means of two workloads, three values of gain and eleven of x1'
# gain moves nothing here: its three lines are one, and the key says so
has "$(said old-mine.svg)" '1, 2, 3'
finish
