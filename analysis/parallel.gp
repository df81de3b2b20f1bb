# Parallel coordinates: each axis from its lowest to its highest value, with its unit, on its own scale;
# categories by name; the front in colour.
n = words(axes)
if (page_columns eq 'auto' && n > 5) { width = two_columns }
do for [a = 1:n] {
    q = 'axis'.a
    eval sprintf("%s_ratio = axis%d_scale eq 'auto'; %s_from = NaN; %s_to = NaN", q, a, q, q)
    eval measure_by(q, sprintf('column(word(axes, %d))', a))
    eval choose(q, 0)
}
axis_name(a) = label_of('axis'.a, value('axis'.a.'_label'))
longest_name(a) = a < 1 ? 0 : max(strlen(axis_name(a)), longest_name(a - 1))
left = 0.3
right = 0.3 + letter_width * 4
lines = panel_count
cols = 1
apart = (width - left - right) / max(n - 1, 1)
# Names that do not fit beside one another stand in two rows.
staggered = letter_width * longest_name(n) > 0.95 * apart
bottom = 0.42 + (staggered ? 0.12 : 0)
gap_y = lines > 8 ? 0.34 : 0.46
top = 0.12
title = 'all factors and objectives'
eval key_of(2, 6)
stats data using 'of' name 'of' nooutput
note = sprintf('%d of %d points shown', rows, of_max)
eval frame(1.4)
# Not before the height is known: names on the lowest panel only.
set style textbox opaque fc 'white' noborder margins 0.3, 0.3
unset border
unset xtics
unset ytics
unset grid
set offsets 0, 0, 0, 0
# Numbers in arrays: looked up by name for each point they would take seconds.
array kind[n]
array low[n]
array span[n]
array floor_at[n]
do for [a = 1:n] {
    q = 'axis'.a
    kind[a] = of(q, 'used') eq 'log' ? 1 : of(q, 'used') eq 'excess' ? 2 : 0
    floor_at[a] = of(q, 'floor')
    low[a] = on_scale(q, of(q, 'min'))
    span[a] = on_scale(q, of(q, 'max')) - low[a]
}
scaled(a, v) = kind[a] == 1 ? log10(v) : kind[a] == 2 ? excess_on(v - 1, floor_at[a]) : v
spot(a, v) = span[a] > 0 ? (scaled(a, v) - low[a]) / span[a] : 0.5
at(a) = spot(a, column(word(axes, a)))
end_text(a, v) = value('axis'.a.'_used') eq 'excess' ? short(to_number(sprintf('%.3g', v - 1))) : number_of('axis'.a, to_number(sprintf('%.3g', v)))
below(inches) = -inches / panel_height
next = 1000
# Levels are named at their places, numbers at the ends.
name_levels(a) = sprintf("do for [k = 1:axis%d_marks:max(1, int(ceil(axis%d_marks / max(2, panel_height / 0.1))))] { set label %d + k axis%d_mark[k] at %d, spot(%d, axis%d_place[k]) left offset character 0.4, 0 font small textcolor rgb '#555555' front boxed }", a, a, 1000 * a, a, a, a, a)
do for [a = 1:n] {
    set arrow 100 + a from a, 0 to a, 1 nohead lc rgb '#666666' lw 0.6 front
    if (value('axis'.a.'_marks') > 0) { eval name_levels(a) } else {
        set label 200 + a end_text(a, value('axis'.a.'_max')) at a, 1 left offset character 0.4, 0 font small textcolor rgb '#555555' front boxed
        set label 300 + a end_text(a, value('axis'.a.'_min')) at a, 0 left offset character 0.4, 0 font small textcolor rgb '#555555' front boxed
    }
}
place_name(a) = sprintf("set label %d axis_name(%d) at %d, %f %s font small textcolor rgb ink", 400 + a, a, a, below(0.12 + (staggered && a % 2 == 0 ? 0.12 : 0)), a == 1 ? sprintf('left offset character %f, 0', -0.2 / (small_size / 72.0)) : a == n ? 'right offset character 3, 0' : 'center')
do for [i = 1:panel_count] {
    eval panel(i)
    set label 90 at graph 0, graph 1 offset 0, character 1.1
    if (is_low(i)) { do for [a = 1:n] { eval place_name(a) } }
    plot [1:n][0:1] \
        for [a = 1:n - 1] data using (in_panel(i) && column('front') == 0 ? a : NaN):(at(a)):(1):(at(a + 1) - at(a)) with vectors nohead lc rgb '#c4c4c4' lw 0.3 notitle, \
        for [a = 1:n - 1] data using (in_panel(i) && column('front') == 1 ? a : NaN):(at(a)):(1):(at(a + 1) - at(a)) with vectors nohead lc rgb colour(1) lw 0.6 notitle
}
eval legend
plot NaN with lines lc rgb '#c4c4c4' title 'dominated', NaN with lines lc rgb colour(1) title 'front'
eval close
