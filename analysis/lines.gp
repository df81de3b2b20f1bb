# A metric over a factor, a line per value of a second one, bands from the half-widths.
eval measure('metric', 'y')
eval choose('metric', 1)
eval reaching('metric')
xlabel = plain_label(factor_label)
ylabel = label_of('metric', metric_label)
title = and_note(metric_words.' over '.plain_label(factor_label), rest)
note = thinned
eval series_key
gap_x = metric_shared ? mark_gap('factor') : max(0.44, mark_gap('factor'))
right = edge_right(mark_length('factor', int(factor_marks)))
gap_y = has_titles ? 0.22 : 0.14
eval layout(1.1)
eval frame(lines > 1 ? 1.1 : 1.6)
set offsets graph 0.04, graph 0.04, 0, 0
set style fill transparent solid 0.2 noborder
floor_of(v) = metric_used eq 'linear' ? v : max(v, metric_min)
# Later lines are thinner: where they fall on one another, all are seen.
thin(k) = shown_count < 2 ? 1.2 : 2.2 - 1.3 * (k - 1) / (shown_count - 1.0)
# The same ends in all panels, also in one that lacks levels.
stats data using 'x' name 'across' nooutput
room = factor_log ? (across_max / across_min) ** 0.04 : 0.04 * (across_max - across_min)
ends = across_min < across_max ? sprintf('set xrange [%.12g:%.12g]', factor_log ? across_min / room : across_min - room, factor_log ? across_max * room : across_max + room) : ''
do for [i = 1:panel_count] {
    eval panel(i)
    eval marked('x', 'factor', i, 0)
    eval ends
    eval shared_axis('y', 'metric', i)
    plot for [k = 1:shown_count] data using (here(i, shown(k)) ? column('x') : NaN):(floor_of(column('low'))):'high' \
             with filledcurves lc rgb colour(k) notitle, \
         for [k = 1:shown_count] data using (here(i, shown(k)) ? column('x') : NaN):'y' \
             with linespoints lt k dt dashed(k) lw thin(k) notitle
}
eval legend
plot for [k = 1:shown_count] NaN with linespoints lt k dt dashed(k) lw 1.2 title keyed(k)
eval close
