# Bars of performance against the oracle: three groups per network (batch 1, 4, 8), a bar per level of the factor.
xlabel = 'batch'
ylabel = 'performance / oracle'
key_rows = (shown_count + 3) / 4
eval frame(1.1)
set style fill solid noborder
bar = 0.8 / shown_count
group(b) = b < 2 ? 1 : b < 6 ? 2 : 3
name(k) = (k == 1 ? factor_label.': ' : '').series_title[shown(k)]
place(k) = group(column('batch')) + (k - 0.5 - shown_count / 2.0) * bar
set xrange [0.5:3.5]
set yrange [0:1.05]
do for [i = 1:panel_count] {
    eval panel(i)
    set xtics ('1' 1, '4' 2, '8' 3)
    plot for [k = 1:shown_count] data using (here(i, shown(k)) ? place(k) : NaN):'y':(bar) \
             with boxes lc rgb colour(k) notitle
}
eval legend
plot for [k = 1:shown_count] NaN with boxes lc rgb colour(k) title name(k)
eval close
