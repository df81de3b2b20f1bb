# A value of the details over their first column: steps, as in a histogram.
eval quantity('value')
eval measure('value', 'y')
eval choose('value', 1)
eval quantity('place')
eval measure('place', 'x')
place_scale = 'linear'
eval choose('place', 0)
xlabel = detail_x_label
ylabel = detail_y_label
title = and_note(detail_y_label.' over '.detail_x_label, rest)
stats data using 'step' name 'step' nooutput
note = add_note(thinned)
note = add_note(step_max > 1 ? sprintf('one in %.3g points', step_max) : '')
eval series_key
gap_x = value_shared ? 0.14 : 0.44
gap_y = has_titles ? 0.22 : 0.14
eval layout(1.1)
eval frame(lines > 1 ? 1.1 : 1.6)
do for [i = 1:panel_count] {
    eval panel(i)
    eval shared_axis('x', 'place', i)
    if (place_max - place_min < 12) { set xtics 1 }
    eval shared_axis('y', 'value', i)
    plot for [k = 1:shown_count] data using (here(i, shown(k)) ? column('x') : NaN):'y' with histeps lt k dt dashed(k) notitle, \
         for [k = 1:shown_count] data using (here(i, shown(k)) ? column('x') : NaN):'y' with points lt k notitle
}
eval legend
plot for [k = 1:shown_count] NaN with linespoints lt k dt dashed(k) title keyed(k)
eval close
