# The look of all figures: load it first. Colours are told apart by colour-blind eyes too (Okabe, Ito).
set encoding utf8
set border 3 lc rgb '#444444'
set tics nomirror out textcolor rgb '#444444'
set grid lc rgb '#d8d8d8' lw 1
set samples 400
set key top right reverse Left samplen 1.5 spacing 1.2
set linetype 1 lc rgb '#0072b2' lw 2 pt 7 ps 0.6
set linetype 2 lc rgb '#d55e00' lw 2 pt 7 ps 0.6
set linetype 3 lc rgb '#009e73' lw 2 pt 7 ps 0.6
set linetype 4 lc rgb '#cc79a7' lw 2 pt 7 ps 0.6
set linetype 5 lc rgb '#e69f00' lw 2 pt 7 ps 0.6
set linetype 6 lc rgb '#56b4e9' lw 2 pt 7 ps 0.6
set linetype 9 lc rgb '#bbbbbb' lw 1 pt 7 ps 0.25
png = 'pngcairo size 900,600 font "sans,13" background "white"'
svg = 'svg size 900,600 font "sans,13" background "white"'
# Where the numbers come from, small, below the figure.
set bmargin 5
origin(text) = sprintf('set label 99 "%s" at screen 0.99,0.02 right font ",8" textcolor rgb "#888888" noenhanced', text)
