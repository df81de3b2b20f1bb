# Parallel coordinates: each axis from its lowest to its highest value, the front in colour.
lines = panel_count
cols = 1
gap_y = 0.72
bottom = 0.72
left = 0.2
right = 0.2
key_rows = 1
stats data using 'of' name 'of' nooutput
note = sprintf('%d of %d points shown', rows, of_max)
eval frame(1.4)
unset border
unset xtics
unset ytics
n = words(axes)
do for [a = 1:n] { stats data using (column(word(axes, a))) name sprintf('a%d', a) nooutput }
low(a) = value(sprintf('a%d_min', a))
high(a) = value(sprintf('a%d_max', a))
tidy(v) = abs(v) < 1e-9 ? 0 : v
end_text(v) = gprintf(abs(v) < 1e4 ? '%.4g' : '%.1s%c', tidy(v))
at(a) = high(a) > low(a) ? (column(word(axes, a)) - low(a)) / (high(a) - low(a)) : 0.5
do for [a = 1:n] {
    at_name = sprintf("at %d, %f ", a, -0.14 + (a % 2 || n < 6 ? 0 : -0.1))
    eval "set label 100 + a word(axes, a) ".at_name.(a == n ? 'right offset 2,0' : a == 1 ? 'left offset -2,0' : 'center')." font small noenhanced"
    set label 200 + a end_text(high(a)) at a, 1.05 center font small textcolor rgb '#666666'
    set label 300 + a end_text(low(a)) at a, -0.05 center font small textcolor rgb '#666666'
    set arrow 100 + a from a, 0 to a, 1 nohead lc rgb '#888888' lw 0.6 front
}
do for [i = 1:panel_count] {
    eval panel(i)
    set label 90 at graph 0, graph 1 offset 0, character 1.4
    plot [0.7:n + 0.3][0:1] \
        for [a = 1:n - 1] data using (in_panel(i) && column('front') == 0 ? a : NaN):(at(a)):(1):(at(a + 1) - at(a)) with vectors nohead lc rgb '#c4c4c4' lw 0.3 notitle, \
        for [a = 1:n - 1] data using (in_panel(i) && column('front') == 1 ? a : NaN):(at(a)):(1):(at(a + 1) - at(a)) with vectors nohead lc rgb colour(1) lw 0.6 notitle
}
eval legend
unset arrow
plot NaN with lines lc rgb '#c4c4c4' title 'beaten', NaN with lines lc rgb colour(1) title 'front'
eval close
