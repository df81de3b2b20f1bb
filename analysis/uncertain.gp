# Points that may be on the front, coloured by the probability that they are.
eval measure('metric', 'x')
eval choose('metric', 1)
eval measure('metric2', 'y')
eval choose('metric2', 1)
xlabel = label_of('metric', metric_label)
ylabel = label_of('metric2', metric2_label)
title = metric2_words.' over '.metric_words.': which points may be on the front'
cb_label = 'probability of being on the front'
note = 'bars: half-widths'
eval key_of(3, 7)
eval colour_bar
left = 0.36 + letter_width * 7
gap_x = metric2_shared ? 0.16 : 0.12 + letter_width * 8
gap_y = metric_shared ? (has_titles ? 0.22 : 0.14) : (has_titles ? 0.36 : 0.24)
eval layout(1.1)
eval frame(lines > 1 ? 1.1 : 1.7)
set palette defined (0 '#fde725', 0.25 '#5ec962', 0.5 '#21918c', 0.75 '#3b528b', 1 '#440154')
probability_min = 0.0
probability_max = 1.0
eval quantity('probability')
probability_used = 'linear'
on(i, k) = in_panel(i) && column('kind') == k
may(i) = in_panel(i) && column('kind') >= 0
do for [i = 1:panel_count] {
    if (i == 1) { eval bar_of('probability') }
    eval panel(i)
    eval shared_axis('x', 'metric', i)
    eval shared_axis('y', 'metric2', i)
    plot data using (on(i, -1) ? column('x') : NaN):'y' with points pt 7 ps (rows > 3000 ? 0.12 : 0.2) lc rgb faint notitle, \
         data using (may(i) && column('x_hw') > 0 ? column('x') - column('x_hw') : NaN):'y':(2 * column('x_hw')):(0) with vectors nohead lc rgb '#888888' lw 0.6 notitle, \
         data using (may(i) && column('y_hw') > 0 ? column('x') : NaN):(column('y') - column('y_hw')):(0):(2 * column('y_hw')) with vectors nohead lc rgb '#888888' lw 0.6 notitle, \
         data using (on(i, 0) ? column('x') : NaN):'y':'probability' with points pt 7 ps 0.35 lc palette notitle, \
         data using (on(i, 1) ? column('x') : NaN):'y':'probability' with points pt 5 ps 0.4 lc palette notitle
}
eval legend
plot NaN with points pt 7 ps 0.3 lc rgb faint title 'dominated', NaN with points pt 7 ps 0.5 lc rgb '#21918c' title 'open', NaN with points pt 5 ps 0.5 lc rgb '#440154' title 'certain'
eval close
