# A value of the details over their first column: steps, as in a histogram.
xlabel = detail_x_label
ylabel = detail_y_label
key_rows = factor2_label eq '' ? 0 : (shown_count + 3) / 4
note = factor2_label eq '' ? '' : 'colour: '.factor2_label.(thinned eq '' ? '' : ', '.thinned)
note = add_note(others eq '' ? '' : 'mean over '.others)
stats data using 'step' name 'step' nooutput
note = add_note(step_max > 1 ? sprintf('one of %d points', step_max) : '')
eval frame(lines > 1 ? 1.1 : 1.6)
value_of(text) = factor2_bins ? gprintf('~%.2g', real(text)) : text
name(k) = value_of(series_title[shown(k)])
stats data using 'x' name 'x' nooutput
stats data using 'y' name 'y' nooutput
if (x_max - x_min < 12) { set xtics 1 }
if (spans(y_min, y_max)) { set logscale y }
set format y numbers(y_max)
do for [i = 1:panel_count] {
    eval panel(i)
    plot for [k = 1:shown_count] data using (here(i, shown(k)) ? column('x') : NaN):'y' with histeps lt k notitle, \
         for [k = 1:shown_count] data using (here(i, shown(k)) ? column('x') : NaN):'y' with points lt k notitle
}
eval legend
if (key_rows) { plot for [k = 1:shown_count] NaN with linespoints lt k title name(k) } else { plot NaN notitle }
eval close
