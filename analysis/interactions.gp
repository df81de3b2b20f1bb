# Pairs of factors: the share of the variance that neither explains alone.
right = 0.5
bottom = 0.46 + 0.032 * longest
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
set xtics rotate by 30 right offset 0.6,0.2
# The first factors come in the order of the second ones, but for the very first.
names = ''
do for [s = 1:series_count] { names = names.' '.series[s] }
first = ''
stats data using (first = first eq '' ? strcol('x') : first, 0) nooutput
names = first.names
place(name) = sum [k = 1:words(names)] (word(names, k) eq name ? k : 0)
do for [i = 1:panel_count] {
    eval panel(i)
    if (i > 1) { unset colorbox }
    plot [0.5:words(names) - 0.5][1.5:words(names) + 0.5] data using \
        (in_panel(i) ? place(strcol('x')) : NaN):(place(strcol('series'))):(place(strcol('x')) - 0.5):(place(strcol('x')) + 0.5):(place(strcol('series')) - 0.5):(place(strcol('series')) + 0.5):'z':xtic(strcol('x')):ytic(strcol('series')) \
        with boxxyerror lc palette notitle
}
eval close
