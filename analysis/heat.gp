# A metric as colour over two factors.
eval measure('metric', 'z')
eval choose('metric', 0)
xlabel = plain_label(factor_label)
ylabel = plain_label(factor2_label)
title = and_note(metric_words, rest)
cb_label = label_of('metric', metric_label)
left = 0.34 + letter_width * mark_length('factor2', int(factor2_marks))
gap_x = 0.14
gap_y = has_titles ? 0.22 : 0.14
eval colour_bar
eval layout(0.9)
eval frame(lines > 1 ? 1.0 : 1.5)
set style fill solid 1 noborder
unset grid
set offsets 0, 0, 0, 0
# One grid for all panels: levels that a panel lacks stay empty.
stats data using 'x' name 'across' nooutput
stats data using 'y' name 'up' nooutput
do for [i = 1:panel_count] {
    if (i == 1) { eval bar_of('metric') }
    eval panel(i)
    eval marked('x', 'factor', i, 1)
    eval marked('y', 'factor2', i, 1)
    plot [across_min - 0.5:across_max + 0.5][up_min - 0.5:up_max + 0.5] data using (in_panel(i) ? column('x') : NaN):'y':(column('x') - 0.5):(column('x') + 0.5):(column('y') - 0.5):(column('y') + 0.5):(on_scale('metric', column('z'))) \
        with boxxyerror lc palette notitle
}
eval close
