# Dark points are near to all that was published; those ruled out by far lie beneath.
xlabel = 'position of the second'
ylabel = 'position of the first'
note = 'largest distance as colour, in s; above 12 as 12'
right = 0.5
eval frame(1.2)
set format x '%g'
set format y '%g'
set palette defined (0 '#440154', 3 '#31688e', 3.01 '#35b779', 6 '#b4de2c', 12 '#e8e8e8')
set cbrange [0:12]
set cbtics 3 scale 0.3 font small offset -0.8,0
set colorbox user size screen 0.025, screen 1 - (bottom + head_of(0)) / height \
    origin screen 1 - 0.45 / width, screen bottom / height
do for [i = 1:panel_count] {
    eval panel(i)
    if (i > 1) { unset colorbox }
    plot [0:1][0:1] data using (in_panel(i) ? column('x') : NaN):'y':'worst' with points pt 7 ps 0.2 lc palette notitle
}
eval close
