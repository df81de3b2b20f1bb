# A metric as colour over two factors.
xlabel = factor_label
ylabel = factor2_label
right = 0.5
note = metric_label.' as colour'.(others eq '' ? '' : '; mean over '.others)
stats data using 'z' name 'z' nooutput
eval frame(lines > 1 ? 1.1 : 1.6)
set style fill solid 1 noborder
unset grid
if (z_max <= z_min) { z_max = z_min + 1 }
set cbrange [z_min:z_max]
set colorbox user size screen 0.025, screen 1 - (bottom + head_of(0)) / height \
    origin screen 1 - 0.45 / width, screen bottom / height
set cbtics scale 0.3 font small offset -0.8,0
do for [i = 1:panel_count] {
    eval panel(i)
    eval factor_step_x
    eval factor2_step_y
    if (i > 1) { unset colorbox }
    plot [][] data using (in_panel(i) ? column('x') : NaN):'y':(column('x') - 0.5):(column('x') + 0.5):(column('y') - 0.5):(column('y') + 0.5):'z' \
        with boxxyerror lc palette notitle
}
eval close
