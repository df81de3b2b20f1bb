# Pairs of factors: the share of the variance that neither explains alone.
right = 0.5
bottom = names_room
left = max(0.58, 0.2 + 0.06 * longest)
note = 'share of the variance by two factors together'
stats data using 'z' name 'z' nooutput
eval frame(lines > 1 ? 1.1 : 1.6)
set style fill solid 1 noborder
unset grid
set cbrange [0:max(z_max, 0.01)]
set colorbox user size screen 0.025, screen 1 - (bottom + head_of(0)) / height \
    origin screen 1 - 0.45 / width, screen bottom / height
set cbtics scale 0.3 font small offset -0.8,0
set offsets 0, 0, 0, 0
if (names_turned == 90) { set xtics rotate by 90 right offset 0,0 } else { set xtics rotate by 30 right offset 0.6,0.2 }
# The first factors come in the order of the second ones, but for the very first.
first = ''
stats data using (first = first eq '' ? strcol('x') : first, 0) nooutput
count = series_count + 1
name_at(k) = k == 1 ? first : series[k - 1]
index_of(name) = sum [k = 1:count] (name_at(k) eq name ? k : 0)
do for [i = 1:panel_count] {
    eval panel(i)
    eval no_tics('x')
    eval no_tics('y')
    if (is_low(i)) { do for [k = 1:count - 1] { set xtics add (name_at(k) k) } }
    if (is_left(i)) { do for [k = 2:count] { set ytics add (name_at(k) k) } }
    if (i > 1) { unset colorbox }
    plot [0.5:count - 0.5][1.5:count + 0.5] data using \
        (in_panel(i) ? index_of(strcol('x')) : NaN):(index_of(strcol('series'))):(index_of(strcol('x')) - 0.5):(index_of(strcol('x')) + 0.5):(index_of(strcol('series')) - 0.5):(index_of(strcol('series')) + 0.5):'z' \
        with boxxyerror lc palette notitle
}
eval close
