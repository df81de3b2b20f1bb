# Pairs of factors: the share of the variance that neither explains alone.
eval quantity('share')
eval measure('share', 'z')
share_min = 0.0
share_max = max(share_max, 0.01)
share_scale = 'linear'
eval choose('share', 0)
eval kept_read('settings')
title = 'shares of the variance by two factors'.of_kept
cb_label = 'share by two together'
# The first factors come in the order of the second ones, but for the very first.
first = ''
stats data using (first = first eq '' ? strcol('x') : first, 0) nooutput
count = series_count + 1
name_at(k) = k == 1 ? first : series[k - 1]
index_of(name) = sum [k = 1:count] (name_at(k) eq name ? k : 0)
longest = max(longest, strlen(first))
bottom = 0.34 + letter_width * longest
left = 0.14 + letter_width * longest
gap_x = 0.14
gap_y = has_titles ? 0.22 : 0.14
eval colour_bar
eval layout(0.9)
eval frame(max(0.6, 0.2 * count))
set style fill solid 1 noborder
unset grid
set offsets 0, 0, 0, 0
set xtics rotate by 90 right offset 0,0
do for [i = 1:panel_count] {
    if (i == 1) { eval bar_of('share') }
    eval panel(i)
    eval no_tics('x')
    eval no_tics('y')
    if (is_low(i)) { do for [k = 1:count - 1] { set xtics add (name_at(k) k) } }
    if (is_left(i)) { do for [k = 2:count] { set ytics add (name_at(k) k) } }
    plot [0.5:count - 0.5][1.5:count + 0.5] data using \
        (in_panel(i) ? index_of(strcol('x')) : NaN):(index_of(strcol('series'))):(index_of(strcol('x')) - 0.5):(index_of(strcol('x')) + 0.5):(index_of(strcol('series')) - 0.5):(index_of(strcol('series')) + 0.5):'z' \
        with boxxyerror lc palette notitle
}
eval close
