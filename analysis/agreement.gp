# On the line both agree; dashed: ten per cent off. Bars are half-widths.
eval measure('metric', 'x')
x_min = metric_min
x_max = metric_max
x_above = metric_above
eval measure('metric', 'y')
metric_min = min(x_min, metric_min)
metric_max = max(x_max, metric_max)
metric_above = min(x_above, metric_above)
metric_floor = max(metric_above, (metric_max - 1) * 1e-6)
eval choose('metric', 0)
sides(s) = word(series[1], s)
xlabel = label_of('metric', metric_label).', '.(series_count == 1 ? sides(3) : 'dearer')
ylabel = label_of('metric', metric_label).', '.(series_count == 1 ? sides(1) : 'cheaper')
title = metric_words.' of the same points at '.(series_count == 1 ? series[1] : 'two fidelities')
shown(k) = k
shown_count = min(series_count, 8)
eval key_of(shown_count + 1, max(longest, 8))
stats data using 'of' name 'of' nooutput
note = rows < of_max ? sprintf('%d pairs shown', rows) : sprintf('%d pairs', rows)
gap_x = 0.16
gap_y = has_titles ? 0.22 : 0.14
eval layout(1.1)
eval frame(lines > 1 ? 1.2 : 1.8)
set offsets 0, 0, 0, 0
# Lines are straight but on the scale of an excess.
set samples metric_used eq 'excess' ? 60 : 2
do for [i = 1:panel_count] {
    eval panel(i)
    eval shared_axis('x', 'metric', i)
    eval shared_axis('y', 'metric', i)
    plot x with lines dt 1 lc rgb '#444444' lw 0.7 notitle, \
        0.9 * x with lines dt 2 lc rgb '#888888' lw 0.7 notitle, 1.1 * x with lines dt 2 lc rgb '#888888' lw 0.7 notitle, \
        for [k = 1:shown_count] data using (here(i, shown(k)) && column('y_hw') > 0 ? column('x') : NaN):(column('y') - column('y_hw')):(0):(2 * column('y_hw')) with vectors nohead lc rgb colour(k) lw 0.6 notitle, \
        for [k = 1:shown_count] data using (here(i, shown(k)) && column('x_hw') > 0 ? column('x') - column('x_hw') : NaN):'y':(2 * column('x_hw')):(0) with vectors nohead lc rgb colour(k) lw 0.6 notitle, \
        for [k = 1:shown_count] data using (here(i, shown(k)) ? column('x') : NaN):'y' with points lt k ps 0.25 notitle
}
eval legend
plot for [k = 1:shown_count] NaN with points lt k ps 0.5 title series[k], NaN with lines dt 2 lc rgb '#888888' title '10 % off'
eval close
