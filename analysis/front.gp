# The plane of two objectives: what the front beats is faint, bars are half-widths. A third objective
# is the colour of the front.
three = objective_count == 3
eval measure('metric', 'x')
eval choose('metric', 1)
eval measure('metric2', 'y')
eval choose('metric2', 1)
xlabel = label_of('metric', metric_label)
ylabel = label_of('metric2', metric2_label)
title = metric2_words.' over '.metric_words.(objective_count > 2 ? (three ? ', colour '.metric3_words : sprintf(', 2 of %d objectives', objective_count)) : '')
note = sprintf('%d points on the front of %d objectives', front_count, objective_count)
eval key_of(2, 6)
left = 0.36 + letter_width * 7
gap_x = metric2_shared ? 0.16 : 0.12 + letter_width * 8
gap_y = metric_shared ? (has_titles ? 0.22 : 0.14) : (has_titles ? 0.36 : 0.24)
if (three) {
    eval measure('metric3', 'z')
    eval choose('metric3', 0)
    cb_label = label_of('metric3', metric3_label)
    eval colour_bar
}
eval layout(1.1)
eval frame(lines > 1 ? 1.1 : 1.7)
on(i, f) = in_panel(i) && column('front') == f
do for [i = 1:panel_count] {
    if (three && i == 1) { eval bar_of('metric3') }
    eval panel(i)
    if (!three) { unset colorbox }
    eval shared_axis('x', 'metric', i)
    eval shared_axis('y', 'metric2', i)
    plot data using (on(i, 0) ? column('x') : NaN):'y' with points pt 7 ps (rows > 3000 ? 0.12 : 0.2) lc rgb faint notitle, \
         data using (on(i, 1) && objective_count == 2 ? column('x') : NaN):'y' with fsteps lt 1 lw 0.8 notitle, \
         data using (on(i, 1) && column('x_hw') > 0 ? column('x') - column('x_hw') : NaN):'y':(2 * column('x_hw')):(0) with vectors nohead lt 1 lw 0.6 notitle, \
         data using (on(i, 1) && column('y_hw') > 0 ? column('x') : NaN):(column('y') - column('y_hw')):(0):(2 * column('y_hw')) with vectors nohead lt 1 lw 0.6 notitle, \
         data using (on(i, 1) ? column('x') : NaN):'y' with points lt 1 ps 0.3 notitle, \
         data using (three && on(i, 1) ? column('x') : NaN):'y':(three ? on_scale('metric3', column('z')) : 0) with points pt 7 ps 0.35 lc palette notitle
}
eval legend
plot NaN with points pt 7 ps 0.3 lc rgb faint title 'dominated', NaN with points pt 7 ps 0.4 lc rgb (three ? '#31688e' : colour(1)) title 'front'
eval close
