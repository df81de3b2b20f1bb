# Stacked bars of the causes: each box reaches from 0 to the sum of its cause and those below, the
# tallest drawn first.
n = words(causes)
sum_to(k) = sum [c = 1:k] column(word(causes, c))
eval quantity('total')
eval measure_by('total', 'sum_to(n)')
eval from_zero('total')
total_scale = 'linear'
eval choose('total', 1)
xlabel = plain_label(factor_label)
ylabel = exists('stack_label') ? stack_label : causes_label
if (!exists('stack_title')) { stack_title = 'causes of '.causes_label }
title = and_note(stack_title, rest)
longest_cause(k) = k < 1 ? 0 : max(strlen(in_words(word(causes, k))), longest_cause(k - 1))
eval key_of(n, longest_cause(n))
gap_x = total_shared ? mark_gap('factor') : max(0.44, mark_gap('factor'))
right = edge_right(mark_length('factor', int(factor_marks)))
gap_y = has_titles ? 0.22 : 0.14
eval layout(1.1)
eval frame(lines > 1 ? 1.1 : 1.6)
set style fill solid 1 noborder
set boxwidth 0.8
set grid noxtics
set offsets graph 0.02, graph 0.02, 0, 0
# Light beside dark, so that grey print tells neighbours apart.
fill(k) = word('#0072b2 #f0b060 #00664b #e6b3cf #b34700 #9fd0ee #333333 #c8c8c8 #7a3b8f #f5e08a', 1 + (k - 1) % 10)
do for [i = 1:panel_count] {
    eval panel(i)
    eval marked('x', 'factor', i, 1)
    eval shared_axis('y', 'total', i)
    set yrange [0:*]
    eval sprintf('set yrange [0:%.12g]', off_scale('total', high_end('total', i)))
    plot for [k = n:1:-1] data using (in_panel(i) ? column('x') : NaN):(sum_to(k)) \
        with boxes lc rgb fill(k) notitle
}
eval legend
plot for [k = 1:n] NaN with boxes fc rgb fill(k) lc rgb fill(k) title in_words(word(causes, k))
eval close
