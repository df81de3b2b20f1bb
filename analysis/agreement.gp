# On the line both agree; dashed: ten per cent off. Bars are half-widths.
xlabel = metric_label.' '.(series_count == 1 ? 'at '.word(series[1], 3) : '(dearer)')
ylabel = metric_label.' '.(series_count == 1 ? 'at '.word(series[1], 1) : '(cheaper)')
key_rows = (shown_count + 2) / 2
stats data using 'x' name 'x' nooutput
stats data using 'y' name 'y' nooutput
stats data using 'of' name 'of' nooutput
low = min(x_min, y_min)
high = max(x_max, y_max)
note = rows < of_max ? sprintf('%d pairs shown', rows) : sprintf('%d pairs', rows)
eval frame(lines > 1 ? 1.2 : 1.8)
set offsets 0, 0, 0, 0
if (spans(low, high)) { set logscale xy; low = low / 1.2; high = high * 1.2 } else { set xtics step_of(low, high); set ytics step_of(low, high) }
set format x numbers(high)
set format y numbers(high)
do for [i = 1:panel_count] {
    eval panel(i)
    plot [low:high][low:high] x with lines lc rgb '#444444' lw 0.7 notitle, \
        0.9 * x with lines dt 2 lc rgb '#888888' lw 0.7 notitle, 1.1 * x with lines dt 2 lc rgb '#888888' lw 0.7 notitle, \
        for [k = 1:shown_count] data using (here(i, shown(k)) && column('y_hw') > 0 ? column('x') : NaN):(column('y') - column('y_hw')):(0):(2 * column('y_hw')) with vectors nohead lc rgb colour(k) lw 0.6 notitle, \
        for [k = 1:shown_count] data using (here(i, shown(k)) && column('x_hw') > 0 ? column('x') - column('x_hw') : NaN):'y':(2 * column('x_hw')):(0) with vectors nohead lc rgb colour(k) lw 0.6 notitle, \
        for [k = 1:shown_count] data using (here(i, shown(k)) ? column('x') : NaN):'y' with points lt k ps 0.25 notitle
}
eval legend
plot for [k = 1:shown_count] NaN with points lt k ps 0.5 title series[shown(k)], NaN with lines dt 2 lc rgb '#888888' title '10 % off'
eval close
