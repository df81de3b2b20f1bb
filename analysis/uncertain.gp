# Points that may be on the front, coloured by the probability that they are.
xlabel = metric_label
ylabel = metric2_label
key_rows = 1
right = 0.5
stats data using 'x' name 'x' nooutput
stats data using 'y' name 'y' nooutput
stats data using (column('kind') == 0 ? 1 : NaN) name 'open' nooutput
stats data using (column('kind') == 1 ? 1 : 0) name 'certain' nooutput
note = 'probability of being on the front as colour; bars: half-widths'
eval find_ends
eval frame(lines > 1 ? 1.1 : 1.7)
if (spans(x_min, x_max)) { set logscale x }
if (spans(y_min, y_max)) { set logscale y }
set format x numbers(x_max)
set format y numbers(y_max)
set palette defined (0 '#fde725', 0.25 '#5ec962', 0.5 '#21918c', 0.75 '#3b528b', 1 '#440154')
set cbrange [0:1]
set cbtics 0.25 scale 0.3 font small offset -0.8,0
set colorbox user size screen 0.025, screen 1 - (bottom + head_of(key_rows)) / height \
    origin screen 1 - 0.45 / width, screen bottom / height
on(i, k) = in_panel(i) && column('kind') == k
may(i) = in_panel(i) && column('kind') >= 0
do for [i = 1:panel_count] {
    eval panel(i)
    eval tics_of('x', x_low(i), x_high(i), spans(x_min, x_max))
    if (i > 1) { unset colorbox }
    plot data using (on(i, -1) ? column('x') : NaN):'y' with points pt 7 ps (rows > 3000 ? 0.12 : 0.2) lc rgb faint notitle, \
         data using (may(i) && column('x_hw') > 0 ? column('x') - column('x_hw') : NaN):'y':(2 * column('x_hw')):(0) with vectors nohead lc rgb '#888888' lw 0.6 notitle, \
         data using (may(i) && column('y_hw') > 0 ? column('x') : NaN):(column('y') - column('y_hw')):(0):(2 * column('y_hw')) with vectors nohead lc rgb '#888888' lw 0.6 notitle, \
         data using (on(i, 0) ? column('x') : NaN):'y':'probability' with points pt 7 ps 0.35 lc palette notitle, \
         data using (on(i, 1) ? column('x') : NaN):'y':'probability' with points pt 5 ps 0.4 lc palette notitle
}
eval legend
unset colorbox
plot NaN with points pt 7 ps 0.3 lc rgb faint title 'beaten', NaN with points pt 7 ps 0.5 lc rgb '#21918c' title 'open', NaN with points pt 5 ps 0.5 lc rgb '#440154' title 'certain'
eval close
