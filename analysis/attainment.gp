# A line per surface; those of one side have one colour, that of half of the runs is thickest.
eval quantity('first')
eval measure('first', 'x')
eval choose('first', 0)
eval quantity('second')
eval measure('second', 'y')
eval choose('second', 0)
stats data using ((x_text = strcol('x_name'), y_text = strcol('y_name')), 0) nooutput
xlabel = in_words(x_text)
ylabel = in_words(y_text)
title = 'attained by one, half and all of the runs'
shown_count = series_count
shown(k) = k
is_half(k) = strstrt(series[k], ', half') > 0
side(k) = strstrt(series[k], 'this') == 1 ? 1 : 2
dash(k) = is_half(k) ? 1 : strstrt(series[k], ', one') ? 3 : 2
eval key_of(shown_count, longest)
gap_x = 0.14
gap_y = has_titles ? 0.22 : 0.14
eval layout(1.1)
eval frame(1.7)
do for [i = 1:panel_count] {
    eval panel(i)
    eval shared_axis('x', 'first', i)
    eval shared_axis('y', 'second', i)
    plot for [k = 1:shown_count] data using (here(i, k) ? column('x') : NaN):'y' \
             with steps lc rgb colour(side(k)) dt dash(k) lw (is_half(k) ? 1.4 : 0.7) notitle
}
eval legend
plot for [k = 1:shown_count] NaN with lines lc rgb colour(side(k)) dt dash(k) lw (is_half(k) ? 1.4 : 0.7) title series[k]
eval close
