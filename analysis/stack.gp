# Stacked bars of the causes: each box reaches from 0 to the sum of its cause and those below, the
# tallest drawn first.
xlabel = factor_label
ylabel = causes_label
key_rows = (words(causes) + 3) / 4
note = others eq '' ? '' : 'mean over '.others
eval frame(lines > 1 ? 1.1 : 1.6)
set style fill solid 0.9 noborder
set boxwidth 0.8
set grid noxtics
set format y numbers(1e4)
sum_to(k) = sum [c = 1:k] column(word(causes, c))
do for [i = 1:panel_count] {
    eval panel(i)
    eval factor_step_x
    plot [][0:] for [k = words(causes):1:-1] data using (in_panel(i) ? column('x') : NaN):(sum_to(k)) \
        with boxes lc rgb colour(k) notitle
}
eval legend
plot for [k = words(causes):1:-1] NaN with boxes lc rgb colour(k) title word(causes, k)
eval close
